/** A lane of the board: its heading with a count, and as many of its cards as somebody wants to see. */
import { useSignal } from "@preact/signals";
import type { Lane, RunRow } from "../../wire/run-wire.js";
import type { BoardState } from "../api/runs-state.js";
import { canPick } from "../model/run-board.js";
import { LANE_WORDS } from "../model/run-words.js";
import { Icon } from "../parts/icons.js";
import { RunCard } from "./run-card.js";

/** So many cards at once: of thousands of runs only these are on the page. */
const STEP = 20;

interface LaneProps {
  state: BoardState;
  lane: Lane;
  picked: readonly RunRow[];
  onPick: (id: string) => void;
}

export function RunLane({ state, lane, picked, onPick }: LaneProps) {
  const most = useSignal(STEP);
  const { rows, lanes, left } = state.board.value;
  const ids = lanes?.[lane] ?? [];
  const shown = ids.slice(0, most.value);
  const isEmpty = lanes !== undefined && ids.length === 0;
  return (
    <section class="lane" data-lane={lane} data-empty={isEmpty ? "" : undefined} aria-labelledby={`lane-${lane}`}>
      <LaneHead state={state} lane={lane} />
      {lanes === undefined ? <Skeleton /> : null}
      {isEmpty ? <p class="lane-empty">{LANE_WORDS[lane].empty}</p> : null}
      {shown.length === 0 ? null : (
        <ul class="cards">
          {shown.map((id) => {
            const row = rows.get(id);
            if (row === undefined) return null;
            return (
              <RunCard
                key={id}
                row={row}
                lane={lane}
                hasLeft={left.has(id)}
                isPicked={picked.some((one) => one.id === id)}
                canBePicked={canPick(picked, row)}
                onPick={onPick}
              />
            );
          })}
        </ul>
      )}
      <More state={state} lane={lane} shown={shown.length} onMore={() => void (most.value += STEP)} />
    </section>
  );
}

/** What has failed is done too, and must not look as if it had gone well. */
function LaneHead({ state, lane }: Pick<LaneProps, "state" | "lane">) {
  const { lanes, counts, failed } = state.board.value;
  const { word, tone, icon, says } = LANE_WORDS[lane];
  const hasFailed = lane === "done" && failed > 0;
  return (
    <h2 id={`lane-${lane}`} class="lane-head" data-tone={hasFailed ? "bad" : tone} title={says} tabIndex={-1}>
      <Icon name={hasFailed ? "warning" : icon} />
      {word}
      <span class="lane-count" data-tone={counts[lane] === 0 ? "quiet" : tone}>
        {lanes === undefined ? "–" : counts[lane].toLocaleString()}
        <span class="unseen">{counts[lane] === 1 ? " run" : " runs"}</span>
      </span>
      {hasFailed ? (
        <span class="chip" data-tone="bad">
          {failed.toLocaleString()} failed
        </span>
      ) : null}
    </h2>
  );
}

interface MoreProps extends Pick<LaneProps, "state" | "lane"> {
  shown: number;
  onMore: () => void;
}

function More({ state, lane, shown, onMore }: MoreProps) {
  const { lanes, next, counts } = state.board.value;
  const loaded = lanes?.[lane].length ?? 0;
  const canLoad = lane === "done" && next !== null;
  if (shown < loaded || (canLoad && loaded > 0)) {
    const show = (): void => {
      onMore();
      if (canLoad && shown + STEP >= loaded) void state.loadMore();
    };
    return (
      <button type="button" class="button lane-more" onClick={show}>
        {state.isLoadingMore.value && lane === "done" ? "Loading…" : "Show more"}
        <span class="unseen"> of {LANE_WORDS[lane].word}</span>
      </button>
    );
  }
  const rest = counts[lane] - loaded;
  if (rest <= 0 || loaded === 0) return null;
  return <p class="lane-empty">{rest.toLocaleString()} more: search, or choose a process or a day.</p>;
}

function Skeleton() {
  return (
    <div class="cards" aria-busy="true">
      <div class="card">
        <span class="skeleton" data-width="long" />
        <span class="skeleton" data-width="short" />
      </div>
    </div>
  );
}
