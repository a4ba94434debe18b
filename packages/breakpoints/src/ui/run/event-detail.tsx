/** The event that is chosen, with everything in it. */
import type { JournalEvent } from "@a5c-ai/babysitter-sdk/view";
import { useEffect, useState } from "preact/hooks";
import { exactTime } from "../model/ages.js";
import { CopyButton } from "../parts/copy-button.js";
import { Icon } from "../parts/icons.js";
import { Sentence } from "../parts/message-text.js";
import { Problem } from "../parts/problem.js";
import { UserText } from "../parts/user-text.js";
import { CodeDiff } from "./code-diff.js";
import { DrawerHead } from "./drawer-head.js";
import { eventWords } from "./event-words.js";
import { cutString } from "./json-shape.js";
import { JsonTree } from "./json-tree.js";
import type { RunData } from "./run-data.js";
import type { RunMoves } from "./run-place.js";
import { troubleOf } from "./run-trouble.js";

interface EventDetailProps {
  data: RunData;
  seq: number;
  isRaw: boolean;
  moves: RunMoves;
}

export function EventDetail(props: EventDetailProps) {
  const { seq, moves } = props;
  return (
    <aside class="step" aria-label="The chosen event">
      <DrawerHead what="event" of={seq} moves={moves}>
        Event {seq}
      </DrawerHead>
      {/* Another event begins anew; the focus stays in the head. */}
      <Detail key={seq} {...props} />
    </aside>
  );
}

function Detail({ data, seq, isRaw, moves }: EventDetailProps) {
  const short = data.events.value[seq - 1];
  const { whole, problem } = useWhole(data, seq);
  const event = whole ?? short;
  return (
    <>
      {short === undefined ? null : (
        <p>
          <Sentence pieces={eventWords(short, (id) => data.titles.value.get(id)).pieces} />{" "}
          <span class="quiet small">
            <UserText text={short.type} />, {exactTime(short.timestamp)}
          </span>
        </p>
      )}
      {problem === undefined ? null : <Problem message={problem} />}
      <div class="run-buttons">
        {seq >= data.total.value ? null : (
          <button type="button" class="button" onClick={() => moves.travel(seq)}>
            <Icon name="history" />
            View the run at this event
          </button>
        )}
        {short?.effectId === undefined ? null : (
          <button type="button" class="button" onClick={() => moves.show("steps", seq)}>
            Show the step
          </button>
        )}
      </div>
      {short?.type === "CODE_CHANGED" ? <CodeDiff data={data} seq={seq} /> : null}
      {event === undefined ? null : isRaw ? (
        <Raw event={event} />
      ) : (
        <JsonTree value={event.payload} what="what the event says" />
      )}
    </>
  );
}

function useWhole(data: RunData, seq: number): { whole: JournalEvent | undefined; problem: string | undefined } {
  const [whole, setWhole] = useState<JournalEvent | undefined>(undefined);
  const [problem, setProblem] = useState<string | undefined>(undefined);
  useEffect(() => {
    let isWanted = true;
    data.source.event(seq).then(
      (event) => isWanted && setWhole(event),
      (error: unknown) => isWanted && setProblem(troubleOf(error).message),
    );
    return () => void (isWanted = false);
  }, [data, seq]);
  return { whole, problem };
}

/** Longer JSON is shown when somebody asks for it. */
const LONGEST = 50_000;

function Raw({ event }: { event: JournalEvent }) {
  const [all, setAll] = useState(false);
  const text = JSON.stringify(event, null, 2);
  const { shown, left } = cutString(text, LONGEST);
  return (
    <div class="json-raw">
      <CopyButton text={text} what="the event as JSON" word="Copy JSON" />
      <pre tabIndex={0} aria-label="The event as JSON">
        <UserText text={all ? text : shown} lines />
      </pre>
      {left === 0 || all ? null : (
        <button type="button" class="button" onClick={() => setAll(true)}>
          Show all {text.length.toLocaleString("en")} characters
        </button>
      )}
    </div>
  );
}
