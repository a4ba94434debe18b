/** The runs of a store, each with where it stands. One that cannot be read is listed as such and hides no other. */
import { BabysitterError } from "../model/errors.js";
import type { Ports } from "../model/ports.js";
import type { RunStatus } from "../model/run-state.js";
import type { RunListing } from "../model/store.js";
import { describeRun } from "./describe-run.js";
import { RunJournal } from "./run-journal.js";

export interface ListedRun {
  runId: string;
  runDir: string;
  state: RunStatus | "damaged" | "foreign";
  processId?: string;
  createdAt?: string;
  lastEventAt?: string;
  why?: string;
  /** Made by another tool. */
  foreign: boolean;
}

const FINISHED = new Set<ListedRun["state"]>(["completed", "cancelled", "foreign"]);

/** The one with the newest event first. `open`: only runs that have not finished. */
export async function listRuns(ports: Ports, { open = false } = {}): Promise<ListedRun[]> {
  const runs = await Promise.all((await ports.store.list()).map((listing) => listedRun(ports, listing)));
  return runs
    .filter(({ state }) => !open || !FINISHED.has(state))
    .toSorted((a, b) => (b.lastEventAt ?? "").localeCompare(a.lastEventAt ?? ""));
}

async function listedRun(ports: Ports, { runId, foreign }: RunListing): Promise<ListedRun> {
  const runDir = ports.workspace.runDir(runId);
  if (foreign) return { runId, runDir, foreign, state: "foreign", why: "Created by another tool; read-only." };
  try {
    const { state, why, metadata } = describeRun(await RunJournal.open(ports, runId));
    const { processId, createdAt, lastEventAt } = metadata;
    return { runId, runDir, foreign, state, why, processId, createdAt, lastEventAt };
  } catch (error) {
    if (!BabysitterError.is(error)) throw error;
    return { runId, runDir, foreign, state: "damaged", why: `${error.message} See: babysitter run:check ${runId}` };
  }
}
