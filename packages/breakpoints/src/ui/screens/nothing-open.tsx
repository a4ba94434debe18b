/** Lists without a question. */
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { RunList, RunRow } from "../../wire/run-wire.js";
import { boardNews } from "../api/inbox-state.js";
import { listRuns } from "../api/run-requests.js";
import { runAddress, runsAddress } from "../model/routes.js";
import { Icon } from "../parts/icons.js";
import { Link } from "../parts/link.js";
import { UserText } from "../parts/user-text.js";

/** The best news that an inbox has, unless a run stands still: an answer alone moves none that nobody drives. */
export function NothingOpen() {
  const found = useSignal<RunList | undefined>(undefined);
  const news = boardNews.value;
  useEffect(() => {
    if (!isNewsOf(found.peek(), news)) return;
    const take = (list: RunList): void => void (found.value = list);
    // All that have stalled, whatever the limit of those that are done. What cannot be asked is said above every screen.
    listRuns({ limit: 1 }).then(take, () => undefined);
  }, [news, found]);
  const stalled = found.value?.counts.stalled ?? 0;
  return (
    <div class="empty" data-tone={stalled === 0 ? "good" : "needs"}>
      <Icon name={stalled === 0 ? "check" : "hourglass"} />
      <strong>{stalled === 0 ? "Nothing needs you" : "No open questions"}</strong>
      <p>When a run in any of your projects asks something, it shows up here at once, and in the title of this tab.</p>
      {stalled === 0 ? null : (
        <Stalled count={stalled} first={found.value?.runs.find(({ lane }) => lane === "stalled")} />
      )}
    </div>
  );
}

/** A run that is at work says something all the time, and changes nothing here. */
function isNewsOf(known: RunList | undefined, news: typeof boardNews.value): boolean {
  if (known === undefined || news === undefined || news === "all") return true;
  const stalled = new Set(known.runs.filter(({ lane }) => lane === "stalled").map(({ id }) => id));
  return (
    news.changed.some(({ id, lane }) => lane === "stalled" || stalled.has(id)) ||
    news.gone.some((id) => stalled.has(id))
  );
}

function Stalled({ count, first }: { count: number; first: RunRow | undefined }) {
  return count === 1 && first !== undefined ? (
    <p>
      <UserText text={first.id} /> could continue, but nobody drives it.{" "}
      <Link to={runAddress(first.id)}>See how to continue it</Link>
    </p>
  ) : (
    <p>
      {count} runs could continue, but nobody drives them. <Link to={runsAddress()}>See them</Link>
    </p>
  );
}

export function NothingDecided() {
  return (
    <div class="empty">
      <Icon name="history" />
      <strong>Nothing decided yet</strong>
      <p>Every decision is kept here: who made it, when, how and why.</p>
    </div>
  );
}
