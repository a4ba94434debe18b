/** What a decision takes beyond one press: a reason, words, a second look. */
import { useLayoutEffect, useRef } from "preact/hooks";
import type { QuestionDetail } from "../../wire/inbox-wire.js";
import { draftsOf, draftText, keepDraft } from "../api/draft-box.js";
import type { Intent } from "../model/decision-guard.js";
import { splitQuestion } from "../model/decision-words.js";
import { Icon, type IconName } from "../parts/icons.js";
import { Prose } from "../parts/prose.js";
import { TextField } from "../parts/text-field.js";
import { UserText } from "../parts/user-text.js";
import { guarded, missing, propose, proposeText, rests, sending, setMode } from "./decision-state.js";

const cancel = (): void => setMode({ kind: "idle" });

interface SendRowProps {
  kind: "primary" | "no-strong";
  action: string;
  icon: IconName;
  word: string;
  onSend: () => void;
}

/** Out of the form, or on: the last step before a decision is sent. */
function SendRow({ kind, action, icon, word, onSend }: SendRowProps) {
  return (
    <div class="decision-row">
      <button type="button" class="button" disabled={guarded.value} data-rests={rests()} onClick={cancel}>
        Cancel
      </button>
      <button
        type="button"
        class="button"
        data-kind={kind}
        data-action={action}
        disabled={guarded.value || sending.value}
        data-rests={rests()}
        onClick={onSend}
      >
        <Icon name={icon} />
        {sending.value ? "Sending…" : word}
      </button>
    </div>
  );
}

export function RejectForm({ question: { id, needs } }: { question: QuestionDetail }) {
  void draftsOf(id);
  return (
    <>
      <TextField
        label="Why are you rejecting it?"
        name="reason"
        hint="The run receives this reason."
        text={draftText(id, "reason")}
        problem={missing.value}
        focus
        onText={(text) => {
          missing.value = undefined;
          keepDraft(id, "reason", text);
        }}
        onSubmit={() => proposeText("reject")}
      />
      <SendRow
        kind="no-strong"
        action="send-reject"
        icon={needs === "passkey" ? "key" : "cross"}
        word={needs === "passkey" ? "Reject with passkey" : "Reject"}
        onSend={() => proposeText("reject")}
      />
    </>
  );
}

export function WordsForm({ question: { id, risk }, asksNo }: { question: QuestionDetail; asksNo: boolean }) {
  void draftsOf(id);
  return (
    <>
      <TextField
        label="Your answer"
        name="answer"
        hint="Approves, with your words as the answer."
        text={draftText(id, "answer")}
        problem={missing.value}
        focus
        onText={(text) => {
          missing.value = undefined;
          if (asksNo) setMode({ kind: "words", asksNo: false });
          keepDraft(id, "answer", text);
        }}
        onSubmit={() => proposeText("words")}
      />
      {asksNo ? (
        <AskNo id={id} />
      ) : (
        <SendRow
          kind="primary"
          action="send-words"
          icon="check"
          word={risk === "high" ? "Approve with this answer…" : "Approve with this answer"}
          onSend={() => proposeText("words")}
        />
      )}
    </>
  );
}

/** Words that sound like a no are never sent as a yes without a question. */
function AskNo({ id }: { id: string }) {
  const asking = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => asking.current?.focus({ preventScroll: true }), []);
  const rejectInstead = (): void => {
    const text = draftText(id, "answer");
    keepDraft(id, "reason", text);
    keepDraft(id, "answer", "");
    propose({ kind: "reject", text });
  };
  return (
    <div ref={asking} class="callout" data-tone="needs" role="alert" tabIndex={-1}>
      <Icon name="warning" />
      <div class="callout-text">
        <strong>This sounds like a no.</strong> An answer in words approves. Do you mean to reject, with these words as
        the reason?
      </div>
      <div class="decision-row ask-no">
        <button
          type="button"
          class="button"
          data-kind="no-strong"
          data-action="reject-instead"
          disabled={guarded.value || sending.value}
          data-rests={rests()}
          onClick={rejectInstead}
        >
          <Icon name="cross" />
          Reject
        </button>
        <div class="between">
          <button
            type="button"
            class="button"
            data-kind="quiet"
            disabled={guarded.value}
            data-rests={rests()}
            onClick={cancel}
          >
            Cancel
          </button>
        </div>
        <button
          type="button"
          class="button"
          data-action="approve-anyway"
          disabled={guarded.value || sending.value}
          data-rests={rests()}
          onClick={() => proposeText("words", { meant: true })}
        >
          Approve anyway
        </button>
      </div>
    </div>
  );
}

/** The second step of a high risk repeats exactly what is about to happen. */
export function ConfirmStep({ question, intent }: { question: QuestionDetail; intent: Intent }) {
  const panel = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => panel.current?.focus({ preventScroll: true }), []);
  const withKey = question.needs === "passkey";
  return (
    <>
      <div ref={panel} class="exact" role="alertdialog" aria-labelledby="exact-title" tabIndex={-1}>
        <strong id="exact-title" class="mark" data-tone="bad">
          <Icon name="warning" />
          High risk. You are approving exactly this:
        </strong>
        <UserText class="exact-question" text={splitQuestion(question).head} />
        {intent.option === undefined ? null : <UserText text={`Answer: ${intent.option.label}`} />}
        {intent.kind === "words" ? <UserText text={`Answer: ${intent.text.trim()}`} lines /> : null}
        {question.consequences.approve === undefined ? null : <Prose text={question.consequences.approve} />}
        <span class="quiet small">
          In <UserText text={question.project.name} />, run <UserText text={question.run.id} />
        </span>
      </div>
      <SendRow
        kind="primary"
        action="confirm"
        icon={withKey ? "key" : "check"}
        word={withKey ? "Approve with passkey" : "Yes, approve this"}
        onSend={() => propose(intent, { meant: true, confirmed: true })}
      />
    </>
  );
}
