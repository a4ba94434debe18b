/** What pages show of a run, besides its files. Nothing here writes to a journal. */
import type { LoopReport } from "../../loop/texts/loop-report.js";
import { headOf, type JournalEvent, STORED_FIELDS, type StoredValue } from "../../model/events.js";
import type { Failure } from "../../model/failure.js";
import { statusOf } from "../../model/run-state.js";
import type { JournalFinding } from "../../model/upkeep.js";
import { describeFailures } from "../../runs/describe-failures.js";
import { describeRun, type RunDescription } from "../../runs/describe-run.js";
import type { RunJournal } from "../../runs/run-journal.js";
import type { Driving } from "../../runs/standing.js";
import { upkeepOf } from "../../runs/upkeep-of.js";
import { viewEvent } from "../../timeline/view-event.js";
import { checkSignedDecisions } from "../check-signed-decisions.js";
import { whoDrives } from "../who-drives.js";
import { type PossibleChanges, possibleChanges } from "./possible-changes.js";
import { reportLoop } from "./report-loop.js";

export interface RunLook {
  description: RunDescription;
  driving: Driving;
  loop: LoopReport | null;
  /** What a failed run has failed on, with the end of what that has printed. */
  failing: Failure | undefined;
  can: PossibleChanges;
}

const PRINTED_LINES = 30;

/** Where a run stands, who works on it, and what to do next. */
export async function lookAtRun(journal: RunJournal): Promise<RunLook> {
  const driving = await whoDrives(journal);
  return {
    description: await describeRun(journal, journal.runId, driving),
    driving,
    loop: (await reportLoop(journal)) ?? null,
    failing: await failingStep(journal),
    can: await possibleChanges(journal),
  };
}

async function failingStep(journal: RunJournal): Promise<Failure | undefined> {
  if (statusOf(journal.summary) !== "failed") return undefined;
  return (await describeFailures(journal, { most: 1, lines: PRINTED_LINES }))[0];
}

export interface RunIntegrity {
  /** So many events are as they were written. */
  events: number;
  /** Decisions that a passkey has signed. */
  signed: number;
  findings: JournalFinding[];
}

/** Whether the journal is whole: every checksum, every link of the chain, every signature. */
export async function checkRun(journal: RunJournal): Promise<RunIntegrity> {
  const { events, findings } = await upkeepOf(journal.ports).check(journal.runId);
  const isDamaged = findings.some(({ harmless }) => !harmless);
  const decisions = isDamaged ? { signed: 0, findings: [] } : await checkSignedDecisions(journal);
  return { events, signed: decisions.signed, findings: [...findings, ...decisions.findings] };
}

/** Events of a run as pages get them, long values only by their size. It reads a journal once, and then what is new. */
export class ViewedEvents {
  readonly #journal: RunJournal;
  #events: JournalEvent[] | undefined;

  constructor(journal: RunJournal) {
    this.#journal = journal;
  }

  get size(): number {
    return this.#events?.length ?? 0;
  }

  /** All that there are by now. Not asked of the journal: whoever else uses it may have heard of the news already. */
  async all(): Promise<readonly JournalEvent[]> {
    const { ports, runId } = this.#journal;
    const last = this.#events?.at(-1);
    const news = await ports.store.read(runId, last === undefined ? undefined : headOf(last));
    // The last one is no longer there: the journal was repaired or replaced.
    if (news === undefined) this.#events = ((await ports.store.read(runId, undefined)) ?? []).map(slim);
    else this.#events = [...(this.#events ?? []), ...news.filter(({ seq }) => seq > this.size).map(slim)];
    return this.#events;
  }
}

function slim(event: JournalEvent): JournalEvent {
  return viewEvent(event);
}

/** How much of the values of a run is taken along: of each, and in all, in bytes of JSON. */
export interface ValueLimits {
  longest: number;
  most: number;
}

export interface WholeEvents {
  events: JournalEvent[];
  /** What is there by its size only. */
  leftOut: { values: number; bytes: number };
}

/** All events of a run with their values, for whoever takes the run elsewhere. */
export async function wholeEvents(journal: RunJournal, { longest, most }: ValueLimits): Promise<WholeEvents> {
  const all = (await journal.ports.store.read(journal.runId, undefined)) ?? [];
  const leftOut = { values: 0, bytes: 0 };
  const events: JournalEvent[] = [];
  let rest = most;
  for (const event of all) {
    const limit = Math.min(longest, rest);
    const whole = viewEvent(await withBlobs(journal, event, limit), limit);
    for (const [, stored] of storedIn(whole)) {
      if ("bytes" in stored) {
        leftOut.values += 1;
        leftOut.bytes += stored.bytes;
      } else rest -= JSON.stringify(stored).length;
    }
    rest = Math.max(0, rest);
    events.push(whole);
  }
  return { events, leftOut };
}

/** Values that have files of their own, as if they stood in the event. */
async function withBlobs(journal: RunJournal, event: JournalEvent, longest: number): Promise<JournalEvent> {
  const blobs = storedIn(event).filter(([, stored]) => "blob" in stored && stored.bytes <= longest);
  if (blobs.length === 0) return event;
  const values = await Promise.all(blobs.map(async ([name, stored]) => [name, await readable(journal, stored)]));
  return { ...event, payload: { ...event.payload, ...Object.fromEntries(values) } };
}

/** Whoever looks at a run with a lost value sees the rest of it; the check of the journal tells of the loss. */
async function readable(journal: RunJournal, stored: StoredValue): Promise<StoredValue> {
  try {
    return { value: await journal.valueOf(stored) };
  } catch {
    return stored;
  }
}

function storedIn({ payload }: JournalEvent): [string, StoredValue][] {
  const fields = payload as unknown as Readonly<Record<string, StoredValue | undefined>>;
  return STORED_FIELDS.flatMap((name): [string, StoredValue][] => {
    const stored = fields[name];
    return typeof stored === "object" && stored !== null ? [[name, stored]] : [];
  });
}
