/** From the id of a session to the run it works on; files that others have written are taken over. */
import crypto from "node:crypto";
import path from "node:path";
import type { SessionFile } from "../../loop/formats/session-file.js";
import type { SessionStanding } from "../../loop/rules/situation.js";
import { bindSession } from "../../loop-runs/change-loop.js";
import { runViewOf } from "../../loop-runs/run-view.js";
import { addLoop, startLoop } from "../../loop-runs/start-loop.js";
import { BabysitterError } from "../../model/errors.js";
import { makeRunId, parseRunId, type RunId } from "../../model/ids.js";
import type { Ports } from "../../model/ports.js";
import { isFinished } from "../../model/run-state.js";
import { RunJournal } from "../../runs/run-journal.js";
import type { FoundSession, SessionRegistry } from "../../sessions/session-registry.js";
import { findPlaces } from "../file-places.js";
import { localPorts } from "../local-ports.js";
import { sdkAccess } from "../sdk-access.js";
import { adoptedContract } from "./adopted-contract.js";

export interface LoopFinder {
  registry: SessionRegistry;
  /** Name of the host. */
  harness: string;
  /** Where the host says it works. */
  cwd: string;
  env: Readonly<Record<string, string | undefined>>;
}

/** Where a session stands; with the journal when there is a run. */
export interface FoundLoop {
  standing: SessionStanding;
  journal?: RunJournal;
  /** What was wrong, where the file was put. */
  aside?: string;
}

export async function findLoop(finder: LoopFinder, sessionId: string): Promise<FoundLoop> {
  const found = finder.registry.find(sessionId);
  if (found.kind === "none") return { standing: { kind: "no-session" } };
  if (found.kind === "corrupt") return putAside(finder, found, found.problem);
  const { session } = found;
  if (session.runId !== undefined && session.runId !== "") return openRun(finder, session, sessionId);
  if (session.prompt.trim() === "")
    return session.runId === undefined
      ? putAside(finder, found, "No prompt text found")
      : { standing: { kind: "unbound" } };
  if (!session.active) return { standing: { kind: "inactive" } };
  const journal = await adoptPrompt(finder, session, { sessionId, file: found.file });
  return bound(journal);
}

function putAside(
  { registry }: LoopFinder,
  found: Exclude<FoundSession, { kind: "none" }>,
  problem: string,
): FoundLoop {
  const aside = registry.quarantine(found.file);
  return { standing: { kind: "corrupt", problem }, ...(aside === undefined ? {} : { aside }) };
}

async function openRun(finder: LoopFinder, session: SessionFile, sessionId: string): Promise<FoundLoop> {
  const runId = session.runId ?? "";
  try {
    const ports = portsAt(finder, session.runDir === undefined ? undefined : path.dirname(session.runDir));
    const journal = await RunJournal.open(ports, parseRunId(runId));
    if (journal.summary.loop === undefined && !isFinished(journal.summary))
      await adoptRun(finder, journal, session, sessionId);
    if (journal.summary.loop !== undefined) return bound(journal);
    // Nothing will ever come of it; a file that stays would say so at the end of every turn.
    finder.registry.end(sessionId);
    return { standing: { kind: "run-unknown", runId, problem: "it has ended" } };
  } catch (error) {
    if (!BabysitterError.is(error)) throw error;
    return { standing: { kind: "run-unknown", runId, problem: error.message } };
  }
}

function bound(journal: RunJournal): FoundLoop {
  const { loop } = journal.summary;
  if (loop === undefined) throw new BabysitterError("INTERNAL", `Run ${journal.runId} lost its loop.`);
  return { standing: { kind: "bound", state: loop, run: runViewOf(journal.summary) }, journal };
}

export function portsAt({ cwd, env }: Pick<LoopFinder, "cwd" | "env">, runsDir?: string): Ports {
  return localPorts({ runsDir: runsDir ?? findPlaces({ cwd, env }).runsDir, sdk: sdkAccess(), env });
}

/** A run that somebody has named in a session file of their own. */
async function adoptRun(
  finder: LoopFinder,
  journal: RunJournal,
  session: SessionFile,
  sessionId: string,
): Promise<void> {
  const { contract, goal } = adoptedContract(finder, session, { mode: "run", nonce: journal.ports.randomHex(4) });
  const binding = { harness: finder.harness, sessionId, by: "adoption" as const };
  await addLoop(journal, { contract, goal, iteration: session.iteration, session: binding });
  await bindSession(journal, binding);
}

/** A prompt that somebody has put into a session file: it becomes a run, and the same one for everybody who finds it. */
async function adoptPrompt(
  finder: LoopFinder,
  session: SessionFile,
  { sessionId, file }: { sessionId: string; file: string },
): Promise<RunJournal> {
  const { projectRoot } = findPlaces({ cwd: finder.cwd, env: finder.env });
  const ports = portsAt(finder);
  const { contract, goal } = adoptedContract(finder, session, { mode: "prompt", nonce: ports.randomHex(4) });
  for (let time = 1; ; time += 1) {
    const runId = adoptedRunId(session, sessionId, time);
    try {
      return await startLoop(ports, {
        runId,
        contract: { ...contract, origin: { format: "session-file", path: file } },
        goal,
        iteration: session.iteration,
        projectRoot: (runDir) => path.relative(runDir, projectRoot).split(path.sep).join("/") || ".",
        session: { harness: finder.harness, sessionId, by: "adoption" },
      });
    } catch (error) {
      if (!BabysitterError.is(error) || error.code !== "RUN_EXISTS") throw error;
      const journal = await RunJournal.open(ports, runId);
      // One that has ended was begun by an earlier file with the same words.
      if (journal.summary.loop?.ended === undefined && journal.summary.cancelled === undefined) return journal;
    }
  }
}

/** Follows from the file alone: two hooks of one stop, or one that crashed and the next, mean the same run. */
function adoptedRunId(session: SessionFile, sessionId: string, time: number): RunId {
  const begun = new Date(session.startedAt ?? 0);
  const hash = crypto
    .createHash("sha256")
    .update(JSON.stringify([sessionId, session, time]))
    .digest("hex");
  return makeRunId("loop", Number.isNaN(begun.getTime()) ? new Date(0) : begun, hash.slice(0, 6));
}
