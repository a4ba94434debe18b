/** Whether the journal is as it was written. It is checked when the page has nothing else to load, or when somebody asks. */
import { useEffect, useState } from "preact/hooks";
import type { IntegrityView } from "../../wire/run-wire.js";
import { Icon } from "../parts/icons.js";
import { UserText } from "../parts/user-text.js";
import { integrityWords, UNCHECKED_WORDS } from "./integrity-words.js";
import type { RunData } from "./run-data.js";
import { troubleOf } from "./run-trouble.js";

/** Checking more takes the server a while: only when asked for. */
const MOST_EVENTS = 20_000;

export function IntegrityBadge({ data }: { data: RunData }) {
  const [view, setView] = useState<IntegrityView | undefined>(undefined);
  const [state, setState] = useState<keyof typeof UNCHECKED_WORDS>("checking");
  const [problem, setProblem] = useState<string | undefined>(undefined);
  const [open, setOpen] = useState(false);
  const check = async (): Promise<void> => {
    setState("checking");
    try {
      setView(await data.source.integrity());
      setProblem(undefined);
    } catch (error) {
      setState("failed");
      setProblem(troubleOf(error).message);
    }
  };
  // What cannot be read otherwise may still be checked.
  const isRead = data.files.value !== undefined || data.problem.value !== undefined;
  useEffect(() => {
    if (!isRead) return;
    if (data.total.peek() <= MOST_EVENTS) void check();
    else setState("unasked");
    // Once: later events are checked when somebody asks.
    // oxlint-disable-next-line exhaustive-deps
  }, [data, isRead]);
  const { word, tone, icon } = view === undefined ? UNCHECKED_WORDS[state] : integrityWords(view);
  const isChecking = view === undefined && state === "checking";
  return (
    <>
      <button
        type="button"
        class="chip chip-button"
        data-tone={tone}
        aria-expanded={open}
        aria-busy={isChecking}
        title="Whether every event is as it was written"
        onClick={() => {
          setOpen(!open);
          if (!open && !isChecking) void check();
        }}
      >
        <Icon name={icon} />
        <span>{word}</span>
        <Icon name={open ? "up" : "down"} />
      </button>
      {open ? <Findings view={view} problem={problem} /> : null}
    </>
  );
}

function Findings({ view, problem }: { view: IntegrityView | undefined; problem: string | undefined }) {
  return (
    <div class="run-findings" role="status">
      {problem === undefined ? null : (
        <p>
          The check could not run: <UserText text={problem} />
        </p>
      )}
      {view === undefined ? null : <Found view={view} />}
    </div>
  );
}

function Found({ view: { events, signed, findings } }: { view: IntegrityView }) {
  return (
    <>
      <p>
        {events.toLocaleString("en")} {events === 1 ? "event" : "events"}, {signed.toLocaleString("en")} of them signed.{" "}
        {findings.length === 0 ? "Every event names the one before it, and none was changed." : ""}
      </p>
      <ul>
        {findings.map(({ file, problem, harmless }) => (
          <li key={`${file} ${problem}`}>
            <code>
              <UserText text={file} />
            </code>{" "}
            <UserText text={problem} />
            {harmless ? <span class="quiet"> (harmless)</span> : null}
          </li>
        ))}
      </ul>
    </>
  );
}
