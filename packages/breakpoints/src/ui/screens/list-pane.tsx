/** The pane of a list: its head with search and news, its rows, and what there is to say when there are none. */
import { useEffect, useRef } from "preact/hooks";
import { type ListState, openCount, unreadable } from "../api/inbox-state.js";
import { addressOf } from "../model/routes.js";
import { go } from "../parts/address.js";
import { Icon } from "../parts/icons.js";
import { isWide } from "../parts/page-width.js";
import { Problem } from "../parts/problem.js";
import { UnreadableRuns } from "../parts/unreadable-runs.js";
import { UserText } from "../parts/user-text.js";
import { NothingDecided, NothingOpen } from "./nothing-open.js";
import { QuestionRows } from "./question-rows.js";

interface ListPaneProps {
  state: ListState;
  screen: "inbox" | "history";
  search: string;
  current: string | undefined;
  replace: boolean;
}

export function ListPane(props: ListPaneProps) {
  const { state, screen, search } = props;
  useEffect(() => {
    if (state.search !== search || state.list.peek().rows === undefined) void state.load(search);
  }, [state, search]);
  // Beside a question the page is about that.
  const Title = props.current === undefined ? "h1" : "h2";
  const { rows, waiting, left } = state.list.value;
  const problem = state.problem.value;
  const isEmpty = rows !== undefined && rows.length === 0 && waiting.length === 0;
  return (
    <section class="pane-list" aria-label={screen === "inbox" ? "Open questions" : "Decided questions"}>
      <div class="list-head">
        <div class="list-title">
          <Title>{screen === "inbox" ? "Needs you" : "Decided"}</Title>
          <News state={state} count={waiting.length} left={left.size} />
        </div>
        <Search screen={screen} search={search} />
      </div>
      {problem !== undefined && problem.code !== "OFFLINE" ? (
        <div class="list-foot">
          <Problem message={problem.message} hint={problem.hint} onRetry={() => void state.load()} />
        </div>
      ) : null}
      {isEmpty ? <Empty screen={screen} search={search} /> : null}
      {isEmpty || (rows === undefined && problem !== undefined) ? null : <QuestionRows {...props} />}
      {screen === "inbox" ? <UnreadableRuns runs={unreadable.value} /> : null}
    </section>
  );
}

/** What has come since waits here, so that nothing moves under the eyes. Its place is always kept. */
function News({ state, count, left }: { state: ListState; count: number; left: number }) {
  if (count === 0 && left === 0) return <span class="quiet small">{totalWords(state)}</span>;
  return (
    <button type="button" class="button" data-news onClick={() => state.settle()}>
      {count > 0 ? `${count} new` : `Clear ${left} decided`}
    </button>
  );
}

function totalWords(state: ListState): string {
  const { rows, total } = state.list.value;
  if (rows === undefined || rows.length === 0) return "";
  const all = state.kind === "open" && state.search === "" ? (openCount.value ?? total) : total;
  return all === 1 ? "1 question" : `${all.toLocaleString()} questions`;
}

/** Searches once nobody has typed for a moment. */
function Search({ screen, search }: Pick<ListPaneProps, "screen" | "search">) {
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const onInput = (text: string): void => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => go(addressOf(screen, { search: text.trim() }), { replace: true }), 200);
  };
  return (
    <div class="search" role="search">
      <Icon name="search" />
      <input
        type="search"
        name="search"
        aria-label={screen === "inbox" ? "Search open questions" : "Search decided questions"}
        placeholder={screen === "inbox" ? "Search open questions" : "Search decided questions"}
        autocomplete="off"
        defaultValue={search}
        key={screen}
        onInput={(event) => onInput(event.currentTarget.value)}
      />
    </div>
  );
}

function Empty({ screen, search }: Pick<ListPaneProps, "screen" | "search">) {
  if (search !== "")
    return (
      <div class="empty">
        <Icon name="search" />
        <strong>Nothing found</strong>
        <p>
          No {screen === "inbox" ? "open" : "decided"} question contains “<UserText text={search} />
          ”.
        </p>
      </div>
    );
  if (isWide.value)
    return (
      <div class="list-foot quiet small">
        <p>{screen === "inbox" ? "No open questions." : "No decided questions."}</p>
      </div>
    );
  return screen === "inbox" ? <NothingOpen /> : <NothingDecided />;
}
