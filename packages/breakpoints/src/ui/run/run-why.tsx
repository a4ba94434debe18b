/** Why a run stands where it stands, and what gets it on. */
import type { RunSummary } from "@a5c-ai/babysitter-sdk/view";
import type { RunDetail } from "../../wire/run-wire.js";
import { addressOf } from "../model/routes.js";
import { Link } from "../parts/link.js";
import { UserText } from "../parts/user-text.js";
import { nextCommands } from "./next-commands.js";
import type { RunData } from "./run-data.js";
import { isOver, pendingWords, whyNow } from "./run-words.js";
import { Typed } from "./typed.js";

interface RunWhyProps {
  data: RunData;
  run: RunDetail;
  /** What stands in red above need not be said again. */
  isSaid: boolean;
}

export function RunWhy({ data, run, isSaid }: RunWhyProps) {
  if (data.at.value === undefined) return <Now run={run} isSaid={isSaid && run.state === "failed"} />;
  const state = data.state.value;
  return state === undefined ? null : <Then state={state} />;
}

function Now({ run, isSaid }: Omit<RunWhyProps, "data">) {
  const { output, readOnly } = run;
  const returned = run.state === "completed" ? output : null;
  if (isSaid && readOnly === null) return null;
  return (
    <div class="run-why">
      {isSaid ? null : (
        <p>
          <UserText text={whyNow(run)} lines />
        </p>
      )}
      {returned === null ? null : (
        <p class="run-returned">
          <code>
            <UserText text={returned} />
          </code>
        </p>
      )}
      {readOnly === null ? null : (
        <p class="quiet">
          <UserText text={readOnly} />
        </p>
      )}
    </div>
  );
}

/** Those that a person can answer now. */
export function RunQuestions({ data, run }: Omit<RunWhyProps, "isSaid">) {
  if (data.at.value !== undefined || isOver(run.state)) return null;
  const questions = Object.values(data.state.value?.pending ?? {}).filter(({ kind }) => kind === "breakpoint");
  if (questions.length === 0) return null;
  return (
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
  );
}

/** What to type to get it on; of the past there is nothing to get on. */
export function RunNext({ data, run }: Omit<RunWhyProps, "isSaid">) {
  return data.at.value === undefined ? <Typed commands={nextCommands(run)} folder={run.project.root} /> : null;
}

function Then({ state }: { state: RunSummary }) {
  const waits = pendingWords(state);
  const { ok, error, requested } = state.counts;
  return (
    <div class="run-why">
      <p>
        {waits.length === 0 ? "Nothing was pending. " : "Waiting for: "}
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
