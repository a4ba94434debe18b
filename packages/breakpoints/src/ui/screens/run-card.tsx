/** One run on the board. All of the card opens it; what stands in it leads elsewhere. */
import { Component } from "preact";
import type { Lane, RunRow } from "../../wire/run-wire.js";
import { addressOf, runAddress } from "../model/routes.js";
import { iterationWords, LANE_WORDS, runWords, type SpendWords, spendWords } from "../model/run-words.js";
import { Age, Clock, Until } from "../parts/age.js";
import { Icon } from "../parts/icons.js";
import { Link } from "../parts/link.js";
import { UserText } from "../parts/user-text.js";

export interface CardProps {
  row: RunRow;
  /** Where the card stands; its run may be elsewhere by now. */
  lane: Lane;
  hasLeft: boolean;
  isPicked: boolean;
  canBePicked: boolean;
  onPick: (id: string) => void;
}

/** Beside the one that is the title. */
const MOST_QUESTIONS = 2;

/** A class, because the board is drawn again with every event, and nearly all of its cards stay as they are. */
export class RunCard extends Component<CardProps> {
  override shouldComponentUpdate(next: CardProps): boolean {
    return (Object.keys(next) as (keyof CardProps)[]).some((name) => next[name] !== this.props[name]);
  }

  override render({ row, lane, hasLeft, ...picking }: CardProps) {
    const about = `about-${row.id}`;
    const words = runWords(row);
    const name = row.title ?? row.process;
    const [asked, ...others] = row.questions;
    // What the run is about stands above, or is its name.
    const isNamed = asked === undefined || name === row.id;
    return (
      <li
        class="card"
        data-id={row.id}
        data-tone={words.tone}
        data-left={hasLeft ? "" : undefined}
        data-picked={picking.isPicked ? "" : undefined}
      >
        {asked === undefined ? null : (
          <Link to={addressOf("inbox", { id: asked.id })} class="card-asked">
            <strong class="card-title">
              <UserText text={asked.title} />
            </strong>
          </Link>
        )}
        <Link to={runAddress(row.id)} class="card-open" aria-describedby={about}>
          {asked === undefined ? (
            <strong class="card-title" title={row.id}>
              <UserText text={name} />
            </strong>
          ) : null}
          <span class="card-quiet">
            <span class="chip card-state" data-word={words.word} data-tone={words.tone}>
              <Icon name={words.icon} />
              {words.word}
            </span>
            <span class="card-names" title={row.id}>
              {isNamed ? null : (
                <>
                  <UserText class="card-name" text={name} />{" "}
                </>
              )}
              <UserText class={isNamed ? "card-name" : "card-run"} text={row.id} />{" "}
              <UserText class="card-project" text={row.project.name} />
            </span>
            <span class="card-age">
              <span class="unseen">since </span>
              <Age at={row.since} />
            </span>
          </span>
          {asked === undefined ? <Why row={row} /> : null}
        </Link>
        <Moved row={row} lane={lane} hasLeft={hasLeft} />
        <Questions questions={others} />
        <div class="card-foot">
          <Measures row={row} />
          <Picker row={row} {...picking} />
        </div>
        <span id={about} role="tooltip" class="card-tip">
          {words.says}
        </span>
      </li>
    );
  }
}

/** Nothing that a question says better itself. */
function Why({ row }: { row: RunRow }) {
  return (
    <span class="card-why" title={row.why}>
      {row.title === null ? null : (
        <>
          <UserText text={row.process} />
          {" · "}
        </>
      )}
      <UserText text={whyOf(row)} />
    </span>
  );
}

/** Without what the rest of the card says already: that it failed, and until when it sleeps. */
function whyOf({ why, outcome, until }: RunRow): string {
  if (until !== null && why.startsWith("Sleeping until ")) return "Sleeping";
  return outcome === "failed" ? why.replace(/^Its process threw (?:\w*Error: )?/u, "") : why;
}

/** What keeps it from standing where it belongs. */
function Moved({ row, lane, hasLeft }: Pick<CardProps, "row" | "lane" | "hasLeft">) {
  if (!hasLeft && row.lane === lane) return null;
  return (
    <span class="chip card-moved" data-tone="live">
      {hasLeft ? "No longer here" : `Now: ${LANE_WORDS[row.lane].word}`}
    </span>
  );
}

function Picker({ row, isPicked, canBePicked, onPick }: Omit<CardProps, "lane" | "hasLeft">) {
  const title = canBePicked ? "Compare with another run (x)" : "Two runs of one process can be compared";
  return (
    <label class="card-pick" title={title}>
      <input type="checkbox" checked={isPicked} disabled={!canBePicked} onChange={() => onPick(row.id)} />
      <span class="card-pick-word">Compare</span>
      <span class="unseen">
        {" "}
        <UserText text={row.title ?? row.process} />
      </span>
    </label>
  );
}

function Questions({ questions }: Pick<RunRow, "questions">) {
  if (questions.length === 0) return null;
  const more = questions.length - MOST_QUESTIONS;
  return (
    <ul class="card-questions">
      {questions.slice(0, MOST_QUESTIONS).map(({ id, title }) => (
        <li key={id}>
          <Link to={addressOf("inbox", { id })} class="card-question">
            <Icon name="hand" />
            <UserText text={title} />
          </Link>
        </li>
      ))}
      {more > 0 ? <li class="quiet small">and {more} more</li> : null}
    </ul>
  );
}

function Measures({ row }: { row: RunRow }) {
  const spend = spendWords(row);
  const iteration = iterationWords(row);
  if (spend === undefined && iteration === undefined && row.until === null) return null;
  return (
    <div class="card-measures">
      {row.until === null ? null : (
        <span>
          until <Clock at={row.until} /> (<Until at={row.until} />)
        </span>
      )}
      {iteration === undefined ? null : <span>{iteration}</span>}
      {spend === undefined ? null : <Spend spend={spend} />}
    </div>
  );
}

function Spend({ spend: { text, share, tone } }: { spend: SpendWords }) {
  return (
    <span class="card-spend" data-tone={tone} title="Spent so far">
      {text}
      {share === undefined ? null : (
        <span class="card-bar" aria-hidden="true">
          <span style={{ inlineSize: `${Math.round(share * 100)}%` }} />
        </span>
      )}
    </span>
  );
}
