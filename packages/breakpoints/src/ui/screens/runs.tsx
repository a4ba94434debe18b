/** The board: all runs of all projects, by what they need. */
import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { type BoardState, runBoard } from "../api/runs-state.js";
import { compareAddress, type RunFilter, runsAddress } from "../model/routes.js";
import { isEmptyBoard, LANES, newsOf, pickRun } from "../model/run-board.js";
import { foundWords, isFiltered } from "../model/run-filters.js";
import { LANE_WORDS } from "../model/run-words.js";
import { go } from "../parts/address.js";
import { Command } from "../parts/command.js";
import { Icon } from "../parts/icons.js";
import { Link } from "../parts/link.js";
import { Problem } from "../parts/problem.js";
import { UnreadableRuns } from "../parts/unreadable-runs.js";
import { UserText } from "../parts/user-text.js";
import { focusedCard, goToLane, settleKeepingFocus, stepCard } from "./card-moves.js";
import { LastUpdate } from "./last-update.js";
import { takeKeys } from "./own-keys.js";
import { RunFilters } from "./run-filters.js";
import { RunLane } from "./run-lane.js";
import "../styles/runs.css";

export function Runs({ filter }: { filter: RunFilter }) {
  const address = runsAddress(filter);
  useEffect(() => runBoard.follow(), []);
  useEffect(() => {
    const isSame = runsAddress(runBoard.filter) === address;
    void (isSame && runBoard.board.peek().lanes !== undefined ? runBoard.catchUp() : runBoard.load(filter));
    // The address says all that the filter does.
    // oxlint-disable-next-line exhaustive-deps
  }, [address]);
  const board = runBoard.board.value;
  const problem = runBoard.problem.value;
  const isKnown = board.lanes !== undefined;
  // That the server cannot be reached is said above every screen.
  const refusal = problem?.code === "OFFLINE" ? undefined : problem;
  const hasLanes = isKnown ? !isEmptyBoard(board) : refusal === undefined;
  // A filter may be what the server refuses.
  const canFilter = isKnown || refusal === undefined || isFiltered(filter);
  return (
    <div class="board">
      <header class="board-head">
        <div class="board-title">
          <h1 tabIndex={-1}>Runs</h1>
          {isKnown ? <LastUpdate of={[runBoard]} /> : null}
          <News state={runBoard} />
        </div>
        {canFilter ? <RunFilters filter={filter} board={board} /> : null}
      </header>
      <p role="status" class="unseen">
        {runBoard.found.value}
      </p>
      {refusal === undefined ? null : (
        <Problem
          message={`The runs cannot be ${isKnown ? "updated" : "shown"}. ${refusal.message}`}
          hint={refusal.hint}
          onRetry={() => void runBoard.load()}
        />
      )}
      {isKnown && isEmptyBoard(board) ? <NoRuns filter={filter} /> : null}
      {hasLanes ? <Lanes state={runBoard} /> : null}
      <UnreadableRuns runs={board.unreadable} />
    </div>
  );
}

/** What has come since waits here while somebody is at the cards. Its place is always kept. */
function News({ state }: { state: BoardState }) {
  const { fresh, left } = newsOf(state.board.value);
  if (fresh + left > 0)
    return (
      <button type="button" class="button" data-news onClick={() => settleKeepingFocus(state)}>
        {fresh > 0 ? `${fresh} new` : `Clear ${left} gone`}
      </button>
    );
  const { lanes, counts } = state.board.value;
  if (lanes === undefined) return null;
  const all = LANES.reduce((sum, lane) => sum + counts[lane], 0);
  return <span class="quiet small">{foundWords(all, state.filter)}</span>;
}

function Lanes({ state }: { state: BoardState }) {
  const picked = useSignal<readonly string[]>([]);
  const place = useRef<HTMLDivElement>(null);
  const { rows } = state.board.value;
  const chosen = picked.value.flatMap((id) => rows.get(id) ?? []);
  const pick = (id: string): void => {
    const known = state.board.peek().rows;
    const row = known.get(id);
    const before = picked.peek().flatMap((one) => known.get(one) ?? []);
    if (row !== undefined) picked.value = pickRun(before, row).map((one) => one.id);
  };
  useEffect(
    () =>
      takeKeys({
        down: () => stepCard(1),
        up: () => stepCard(-1),
        new: () => settleKeepingFocus(state),
        pick: () => {
          const id = focusedCard();
          if (id !== undefined) pick(id);
        },
      }),
    // oxlint-disable-next-line exhaustive-deps
    [state],
  );
  useHolding(state, place);
  return (
    <>
      <LanePicker state={state} />
      <div ref={place} class="lanes" aria-busy={state.isLoading.value ? "true" : undefined}>
        {LANES.map((lane) => (
          <RunLane key={lane} state={state} lane={lane} picked={chosen} onPick={pick} />
        ))}
      </div>
      {chosen.length === 0 ? null : (
        <section class="compare-bar" aria-label="Compare" role="region">
          <span class="compare-words">
            {chosen.length === 1 ? "Pick another run of " : "Two runs of "}
            <UserText text={chosen[0]?.process ?? ""} />
          </span>
          <button type="button" class="button" data-kind="quiet" onClick={() => void (picked.value = [])}>
            Cancel
          </button>
          <button
            type="button"
            class="button"
            data-kind="primary"
            disabled={chosen.length < 2}
            onClick={() => go(compareAddress(chosen[0]?.id ?? "", chosen[1]?.id ?? ""))}
          >
            Compare
          </button>
        </section>
      )}
    </>
  );
}

/** Whoever points at a card, or has the focus in one, finds it where it was. */
function useHolding(state: BoardState, place: { current: HTMLDivElement | null }): void {
  useEffect(() => {
    const element = place.current;
    if (element === null) return undefined;
    let isOver = false;
    const look = (): void => state.hold(isOver || element.contains(document.activeElement));
    const over = (event: Event): void => {
      isOver = event.type !== "pointerleave";
      look();
    };
    // The next element has the focus only after this one has lost it.
    const focus = (): void => void requestAnimationFrame(look);
    for (const name of ["pointerenter", "pointermove", "pointerleave"]) element.addEventListener(name, over);
    for (const name of ["focusin", "focusout"]) element.addEventListener(name, focus);
    return () => {
      for (const name of ["pointerenter", "pointermove", "pointerleave"]) element.removeEventListener(name, over);
      for (const name of ["focusin", "focusout"]) element.removeEventListener(name, focus);
    };
  }, [state, place]);
}

/** Where the lanes stand below each other, it leads to each of them. */
function LanePicker({ state }: { state: BoardState }) {
  const { counts, failed, lanes } = state.board.value;
  return (
    <nav class="lane-picker" aria-label="Lanes">
      {LANES.map((lane) => (
        <button
          key={lane}
          type="button"
          data-tone={counts[lane] === 0 ? "quiet" : LANE_WORDS[lane].tone}
          onClick={() => goToLane(`#lane-${lane}`)}
        >
          <span class="lane-picker-counts">
            <strong>{lanes === undefined ? "–" : counts[lane].toLocaleString()}</strong>
            {lane === "done" && failed > 0 ? (
              <span class="chip" data-tone="bad">
                <Icon name="cross" />
                {failed.toLocaleString()}
                <span class="unseen"> failed</span>
              </span>
            ) : null}
          </span>
          <span>{LANE_WORDS[lane].word}</span>
        </button>
      ))}
    </nav>
  );
}

function NoRuns({ filter }: { filter: RunFilter }) {
  if (isFiltered(filter))
    return (
      <div class="empty">
        <Icon name="search" />
        <strong>No run matches</strong>
        <p>Titles, goals, errors and the ends of logs were searched.</p>
        <Link class="button" to="/runs">
          Show all runs
        </Link>
      </div>
    );
  return (
    <div class="empty">
      <Icon name="runs" />
      <strong>No runs yet</strong>
      <p>Start one in a terminal, in any project. It shows up here at once.</p>
      <Command text="babysitter run process.mjs" />
      <p class="small">In Claude Code and other agents, the plugin starts runs for you.</p>
    </div>
  );
}
