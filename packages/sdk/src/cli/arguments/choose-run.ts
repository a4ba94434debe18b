/** From what the user named, or did not name, to one run. */

import fs from "node:fs";
import path from "node:path";
import type { Caller } from "../../machine/caller.js";
import { localPorts } from "../../machine/local-ports.js";
import { sdkAccess } from "../../machine/sdk-access.js";
import { BabysitterError } from "../../model/errors.js";
import { parseRunId, type RunId } from "../../model/ids.js";
import type { Ports } from "../../model/ports.js";
import { statusOf } from "../../model/run-state.js";
import { RunJournal } from "../../runs/run-journal.js";
import type { Invocation } from "../grammar/invocation.js";

/** Where someone looks for runs. */
export type RunCaller = Pick<Caller, "cwd" | "env" | "places">;

export interface ChosenRun {
  ports: Ports;
  runId: RunId;
}

/** The ports for the runs of a caller's project. */
export function callerPorts(caller: RunCaller, runsDir = caller.places().runsDir): Ports {
  return localPorts({ runsDir, sdk: sdkAccess(), env: caller.env });
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

/** `[run] effect`: with one argument it is the effect, of the only open run. */
export function splitRunAndEffect(invocation: Invocation): { run: string | undefined; effect: string } {
  const [first, second] = invocation.positionals;
  if (first === undefined) {
    throw new BabysitterError("USAGE", `${invocation.name}: name the effect.`, {
      hint: "`babysitter task:list --pending` lists the effects that are waiting for a result.",
    });
  }
  return second === undefined ? { run: undefined, effect: first } : { run: first, effect: second };
}

function directoryOf(caller: RunCaller, named: string): string | undefined {
  if (named.includes("\0")) return undefined;
  const absolute = path.resolve(caller.cwd, named);
  if (named.includes("/") || named === "." || named === "..") return absolute;
  const inRunsDir = path.join(caller.places().runsDir, named);
  const isHere = !fs.existsSync(inRunsDir) && fs.existsSync(path.join(absolute, "journal"));
  return isHere ? absolute : undefined;
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
