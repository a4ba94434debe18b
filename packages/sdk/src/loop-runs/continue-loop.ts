/** Continues a loop that another session may have worked on, with the limits that were given. */
import type { LoopTerms } from "../loop/formats/loop-terms.js";
import { BabysitterError } from "../model/errors.js";
import { defined } from "../model/json.js";
import { liftingOption, limitToLift } from "../model/lifted-limits.js";
import type { LoopState } from "../model/loop-state.js";
import type { ChangeSource } from "../model/who-may-decide.js";
import type { RunJournal } from "../runs/run-journal.js";
import { openLoop, resumeLoop } from "./change-loop.js";

/** A session that ended a turn within this time is probably still there. */
const LIVELY_MS = 10 * 60_000;

export interface Continuation {
  by: "person" | "agent";
  /** Of one who may change limits and take a loop from another session. */
  source?: ChangeSource | undefined;
  /** Only those that were given. */
  limits: LoopTerms["limits"];
  /** Even if another session seems to be working on it. */
  take: boolean;
  /** The session that is to work on it, where there is one. */
  sessionId?: string | undefined;
  /** How to name the run in a command. */
  runName: string;
}

/** False when it was under way already and nothing has changed. */
export async function continueLoop(journal: RunJournal, request: Continuation): Promise<boolean> {
  const { limits, by, sessionId, source } = request;
  const loop = loopToContinue(journal, request);
  if (sessionId !== undefined) refuseLively(journal, loop, { ...request, sessionId });
  return resumeLoop(journal, {
    by,
    ...(Object.keys(limits).length > 0 ? { limits } : {}),
    ...defined({ source }),
  });
}

/** The loop of a run that can be continued; why not, otherwise. */
export function loopToContinue(journal: RunJournal, request: Pick<Continuation, "limits" | "runName">): LoopState {
  const loop = openLoop(journal);
  refuseReachedLimit(journal, loop, request);
  return loop;
}

/** It would be paused again at the end of the very next turn. */
function refuseReachedLimit(
  { runId }: RunJournal,
  { paused }: LoopState,
  { limits, runName }: Pick<Continuation, "limits" | "runName">,
): void {
  const lifted = limitToLift(paused);
  if (lifted === undefined || limits[lifted.limit] !== undefined) return;
  throw new BabysitterError("LIMIT_REACHED", paused?.message ?? "A limit is reached.", {
    hint: `Set a new limit: babysitter loop:resume ${runName}${liftingOption(paused)}`,
    details: { runId, limit: lifted.flag },
  });
}

/** Two sessions on one tree would undo each other's work. */
function refuseLively(
  { runId, ports }: RunJournal,
  { session, paused, lastIterationAt }: LoopState,
  { sessionId, take }: Continuation & { sessionId: string },
): void {
  if (session === undefined || session.sessionId === sessionId || paused !== undefined) return;
  const age = ports.clock.now().getTime() - Date.parse(lastIterationAt);
  if (take || age > LIVELY_MS) return;
  throw new BabysitterError("SESSION_BOUND", `Session ${session.sessionId} is working on run ${runId}.`, {
    hint: `Its last turn ended at ${lastIterationAt}. To take the run over anyway: babysitter loop:resume ${runId} --take`,
    details: { runId, sessionId: session.sessionId },
  });
}
