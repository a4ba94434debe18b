/** Two runs side by side: the first difference, what is known of both, and their steps. */
import type { JournalEvent } from "@a5c-ai/babysitter-sdk/view";
import { useEffect, useMemo, useState } from "preact/hooks";
import { counted } from "../model/counted.js";
import { runAddress } from "../model/routes.js";
import { Icon } from "../parts/icons.js";
import { Link } from "../parts/link.js";
import { Problem } from "../parts/problem.js";
import { UserText } from "../parts/user-text.js";
import { Words } from "../parts/words.js";
import { Clamped } from "./clamped.js";
import { type FactValue, factsOf, type RunFacts } from "./compare-facts.js";
import { type Comparison as Compared, type ComparedStep, compareRuns, cutEvents } from "./compare-runs.js";
import { differenceSentence, type RunNames, uncomparedWords } from "./compare-words.js";
import { ComparedSteps, Side, StandingChip } from "./compared-steps.js";
import type { RunData } from "./run-data.js";
import { troubleOf } from "./run-trouble.js";
import { ValueDifference } from "./value-difference.js";
import "../styles/files.css";
import "../styles/compare.css";
import "../styles/run-parts.css";

interface Sides {
  left: RunData;
  right: RunData;
}

export function Comparison({ left, right }: Sides) {
  const { compared, readWhole } = useCompared({ left, right });
  const trouble = [left, right]
    .flatMap(({ problem }) => (problem.value === undefined ? [] : [troubleOf(problem.value)]))
    // That the server does not answer is said above every page.
    .find(({ code }) => code !== "OFFLINE");
  const [ours, theirs] = [factsIn(left), factsIn(right)];
  const isThere = compared !== undefined && ours !== undefined && theirs !== undefined;
  return (
    <>
      {trouble === undefined ? null : (
        <Problem
          message={`${isThere ? "This may be out of date." : "The runs cannot be compared."} ${trouble.message}`}
          hint={trouble.hint}
          onRetry={() => void Promise.all([left.load(), right.load()])}
        />
      )}
      {isThere ? (
        <Both compared={compared} left={ours} right={theirs} onOpen={(step) => void readWhole([step])} />
      ) : trouble === undefined ? (
        <span class="skeleton" data-height="card" aria-busy="true" />
      ) : null}
    </>
  );
}

function factsIn({ detail, state, timeline, total }: RunData): RunFacts | undefined {
  if (detail.value === undefined || timeline.value === undefined) return undefined;
  return { detail: detail.value, state: state.value, timeline: timeline.value, events: total.value };
}

/** Of so many steps, long values are read to be compared; of others when somebody opens them. */
const MOST_READ = 40;

/** Events come with long values left out; those that are needed to tell the steps apart are read one by one. */
function useCompared({ left, right }: Sides) {
  const [whole, setWhole] = useState<ReadonlyMap<JournalEvent, JournalEvent>>(new Map());
  const [isRead, setRead] = useState(false);
  const [ours, theirs] = [left.timeline.value, right.timeline.value];
  const compared = useMemo(() => {
    if (ours === undefined || theirs === undefined) return undefined;
    const eventsOf = ({ events }: RunData): JournalEvent[] => events.value.map((event) => whole.get(event) ?? event);
    return compareRuns({ events: eventsOf(left), timeline: ours }, { events: eventsOf(right), timeline: theirs });
  }, [ours, theirs, whole]);
  const readWhole = async (steps: readonly ComparedStep[]): Promise<void> => {
    const wanted = steps.flatMap((step) =>
      ([left, right] as const).flatMap((data, n) =>
        cutEvents(n === 0 ? step.left : step.right)
          .filter((event) => !whole.has(event))
          .map((event) => ({ data, event })),
      ),
    );
    if (wanted.length === 0) return;
    const read = await Promise.all(
      // What cannot be read stays as it is, and is not asked for again.
      wanted.map(async ({ data, event }) => [event, await data.source.event(event.seq).catch(() => event)] as const),
    );
    setWhole((before) => new Map([...before, ...read]));
  };
  useEffect(() => {
    if (compared === undefined) return;
    const unknown = compared.steps.filter((step) => step.unknown.length > 0);
    void readWhole(unknown.slice(0, MOST_READ)).then(() => setRead(true));
  }, [compared]);
  return { compared: isRead ? compared : undefined, readWhole };
}

interface BothProps {
  compared: Compared;
  left: RunFacts;
  right: RunFacts;
  onOpen: (step: ComparedStep) => void;
}

function Both({ compared, left, right, onOpen }: BothProps) {
  const names = { left: left.detail.id, right: right.detail.id };
  return (
    <>
      <Verdict compared={compared} names={names} />
      <div class="compare-grid">
        <div class="compare-row compare-head">
          <span />
          {[names.left, names.right].map((id, n) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: both may be the same run
            <Link key={n} to={runAddress(id)}>
              <UserText text={id} />
            </Link>
          ))}
        </div>
        <Facts left={left} right={right} names={names} />
        <ComparedSteps steps={compared.steps} partsAt={compared.partsAt} names={names} onOpen={onOpen} />
      </div>
      <Outputs left={left.detail.output} right={right.detail.output} names={names} />
    </>
  );
}

function Verdict({ compared: { steps, partsAt, isSameProcess }, names }: { compared: Compared; names: RunNames }) {
  const first = partsAt === undefined ? undefined : steps[partsAt];
  const uncompared = uncomparedWords(steps, partsAt);
  const isGood = first === undefined && uncompared === undefined;
  return (
    <>
      {isSameProcess ? null : (
        <p class="callout" data-tone="needs">
          <Icon name="warning" />
          <span class="callout-text">
            <strong>These runs have different processes.</strong> Steps are matched by their place in the process.
          </span>
        </p>
      )}
      <p class="callout" data-tone={isGood ? "good" : "needs"}>
        <Icon name={isGood ? "check" : "warning"} />
        <span class="callout-text">
          {first === undefined ? (
            <strong>{isGood ? "All steps are the same." : "No difference found."}</strong>
          ) : (
            <>
              <strong>First difference:</strong> <Words parts={differenceSentence(first, (partsAt ?? 0) + 1, names)} />
            </>
          )}
          {uncompared === undefined ? "" : ` ${uncompared}`}
        </span>
      </p>
    </>
  );
}

function Facts({ left, right, names }: { left: RunFacts; right: RunFacts; names: RunNames }) {
  const [isAll, setAll] = useState(false);
  const facts = factsOf(left, right);
  const same = facts.filter(({ isSame }) => isSame).length;
  return (
    <section aria-label="Facts">
      <dl>
        {facts
          .filter(({ isSame }) => isAll || !isSame)
          .map((fact) => (
            <div key={fact.name} class="compare-row">
              <dt>{fact.name}</dt>
              <Side as="dd" name={names.left}>
                <Value value={fact.left} />
              </Side>
              <Side as="dd" name={names.right}>
                <Value value={fact.right} />
              </Side>
            </div>
          ))}
      </dl>
      {same === 0 ? null : (
        <button type="button" class="button compare-more" data-kind="quiet" onClick={() => setAll(!isAll)}>
          {isAll ? "Show only what differs" : `Show ${counted(same, "identical fact")}`}
        </button>
      )}
    </section>
  );
}

function Value({ value }: { value: FactValue }) {
  if (typeof value === "string") return <>{value}</>;
  if ("said" in value) return <Clamped text={value.said} class="compare-clamp" />;
  return (
    <>
      {value.states.map((standing) => (
        <StandingChip key={standing.word} standing={standing} />
      ))}
    </>
  );
}

/** Longer ones come without their end. */
const CUT_OUTPUT = /…$/u;

function Outputs({ left, right, names }: { left: string | null; right: string | null; names: RunNames }) {
  if (left === null && right === null) return null;
  return (
    <section class="criteria-part" aria-labelledby="compare-outputs">
      <h2 id="compare-outputs">Output</h2>
      {left !== null && left === right ? (
        <p class="part-note">
          {CUT_OUTPUT.test(left) ? "Both start the same but are too large to compare." : "Both returned the same."}
        </p>
      ) : (
        <ValueDifference what="output" left={left ?? undefined} right={right ?? undefined} names={names} />
      )}
    </section>
  );
}
