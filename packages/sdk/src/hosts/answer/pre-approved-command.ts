/** Whether a call of our command line is about the session's own run and does nothing that a person has not agreed to. */

import { BabysitterError } from "../../model/errors.js";
import type { ProcessCode } from "../../model/ports.js";
import { hasProcess, pendingOf } from "../../model/run-state.js";
import { performerOf } from "../../model/task-kinds.js";
import { type ChangedCode, changedCode } from "../../runs/code-version.js";
import type { RunJournal } from "../../runs/run-journal.js";
import { projectDirIn } from "../environments.js";
import type { HostHookCall } from "./host-call.js";
import { type AllowedCall, type GivenOption, wordsOfCall } from "./permission-grammar.js";

export type PreApproval =
  /** The words to run instead, with the run and all files by their full paths. */
  | { words: string[] }
  /** The host has to ask because the code of the process has changed, and its person and its agent are told so. */
  | { changed: ChangedCode };

/** Undefined when the host has to ask, and there is nothing more to say. */
export async function preApproval(
  call: HostHookCall,
  program: readonly string[],
  wanted: AllowedCall,
): Promise<PreApproval | undefined> {
  try {
    const journal = await ownRun(call);
    if (journal === undefined || !namesRun(call, wanted.run, journal)) return undefined;
    const options = optionsHere(call, wanted.options, journal);
    if (options === undefined) return undefined;
    if (wanted.about?.kind === "process") return checkOfPlan(call, program, { ...wanted, options }, journal);
    const code = wanted.verb === "run:iterate" ? codeOf(journal) : undefined;
    if (!(await isAgreed(call, wanted, journal))) return undefined;
    if (code !== undefined && !isCodeAgreed(code.hash, journal)) return { changed: await changedCode(journal, code) };
    const words = wordsOfCall(program, { ...wanted, options: [...options, ...onlyThisCode(code)] }, journal.runDir);
    return { words };
  } catch (error) {
    // A run that cannot be read has its own way of saying so, once the command runs.
    if (BabysitterError.is(error)) return undefined;
    throw error;
  }
}

/** True while the agent writes a process for its loop, as its person has asked it to. */
export async function isPlanning(call: HostHookCall): Promise<boolean> {
  try {
    const journal = await ownRun(call);
    return journal !== undefined && isPlan(journal);
  } catch (error) {
    if (BabysitterError.is(error)) return false;
    throw error;
  }
}

function isPlan({ summary: { loop, created } }: RunJournal): boolean {
  return loop?.contract.plan === true && !hasProcess(created);
}

/** A check runs the code of the process: only that of a plan, in the folder of processes, which a person has ordered. */
function checkOfPlan(
  call: HostHookCall,
  program: readonly string[],
  wanted: AllowedCall,
  journal: RunJournal,
): PreApproval | undefined {
  const { runDir, place } = journal;
  const processes = `${place.projectRoot}/.a5c/processes`;
  const file = call.machine.readableFile(wanted.about?.id ?? "", { cwd: call.cwd, runDir }, [processes]);
  if (file === undefined || !isPlan(journal)) return undefined;
  return { words: wordsOfCall(program, { ...wanted, about: { kind: "process", id: file } }, undefined) };
}

/** By the journal: anyone can write the session's file. */
async function ownRun(call: HostHookCall): Promise<RunJournal | undefined> {
  const found = call.registry.find(call.sessionId);
  if (found.kind !== "found") return undefined;
  if (!found.session.runId || found.session.runDir === undefined) return undefined;
  const journal = await call.machine.loops.openRun(found.session);
  return journal.summary.loop?.session?.sessionId === call.sessionId ? journal : undefined;
}

function namesRun({ machine }: HostHookCall, named: string | undefined, journal: RunJournal): boolean {
  return named === undefined || named === journal.runId || machine.leadsToRun(named, journal);
}

/** The options with files by their full paths; undefined when one of them leads elsewhere. */
function optionsHere(
  call: HostHookCall,
  options: readonly GivenOption[],
  journal: RunJournal,
): GivenOption[] | undefined {
  const { runDir, place } = journal;
  const roots = [runDir, place.projectRoot, projectDirIn(call.env) ?? ""];
  const here: GivenOption[] = [];
  for (const option of options) {
    const { kind, value = "" } = option;
    if (kind === "runs-dir") {
      // Once the run has its full path there is nothing left to say with it.
      if (!call.machine.leadsToRuns(value, journal)) return undefined;
      continue;
    }
    const file =
      kind === "file" && value !== "-" ? call.machine.readableFile(value, { cwd: call.cwd, runDir }, roots) : value;
    if (file === undefined) return undefined;
    here.push(kind === "flag" ? option : { ...option, value: file });
  }
  return here;
}

async function isAgreed(
  call: HostHookCall,
  { verb, about, options }: AllowedCall,
  journal: RunJournal,
): Promise<boolean> {
  if (verb === "task:post" && !(await isForAgents(journal, about?.id ?? ""))) return false;
  const callsHooks = verb === "run:iterate" || verb === "task:post";
  return !callsHooks || options.some(({ name }) => name === "no-hooks") || call.machine.areHooksOlder(journal);
}

async function isForAgents(journal: RunJournal, effectId: string): Promise<boolean> {
  const kind = pendingOf(journal.summary, effectId)?.kind ?? (await recordedKind(journal, effectId));
  if (kind === undefined) return false;
  // What is for people to answer, and what time has to answer.
  const performer = performerOf(kind);
  return performer !== "person" && performer !== "time";
}

/** Of an effect that has its result: posting the same again is no more than asking whether it has arrived. */
async function recordedKind(journal: RunJournal, effectId: string): Promise<string | undefined> {
  const { keys, requests } = await journal.index();
  const key = Object.hasOwn(keys, effectId) ? keys[effectId] : undefined;
  return key === undefined ? undefined : requests[key]?.kind;
}

/**
 * The code that an iteration would run; undefined when it runs none. Read without caches: those are
 * in the run's folder, where agents can write.
 */
function codeOf(journal: RunJournal): ProcessCode | undefined {
  return hasProcess(journal.summary.created) ? journal.inspectCode({ afresh: true }) : undefined;
}

/** Someone agreed to run this code: when the run was created from it, when it ran, or by accepting it. */
function isCodeAgreed(hash: string, { summary: { created, code } }: RunJournal): boolean {
  return [created.codeHash, code.hash, code.consented.hash].includes(hash);
}

/** The command runs a moment later, at the same time as other tools of the agent: it looks once more. */
function onlyThisCode(code: ProcessCode | undefined): GivenOption[] {
  return code === undefined ? [] : [{ name: "code-hash", kind: "text", value: code.hash }];
}
