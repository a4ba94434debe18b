/** Starts a loop: a run with a contract instead of a process, or a contract for a run that has a process. */
import { BabysitterError } from "../model/errors.js";
import { type EventDraft, REPLAY_SEMANTICS } from "../model/events.js";
import { makeRunId, parseRunId, type RunId } from "../model/ids.js";
import type { LoopContract } from "../model/loop-contract.js";
import type { SessionBound } from "../model/loop-events.js";
import type { Ports } from "../model/ports.js";
import { isFinished } from "../model/run-state.js";
import { beginRun, refuseTaken } from "../runs/begin-run.js";
import { RunJournal } from "../runs/run-journal.js";

const LOOP_PROCESS_ID = "babysitter/loop";

export interface LoopRequest {
  contract: LoopContract;
  /** The prompt, byte for byte. */
  goal: string;
  /** More than 1 for a loop that was taken over. */
  iteration: number;
  runId?: string;
  /** The project root, relative to the run directory. */
  projectRoot: (runDir: string) => string;
  session?: SessionBound;
}

/** A new run that is nothing but this loop; it exists with its contract or not at all. */
export async function startLoop(ports: Ports, request: LoopRequest): Promise<RunJournal> {
  const now = ports.clock.now();
  const runId = request.runId === undefined ? makeRunId("loop", now, ports.randomHex(3)) : parseRunId(request.runId);
  await refuseTaken(ports, runId);
  const timestamp = now.toISOString();
  const first: EventDraft & { type: "RUN_CREATED" } = {
    type: "RUN_CREATED",
    timestamp,
    payload: {
      runId,
      processId: LOOP_PROCESS_ID,
      entry: { path: "", export: "" },
      projectRoot: request.projectRoot(ports.workspace.runDir(runId)),
      inputs: { value: {} },
      codeHash: "",
      semantics: REPLAY_SEMANTICS,
      seed: runId,
      ...(request.session === undefined
        ? {}
        : { harness: request.session.harness, session: request.session.sessionId }),
    },
  };
  await beginRun(ports, runId, [first, ...loopDrafts(request, timestamp)]);
  return RunJournal.open(ports, runId);
}

/** Gives a run that has a process a loop as well; one that has a loop keeps it. */
export async function addLoop(
  journal: RunJournal,
  request: Pick<LoopRequest, "contract" | "goal" | "iteration" | "session">,
): Promise<void> {
  const timestamp = journal.ports.clock.now().toISOString();
  const drafts = loopDrafts(request, timestamp);
  await journal.commit((summary, appended) => {
    if (isFinished(summary)) throw finished(journal.runId);
    if (appended.length === 0 && summary.loop !== undefined) return [];
    return drafts.slice(appended.length);
  });
  await journal.saveCaches();
}

function loopDrafts(
  { contract, goal, iteration, session }: Pick<LoopRequest, "contract" | "goal" | "iteration" | "session">,
  timestamp: string,
): EventDraft[] {
  return [
    { type: "LOOP_STARTED", timestamp, payload: { contract, goal: { value: goal }, iteration } },
    ...(session === undefined ? [] : [{ type: "SESSION_BOUND" as const, timestamp, payload: session }]),
  ];
}

function finished(runId: RunId): BabysitterError {
  return new BabysitterError("RUN_FINISHED", `Run ${runId} has ended; there is nothing left to work on.`, {
    hint: "Start a new one: babysitter loop:start, or babysitter run:create.",
    details: { runId },
  });
}
