/** From the id of a session to the run it works on; files that others have written are taken over. */
import { createHash } from "node:crypto";
import type { FoundSession, SessionFile } from "../loop/formats/session-file.js";
import type { SessionStanding } from "../loop/rules/situation.js";
import { BabysitterError } from "../model/errors.js";
import { makeRunId, type RunId } from "../model/ids.js";
import { defined } from "../model/json.js";
import type { LoopContract, LoopMode } from "../model/loop-contract.js";
import { isFinished } from "../model/run-state.js";
import { RunJournal } from "../runs/run-journal.js";
import { bindSession } from "./change-loop.js";
import type { LoopMachine } from "./loop-machine.js";
import { runViewOf } from "./run-view.js";
import { addLoop, startLoop } from "./start-loop.js";

/** A session of an agent host. */
export interface HostSession {
  /** Name of the host. */
  harness: string;
  sessionId: string;
}

/** Where a session stands; with the journal when there is a run. */
export interface FoundLoop {
  standing: SessionStanding;
  journal?: RunJournal;
  /** What was wrong, where the file was put. */
  aside?: string;
}

export async function findLoop(machine: LoopMachine, session: HostSession): Promise<FoundLoop> {
  const found = machine.sessions.find(session.sessionId);
  if (found.kind === "none") return { standing: { kind: "no-session" } };
  if (found.kind === "corrupt") return putAside(machine, found, found.problem);
  const { session: file } = found;
  if (file.runId !== undefined && file.runId !== "") return openRun(machine, file, { session, path: found.file });
  if (file.prompt.trim() === "")
    return file.runId === undefined
      ? putAside(machine, found, "No prompt text found")
      : { standing: { kind: "unbound" } };
  if (!file.active) return { standing: { kind: "inactive" } };
  return bound(await adoptPrompt(machine, file, { session, path: found.file }));
}

function putAside(
  { sessions }: LoopMachine,
  found: Exclude<FoundSession, { kind: "none" }>,
  problem: string,
): FoundLoop {
  const aside = sessions.quarantine(found.file);
  return { standing: { kind: "corrupt", problem }, ...(aside === undefined ? {} : { aside }) };
}

/** What is taken over: the session, and where its file is. */
interface Adoption {
  session: HostSession;
  path: string;
}

async function openRun(machine: LoopMachine, file: SessionFile, adoption: Adoption): Promise<FoundLoop> {
  const runId = file.runId ?? "";
  try {
    const journal = await machine.openRun(file);
    if (journal.summary.loop === undefined && !isFinished(journal.summary))
      await adoptRun(machine, journal, { file, ...adoption });
    if (journal.summary.loop !== undefined) return bound(journal);
    // Nothing will ever come of it; a file that stays would say so at the end of every turn.
    machine.sessions.end(adoption.session.sessionId);
    return { standing: { kind: "run-unknown", runId, problem: "it has ended" } };
  } catch (error) {
    if (!BabysitterError.is(error)) throw error;
    return { standing: { kind: "run-unknown", runId, problem: error.message } };
  }
}

function bound(journal: RunJournal): FoundLoop {
  const { loop } = journal.summary;
  if (loop === undefined) throw new BabysitterError("INTERNAL", `Run ${journal.runId} has lost its loop.`);
  return { standing: { kind: "bound", state: loop, run: runViewOf(journal) }, journal };
}

/** A run that someone named in their own session file. */
async function adoptRun(
  machine: LoopMachine,
  journal: RunJournal,
  { file, session, path }: Adoption & { file: SessionFile },
): Promise<void> {
  const contract = adoptedContract(machine, file, { mode: "run", path });
  const binding = { ...session, by: "adoption" as const };
  await addLoop(journal, { contract, goal: file.prompt, iteration: file.iteration, session: binding });
  await bindSession(journal, binding, undefined);
}

/** A prompt that someone wrote into a session file: it becomes a run, the same one for everyone who finds it. */
async function adoptPrompt(machine: LoopMachine, file: SessionFile, { session, path }: Adoption): Promise<RunJournal> {
  const contract = adoptedContract(machine, file, { mode: "prompt", path });
  for (let time = 1; ; time += 1) {
    const runId = adoptedRunId(file, session.sessionId, time);
    try {
      return await startLoop(machine.ports, {
        runId,
        contract,
        goal: file.prompt,
        iteration: file.iteration,
        projectRoot: (runDir) => machine.recordedRoot(runDir),
        session: { ...session, by: "adoption" },
      });
    } catch (error) {
      if (!BabysitterError.is(error) || error.code !== "RUN_EXISTS") throw error;
      const journal = await RunJournal.open(machine.ports, runId);
      // One that has ended was begun by an earlier file with the same words.
      if (journal.summary.loop?.ended === undefined && journal.summary.cancelled === undefined) return journal;
    }
  }
}

function adoptedContract(
  machine: LoopMachine,
  file: SessionFile,
  { mode, path }: { mode: LoopMode; path: string },
): LoopContract {
  const origin = { format: "session-file" as const, path, ...defined({ startedAt: file.startedAt }) };
  return { ...machine.adoptedContract(file, mode), origin };
}

/** Follows from the file alone: two hooks of one stop, or one that crashed and the next, mean the same run. */
function adoptedRunId(file: SessionFile, sessionId: string, time: number): RunId {
  const begun = new Date(file.startedAt ?? 0);
  const hash = createHash("sha256")
    .update(JSON.stringify([sessionId, file, time]))
    .digest("hex");
  return makeRunId("loop", Number.isNaN(begun.getTime()) ? new Date(0) : begun, hash.slice(0, 6));
}
