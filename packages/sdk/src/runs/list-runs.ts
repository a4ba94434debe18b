/** The runs of a store, each with where it stands. One that cannot be read is listed as such and hides no other. */
import { defined } from "../model/json.js";
import type { Ports } from "../model/ports.js";
import type { RunStatus } from "../model/run-state.js";
import { isNoted, NotedRuns } from "./noted-runs.js";
import { passes, type RunFilter } from "./run-filter.js";
import { RunJournal } from "./run-journal.js";
import { saysSomethingOfTheRun } from "./unreadable-runs.js";

export interface ListedRun {
  runId: string;
  runDir: string;
  state: RunStatus | "damaged" | "foreign";
  processId?: string;
  /** What a loop without a process is about. */
  title?: string;
  /** It has a loop that has not ended. */
  loop?: true;
  /** Of one that is running without a loop: whether somebody drives it, where that was looked at. */
  driven?: boolean;
  createdAt?: string;
  lastEventAt?: string;
  why?: string;
  /** Made by another tool. */
  foreign: boolean;
  /** Its place in the list of all runs, from 1. */
  index?: number;
}

interface ListQuery {
  /** Only runs that have not finished. */
  open?: boolean;
  filter?: RunFilter;
  most?: number;
}

const FINISHED = new Set<ListedRun["state"]>(["completed", "cancelled", "foreign"]);

/** True for a run that has not finished. */
export function isOpen({ state }: Pick<ListedRun, "state">): boolean {
  return !FINISHED.has(state);
}

/** The one with the newest event first. */
export async function listRuns(ports: Ports, query: ListQuery = {}): Promise<ListedRun[]> {
  return (await listNewest(ports, query)).runs;
}

/** The same with the number of those that were left out, and of all. */
export async function listNewest(
  ports: Ports,
  { open = false, filter, most = Number.POSITIVE_INFINITY }: ListQuery,
): Promise<{ runs: ListedRun[]; others: number; all: number }> {
  const noted = await NotedRuns.list(ports);
  const places = await placesOf(ports, noted);
  const isEverything = filter === undefined && !open;
  const isWanted = (run: ListedRun): boolean => (!open || isOpen(run)) && passes(run, filter);
  const runs: ListedRun[] = [];
  let [index, others] = [0, 0];
  for (const { listing, run } of places) {
    index += 1;
    if (open && listing.over === true) continue;
    // Reading what is noted takes time: nobody wants to know more about these.
    if (runs.length >= most && isEverything) {
      others += 1;
      continue;
    }
    const found = run ?? (await listedRun(ports, noted, listing));
    if (found === undefined) index -= 1;
    else if (isWanted(found) && runs.push({ ...found, index }) > most) others += 1;
  }
  await noted.save();
  return { runs: runs.slice(0, most), others, all: places.length };
}

export type RunPlace = { listing: NotedRuns["runs"][number]; run?: ListedRun };

/** In the order of the list. A run about which nothing is noted is opened to know where it belongs. */
export async function placesOf(ports: Ports, noted: NotedRuns): Promise<RunPlace[]> {
  const places: (RunPlace & { at: number })[] = [];
  for (const listing of noted.runs) {
    if (listing.at !== undefined) {
      places.push({ listing, at: timeOf(listing.at) });
      continue;
    }
    const run = await listedRun(ports, noted, listing);
    if (run !== undefined) places.push({ listing, run, at: timeOf(run.lastEventAt) });
  }
  return places.toSorted((a, b) => b.at - a.at || (a.listing.runId < b.listing.runId ? -1 : 1));
}

/** As a number: comparing thousands of texts takes long. */
function timeOf(at = ""): number {
  return Date.parse(at) || 0;
}

/** Undefined for a run that has been archived or deleted in the meantime. */
async function listedRun(
  ports: Ports,
  noted: NotedRuns,
  listing: NotedRuns["runs"][number],
): Promise<ListedRun | undefined> {
  const { runId, foreign } = listing;
  const runDir = ports.workspace.runDir(runId);
  if (foreign) return { runId, runDir, foreign, state: "foreign", why: "Created by another tool; read-only." };
  try {
    const { note, at, createdAt } = isNoted(listing) ? listing : noted.add(await RunJournal.open(ports, runId));
    const { state, why, processId, title, loop } = note;
    return { runId, runDir, foreign, state, why, processId, ...defined({ title, loop }), createdAt, lastEventAt: at };
  } catch (error) {
    if (!saysSomethingOfTheRun(error)) throw error;
    if (error.code === "RUN_NOT_FOUND") return undefined;
    return { runId, runDir, foreign, state: "damaged", why: `${error.message} See: babysitter run:check ${runId}` };
  }
}
