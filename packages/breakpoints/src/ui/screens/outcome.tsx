/** How a question was decided, and what was typed before somebody else did. */
import type { Decision, QuestionDetail } from "../../wire/inbox-wire.js";
import type { RunDetail } from "../../wire/run-wire.js";
import { keepDraft } from "../api/draft-box.js";
import { showNewer } from "../api/inbox-state.js";
import { proofWords, stateWords, wayWords } from "../model/decision-words.js";
import { type Draft, nameOfPlace } from "../model/drafts.js";
import { Age } from "../parts/age.js";
import { CopyButton } from "../parts/copy-button.js";
import { Prose } from "../parts/prose.js";
import { StateIcon } from "../parts/state-mark.js";
import { UserText } from "../parts/user-text.js";
import { commandsIfLeft } from "../run/next-commands.js";
import { Typed } from "../run/typed.js";
import { goToNext } from "./moves.js";

/** "Approved by mia, in a terminal, 2 min ago". */
interface Decided extends Pick<QuestionDetail, "state" | "by" | "via" | "decidedAt"> {
  /** Somebody had proved who they are. Unknown until all of the decision is there. */
  verified?: boolean | undefined;
}

export function OutcomeLine({ row }: { row: Decided }) {
  return (
    <span>
      <strong>{stateWords(row.state).word}</strong>
      {row.by === undefined ? null : (
        <>
          {" by "}
          <UserText text={row.by} />
        </>
      )}
      {row.via === undefined ? null : `, ${wayWords(row.via, row.verified)}`}
      {row.decidedAt === undefined ? null : (
        <>
          {", "}
          <Age at={row.decidedAt} ago />
        </>
      )}
    </span>
  );
}

/** In the bar: somebody else was first. */
export function Outcome({ row, isNews }: { row: QuestionDetail; isNews: boolean }) {
  return (
    <div class="callout" data-tone={stateWords(row.state).tone} role="status">
      <StateIcon state={row.state} />
      <div class="callout-text">
        <OutcomeLine row={{ ...row, verified: row.decision?.verified }} />
        {row.reason === undefined ? null : (
          <div>
            <UserText text={row.reason} lines />
          </div>
        )}
      </div>
      {isNews ? (
        <button type="button" class="button" onClick={showNewer}>
          Show
        </button>
      ) : null}
      <button type="button" class="button" onClick={goToNext}>
        Next question
      </button>
    </div>
  );
}

export function KeptDrafts({ questionId, drafts }: { questionId: string; drafts: Draft[] }) {
  if (drafts.length === 0) return null;
  return (
    <div class="drafts">
      <strong class="small">You had not sent this yet. It is kept here.</strong>
      {drafts.map(({ place, text }) => (
        <div key={place} class="draft">
          <span class="quiet small">{nameOfPlace(place)}</span>
          <UserText text={text} lines />
          <CopyButton text={text} what="your text" word="Copy" />
          <button type="button" class="button" data-kind="quiet" onClick={() => keepDraft(questionId, place, "")}>
            Discard
          </button>
        </div>
      ))}
    </div>
  );
}

/** On the page of a decided question. */
export function DecisionPanel({ question, run }: { question: QuestionDetail; run: RunDetail | undefined }) {
  const { decision, state } = question;
  return (
    <section class="outcome" data-tone={stateWords(state).tone} aria-label="Decision">
      <p class="decided-line">
        <StateIcon state={state} />
        <OutcomeLine row={{ ...question, verified: decision?.verified }} />
      </p>
      {decision === null ? null : <DecisionWordsShown decision={decision} follows={question.consequences} />}
      {run === undefined ? null : <Typed commands={commandsIfLeft(run)} folder={run.project.root} />}
    </section>
  );
}

interface ShownWords {
  decision: Decision;
  /** What the question said would follow. */
  follows?: QuestionDetail["consequences"];
}

export function DecisionWordsShown({ decision, follows = {} }: ShownWords) {
  const { option, response, feedback, approved } = decision;
  const [then, otherwise] = approved ? [follows.approve, follows.reject] : [follows.reject, follows.approve];
  return (
    <dl class="facts">
      {option === undefined ? null : <Said name="Answer" text={option} />}
      {response === undefined ? null : <Said name="Answer" text={response} />}
      {feedback === undefined || feedback === option || feedback === response ? null : (
        <Said name={approved ? "Note" : "Reason"} text={feedback} />
      )}
      {then === undefined ? null : <Followed name="What happens next" text={then} />}
      {otherwise === undefined ? null : (
        <Followed name={approved ? "If rejected" : "If approved"} text={otherwise} quiet />
      )}
      <Said name="Signature" text={proofWords(decision)} />
    </dl>
  );
}

function Followed({ name, text, quiet = false }: { name: string; text: string; quiet?: boolean }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd class={quiet ? "quiet" : undefined}>
        <Prose text={text} />
      </dd>
    </div>
  );
}

function Said({ name, text }: { name: string; text: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        <UserText text={text} lines block />
      </dd>
    </div>
  );
}
