import { BabysitterError } from "../model/errors.js";
import type { RunId } from "../model/ids.js";
import type { Ports } from "../model/ports.js";
import { type RunStatus, statusOf } from "../model/run-state.js";
import type { Leftover } from "../model/upkeep.js";
import { isDisposable } from "./archive-run.js";
import { RunJournal } from "./run-journal.js";
import { archivedPorts, upkeepOf } from "./upkeep-of.js";

export interface PruneOptions {
  /** Runs whose last event is older go. */
  before: Date;
  /** Failed runs too. */
  failed: boolean;
  /** Archived runs too. */
  archived: boolean;
  /** Keep this many of the newest finished runs, however old they are. */
  keep: number;
  dryRun: boolean;
}

interface PrunedRun {
  runId: RunId;
  runDir: string;
  state: RunStatus;
  lastEventAt: string;
  bytes: number;
  archived: boolean;
}

export interface PruneReport {
  removed: PrunedRun[];
  leftovers: Leftover[];
  /** Of everything that was removed. */
  bytes: number;
  dryRun: boolean;
}

/** No command takes this long: anything older was left behind by a crash. */
const LEFTOVER_AGE_MS = 24 * 60 * 60 * 1000;

/** Deletes finished runs that are old enough, and what crashes have left behind. Never open, foreign or damaged runs. */
export async function pruneRuns(ports: Ports, options: PruneOptions): Promise<PruneReport> {
  const archive = archivedPorts(ports);
  const places = options.archived
    ? [
        { ports, archived: false },
        { ports: archive, archived: true },
      ]
    : [{ ports, archived: false }];
  const finished = (await Promise.all(places.map((place) => finishedRuns(place, options)))).flat();
  const old = finished
    .toSorted((a, b) => Date.parse(b.lastEventAt) - Date.parse(a.lastEventAt))
    .slice(options.keep)
    .filter(({ lastEventAt }) => Date.parse(lastEventAt) < options.before.getTime());
  const removed: PrunedRun[] = [];
  for (const candidate of old) {
    const pruned = await removeRun(candidate, options.dryRun);
    if (pruned !== undefined) removed.push(pruned);
  }
  const sweep = { before: new Date(ports.clock.now().getTime() - LEFTOVER_AGE_MS), dryRun: options.dryRun };
  const leftovers = [...(await upkeepOf(ports).sweep(sweep)), ...(await upkeepOf(archive).sweep(sweep))];
  const bytes = [...removed, ...leftovers].reduce((sum, one) => sum + one.bytes, 0);
  return { removed, leftovers, bytes, dryRun: options.dryRun };
}

interface Candidate {
  journal: RunJournal;
  state: RunStatus;
  lastEventAt: string;
  archived: boolean;
}

async function finishedRuns(
  { ports, archived }: { ports: Ports; archived: boolean },
  options: PruneOptions,
): Promise<Candidate[]> {
  const found: Candidate[] = [];
  for (const { runId, foreign } of await ports.store.list()) {
    const journal = foreign ? undefined : await openIfSound(ports, runId);
    if (journal === undefined) continue;
    const state = statusOf(journal.summary);
    const lastEventAt = journal.summary.head.timestamp;
    if (isDisposable(state, options) && !Number.isNaN(Date.parse(lastEventAt)))
      found.push({ journal, state, lastEventAt, archived });
  }
  return found;
}

/** Undefined for a damaged run, or one that has gone meanwhile. */
async function openIfSound(ports: Ports, runId: RunId): Promise<RunJournal | undefined> {
  try {
    const journal = await RunJournal.open(ports, runId);
    return journal.summary.newer === undefined ? journal : undefined;
  } catch (error) {
    if (BabysitterError.is(error)) return undefined;
    throw error;
  }
}

async function removeRun(candidate: Candidate, dryRun: boolean): Promise<PrunedRun | undefined> {
  const { journal, state, lastEventAt, archived } = candidate;
  const { runId, runDir } = journal;
  const upkeep = upkeepOf(journal.ports);
  try {
    // A cache may say "completed" of a journal that is damaged; what is deleted is looked at wholly.
    const { findings } = await upkeep.check(runId);
    if (findings.some(({ harmless }) => !harmless)) return undefined;
    const bytes = await upkeep.sizeOf(runId);
    const gone = dryRun || (await upkeep.remove(runId, journal.summary.head));
    return gone ? { runId, runDir, state, lastEventAt, bytes, archived } : undefined;
  } catch (error) {
    // Another prune was faster.
    if (BabysitterError.is(error) && error.code === "RUN_NOT_FOUND") return undefined;
    throw error;
  }
}
