/** Whether the chain of events holds. It is checked when the page has nothing else to load, or when somebody asks. */
import { useEffect, useState } from "preact/hooks";
import type { IntegrityView } from "../../wire/run-wire.js";
import { Icon } from "../parts/icons.js";
import { UserText } from "../parts/user-text.js";
import { integrityWords } from "./integrity-words.js";
import type { RunData } from "./run-data.js";
import { troubleOf } from "./run-trouble.js";

/** Checking more takes the server a while: only when asked for. */
const MOST_EVENTS = 20_000;

export function IntegrityBadge({ data }: { data: RunData }) {
  const [view, setView] = useState<IntegrityView | undefined>(undefined);
  const [problem, setProblem] = useState<string | undefined>(undefined);
  const [open, setOpen] = useState(false);
  const check = async (): Promise<void> => {
    try {
      setView(await data.source.integrity());
      setProblem(undefined);
    } catch (error) {
      setProblem(troubleOf(error).message);
    }
  };
  const isLoaded = data.files.value !== undefined;
  useEffect(() => {
    if (isLoaded && data.total.peek() <= MOST_EVENTS) void check();
    // Once: later events are checked when somebody asks.
    // oxlint-disable-next-line exhaustive-deps
  }, [data, isLoaded]);
  if (view === undefined)
    return (
      <button type="button" class="chip chip-button" title={problem} onClick={() => void check()}>
        {problem === undefined ? "Check the chain" : "The chain could not be checked"}
      </button>
    );
  const { word, tone, icon } = integrityWords(view);
  return (
    <>
      <button
        type="button"
        class="chip chip-button"
        data-tone={tone}
        aria-expanded={open}
        title={`${view.signed} of ${view.events} events are signed. Press to see what was found.`}
        onClick={() => {
          setOpen(!open);
          if (!open) void check();
        }}
      >
        <Icon name={icon} />
        {word}
      </button>
      {open ? <Findings view={view} /> : null}
    </>
  );
}

function Findings({ view }: { view: IntegrityView }) {
  return (
    <div class="run-findings" role="status">
      <p>
        {view.events} events, {view.signed} of them signed.{" "}
        {view.findings.length === 0 ? "Every event names the one before it, and none was changed." : ""}
      </p>
      <ul>
        {view.findings.map(({ file, problem, harmless }) => (
          <li key={`${file} ${problem}`}>
            <code>
              <UserText text={file} />
            </code>{" "}
            <UserText text={problem} />
            {harmless ? <span class="quiet"> (harmless)</span> : null}
          </li>
        ))}
      </ul>
    </div>
  );
}
