/** One question: what is asked, what follows, what it is about, and the bar to decide it. */
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import type { QuestionDetail } from "../../wire/inbox-wire.js";
import type { RunDetail } from "../../wire/run-wire.js";
import { openQuestion, type ReadQuestion, reading } from "../api/inbox-state.js";
import { fitInBar, numberedOptions } from "../model/decision-guard.js";
import { splitQuestion } from "../model/decision-words.js";
import { addressOf, runAddress } from "../model/routes.js";
import { Age } from "../parts/age.js";
import { CopyButton } from "../parts/copy-button.js";
import { Icon } from "../parts/icons.js";
import { lazyPart } from "../parts/lazy-part.js";
import { Link } from "../parts/link.js";
import { isWide } from "../parts/page-width.js";
import { Problem } from "../parts/problem.js";
import { Prose } from "../parts/prose.js";
import { RunName } from "../parts/run-name.js";
import { AgentChip, RiskChip, StopsChip } from "../parts/state-mark.js";
import { UserText } from "../parts/user-text.js";
import { Comments } from "./comments.js";
import { DecisionBar } from "./decision-bar.js";
import { startOver } from "./decision-state.js";
import { Facts, QuestionDetails } from "./facts.js";
import { Files } from "./files.js";
import { step, takeFocusWish } from "./moves.js";
import { DecisionPanel, DecisionWordsShown, OutcomeLine } from "./outcome.js";
import { Warnings } from "./warnings.js";

/** Most people have no channel, or one: then nothing moves when the words are there. */
const Receipts = lazyPart(() => import("./receipts.js").then((module) => module.Receipts), {
  meanwhile: <p class="receipts">{"\u00a0"}</p>,
  otherwise: null,
});

/** A longer one is no headline any more. */
const LONG_QUESTION = 200;

interface PaneProps {
  id: string;
  screen: "inbox" | "history";
  search: string;
  /** It was opened by its address, not shown beside the list by itself. */
  isOpened: boolean;
}

export function QuestionPane({ id, screen, search, isOpened }: PaneProps) {
  const pane = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    startOver();
    pane.current?.parentElement?.scrollTo(0, 0);
    void openQuestion(id);
  }, [id]);
  const read = reading.value?.id === id ? reading.value : { id };
  const isThere = read.shown !== undefined;
  useEffect(() => {
    if (isThere && isOpened && takeFocusWish()) pane.current?.querySelector<HTMLElement>("h1")?.focus();
  }, [id, isThere, isOpened]);
  return (
    <article ref={pane} class="question" aria-labelledby="question">
      <div class="question-body">
        <Top id={id} screen={screen} search={search} question={read.shown} />
        <Body read={read} />
      </div>
      <DecisionBar read={read} />
    </article>
  );
}

function Top({ id, screen, search, question }: Omit<PaneProps, "isOpened"> & { question: QuestionDetail | undefined }) {
  return (
    <div class="question-top">
      <Link class="button back" data-kind="quiet" to={addressOf(screen, { search })}>
        <Icon name="back" />
        {screen === "inbox" ? "Inbox" : "History"}
      </Link>
      {question === undefined ? null : (
        <span class="where">
          <UserText class="gives" text={question.project.name} />
          <span aria-hidden="true">/</span>
          <Link to={runAddress(question.run.id)}>
            <RunName id={question.run.id} />
          </Link>
        </span>
      )}
      <span class="steps">
        <CopyButton text={location.origin + addressOf("inbox", { id })} what="the link" icon="link" />
        <StepButton word="Previous" icon="up" by={-1} />
        <StepButton word="Next" icon="down" by={1} />
      </span>
    </div>
  );
}

function StepButton({ word, icon, by }: { word: string; icon: "up" | "down"; by: 1 | -1 }) {
  return (
    <button
      type="button"
      class="button"
      data-kind="quiet"
      data-size="icon"
      aria-label={`${word} question`}
      title={`${word} question`}
      onClick={() => step(by)}
    >
      <Icon name={icon} />
    </button>
  );
}

function Body({ read: { id, shown, problem, run } }: { read: ReadQuestion }) {
  if (shown !== undefined) return <Shown question={shown} run={run} />;
  // That nobody answers is said above; it is read as soon as somebody does.
  if (problem === undefined || problem.code === "OFFLINE") return <Loading />;
  if (problem.status === 404)
    return (
      <div class="empty">
        <Icon name="search" />
        <h1 id="question" tabIndex={-1}>
          This question does not exist
        </h1>
        <p>Its run may have been deleted, or the link is incomplete.</p>
        <Link class="button" to="/">
          Go to the inbox
        </Link>
      </div>
    );
  return <Problem message={problem.message} hint={problem.hint} onRetry={() => void openQuestion(id)} />;
}

function Shown({ question, run }: { question: QuestionDetail; run: RunDetail | undefined }) {
  const { head, rest, above } = splitQuestion(question);
  const isOpen = question.state === "open";
  return (
    <>
      <header class="asked">
        <div class="chips">
          {isOpen ? <StopsChip stops={question.stops} /> : null}
          {question.risk === undefined ? null : <RiskChip risk={question.risk} />}
          {question.agent ? <AgentChip /> : null}
          <span>
            <span class="asked-word">asked </span>
            <Age at={question.askedAt} ago />
          </span>
          {question.comments.length === 0 ? null : (
            <span class="mark" title="Comments, below the files">
              <Icon name="comment" />
              {question.comments.length}
              <span class="unseen">{question.comments.length === 1 ? " comment" : " comments"}</span>
            </span>
          )}
        </div>
        <div>
          {above === undefined ? null : (
            <div class="asked-title" title={above}>
              <UserText text={above} block />
            </div>
          )}
          <h1 id="question" tabIndex={-1} data-long={head.length > LONG_QUESTION ? "" : undefined}>
            <UserText text={head} block />
          </h1>
        </div>
        {rest === "" ? null : <Prose text={rest} />}
      </header>
      {isOpen ? <Consequences question={question} /> : <DecisionPanel question={question} run={run} />}
      <Offered question={question} />
      <Warnings question={question} />
      <Facts facts={question.facts} />
      {question.receipts.length === 0 ? null : <Receipts receipts={question.receipts} />}
      <Files question={question} />
      <Comments question={question} />
      <Earlier question={question} />
      <QuestionDetails question={question} />
    </>
  );
}

/** Answers that are neither in the bar nor beside what follows from them are read here; they are chosen there. */
function Offered({ question: { options, state, consequences } }: { question: QuestionDetail }) {
  if (options.length === 0 || state !== "open") return null;
  if (fitInBar(options) && (isWide.value || saysWhatFollows(consequences))) return null;
  return (
    <section class="section" aria-labelledby="offered">
      <h2 id="offered">Possible answers</h2>
      <ol class="offered">
        {numberedOptions(options).map(({ choice, number }) => (
          <li key={number} data-tone={choice.rejects ? "bad" : "good"}>
            <Icon name={choice.rejects ? "cross" : "check"} />
            <UserText text={choice.label} />
            {choice.rejects ? <span class="quiet small">(rejects)</span> : null}
          </li>
        ))}
      </ol>
    </section>
  );
}

function saysWhatFollows({ approve, reject }: QuestionDetail["consequences"]): boolean {
  return approve !== undefined || reject !== undefined;
}

/** What either decision leads to, and which answers make it. */
function Consequences({ question: { consequences, options } }: { question: QuestionDetail }) {
  if (options.length > 0 && !saysWhatFollows(consequences)) return null;
  const named = fitInBar(options) ? numberedOptions(options) : [];
  return (
    <div class="outcomes">
      <Consequence
        heading="If you approve"
        icon="check"
        answers={named.filter(({ choice }) => !choice.rejects).map(({ choice }) => choice.label)}
        text={consequences.approve}
        unsaid="The run gets your approval. The question does not say what follows."
      />
      <Consequence
        heading="If you reject"
        icon="cross"
        answers={named.filter(({ choice }) => choice.rejects).map(({ choice }) => choice.label)}
        text={consequences.reject}
        unsaid="The run gets your reason. The question does not say what follows."
      />
    </div>
  );
}

interface ConsequenceProps {
  heading: string;
  icon: "check" | "cross";
  /** The answers that lead there. */
  answers: string[];
  text: string | undefined;
  unsaid: string;
}

function Consequence({ heading, icon, answers, text, unsaid }: ConsequenceProps) {
  return (
    <section class="outcome" data-tone={icon === "check" ? "good" : "bad"}>
      <h2>
        <Icon name={icon} />
        <span>
          {heading}
          {answers.map((answer, n) => (
            <span key={answer}>
              {n === 0 ? ": " : " or "}“<UserText text={answer} />”
            </span>
          ))}
        </span>
      </h2>
      {text === undefined ? <p class="quiet">{unsaid}</p> : <Prose text={text} />}
    </section>
  );
}

function Earlier({ question: { earlier } }: { question: QuestionDetail }) {
  if (earlier.length === 0) return null;
  return (
    <section class="section">
      <h2>Asked again</h2>
      <p class="quiet small">These decisions no longer count, because the question was asked again.</p>
      {earlier.map((decision) => (
        <div key={decision.decidedAt} class="comment">
          <OutcomeLine row={{ ...decision, state: decision.approved ? "approved" : "rejected" }} />
          <DecisionWordsShown decision={decision} />
        </div>
      ))}
    </section>
  );
}

/** Before it is known which question it will be. */
export function LoadingQuestion() {
  return (
    <div class="question-body">
      <div class="question-top" />
      <Loading />
    </div>
  );
}

/** Has the shape of what will stand there. */
function Loading() {
  return (
    <div class="section" aria-busy="true" aria-label="Loading the question">
      <span class="skeleton" data-width="short" />
      <h1>
        <span class="skeleton" data-width="long" />
      </h1>
      <div class="outcomes">
        <span class="skeleton" data-height="card" />
        <span class="skeleton" data-height="card" />
      </div>
      <span class="skeleton" data-width="short" />
    </div>
  );
}
