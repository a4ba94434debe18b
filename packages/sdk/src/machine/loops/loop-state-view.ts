/**
 * `.loop/state.json` of a project. There is one, so it shows the loop that was started last among the open ones; and
 * what we did not write is never overwritten.
 */
import crypto from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { makeFolders } from "../../files/make-folders.js";
import { loopStateView, renderLoopStateFile } from "../../loop/formats/loop-state-file.js";
import { goalCriteria } from "../../loop/rules/loop-now.js";
import { goalOf } from "../../loop-runs/goal-of.js";
import { BabysitterError } from "../../model/errors.js";
import { parseRunId } from "../../model/ids.js";
import { defined, isJsonObject } from "../../model/json.js";
import type { LoopState } from "../../model/loop-state.js";
import { RunJournal } from "../../runs/run-journal.js";
import { openLoops } from "./open-loops.js";
import { writeCopy } from "./write-copy.js";

/** Who wrote the file last, and what, as a digest. */
const MARK = ".written-by-babysitter";
/** In the run directory: that the user knows that another tool's file is in the way. */
const SAID = path.join("state", "loop-view-refused");

/** Answers what the user should know, once. */
export async function writeLoopState(journal: RunJournal, tree?: string): Promise<string | undefined> {
  const folder = path.join(journal.place.projectRoot, ".loop");
  if (!isWanted(journal, folder)) return undefined;
  const file = path.join(folder, "state.json");
  const owner = await ownerOf(file, journal);
  if (owner === "another tool") return sayOnce(journal);
  const shown = await shownLoop(journal, owner);
  if (shown !== undefined) await write(folder, shown, shown.runId === journal.runId ? tree : undefined);
  return undefined;
}

/** A loop with criteria makes the folder; others write where a project has it. */
function isWanted({ summary }: RunJournal, folder: string): boolean {
  const { contract } = summary.loop as LoopState;
  if (contract.settings.stateFile === false) return false;
  const hasCriteria = contract.mode !== "run" && goalCriteria(summary.loop as LoopState).length > 0;
  return hasCriteria || fs.existsSync(folder);
}

/** The run whose view the file is; undefined when there is no file. */
async function ownerOf(file: string, journal: RunJournal): Promise<string | undefined> {
  const stat = fs.lstatSync(file, { throwIfNoEntry: false });
  if (stat === undefined) return undefined;
  const text = stat.isFile() ? textOf(file) : undefined;
  if (text === undefined) return "another tool";
  const [runId = "", digest] = (textOf(path.join(path.dirname(file), MARK)) ?? "").trim().split(" ");
  if (digest === digestOf(text)) return runId;
  // Agents that know the format write into it. What they say there counts for nothing, but the file is still ours.
  const { contract, goal } = journal.summary.loop as LoopState;
  const isTakenOver = runId === journal.runId || contract.origin?.format === "loop-state";
  return isTakenOver && specIn(text) === (await goalOf(journal, { goal })) ? journal.runId : "another tool";
}

/** Undefined when the loop that the file shows was started later than this one and is open. */
async function shownLoop(journal: RunJournal, owner: string | undefined): Promise<RunJournal | undefined> {
  if (isOpen(journal)) {
    if (owner === journal.runId) return journal;
    const other = owner === undefined ? undefined : await openIfReadable(journal, owner);
    if (other !== undefined && isOpen(other)) return isLater(other, journal) ? undefined : journal;
  }
  const others = (await openLoops(journal.ports)).filter(
    (one) => one.runId !== journal.runId && one.place.projectRoot === journal.place.projectRoot,
  );
  const [latest] = others.toSorted((a, b) => (isLater(a, b) ? -1 : 1));
  if (latest === undefined) return journal;
  return isOpen(journal) && isLater(journal, latest) ? journal : latest;
}

function isOpen({ summary: { loop, cancelled } }: RunJournal): boolean {
  return loop !== undefined && loop.ended === undefined && cancelled === undefined;
}

function isLater(a: RunJournal, b: RunJournal): boolean {
  const [one = "", other = ""] = [a, b].map(({ summary }) => summary.loop?.startedAt);
  return one === other ? a.runId > b.runId : one > other;
}

async function openIfReadable({ ports }: RunJournal, runId: string): Promise<RunJournal | undefined> {
  try {
    return await RunJournal.open(ports, parseRunId(runId));
  } catch (error) {
    if (BabysitterError.is(error)) return undefined;
    throw error;
  }
}

async function write(folder: string, journal: RunJournal, tree: string | undefined): Promise<void> {
  const { loop, cancelled } = journal.summary;
  if (loop === undefined) return;
  const view = loopStateView(loop, await goalOf(journal, loop), defined({ cancelled, tree }));
  const text = renderLoopStateFile(view);
  // It changes with every turn: nobody wants to commit it.
  makeFolderIfPossible(folder);
  const ignore = path.join(folder, ".gitignore");
  if (!fs.existsSync(ignore)) writeCopy(ignore, "*\n");
  writeCopy(path.join(folder, MARK), `${journal.runId} ${digestOf(text)}\n`);
  writeCopy(path.join(folder, "state.json"), text);
}

function sayOnce({ runDir }: RunJournal): string | undefined {
  const said = path.join(runDir, SAID);
  if (fs.existsSync(said)) return undefined;
  makeFolderIfPossible(path.dirname(said));
  writeCopy(said, "");
  return ".loop/state.json was not written by Babysitter and stays as it is, so it does not show this loop. To take over the loop in it: babysitter loop:import";
}

function makeFolderIfPossible(folder: string): void {
  try {
    makeFolders(folder, 0o700, 1);
  } catch {
    // Then nothing can be written there either.
  }
}

function specIn(text: string): unknown {
  try {
    const file: unknown = JSON.parse(text);
    return isJsonObject(file) ? file["spec"] : undefined;
  } catch {
    return undefined;
  }
}

function digestOf(text: string): string {
  return crypto.createHash("sha256").update(text).digest("hex");
}

function textOf(file: string): string | undefined {
  try {
    return fs.readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
}
