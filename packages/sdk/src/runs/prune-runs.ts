import { BabysitterError } from "../model/errors.js";
import type { RunId } from "../model/ids.js";
import { defined } from "../model/json.js";
import type { Ports } from "../model/ports.js";
import { type RunStatus, statusOf } from "../model/run-state.js";
import type { Leftover } from "../model/upkeep.js";
import { isDisposable, stillOpen } from "./archive-run.js";
import { passes, type RunFilter } from "./run-filter.js";
import { RunJournal } from "./run-journal.js";
import { ifReadable, type OnUnreadable, type UnreadableRun } from "./unreadable-runs.js";
import { archivedPorts, upkeepOf } from "./upkeep-of.js";

export interface PruneOptions {
  /** Which of the finished runs go. */
  filter: RunFilter;
  /** Failed runs too. */
  failed: boolean;
  /** Archived runs too. */
  archived: boolean;
  /** Keep this many of the newest finished runs, however old they are. */
  keep: number;
  dryRun: boolean;
}

export interface PrunedRun {
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
  /** Runs that cannot be read, and so stay; where there are any. */
  unreadable?: UnreadableRun[];
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
  const unreadable: UnreadableRun[] = [];
  const tell: OnUnreadable = (run) => void unreadable.push(run);
  const finished = (await Promise.all(places.map((place) => finishedRuns(place, options, tell)))).flat();
  const old = finished
    .toSorted((a, b) => Date.parse(b.lastEventAt) - Date.parse(a.lastEventAt))
    .slice(options.keep)
    .filter(({ journal, state, lastEventAt }) =>
      passes({ state, lastEventAt, processId: journal.summary.created.processId }, options.filter),
    );
  const removed: PrunedRun[] = [];
  for (const candidate of old) {
    const pruned = await removeRun(candidate, options.dryRun, tell);
    if (pruned !== undefined) removed.push(pruned);
  }
  const sweep = { before: new Date(ports.clock.now().getTime() - LEFTOVER_AGE_MS), dryRun: options.dryRun };
  const leftovers = [...(await upkeepOf(ports).sweep(sweep)), ...(await upkeepOf(archive).sweep(sweep))];
  const bytes = [...removed, ...leftovers].reduce((sum, one) => sum + one.bytes, 0);
  const kept = defined({ unreadable: unreadable.length === 0 ? undefined : unreadable });
  return { removed, leftovers, ...kept, bytes, dryRun: options.dryRun };
}

/** Deletes one finished run that was named. */
export async function pruneRun(
  ports: Ports,
  runId: RunId,
  options: { failed: boolean; archived: boolean },
): Promise<PrunedRun> {
  const journal = await RunJournal.open(ports, runId);
  const state = statusOf(journal.summary);
  if (!isDisposable(state, options)) throw stillOpen(runId, state, "deleted");
  const problems: UnreadableRun[] = [];
  const lastEventAt = journal.summary.head.timestamp;
  const candidate = { journal, state, lastEventAt, archived: options.archived };
  const removed = await removeRun(candidate, false, (run) => void problems.push(run));
  if (removed !== undefined) return removed;
  throw new BabysitterError(
    problems.length > 0 ? "JOURNAL_BROKEN" : "RUN_CONTENDED",
    `Run ${runId} was not deleted: ${problems[0]?.why ?? "another program has just changed it."}`,
    { hint: `See: babysitter run:check ${runId}`, details: { runId } },
  );
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
  tell: OnUnreadable,
): Promise<Candidate[]> {
  const found: Candidate[] = [];
  for (const { runId, foreign } of await ports.store.list()) {
    const run = { ports, runId };
    const journal = foreign ? undefined : await ifReadable(run, tell, () => RunJournal.open(ports, runId));
    if (journal === undefined || journal.summary.newer !== undefined) continue;
    const state = statusOf(journal.summary);
    const lastEventAt = journal.summary.head.timestamp;
    if (isDisposable(state, options) && !Number.isNaN(Date.parse(lastEventAt)))
      found.push({ journal, state, lastEventAt, archived });
  }
  return found;
}

/** Undefined for a run that stays, or that another prune has removed. */
async function removeRun(candidate: Candidate, dryRun: boolean, tell: OnUnreadable): Promise<PrunedRun | undefined> {
  const { journal, state, lastEventAt, archived } = candidate;
  const { runId, runDir } = journal;
  const upkeep = upkeepOf(journal.ports);
  // A cache may say "completed" of a journal that is damaged; what is deleted is looked at wholly.
  const report = await ifReadable(journal, tell, () => upkeep.check(runId));
  if (report === undefined) return undefined;
  const serious = report.findings.find(({ harmless }) => !harmless);
  if (serious !== undefined) {
    tell({ runId, runDir, why: `${serious.file} is damaged: ${serious.problem}.` });
    return undefined;
  }
  try {
    const bytes = await upkeep.sizeOf(runId);
    const gone = dryRun || (await upkeep.remove(runId, journal.summary.head));
    return gone ? { runId, runDir, state, lastEventAt, bytes, archived } : undefined;
  } catch (error) {
    // Another prune was faster.
    if (BabysitterError.is(error) && error.code === "RUN_NOT_FOUND") return undefined;
    throw error;
  }
}
