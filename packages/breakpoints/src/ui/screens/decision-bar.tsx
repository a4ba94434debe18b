/** The bar at the foot of a question: yes and no far apart, and everything that has happened meanwhile. */
import type { ComponentChildren } from "preact";
import type { QuestionDetail } from "../../wire/inbox-wire.js";
import { draftsOf } from "../api/draft-box.js";
import { type ReadQuestion, showNewer } from "../api/inbox-state.js";
import { fitInBar, numberedOptions } from "../model/decision-guard.js";
import { Icon } from "../parts/icons.js";
import { isWide } from "../parts/page-width.js";
import { Problem } from "../parts/problem.js";
import { UserText } from "../parts/user-text.js";
import { ConfirmStep, RejectForm, WordsForm } from "./decision-forms.js";
import { decidable, guarded, mode, openWords, problem, propose, rests, sending, setMode } from "./decision-state.js";
import { KeptDrafts, Outcome } from "./outcome.js";

export function DecisionBar({ read }: { read: ReadQuestion }) {
  const { shown, newer } = read;
  if (shown === undefined) return null;
  const latest = newer?.detail ?? shown;
  const drafts = draftsOf(shown.id);
  if (latest.state !== "open") {
    if (newer === undefined && drafts.length === 0) return null;
    return (
      <Bar>
        <Outcome row={latest} isNews={newer !== undefined} />
        <KeptDrafts questionId={shown.id} drafts={drafts} />
      </Bar>
    );
  }
  return (
    <Bar>
      <News read={read} />
      {problem.value === undefined ? null : <Problem {...problem.value} />}
      <Unsent count={drafts.filter(({ place }) => place !== "reason" && place !== "answer").length} />
      {shown.readOnly === undefined ? (
        <Deciding question={shown} />
      ) : (
        <div class="callout" data-tone="quiet">
          <Icon name="none" />
          <div class="callout-text">
            <strong>Cannot be decided here.</strong> <UserText text={shown.readOnly} />
          </div>
        </div>
      )}
    </Bar>
  );
}

function Bar({ children }: { children: ComponentChildren }) {
  return (
    <section class="decision" aria-label="Decision">
      <div class="decision-inner">{children}</div>
    </section>
  );
}

/** A comment that was begun does not go with the decision by itself. */
function Unsent({ count }: { count: number }) {
  if (count === 0) return null;
  return (
    <p class="hint">
      {count === 1
        ? "One comment is not sent yet. Send it before you decide if the run should get it."
        : `${count} comments are not sent yet. Send them before you decide if the run should get them.`}
    </p>
  );
}

/** What has changed while somebody reads; the page itself waits. */
function News({ read: { shown, newer } }: { read: ReadQuestion }) {
  if (shown === undefined || newer === undefined) return null;
  const added = newer.detail.comments.length - shown.comments.length;
  const words = {
    changed: "The question has changed since you opened it.",
    comments: added === 1 ? "1 new comment." : `${added} new comments.`,
    files: "A file has changed since you opened the question.",
    decided: "",
    same: "",
  }[newer.change];
  return (
    <div class="callout" data-tone="needs" role="status">
      <Icon name="hand" />
      <div class="callout-text">
        {words} {newer.change === "changed" ? "Read it again before you decide; what you typed is kept." : ""}
      </div>
      <button type="button" class="button" onClick={showNewer}>
        Show
      </button>
    </div>
  );
}

function Deciding({ question }: { question: QuestionDetail }) {
  const step = mode.value;
  switch (step.kind) {
    case "reject":
      return <RejectForm question={question} />;
    case "words":
      return <WordsForm question={question} asksNo={step.asksNo} />;
    case "confirm":
      return <ConfirmStep question={question} intent={step.intent} />;
    case "options":
      return <Answers question={question} />;
    case "idle":
      break;
  }
  return <Choices question={question} />;
}

function Choices({ question }: { question: QuestionDetail }) {
  const held = isHeld();
  const options = numberedOptions(question.options);
  const inBar = isWide.value && fitInBar(question.options);
  const yes = options.filter(({ choice }) => !choice.rejects);
  const no = options.filter(({ choice }) => choice.rejects);
  const saysNo = inBar && no.length > 0;
  return (
    <div class="decision-row">
      <div class="no">
        {saysNo ? no.map((option) => <OptionButton key={option.number} option={option} />) : <Reject held={held} />}
      </div>
      <div class="between">
        {saysNo ? <Reject held={held} isQuiet /> : null}
        <button type="button" class="button" data-kind="quiet" disabled={held} data-rests={rests()} onClick={openWords}>
          Answer in words
          <Key name="w" />
        </button>
      </div>
      <div class="yes">
        {options.length === 0 ? <Approve held={held} risk={question.risk} /> : null}
        {inBar
          ? yes.map((option) => <OptionButton key={option.number} option={option} only={yes.length === 1} />)
          : null}
        {options.length > 0 && !inBar ? (
          <button
            type="button"
            class="button"
            data-kind="primary"
            data-action="options"
            aria-keyshortcuts="o"
            disabled={held}
            data-rests={rests()}
            onClick={() => setMode({ kind: "options" })}
          >
            {isWide.value ? "Choose an answer…" : "Choose…"}
            <Key name="o" />
          </button>
        ) : null}
      </div>
    </div>
  );
}

function isHeld(): boolean {
  return guarded.value || sending.value || decidable() === undefined;
}

/** Quiet beside answers that reject: there it is the way to say why. */
function Reject({ held, isQuiet = false }: { held: boolean; isQuiet?: boolean }) {
  return (
    <button
      type="button"
      class="button"
      data-kind={isQuiet ? "quiet" : "no"}
      data-action="reject"
      aria-keyshortcuts="r"
      disabled={held}
      data-rests={rests()}
      onClick={() => setMode({ kind: "reject" })}
    >
      {isQuiet ? null : <Icon name="cross" />}
      {isQuiet ? "Reject with a reason…" : "Reject…"}
      <Key name="r" />
    </button>
  );
}

function Approve({ held, risk }: { held: boolean; risk: string | undefined }) {
  return (
    <button
      type="button"
      class="button"
      data-kind="primary"
      data-action="approve"
      aria-keyshortcuts="a"
      disabled={held}
      data-rests={rests()}
      onClick={() => propose({ kind: "approve", text: "" })}
    >
      <Icon name="check" />
      {sending.value ? "Sending…" : risk === "high" ? "Approve…" : "Approve"}
      <Key name="a" />
    </button>
  );
}

interface OptionProps {
  option: ReturnType<typeof numberedOptions>[number];
  only?: boolean;
}

function OptionButton({ option: { choice, number }, only = false }: OptionProps) {
  return (
    <button
      type="button"
      class="button"
      data-kind={choice.rejects ? "no" : only ? "primary" : undefined}
      data-action="option"
      disabled={isHeld()}
      data-rests={rests()}
      onClick={() => propose({ kind: "option", option: choice, text: "" })}
    >
      {number <= 9 ? <Key name={String(number)} /> : null}
      <Icon name={choice.rejects ? "cross" : "check"} />
      <UserText text={choice.label} />
      {choice.rejects ? <span class="unseen"> (rejects)</span> : null}
    </button>
  );
}

/** All answers below each other; those that reject apart from the others. */
function Answers({ question }: { question: QuestionDetail }) {
  const options = numberedOptions(question.options);
  const no = options.filter(({ choice }) => choice.rejects);
  return (
    <>
      <div class="answers" role="group" aria-label="Answers">
        {options
          .filter(({ choice }) => !choice.rejects)
          .map((option) => (
            <OptionButton key={option.number} option={option} />
          ))}
        {no.length === 0 ? null : (
          <div class="no">
            {no.map((option) => (
              <OptionButton key={option.number} option={option} />
            ))}
          </div>
        )}
      </div>
      <div class="decision-row">
        <button type="button" class="button" onClick={() => setMode({ kind: "idle" })}>
          Cancel
        </button>
        <button
          type="button"
          class="button"
          data-kind="quiet"
          disabled={isHeld()}
          data-rests={rests()}
          onClick={openWords}
        >
          Answer in words
        </button>
      </div>
    </>
  );
}

/** Phones have no keys to name. */
function Key({ name }: { name: string }) {
  return isWide.value ? <kbd aria-hidden="true">{name}</kbd> : null;
}
