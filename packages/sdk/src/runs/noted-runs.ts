/** The runs of a store, with what is noted about them: most listings need no more, and do not open those runs. */
import { codeChangeText } from "../model/code-versions.js";
import type { RunId } from "../model/ids.js";
import { defined } from "../model/json.js";
import type { Ports } from "../model/ports.js";
import { isComplete, isEmpty } from "../model/run-ledger.js";
import { hasProcess, isFinished, type RunStatus, type RunSummary } from "../model/run-state.js";
import type { FreshNote, RunListing } from "../model/store.js";
import { isUncosted } from "./report-costs.js";
import type { RunJournal } from "./run-journal.js";
import { describeBriefly } from "./standing.js";

/** What listings show of a run; only such things as do not change while nobody touches the run. */
export interface RunNote {
  state: RunStatus;
  why: string;
  processId: string;
  /** What a loop without a process is about. */
  title?: string;
  /** Someone could answer a question of it. */
  asks?: true;
  /** It has a loop that someone could resume. */
  loop?: true;
  /** Why it ended, or stopped where it cannot continue by itself. */
  whyEnded?: string;
  codeChanges?: string;
  /** It asked nobody, nothing in it failed, and it is no loop. */
  smooth?: true;
  /** Agents worked on tasks of it, and nobody has noted what that cost. */
  uncosted?: true;
}

/** A note with the times of the run's last event, of its beginning, and of its end if it has ended or stopped. */
export interface TimedNote {
  readonly note: RunNote;
  readonly at: string;
  readonly createdAt: string;
  readonly endedAt?: string | undefined;
}

/** Reading what is noted takes time; `over` says of most runs that it is not worth it. */
export interface ListedNote extends RunListing, Partial<TimedNote> {
  readonly over?: boolean;
}

export class NotedRuns {
  readonly runs: readonly ListedNote[];
  readonly #ports: Ports;
  readonly #fresh = new Map<RunId, FreshNote>();

  private constructor(ports: Ports, runs: readonly ListedNote[]) {
    this.#ports = ports;
    this.runs = runs;
  }

  static async list(ports: Ports): Promise<NotedRuns> {
    const { notes, store } = ports;
    const listings = notes === undefined ? await store.list() : await notes.list();
    return new NotedRuns(ports, listings);
  }

  /** Takes a note about a run that was opened after the listing. */
  add(journal: RunJournal): TimedNote {
    const { summary, runId } = journal;
    const note = noteOf(journal);
    const timed = {
      note,
      at: summary.head.timestamp,
      createdAt: summary.created.at,
      ...defined({ endedAt: endOf(summary)?.at }),
    };
    // The caches have the error of the last iteration, what it saw, and a ledger that may still have to be made.
    const fromCaches = note.state !== "completed" || !isUpToDate(summary);
    const over = isOver(note.state) && note.loop !== true;
    if (!dependsOnTime(summary)) this.#fresh.set(runId, { ...timed, note: { ...note }, over, fromCaches });
    return timed;
  }

  async save(): Promise<void> {
    await this.#ports.notes?.keep(this.#fresh);
  }
}

function noteOf(journal: RunJournal): RunNote {
  const { summary } = journal;
  const { state, why } = describeBriefly(journal);
  const { ledger, loop, created } = summary;
  return {
    state,
    why,
    processId: created.processId,
    ...defined({
      title: titleOf(summary),
      asks: onlyTrue(canBeAnswered(summary, state)),
      loop: onlyTrue(loop !== undefined && loop.ended === undefined && summary.cancelled === undefined),
      whyEnded: endOf(summary)?.why,
      codeChanges: codeChangeText(summary.code),
      smooth: onlyTrue(loop === undefined && isUpToDate(summary) && ledger !== undefined && isEmpty(ledger)),
      uncosted: onlyTrue(ledger !== undefined && isUncosted(summary, ledger)),
    }),
  };
}

/** What a loop without a process is about. */
export function titleOf({ loop, created }: RunSummary): string | undefined {
  return loop === undefined || hasProcess(created) ? undefined : loop.contract.title;
}

/** True when the run need not be opened to know more about it. */
export function isNoted(listing: ListedNote): listing is ListedNote & TimedNote {
  return listing.at !== undefined;
}

/** True for a run that has ended for good, as far as that is known without its note. */
export function isNotedOver({ over }: ListedNote): boolean {
  return over === true;
}

/** True for a run that has ended for good. */
export function isOver(state: RunStatus): boolean {
  return state === "completed" || state === "cancelled";
}

function onlyTrue(fact: boolean): true | undefined {
  return fact || undefined;
}

function isUpToDate({ ledger, head }: RunSummary): boolean {
  return isComplete(ledger, head);
}

/** Texts about a sleep, or about the next try of a turn, differ from minute to minute and from one time zone to another. */
function dependsOnTime(summary: RunSummary): boolean {
  if (isFinished(summary)) return false;
  return summary.loop?.failure !== undefined || Object.values(summary.pending).some(({ until }) => until !== undefined);
}

/** True when a question of the run is open and an answer would continue it. */
export function canBeAnswered(summary: RunSummary, state: RunStatus): boolean {
  if (isFinished(summary) || state === "failed") return false;
  return Object.values(summary.pending).some(({ kind }) => kind === "breakpoint");
}

/** When and why a run ended, or stopped where it cannot continue by itself. */
export function endOf(summary: RunSummary): { at: string; why?: string } | undefined {
  const { completed, cancelled, failed, blocked, loop, created } = summary;
  if (completed !== undefined) return { at: completed.at };
  if (cancelled !== undefined) return { at: cancelled.at, ...defined({ why: cancelled.reason }) };
  if (loop?.ended !== undefined && !hasProcess(created)) return { at: loop.ended.at };
  if (blocked !== undefined) return { at: blocked.at, why: BLOCKED_WORDS[blocked.code ?? "RUN_DIVERGED"] };
  return failed === undefined ? undefined : { at: failed.at, ...defined({ why: failed.error.message.split("\n")[0] }) };
}

const BLOCKED_WORDS = {
  RUN_DIVERGED: "its code no longer matches its journal",
  GATES_CHANGED: "its code has lost breakpoints that people agreed to",
} as const;
