/** Everything that the tasks of a run have printed, what is being printed now first. */
import { sizeOf } from "../files/file-views.js";
import { inQuery, setInQuery } from "../parts/address.js";
import { Age } from "../parts/age.js";
import { Icon, type IconName } from "../parts/icons.js";
import { visibleText } from "../text/visible.js";
import { firstLog, type LogEntry, logEntries } from "./log-list.js";
import { LogView } from "./log-view.js";
import { PartList } from "./part-list.js";
import type { RunData } from "./run-data.js";
import "../styles/files.css";
import "../styles/run-parts.css";

const STATES: Record<LogEntry["state"], { icon: IconName; word: string; tone: string }> = {
  running: { icon: "part", word: "Running", tone: "live" },
  ok: { icon: "check", word: "Ended", tone: "good" },
  failed: { icon: "cross", word: "Failed", tone: "bad" },
  unknown: { icon: "none", word: "Unknown", tone: "quiet" },
};

const STREAMS: Record<LogEntry["stream"], string> = { stdout: "output", stderr: "errors" };

export function LogsPart({ data }: { data: RunData }) {
  const list = data.files.value;
  if (list === undefined)
    return (
      <p class="part-note" aria-busy="true">
        Loading…
      </p>
    );
  const all = logEntries(list, data.timeline.value);
  const wanted = inQuery("log");
  const step = data.timeline.value?.spans.find(({ seqs }) => seqs.includes(data.selected.value ?? 0))?.id;
  const ofStep = all.filter(({ effectId }) => effectId === step);
  const chosen = all.find(({ path }) => path === wanted) ?? firstLog(ofStep) ?? firstLog(all);
  if (chosen === undefined) return <p class="part-note">No task of this run has printed anything.</p>;
  const entries = all.filter((log) => log.bytes > 0 || log.state === "running" || log === chosen);
  return (
    <div class="part">
      <PartList
        label="Logs"
        rows={entries.map((entry) => ({
          id: entry.path,
          title: entry.title,
          option: optionOf(entry),
          about: <About log={entry} />,
        }))}
        current={chosen.path}
        onChoose={(path) => setInQuery({ log: path })}
      >
        <Left list={all.length - entries.length} more={list.more} />
      </PartList>
      <section class="part-main" aria-label={visibleText(chosen.title)}>
        <LogView
          // Another attempt writes another log under the same name.
          key={`${chosen.path} ${chosen.attempt}`}
          data={data}
          log={chosen}
          words={inQuery("find") ?? ""}
          onWords={(words) => setInQuery({ log: chosen.path, find: words })}
        />
      </section>
    </div>
  );
}

function optionOf({ title, stream, attempt, isOneOfMany, state }: LogEntry): string {
  const tries = isOneOfMany ? ` · attempt ${attempt}` : "";
  return `${visibleText(title)} · ${STREAMS[stream]}${tries} · ${STATES[state].word.toLowerCase()}`;
}

function About({ log: { state, stream, attempt, isOneOfMany, bytes, modifiedAt } }: { log: LogEntry }) {
  const { icon, word, tone } = STATES[state];
  return (
    <>
      <span class="mark" data-tone={tone}>
        <Icon name={icon} />
        {word}
      </span>
      <span>{STREAMS[stream]}</span>
      {isOneOfMany ? <span>attempt {attempt}</span> : null}
      <span>{sizeOf(bytes)}</span>
      <Age at={modifiedAt} ago />
    </>
  );
}

function Left({ list, more }: { list: number; more: boolean }) {
  if (list === 0 && !more) return null;
  return (
    <p class="part-note">
      {list === 0 ? "" : `${list} empty ${list === 1 ? "log is" : "logs are"} not listed. `}
      {more ? "Not all files are listed: babysitter task:show shows all." : ""}
    </p>
  );
}
