/** What people do to a run. Where nothing can be changed, the commands that do it. */
import { useSignal } from "@preact/signals";
import type { RunChange, RunChanged, RunDetail } from "../../wire/run-wire.js";
import { runAddress } from "../model/routes.js";
import { Command } from "../parts/command.js";
import { Icon } from "../parts/icons.js";
import { Link } from "../parts/link.js";
import { Problem } from "../parts/problem.js";
import { TextField } from "../parts/text-field.js";
import { UserText } from "../parts/user-text.js";
import { actionsFor, type RunAction } from "./run-actions.js";
import type { RunData } from "./run-data.js";
import type { Address } from "./run-place.js";
import { type Trouble, troubleOf } from "./run-trouble.js";
import { Typed } from "./typed.js";

/** What a run that stands still is waiting for. */
const GETS_ON: readonly string[] = ["retry", "resume"];

const OFFLINE = "Not available while the server is not responding.";

type Mode =
  | { kind: "idle" }
  | { kind: "cancelling"; reason: string }
  | { kind: "busy" }
  | { kind: "changed"; change: RunChange["change"]; answer: RunChanged }
  | { kind: "refused"; trouble: Trouble };

interface RunButtonsProps {
  data: RunData;
  run: RunDetail;
  /** A step has failed last. */
  hasFailed: boolean;
  isOffline: boolean;
  address: Address | undefined;
}

export function RunButtons({ data, run, hasFailed, isOffline, address }: RunButtonsProps) {
  const mode = useSignal<Mode>({ kind: "idle" });
  const actions = actionsFor(run, { failedStep: hasFailed, name: data.name.value, at: data.at.value });
  const { change } = data.source;
  if (change === undefined) return <Commands actions={actions} />;
  const send = async (body: RunChange): Promise<void> => {
    if (isOffline) return;
    mode.value = { kind: "busy" };
    try {
      const answer = await change(body);
      data.detail.value = answer.run;
      mode.value = { kind: "changed", change: body.change, answer };
    } catch (error) {
      mode.value = { kind: "refused", trouble: troubleOf(error) };
    }
    // Also what was refused: the run may stand elsewhere than this page knew.
    void data.load();
  };
  const press = (action: RunAction): void => {
    if (action.change === "cancel") mode.value = { kind: "cancelling", reason: "" };
    else if (action.change === "fork") void send({ change: "fork", at: data.at.peek() ?? run.events });
    else void send({ change: action.change });
  };
  const now = mode.value;
  if (actions.length === 0 && now.kind === "idle") return null;
  return (
    <section class="run-actions" aria-label="Change the run">
      <div class="run-buttons">
        {actions.map((action) => (
          <ActionButton
            key={action.change}
            action={action}
            isBusy={now.kind === "busy"}
            isOffline={isOffline}
            onPress={() => press(action)}
          />
        ))}
      </div>
      <WhyNot actions={actions} isOffline={isOffline} />
      {data.at.value === undefined ? null : (
        <Typed commands={actions.map(({ command }) => ({ lead: "In a terminal:", command, about: undefined }))} />
      )}
      <div role="status">
        {now.kind === "cancelling" ? (
          <CancelForm
            reason={now.reason}
            isOffline={isOffline}
            onReason={(reason) => (mode.value = { kind: "cancelling", reason })}
            onKeep={() => (mode.value = { kind: "idle" })}
            onCancel={() => {
              const reason = now.reason.trim();
              void send({ change: "cancel", ...(reason === "" ? {} : { reason }) });
            }}
          />
        ) : null}
        {now.kind === "refused" ? <Problem message={now.trouble.message} hint={now.trouble.hint} /> : null}
        {now.kind === "changed" ? <Changed {...now} address={address} /> : null}
      </div>
    </section>
  );
}

interface ActionButtonProps {
  action: RunAction;
  isBusy: boolean;
  isOffline: boolean;
  onPress: () => void;
}

function ActionButton({ action, isBusy, isOffline, onPress }: ActionButtonProps) {
  const { change, icon, word, command } = action;
  const whyNot = isOffline ? OFFLINE : action.whyNot;
  return (
    <button
      type="button"
      class="button"
      data-change={change}
      data-kind={GETS_ON.includes(change) && action.whyNot === null ? "primary" : undefined}
      disabled={isBusy || whyNot !== null}
      title={whyNot ?? command}
      aria-describedby={whyNot === null ? undefined : isOffline ? "why-not" : `why-not-${change}`}
      onClick={onPress}
    >
      <Icon name={icon} />
      {word}
      {change === "cancel" ? "…" : ""}
    </button>
  );
}

function WhyNot({ actions, isOffline }: { actions: readonly RunAction[]; isOffline: boolean }) {
  if (isOffline && actions.length > 0)
    return (
      <p id="why-not" class="small quiet">
        {OFFLINE}
      </p>
    );
  const refused = actions.filter(({ whyNot }) => whyNot !== null);
  if (refused.length === 0) return null;
  return (
    <ul class="small quiet">
      {refused.map(({ change, word, whyNot }) => (
        <li key={change} id={`why-not-${change}`}>
          {word}: <UserText text={whyNot ?? ""} />
        </li>
      ))}
    </ul>
  );
}

interface CancelFormProps {
  reason: string;
  isOffline: boolean;
  onReason: (reason: string) => void;
  onKeep: () => void;
  onCancel: () => void;
}

function CancelForm({ reason, isOffline, onReason, onKeep, onCancel }: CancelFormProps) {
  return (
    <form
      class="run-cancel"
      onSubmit={(event) => {
        event.preventDefault();
        onCancel();
      }}
    >
      <p>
        <strong>Cancel this run for good?</strong> Anything it is running on this machine is stopped too. Everything
        recorded stays.
      </p>
      <TextField
        label="Reason (optional)"
        text={reason}
        onText={onReason}
        onSubmit={onCancel}
        focus
        name="cancel-reason"
      />
      <div class="run-buttons">
        <button
          type="submit"
          class="button"
          data-kind="no-strong"
          disabled={isOffline}
          aria-describedby={isOffline ? "why-not" : undefined}
        >
          Cancel the run
        </button>
        <button type="button" class="button" onClick={onKeep}>
          Keep it
        </button>
      </div>
    </form>
  );
}

const DONE: Readonly<Record<RunChange["change"], string>> = {
  cancel: "The run is cancelled.",
  pause: "The loop is paused.",
  resume: "The loop is resumed.",
  retry: "The failed steps will be retried.",
  fork: "The run was copied.",
};

interface ChangedProps {
  change: RunChange["change"];
  answer: RunChanged;
  address: Address | undefined;
}

function Changed({ change, answer: { forked }, address }: ChangedProps) {
  return (
    <div class="callout" data-tone="good">
      <Icon name="check" />
      <div class="callout-text">
        <strong>{DONE[change]}</strong>{" "}
        {forked === undefined ? null : address === undefined ? (
          <UserText text={forked} />
        ) : (
          <Link to={runAddress(forked)}>
            Open the copy: <UserText text={forked} />
          </Link>
        )}
      </div>
    </div>
  );
}

function Commands({ actions }: { actions: readonly RunAction[] }) {
  if (actions.length === 0) return null;
  return (
    <details class="run-commands">
      <summary>Commands for this run</summary>
      {actions.map(({ change, command }) => (
        <Command key={change} text={command} />
      ))}
    </details>
  );
}
