/** One transcript as a conversation, page by page. */
import { useEffect, useState } from "preact/hooks";
import type { TranscriptLine } from "../../wire/run-wire.js";
import { sizeOf } from "../files/file-views.js";
import type { RunSource } from "../model/run-source.js";
import { inQuery, setInQuery } from "../parts/address.js";
import { Age } from "../parts/age.js";
import { Icon, type IconName } from "../parts/icons.js";
import { Problem } from "../parts/problem.js";
import { UserText } from "../parts/user-text.js";
import { Markdown } from "../text/markdown.js";
import { FindBar } from "./find-bar.js";
import { OutputText } from "./output-text.js";
import { problemText } from "./save-button.js";
import { beginningOf, callText, isLong, matching } from "./transcript-lines.js";

interface Read {
  entries: readonly TranscriptLine[];
  /** Where to read on; null at the end. */
  next: number | null;
}

/** As many as are drawn at once. */
const STEP = 100;

const WHO: Record<TranscriptLine["who"], { icon: IconName; word: string }> = {
  prompt: { icon: "comment", word: "Prompt" },
  agent: { icon: "agent", word: "Agent" },
  tool: { icon: "code", word: "Tool" },
};

export function Conversation({ source, id, bytes }: { source: RunSource; id: string; bytes: number }) {
  const [read, setRead] = useState<Read>({ entries: [], next: 0 });
  const [shown, setShown] = useState(STEP);
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  const words = inQuery("find") ?? "";
  const load = async (all: boolean): Promise<void> => {
    setBusy(true);
    try {
      setRead(await readOn(source, id, read, all));
      setProblem(undefined);
    } catch (error) {
      setProblem(problemText(error));
    }
    setBusy(false);
  };
  useEffect(() => void load(false), [id]);
  const found = matching(read.entries, words);
  const count = `${found.length.toLocaleString("en")} of ${read.entries.length.toLocaleString("en")}${read.next === null ? "" : ", more not loaded yet"}`;
  const more = (): void => {
    if (shown < found.length) setShown(shown + STEP);
    else void load(words !== "").then(() => setShown(shown + STEP));
  };
  return (
    <div class="talk" aria-busy={isBusy}>
      <FindBar
        label="Search this conversation"
        words={words}
        onWords={(next) => setInQuery({ session: id, find: next })}
        found={words === "" ? "" : count}
      />
      {problem === undefined ? null : (
        <Problem message="The transcript could not be read." hint={problem} onRetry={() => void load(false)} />
      )}
      {read.entries.length === 0 && !isBusy && problem === undefined ? (
        <p class="part-note">Nothing said yet.</p>
      ) : null}
      <ol class="talk-lines">
        {found.slice(0, shown).map((entry, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: an entry has no name but its place
          <Line key={index} entry={entry} />
        ))}
      </ol>
      {shown < found.length || read.next !== null ? (
        <button type="button" class="button" disabled={isBusy} onClick={more}>
          {isBusy ? "Loading…" : words !== "" && read.next !== null ? "Search the rest" : "Show more"}
        </button>
      ) : (
        <p class="part-note">End of transcript ({sizeOf(bytes)}).</p>
      )}
    </div>
  );
}

/** One page more that has something in it, or all that are left. */
async function readOn(source: RunSource, id: string, read: Read, all: boolean): Promise<Read> {
  const entries = [...read.entries];
  for (let from = read.next; from !== null; ) {
    const page = await source.transcript(id, from);
    for (const entry of page.entries) entries.push(entry);
    from = page.next !== null && page.next > from && page.next < page.size ? page.next : null;
    if (from !== null && !all && page.entries.length > 0) return { entries, next: from };
  }
  return { entries, next: null };
}

function Line({ entry: { who, at, name, text, cut } }: { entry: TranscriptLine }) {
  const { icon, word } = WHO[who];
  return (
    <li class="talk-line" data-who={who}>
      <p class="talk-who">
        <span class="mark">
          <Icon name={icon} />
          <strong>{word}</strong>
        </span>
        {name === null ? null : <UserText class="code" text={name} />}
        {at === null ? null : <Age at={at} ago class="quiet" />}
      </p>
      {who === "tool" || name !== null ? <Output text={callText(name, text)} /> : <Said who={who} text={text} />}
      {cut ? <p class="quiet small">This message is cut off here.</p> : null}
    </li>
  );
}

function Said({ who, text }: { who: TranscriptLine["who"]; text: string }) {
  return who === "agent" ? <Markdown text={text} /> : <UserText text={text} lines block />;
}

function Output({ text }: { text: string }) {
  if (!isLong(text)) return <OutputText text={text} />;
  return (
    <details class="talk-more">
      <summary>
        <UserText class="code" text={beginningOf(text)} />
      </summary>
      <OutputText text={text} />
    </details>
  );
}
