/**
 * What people may do to a run besides answering its questions. Each appends events; code of a process is never executed
 * here. The same people may do it who may decide the run's questions.
 */

import { openLoop, pauseLoop } from "../../loop-runs/change-loop.js";
import { continueLoop } from "../../loop-runs/continue-loop.js";
import { writeSessionView } from "../../loop-runs/session-view.js";
import { BabysitterError } from "../../model/errors.js";
import { defined } from "../../model/json.js";
import { NO_REASON } from "../../model/pause-words.js";
import { type AnswersPolicy, type ChangeSource, type DecisionSource, isVerified } from "../../model/who-may-decide.js";
import type { CancelledWork } from "../../runs/cancel-run.js";
import { mayDecide } from "../../runs/decision-checks.js";
import { findStep } from "../../runs/find-step.js";
import { type ForkedRun, forkRun } from "../../runs/fork-run.js";
import { type RetryAnswer, retryRun } from "../../runs/retry-run.js";
import type { RunJournal } from "../../runs/run-journal.js";
import { sessionPlaces } from "../../sessions/session-places.js";
import { SessionRegistry } from "../../sessions/session-registry.js";
import { answersOf } from "../decision-source.js";
import { cancelWork } from "../loops/cancel-work.js";
import { writeLoopViews } from "../loops/loop-views.js";
import type { Desk } from "./desk.js";
import { type Evidence, sourceOf } from "./evidence.js";

interface Order {
  evidence: Evidence;
}

interface Person {
  source: DecisionSource;
  answers: AnswersPolicy;
  by: ChangeSource;
}

/** What people may do to a run besides answering: each needs evidence, as a decision does. */
export const changeRun = {
  /** Ends a run for good, with what it has left running on this machine. */
  cancel: async (
    desk: Desk,
    journal: RunJournal,
    { reason, evidence }: Order & { reason?: string },
  ): Promise<CancelledWork> => {
    const { by } = await personOf(desk, journal, { evidence, what: "cancel" });
    const machine = { sessions: sessionsOf(desk, journal), writeViews: writeLoopViews };
    return cancelWork(machine, journal, { source: by, ...defined({ reason }) });
  },

  /** Lets a loop stand still until it is resumed; false when a person has paused it already. */
  pause: async (
    desk: Desk,
    journal: RunJournal,
    { reason = NO_REASON, evidence }: Order & { reason?: string },
  ): Promise<{ paused: boolean }> => {
    const { by } = await personOf(desk, journal, { evidence, what: "pause" });
    const paused = await pauseLoop(journal, { code: "by_request", message: reason, by: "person", source: by });
    await writeSessionView(sessionsOf(desk, journal), journal);
    return { paused };
  },

  /** Lets a loop that is paused continue; false when it was not. Whoever works on it hears of it at their next turn. */
  resume: async (desk: Desk, journal: RunJournal, { evidence }: Order): Promise<{ resumed: boolean }> => {
    const { by } = await personOf(desk, journal, { evidence, what: "resume" });
    openLoop(journal);
    const resumed = await continueLoop(journal, {
      by: "person",
      source: by,
      limits: {},
      take: false,
      runName: journal.runId,
    });
    await writeSessionView(sessionsOf(desk, journal), journal);
    return { resumed };
  },

  /** Has failed steps requested anew: the one that is named, or those that the run has failed on. */
  retry: async (
    desk: Desk,
    journal: RunJournal,
    { step, evidence }: Order & { step?: string },
  ): Promise<RetryAnswer> => {
    const decider = await personOf(desk, journal, { evidence, what: "retry" });
    return retryRun(journal, { step, decider });
  },

  /** Copies a run up to one of its events, or to before one of its steps; the copy can be continued with today's code. */
  fork: async (
    desk: Desk,
    journal: RunJournal,
    { from, forkId, evidence }: Order & { from: { at: number } | { step: string }; forkId?: string },
  ): Promise<ForkedRun> => {
    await personOf(desk, journal, { evidence, what: "fork" });
    const { ports, runId } = journal;
    if ("at" in from) return forkRun(ports, { runId, from: { at: from.at }, forkId });
    const command = `babysitter run:fork ${runId} --at-task`;
    const step = findStep(journal, await journal.index(), { step: from.step, command });
    return forkRun(ports, { runId, from: { step }, forkId });
  },
};

/** Who changes it; refused is whoever may not answer its questions either. */
async function personOf(
  desk: Desk,
  journal: RunJournal,
  { evidence, what }: Order & { what: "cancel" | "pause" | "resume" | "retry" | "fork" },
): Promise<Person> {
  const { source, by } = sourceOf(desk, evidence);
  await journal.catchUp();
  const answers = answersOf(desk, journal);
  if (!mayDecide(journal.summary, source, answers))
    throw new BabysitterError(
      "ONLY_FOR_PEOPLE",
      `The run belongs to an agent's session: only a person may ${what} it, and nobody has signed in here.`,
      {
        hint: `Sign in (babysitter ui), or type it in your own terminal: babysitter run:${what} ${journal.runId}`,
        details: { runId: journal.runId, via: source.via },
      },
    );
  return { source, answers, by: { by, via: source.via, verified: isVerified(source) } };
}

function sessionsOf({ env }: Desk, { place: { projectRoot } }: RunJournal): SessionRegistry {
  return new SessionRegistry(sessionPlaces({ env, cwd: projectRoot, projectRoot }), () => new Date());
}
