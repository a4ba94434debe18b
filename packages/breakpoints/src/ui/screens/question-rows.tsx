/** A list of questions, the same for open and decided ones. */
import { Component } from "preact";
import { useEffect, useRef } from "preact/hooks";
import type { QuestionRow } from "../../wire/inbox-wire.js";
import type { ListState } from "../api/inbox-state.js";
import { splitQuestion, stateWords } from "../model/decision-words.js";
import { addressOf } from "../model/routes.js";
import { Age } from "../parts/age.js";
import { Icon } from "../parts/icons.js";
import { Link } from "../parts/link.js";
import { RunName } from "../parts/run-name.js";
import { StateIcon, StopsIcon, StopsWord } from "../parts/state-mark.js";
import { UserText } from "../parts/user-text.js";
import { focusQuestion } from "./moves.js";

interface RowsProps {
  state: ListState;
  screen: "inbox" | "history";
  search: string;
  current: string | undefined;
  /** On wide screens going through the list leaves no trail in the browser's history. */
  replace: boolean;
}

export function QuestionRows({ state, screen, search, current, replace }: RowsProps) {
  const { rows, left, next } = state.list.value;
  if (rows === undefined) return <SkeletonRows />;
  return (
    <>
      <ul>
        {rows.map((row) => (
          <Row
            key={row.id}
            row={row}
            to={addressOf(screen, { id: row.id, search })}
            screen={screen}
            isCurrent={row.id === current}
            hasLeft={left.has(row.id)}
            replace={replace}
          />
        ))}
      </ul>
      {next === null ? null : <MoreRows state={state} />}
    </>
  );
}

interface RowProps {
  row: QuestionRow;
  to: string;
  screen: "inbox" | "history";
  isCurrent: boolean;
  hasLeft: boolean;
  replace: boolean;
}

/** A class, because a list of thousands is drawn again with every event, and nearly all of its rows stay as they are. */
class Row extends Component<RowProps> {
  override shouldComponentUpdate(next: RowProps): boolean {
    return (Object.keys(next) as (keyof RowProps)[]).some((name) => next[name] !== this.props[name]);
  }

  override render({ row, to, screen, isCurrent, hasLeft, replace }: RowProps) {
    return (
      <li>
        <Link
          to={to}
          replace={replace}
          onFollow={focusQuestion}
          class="row"
          data-id={row.id}
          data-left={hasLeft ? "" : undefined}
          data-tone={stateWords(row.state).tone}
          aria-current={isCurrent ? "true" : undefined}
        >
          {screen === "inbox" ? <OpenRow row={row} /> : <DecidedRow row={row} />}
        </Link>
      </li>
    );
  }
}

function OpenRow({ row }: { row: QuestionRow }) {
  if (row.state !== "open") return <DecidedRow row={row} />;
  return (
    <>
      <StopsIcon stops={row.stops} />
      <UserText class="row-question" text={splitQuestion(row).head} />
      <span class="row-quiet">
        <UserText class="gives" text={row.project.name} />
        <RunName id={row.run.id} />
        <StopsWord stops={row.stops} />
        {row.risk === "high" ? (
          <span class="mark" data-tone="bad">
            <Icon name="warning" />
            High risk
          </span>
        ) : null}
        {row.agent ? (
          <span class="mark" data-tone="quiet" title="From an agent's session">
            <Icon name="agent" />
            <span class="unseen">From an agent's session</span>
          </span>
        ) : null}
        {row.commentCount > 0 ? (
          <span class="mark" data-tone="quiet">
            <Icon name="comment" />
            {row.commentCount}
            <span class="unseen">{row.commentCount === 1 ? " comment" : " comments"}</span>
          </span>
        ) : null}
        <Age class="row-end" at={row.askedAt} />
      </span>
    </>
  );
}

function DecidedRow({ row }: { row: QuestionRow }) {
  return (
    <>
      <StateIcon state={row.state} />
      <UserText class="row-question" text={splitQuestion(row).head} />
      <span class="row-quiet">
        <span class="mark">{stateWords(row.state).word}</span>
        <UserText class="gives" text={row.project.name} />
        <RunName id={row.run.id} />
        <Said row={row} />
        <Age class="row-end" at={row.decidedAt ?? row.askedAt} />
      </span>
    </>
  );
}

/** What the answer was, else whose it was. */
function Said({ row: { option, reason, by } }: { row: QuestionRow }) {
  const said = option ?? reason;
  if (said !== undefined)
    return (
      <span class="row-said">
        <span>
          “<UserText text={said} />”
        </span>
      </span>
    );
  if (by === undefined) return null;
  return (
    <span class="row-said">
      <span>
        by <UserText text={by} />
      </span>
    </span>
  );
}

/** Loads the next page shortly before its place is reached. */
function MoreRows({ state }: { state: ListState }) {
  const end = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const watcher = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) void state.loadMore();
      },
      { rootMargin: "600px" },
    );
    if (end.current !== null) watcher.observe(end.current);
    return () => watcher.disconnect();
  });
  return (
    <div ref={end} class="list-foot">
      <button type="button" class="button" onClick={() => void state.loadMore()}>
        {state.loadingMore.value ? "Loading…" : "Show more"}
      </button>
    </div>
  );
}

function SkeletonRows() {
  return (
    <ul aria-busy="true" aria-label="Loading">
      {["long", "short", "long", "long", "short", "long"].map((width, n) => (
        // oxlint-disable-next-line no-array-index-key
        <li key={n} class="row">
          <span class="skeleton" data-width={width} />
        </li>
      ))}
    </ul>
  );
}
