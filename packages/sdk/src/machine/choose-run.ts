/** From what the user named, or did not name, to one run. */

import fs from "node:fs";
import path from "node:path";
import { runNotFound } from "../journal/rules/refusals.js";
import { BabysitterError } from "../model/errors.js";
import { isRunId, parseRunId, type RunId } from "../model/ids.js";
import type { Ports } from "../model/ports.js";
import { idsMeant, LAST_RUN, tooShortHint } from "../model/short-names.js";
import { counted } from "../model/shown-amounts.js";
import { type ListedRun, listNewest, listRuns } from "../runs/list-runs.js";
import { isNoted, isOver, NotedRuns, type RunNote } from "../runs/noted-runs.js";
import { RunJournal } from "../runs/run-journal.js";
import { ifReadable, type UnreadableRun } from "../runs/unreadable-runs.js";
import type { Caller } from "./caller.js";
import { localPorts } from "./local-ports.js";
import { sdkAccess } from "./sdk-access.js";
import { tracedPorts } from "./traced-ports.js";

/** Where someone looks for runs. */
export type RunCaller = Pick<Caller, "cwd" | "env" | "places" | "trace" | "notice">;

export interface ChosenRun {
  ports: Ports;
  runId: RunId;
}

/** The ports for the runs of a caller's project. */
export function callerPorts(caller: RunCaller, runsDir = caller.places().runsDir): Ports {
  const ports = localPorts({ runsDir, sdk: sdkAccess(), env: caller.env });
  return caller.trace === undefined ? ports : tracedPorts(ports, caller.trace);
}

/** What the default choice is made from. */
export interface DefaultChoice {
  /** Only runs that have a loop. */
  loops?: boolean;
}

/** The run that a command is about: an id or a short form of it, an index, a directory, or the only open one. */
export async function chooseRun(
  caller: RunCaller,
  named: string | undefined,
  choice: DefaultChoice = {},
): Promise<ChosenRun> {
  if (isUnnamed(named)) return onlyOpenRun(caller, choice);
  const asPath = directoryOf(caller, named);
  if (asPath !== undefined)
    return { ports: callerPorts(caller, path.dirname(asPath)), runId: parseRunId(path.basename(asPath)) };
  const runId = await findRun(caller, named);
  if (runId === undefined) await refuseTooShort(caller, named);
  return { ports: callerPorts(caller), runId: runId ?? parseRunId(named) };
}

/** The run of the project that a name means, if there is one: an id always means itself. */
export async function findRun(caller: RunCaller, named: string): Promise<RunId | undefined> {
  if (isRunId(named) && hasRun(caller, named)) return named;
  return runMeant(callerPorts(caller), named, caller.places().runsDir);
}

/** For a name that nothing has, if it would mean a run with a few more characters. */
export async function refuseTooShort(caller: RunCaller, named: string): Promise<void> {
  refuseArchived(caller, named);
  const { runsDir } = caller.places();
  const ids = (await callerPorts(caller).store.list()).map(({ runId }) => runId);
  const hint = tooShortHint(ids, named);
  if (hint === undefined) return;
  throw new BabysitterError("RUN_NOT_FOUND", `There is no run ${named} in ${runsDir}.`, {
    hint: `${hint} \`babysitter run:list\` lists the runs.`,
    details: { runId: named, runsDir },
  });
}

/** For a run that is in no list any more. */
function refuseArchived(caller: RunCaller, named: string): void {
  const { runsDir, archiveDir } = caller.places();
  if (isRunId(named) && fs.existsSync(path.join(archiveDir, named)))
    throw runNotFound(named, ` in ${runsDir}`, { runsDir, archived: true });
}

function isUnnamed(named: string | undefined): named is undefined | "" {
  return named === undefined || named === "";
}

/** From an index in run:list, or from a beginning or end of an id. */
export async function runMeant(ports: Ports, named: string, runsDir: string): Promise<RunId | undefined> {
  if (named.startsWith("@")) return runAtIndex(ports, named, runsDir);
  const ids = (await ports.store.list()).map(({ runId }) => runId);
  const [only, ...others] = idsMeant(ids, named);
  if (others.length === 0) return only;
  const meant = [only as RunId, ...others];
  const message = `${JSON.stringify(named)} matches ${meant.length} runs; name one:\n${candidateList(meant)}`;
  throw new BabysitterError("RUN_AMBIGUOUS", message, {
    hint: HOW_TO_COMPARE,
    details: { runsDir, meant },
  });
}

async function runAtIndex(ports: Ports, named: string, runsDir: string): Promise<RunId> {
  const index = named === LAST_RUN ? 1 : /^@\d{1,6}$/.test(named) ? Number(named.slice(1)) : 0;
  const { runs, all } = index === 0 ? { runs: [], all: 0 } : await listNewest(ports, { most: index });
  const found = runs[index - 1];
  if (found !== undefined) return parseRunId(found.runId);
  const message =
    index === 0 ? `${JSON.stringify(named)} is not an index.` : `${runsDir} holds ${counted(all, "run")}.`;
  throw new BabysitterError("RUN_NOT_FOUND", message, {
    hint: "@1 is the first run that `babysitter run:list` shows, @2 the second, and so on.",
    details: { runId: named, runsDir },
  });
}

const MAX_CANDIDATES = 10;
const HOW_TO_COMPARE = "To see what each of them is: babysitter run:list";

/** One in each line, as people copy them. */
function candidateList(ids: readonly string[]): string {
  const more = ids.length - MAX_CANDIDATES;
  return [...ids.slice(0, MAX_CANDIDATES), ...(more > 0 ? [`and ${more} more`] : [])].join("\n");
}

/** Opens the run's journal. Where no loop is open, whoever asked for one gets what other commands would take. */
export function openChosen(
  caller: RunCaller,
  named: string | undefined,
  choice: DefaultChoice = {},
): Promise<RunJournal> {
  return openOr(caller, { named, choice }, async () => (choice.loops === true ? openChosen(caller, named) : undefined));
}

/** The same for commands that only look: without an open run, the one that ended last is meant. */
export function openToLook(
  caller: RunCaller,
  named: string | undefined,
  choice: DefaultChoice = {},
): Promise<RunJournal> {
  return openOr(caller, { named, choice }, async () => {
    const newest = await newestRun(callerPorts(caller), choice);
    return newest ?? (choice.loops === true ? openToLook(caller, named) : undefined);
  });
}

const ENDED: readonly ListedRun["state"][] = ["completed", "cancelled", "failed"];

/** The same for commands that put a run away: without a name, the one that ended last, whatever is open. */
export async function openEnded(caller: RunCaller, named: string | undefined): Promise<RunJournal> {
  const runs = isUnnamed(named) ? await listRuns(callerPorts(caller)) : [];
  return openToLook(caller, runs.find(({ state }) => ENDED.includes(state))?.runId ?? named);
}

/** `another`: what is meant when nothing is open. */
async function openOr(
  caller: RunCaller,
  { named, choice }: { named: string | undefined; choice: DefaultChoice },
  another: () => Promise<RunJournal | undefined>,
): Promise<RunJournal> {
  try {
    const { ports, runId } = await chooseRun(caller, named, choice);
    return await RunJournal.open(ports, runId);
  } catch (error) {
    const journal = isNothingOpen(named, error) ? await another() : undefined;
    if (journal === undefined) throw error;
    return journal;
  }
}

function isNothingOpen(named: string | undefined, error: unknown): boolean {
  return isUnnamed(named) && BabysitterError.is(error) && error.code === "NO_OPEN_RUN";
}

async function newestRun(ports: Ports, { loops = false }: DefaultChoice): Promise<RunJournal | undefined> {
  const { runs } = await listNewest(ports, loops ? {} : { most: 1 });
  for (const { runId, state } of runs) {
    if (state === "foreign" || state === "damaged") continue;
    const journal = await RunJournal.open(ports, parseRunId(runId));
    if (!loops || journal.summary.loop !== undefined) return journal;
  }
  return undefined;
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

type NamedNote = RunNote & { runId: RunId; lastEventAt: string };

/** Those that have not finished for good, and when anything happened last in any run. */
async function unfinishedRuns(
  ports: Ports,
): Promise<{ readable: NamedNote[]; unreadable: UnreadableRun[]; newest: string }> {
  const readable: NamedNote[] = [];
  const unreadable: UnreadableRun[] = [];
  const noted = await NotedRuns.list(ports);
  let newest = "";
  for (const listing of noted.runs) {
    const { runId, at = "" } = listing;
    if (at > newest) newest = at;
    if (listing.foreign || listing.over === true) continue;
    const found = isNoted(listing)
      ? listing
      : await ifReadable(
          { ports, runId },
          (run) => void unreadable.push(run),
          async () => noted.add(await RunJournal.open(ports, runId)),
        );
    if (found === undefined) continue;
    readable.push({ ...found.note, runId, lastEventAt: found.at });
    if (found.at > newest) newest = found.at;
  }
  await noted.save();
  return { readable, unreadable, newest };
}

async function onlyOpenRun(caller: RunCaller, { loops = false }: DefaultChoice): Promise<ChosenRun> {
  const ports = callerPorts(caller);
  const { readable, unreadable, newest } = await unfinishedRuns(ports);
  const open = openAmong(loops ? readable.filter(({ loop }) => loop === true) : readable, loops ? undefined : newest);
  const [only, ...others] = open;
  if (only !== undefined && others.length === 0) {
    tellOf(caller, unreadable);
    return { ports, runId: only };
  }
  // With nothing else to choose, the command itself says best what is wrong.
  const [damaged, ...more] = unreadable;
  if (only === undefined && damaged !== undefined && more.length === 0) return { ports, runId: damaged.runId };
  const failed = readable.filter(({ state }) => state === "failed").length;
  throw ambiguous(caller.places().runsDir, { open, unreadable, failed });
}

/** A failed run is one that people come back to only while nothing newer has happened. */
function openAmong(
  runs: readonly NamedNote[],
  newest = runs.reduce((last, { lastEventAt }) => (lastEventAt > last ? lastEventAt : last), ""),
): RunId[] {
  return runs
    .filter(({ state, lastEventAt }) => !isOver(state) && (state !== "failed" || lastEventAt === newest))
    .map(({ runId }) => runId);
}

const MAX_TOLD = 5;

function tellOf({ notice }: RunCaller, unreadable: UnreadableRun[]): void {
  for (const { runId, why } of unreadable.slice(0, MAX_TOLD))
    notice?.(`${runId} was skipped, because it cannot be read: ${why}`);
  if (unreadable.length > MAX_TOLD) notice?.(`and ${unreadable.length - MAX_TOLD} more`);
}

function ambiguous(
  runsDir: string,
  { open, unreadable, failed }: { open: RunId[]; unreadable: UnreadableRun[]; failed: number },
): BabysitterError {
  const names = unreadable.map(({ runId }) => runId);
  const passedOver = names.length === 0 ? "" : ` These cannot be read: ${names.slice(0, 10).join(", ")}.`;
  const message =
    open.length === 0
      ? `There is no open run in ${runsDir}.${passedOver}`
      : `There are ${open.length} open runs in ${runsDir}.${passedOver} Name one:\n${candidateList(open)}`;
  const nothing =
    failed > 0
      ? "Failed runs must be named: `babysitter run:list --state failed` lists them."
      : "`babysitter run <process file>` starts one; `babysitter run:list` lists all.";
  return new BabysitterError(open.length === 0 ? "NO_OPEN_RUN" : "RUN_AMBIGUOUS", message, {
    hint: open.length === 0 ? nothing : HOW_TO_COMPARE,
    details: { runsDir, open, ...(names.length === 0 ? {} : { unreadable: names }) },
  });
}
