/** One log: followed while its task runs, searched, downloaded. */
import { useLayoutEffect, useRef } from "preact/hooks";
import { sizeOf } from "../files/file-views.js";
import { useWrapping } from "../files/use-wrapping.js";
import type { WindowedHandle } from "../files/windowed.js";
import { CopyButton } from "../parts/copy-button.js";
import { Icon } from "../parts/icons.js";
import { Problem } from "../parts/problem.js";
import { withoutEscapes } from "../text/ansi.js";
import { visibleText } from "../text/visible.js";
import { FindBar } from "./find-bar.js";
import { LogLines } from "./log-lines.js";
import type { LogEntry } from "./log-list.js";
import type { LogReader } from "./log-reader.js";
import type { RunData } from "./run-data.js";
import { problemText, SaveButton } from "./save-button.js";
import { useLog } from "./use-log.js";
import { useLogSearch } from "./use-log-search.js";
import { useSticking } from "./use-sticking.js";

interface LogViewProps {
  data: RunData;
  log: LogEntry;
  words: string;
  onWords: (words: string) => void;
}

export function LogView({ data, log, words, onWords }: LogViewProps) {
  const isLive = log.state === "running" && data.at.value === undefined && data.source.follow !== undefined;
  const reader = useLog(data.source, log.path, isLive);
  const { text } = reader;
  const lines = text?.lines ?? [];
  const [wraps, setWraps] = useWrapping("log");
  const box = useRef<HTMLDivElement>(null);
  const handle = useRef<WindowedHandle>(null);
  const beginsAtEnd = log.state !== "ok" || (text?.from ?? 0) > 0;
  const sticking = useSticking(box, beginsAtEnd, `${reader.front.times} ${text === undefined}`);
  useKeptPlace(reader, handle);
  const search = useLogSearch(reader, words, (row) => {
    sticking.leave();
    handle.current?.show(row);
    // Rows above it may turn out higher than was thought.
    requestAnimationFrame(() => handle.current?.show(row));
  });
  return (
    <div class="log" data-live={isLive ? "" : undefined} ref={box} onScrollCapture={sticking.onScroll}>
      <div class="log-tools">
        <FindBar
          label="Search this log"
          words={words}
          onWords={onWords}
          found={search.found}
          onStep={search.step}
          canStep={search.matches.length > 0}
        />
        <label class="wrap-choice">
          <input type="checkbox" checked={wraps} onChange={(event) => setWraps(event.currentTarget.checked)} />
          Wrap lines
        </label>
        <CopyButton text={() => lines.map(withoutEscapes).join("\n")} what="the log" word="Copy" />
        <SaveButton data={data} path={log.path} type="text/plain" />
      </div>
      <Earlier reader={reader} words={words} />
      <ReadState reader={reader} isLive={isLive} />
      {lines.length === 0 ? null : (
        <LogLines
          key={reader.front.times}
          label={visibleText(`Log of ${log.title}`)}
          lines={lines}
          wraps={wraps}
          isNumbered={text?.from === 0}
          matches={search.matches}
          current={search.current}
          handle={handle}
        />
      )}
      <LogFoot reader={reader} isLive={isLive} isAtEnd={sticking.isAtEnd} onEnd={sticking.toEnd} />
    </div>
  );
}

/** Why no lines are here, or no more of them. */
function ReadState({ reader, isLive }: { reader: LogReader; isLive: boolean }) {
  const { text, problem } = reader;
  if (problem !== undefined)
    return (
      <Problem message="The log could not be read." hint={problemText(problem)} onRetry={() => void reader.readOn()} />
    );
  if (text === undefined)
    return (
      <p class="file-empty" aria-busy="true">
        Loading…
      </p>
    );
  if (text.lines.length > 0) return null;
  return <p class="file-empty">{isLive ? "Nothing printed yet." : "The log is empty."}</p>;
}

/** What stands in front is not here yet. */
function Earlier({ reader, words }: { reader: LogReader; words: string }) {
  const { text, size, isBusy } = reader;
  if (text === undefined || text.from === 0) return null;
  return (
    <div class="log-earlier">
      <span>
        The last {sizeOf(text.to - text.from)} of {sizeOf(size)}
        {words === "" ? "" : ": the search covers these"}
      </span>
      <button type="button" class="button" disabled={isBusy} onClick={() => void reader.readEarlier()}>
        Show earlier
      </button>
      <button type="button" class="button" data-kind="quiet" disabled={isBusy} onClick={() => void reader.readAll()}>
        {isBusy ? "Loading…" : "Load all"}
      </button>
    </div>
  );
}

interface LogFootProps {
  reader: LogReader;
  isLive: boolean;
  isAtEnd: boolean;
  onEnd: () => void;
}

function LogFoot({ reader, isLive, isAtEnd, onEnd }: LogFootProps) {
  const word = isLive ? (isAtEnd ? "Following" : "Running") : "End of log";
  return (
    <div class="log-foot">
      {reader.text === undefined ? null : (
        <span class="mark" data-tone={isLive ? "live" : "quiet"}>
          {isLive ? <Icon name="part" /> : null}
          {word} · {sizeOf(reader.size)}
        </span>
      )}
      <button
        type="button"
        class="button log-end"
        data-away={isAtEnd ? undefined : ""}
        disabled={isAtEnd}
        onClick={onEnd}
      >
        <Icon name="down" />
        Jump to end
      </button>
    </div>
  );
}

/** When lines came in front, the one that was first before is in view again. */
function useKeptPlace({ front }: LogReader, handle: { current: WindowedHandle | null }): void {
  const seen = useRef(front.times);
  useLayoutEffect(() => {
    if (front.times === seen.current) return;
    seen.current = front.times;
    const back = (): void => handle.current?.show(front.lines);
    back();
    requestAnimationFrame(back);
  });
}
