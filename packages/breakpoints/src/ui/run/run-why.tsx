/** Why a run stands where it stands, and what gets it on. */
import type { RunSummary } from "@a5c-ai/babysitter-sdk/view";
import type { RunDetail } from "../../wire/run-wire.js";
import { addressOf } from "../model/routes.js";
import { Command } from "../parts/command.js";
import { Link } from "../parts/link.js";
import { UserText } from "../parts/user-text.js";
import type { Failing } from "./failing-step.js";
import type { RunData } from "./run-data.js";
import type { Address } from "./run-place.js";
import { isOver, pendingWords, splitCommand } from "./run-words.js";

interface RunWhyProps {
  data: RunData;
  run: RunDetail;
  failing: Failing | undefined;
  address: Address | undefined;
}

export function RunWhy({ data, run, failing, address }: RunWhyProps) {
  const state = data.state.value;
  if (data.at.value !== undefined) return state === undefined ? null : <Then state={state} />;
  return <Now run={run} state={state} failing={failing} address={address} />;
}

type NowProps = Omit<RunWhyProps, "data"> & { state: RunSummary | undefined };

function Now({ run, state, failing, address }: NowProps) {
  const questions = Object.values(state?.pending ?? {}).filter(({ kind }) => kind === "breakpoint");
  // What stands in red above need not be said again.
  const isSaid = failing !== undefined && run.state === "failed";
  return (
    <div class="run-why">
      {isSaid ? null : (
        <p>
          <UserText text={run.why} lines />
        </p>
      )}
      {run.output === null || run.state !== "completed" ? null : (
        <p class="run-returned">
          <code>
            <UserText text={run.output} />
          </code>
        </p>
      )}
      {run.readOnly === null ? null : (
        <p class="quiet">
          <UserText text={run.readOnly} />
        </p>
      )}
      {address === undefined || isOver(run.state) || questions.length === 0 ? null : (
        <ul class="run-questions">
          {questions.map(({ effectId, title, taskId }) => (
            <li key={effectId}>
              <Link class="button" data-kind="primary" to={addressOf("inbox", { id: effectId })}>
                <span>
                  Decide: <UserText text={title ?? taskId} />
                </span>
              </Link>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

/** A button does the same; the command stands after it. */
export function hasButton({ source }: RunData, { state }: RunDetail): boolean {
  return source.change !== undefined && (state === "failed" || state === "paused");
}

/** What to type to get it on; of the past there is nothing to get on. */
export function RunNext({ data, run }: Pick<RunWhyProps, "data" | "run">) {
  if (run.next === null || data.at.value !== undefined) return null;
  const { command, about } = splitCommand(run.next);
  return (
    <div class="run-why">
      {hasButton(data, run) ? <p class="quiet small">Or in a terminal:</p> : null}
      <Command text={command} />
      {about === undefined ? null : (
        <p class="quiet small">
          <UserText text={about} />
        </p>
      )}
    </div>
  );
}

function Then({ state }: { state: RunSummary }) {
  const waits = pendingWords(state);
  const { ok, error, requested } = state.counts;
  return (
    <div class="run-why">
      <p>
        {waits.length === 0 ? "Nothing was pending. " : "Pending: "}
        {waits.map((name, index) => (
          <span key={name}>
            {index === 0 ? "" : ", "}
            <UserText text={name} />
          </span>
        ))}
        {waits.length === 0 ? "" : ". "}
        <span class="quiet">
          {requested} asked for, {ok} done, {error} failed; iteration {state.loop?.iteration ?? state.iterations}.
        </span>
      </p>
    </div>
  );
}
