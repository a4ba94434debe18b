/** What people and agents may do to a loop between two turns. Each is one event. */
import { BabysitterError } from "../model/errors.js";
import type { EventDraft } from "../model/events.js";
import { defined } from "../model/json.js";
import type { LoopContract, LoopLimits } from "../model/loop-contract.js";
import type { ErrorClass, LoopPaused, SessionBound } from "../model/loop-events.js";
import { isPausedByPerson, type LoopState } from "../model/loop-state.js";
import type { RunSummary } from "../model/run-state.js";
import type { ChangeSource } from "../model/who-may-decide.js";
import type { RunJournal } from "../runs/run-journal.js";

/** What a refusal calls it. */
export const RESUMING_PAUSED = "Resuming a loop that a person has paused";

/** The loop of a run that can still change. */
export function openLoop(journal: RunJournal, summary: RunSummary = journal.summary): LoopState {
  const { loop } = summary;
  if (loop === undefined) throw noLoop(journal.runId);
  if (loop.ended !== undefined || summary.cancelled !== undefined) {
    throw new BabysitterError("RUN_FINISHED", `The loop of ${journal.runId} has ended.`, {
      hint: `To see its result: babysitter loop:report ${journal.runId}`,
      details: { runId: journal.runId },
    });
  }
  return loop;
}

export function noLoop(runId: string): BabysitterError {
  return new BabysitterError("NO_LOOP", `Run ${runId} has no loop.`, {
    hint: "`babysitter loop:start` starts one; `babysitter run:create --harness … --session-id …` binds a process to a session.",
    details: { runId },
  });
}

/** Stands still until it is resumed; false when it does already. What a person has paused is theirs to resume. */
export async function pauseLoop(journal: RunJournal, pause: LoopPaused): Promise<boolean> {
  return change(journal, (loop) => {
    const isNews = loop.paused === undefined || (pause.by === "person" && !isPausedByPerson(loop));
    return isNews ? { type: "LOOP_PAUSED", payload: pause } : undefined;
  });
}

/**
 * Resumes, with higher limits if given; false if it was not paused. What a person has paused waits for one who may
 * change the loop: `source` is only there for them.
 */
export async function resumeLoop(
  journal: RunJournal,
  resume: { by: "person" | "agent"; limits?: Partial<LoopLimits>; source?: ChangeSource },
): Promise<boolean> {
  return change(journal, (loop) => {
    if (isPausedByPerson(loop) && resume.source === undefined) throw pausedByPerson(journal.runId);
    if (loop.paused === undefined && resume.limits === undefined) return undefined;
    return { type: "LOOP_RESUMED", payload: resume };
  });
}

function pausedByPerson(runId: string): BabysitterError {
  return new BabysitterError("ONLY_FOR_PEOPLE", `${RESUMING_PAUSED} is for people: someone has just paused ${runId}.`, {
    hint: `Ask the user to type it in their own terminal: babysitter loop:resume ${runId}`,
    details: { runId },
  });
}

export interface Amendment {
  what: string;
  /** The contract that the change was made to. */
  from: LoopContract;
  contract: LoopContract;
  source: ChangeSource;
}

/** Changes the contract; only people do. False if someone else changed it meanwhile: their change must not be lost. */
export async function amendLoop(journal: RunJournal, { what, from, contract, source }: Amendment): Promise<boolean> {
  const base = JSON.stringify(from);
  return change(journal, (loop) =>
    JSON.stringify(loop.contract) === base
      ? { type: "LOOP_AMENDED", payload: { what, contract, by: "person", source } }
      : undefined,
  );
}

export interface StepReport {
  step: string;
  status: "open" | "done" | "failed";
  title?: string;
  errorClass?: ErrorClass;
  note?: string;
  by: "agent" | "person";
}

/** Records what became of a step; a new one needs a title. */
export async function changeStep(journal: RunJournal, report: StepReport): Promise<void> {
  await change(journal, (loop) => {
    const known = loop.steps.find(({ id }) => id === report.step);
    const title = report.title ?? known?.title;
    if (title === undefined) throw unknownStep(loop, report.step);
    return { type: "STEP_CHANGED", payload: { ...report, title } };
  });
}

function unknownStep({ steps }: LoopState, id: string): BabysitterError {
  return new BabysitterError("STEP_NOT_FOUND", `There is no step ${JSON.stringify(id)}.`, {
    hint:
      steps.length === 0
        ? "The loop has no steps yet; give the new one a title: --title '…'."
        : `Steps: ${steps.map((step) => step.id).join(", ")}. A new one needs --title '…'.`,
    details: { step: id, steps: steps.map((step) => step.id) },
  });
}

/**
 * Binds a session; the one that worked on it when this was asked for, if any, works on it no longer. A third session
 * that was faster keeps it.
 */
export async function bindSession(
  journal: RunJournal,
  session: SessionBound,
  holder: string | undefined,
): Promise<boolean> {
  return change(journal, (loop) => {
    const now = loop.session?.sessionId;
    if (now === session.sessionId) return undefined;
    if (now !== undefined && now !== holder) throw boundMeanwhile(journal.runId, now);
    return { type: "SESSION_BOUND", payload: session };
  });
}

function boundMeanwhile(runId: string, sessionId: string): BabysitterError {
  return new BabysitterError("SESSION_BOUND", `Session ${sessionId} has just started to work on run ${runId}.`, {
    hint: `To take the run over anyway: babysitter loop:resume ${runId} --take`,
    details: { runId, sessionId },
  });
}

/** The session's host was started again: a turn that was cut then was cut by nobody who typed. */
export async function sessionReturned(journal: RunJournal): Promise<boolean> {
  return change(journal, ({ session, turn }) => {
    if (session === undefined || !turn.open) return undefined;
    const { harness, sessionId, driver } = session;
    return { type: "SESSION_BOUND", payload: { harness, sessionId, by: "return", ...defined({ driver }) } };
  });
}

export async function releaseSession(
  journal: RunJournal,
  { sessionId, ...release }: { sessionId: string; reason: string; source?: ChangeSource },
): Promise<boolean> {
  return change(journal, (loop) =>
    loop.session?.sessionId === sessionId
      ? { type: "SESSION_RELEASED", payload: { sessionId, ...release } }
      : undefined,
  );
}

type Undated = EventDraft extends infer Draft ? (Draft extends EventDraft ? Omit<Draft, "timestamp"> : never) : never;

async function change(journal: RunJournal, next: (loop: LoopState) => Undated | undefined): Promise<boolean> {
  const timestamp = journal.ports.clock.now().toISOString();
  const events = await journal.commit((summary, appended) => {
    if (appended.length > 0) return [];
    const draft = next(openLoop(journal, summary));
    return draft === undefined ? [] : [{ ...draft, timestamp }];
  });
  await journal.saveCaches();
  return events.length > 0;
}
