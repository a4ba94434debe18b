/** From what the user named, or did not name, to one run. */

import fs from "node:fs";
import path from "node:path";
import { BabysitterError } from "../model/errors.js";
import { parseRunId, type RunId } from "../model/ids.js";
import type { Ports } from "../model/ports.js";
import { statusOf } from "../model/run-state.js";
import { RunJournal } from "../runs/run-journal.js";
import type { Caller } from "./caller.js";
import { localPorts } from "./local-ports.js";
import { sdkAccess } from "./sdk-access.js";
import { tracedPorts } from "./traced-ports.js";

/** Where someone looks for runs. */
export type RunCaller = Pick<Caller, "cwd" | "env" | "places" | "trace">;

export interface ChosenRun {
  ports: Ports;
  runId: RunId;
}

/** The ports for the runs of a caller's project. */
export function callerPorts(caller: RunCaller, runsDir = caller.places().runsDir): Ports {
  const ports = localPorts({ runsDir, sdk: sdkAccess(), env: caller.env });
  return caller.trace === undefined ? ports : tracedPorts(ports, caller.trace);
}

/** The run that a command is about: an id, a directory, or the only open one. */
export async function chooseRun(caller: RunCaller, named: string | undefined): Promise<ChosenRun> {
  if (named === undefined || named === "") return onlyOpenRun(caller);
  const asPath = directoryOf(caller, named);
  if (asPath !== undefined)
    return { ports: callerPorts(caller, path.dirname(asPath)), runId: parseRunId(path.basename(asPath)) };
  return { ports: callerPorts(caller), runId: parseRunId(named) };
}

/** Opens the run's journal. */
export async function openChosen(caller: RunCaller, named: string | undefined): Promise<RunJournal> {
  const { ports, runId } = await chooseRun(caller, named);
  return RunJournal.open(ports, runId);
}

/** The same for commands that only look: without an open run, the one that ended last is meant. */
export async function openToLook(caller: RunCaller, named: string | undefined): Promise<RunJournal> {
  try {
    return await openChosen(caller, named);
  } catch (error) {
    if (!BabysitterError.is(error) || error.code !== "RUN_AMBIGUOUS" || (error.details["open"] as string[]).length > 0)
      throw error;
    const newest = await newestRun(callerPorts(caller));
    if (newest === undefined) throw error;
    return newest;
  }
}

async function newestRun(ports: Ports): Promise<RunJournal | undefined> {
  const runs = (await ports.store.list()).filter(({ foreign }) => !foreign);
  const journals = await Promise.all(runs.map(({ runId }) => RunJournal.open(ports, runId)));
  return journals.toSorted((a, b) => b.summary.head.timestamp.localeCompare(a.summary.head.timestamp))[0];
}

function directoryOf(caller: RunCaller, named: string): string | undefined {
  if (named.includes("\0")) return undefined;
  const absolute = path.resolve(caller.cwd, named);
  if (named.includes("/") || named === "." || named === "..") return absolute;
  return !hasRun(caller, named) && isRunDir(absolute) ? absolute : undefined;
}

/** True when there is something of this name among the runs of a caller's project. */
export function hasRun({ places }: RunCaller, runId: string): boolean {
  return fs.existsSync(path.join(places().runsDir, runId));
}

/** True for the directory of a run, ours or another tool's. */
export function isRunDir(dir: string): boolean {
  return ["journal", "run.json"].some((name) => fs.existsSync(path.join(dir, name)));
}

/** True for a run that was put aside. */
export function isArchived({ places }: RunCaller, { runDir }: { runDir: string }): boolean {
  return path.dirname(runDir) === places().archiveDir;
}

async function onlyOpenRun(caller: RunCaller): Promise<ChosenRun> {
  const ports = callerPorts(caller);
  const open: RunId[] = [];
  for (const { runId, foreign } of await ports.store.list()) {
    if (!foreign && (await isOpen(ports, runId))) open.push(runId);
  }
  const [only, ...others] = open;
  if (only !== undefined && others.length === 0) return { ports, runId: only };
  const { runsDir } = caller.places();
  const message =
    only === undefined
      ? `There is no open run in ${runsDir}.`
      : `There are ${open.length} open runs in ${runsDir}; name one.`;
  throw new BabysitterError("RUN_AMBIGUOUS", message, {
    hint:
      only === undefined
        ? "`babysitter run:create` creates one; `babysitter run:list` lists all."
        : open.slice(0, 10).join("  "),
    details: { runsDir, open },
  });
}

async function isOpen(ports: Ports, runId: RunId): Promise<boolean> {
  try {
    const status = statusOf((await RunJournal.open(ports, runId)).summary);
    return status !== "completed" && status !== "cancelled";
  } catch (error) {
    // A damaged run is open in the sense that someone has to look at it.
    if (BabysitterError.is(error)) return true;
    throw error;
  }
}
