/** What an agent is told when its session starts, resumes, or has lost its memory to compaction. */
import { liftingOption } from "../../model/lifted-limits.js";
import { isPausedByPerson, type LoopState } from "../../model/loop-state.js";
import { shownLine } from "../../model/shown-text.js";
import { unmetLabels } from "../rules/loop-now.js";
import type { RunView } from "../rules/situation.js";
import { runContext } from "./answer-texts.js";
import { PLAN_PROTOCOL } from "./plan-protocol.js";
import { resumeAnnouncement } from "./resume-announcement.js";
import { shownGoal } from "./resume-text.js";

export interface ContextRequest {
  state: LoopState;
  run: RunView;
  goal: string;
  runId: string;
  runName: string;
  /** startup, resume, clear, compact, fork. */
  source: string;
  /** How the last turn ended, if no decision ended it. */
  broken?: string;
}

/** A longer prompt is referenced, not repeated. */
const GOAL_LIMIT = 3_000;
const GOAL_LENGTH = 80;
const LABEL_LENGTH = 60;
const MESSAGE_LENGTH = 500;

export function sessionContext({ state, run, goal, runId, runName, source, broken }: ContextRequest): string {
  const lines = [resumeAnnouncement(state, goal), `Run: ${runId}`, ...(broken === undefined ? [] : [broken])];
  if (state.paused !== undefined)
    return [
      ...lines,
      `The loop is paused (${state.paused.code}): ${shownLine(state.paused.message, MESSAGE_LENGTH)}`,
      `${isPausedByPerson(state) ? "Only the user may resume it, by typing" : "Only when the user wants to continue"}: babysitter loop:resume ${runName}${liftingOption(state.paused)}`,
    ].join("\n");
  // After compaction the agent may remember nothing of its task.
  if (source === "compact" || source === "resume")
    lines.push(
      goal.length <= GOAL_LIMIT ? `Task:\n${goal}` : `Task: babysitter loop:status ${runName} --json shows all of it.`,
    );
  if (state.contract.plan === true && !run.hasProcess) lines.push(...PLAN_PROTOCOL);
  lines.push(
    run.hasProcess
      ? `${runContext({ run })} Next: babysitter run:iterate ${runName} --json`
      : `Continue with the task. To check its status: babysitter loop:status ${runName}. Only when everything is really done, output <promise>${state.contract.promise.text}</promise> alone on a line.`,
  );
  return lines.join("\n");
}

/** The same for the person who returns, in a line or two. */
export function returnMessage({ state, goal, runName, broken }: ContextRequest): string {
  const { paused, iteration } = state;
  const most = state.contract.limits.iterations;
  const unmet = unmetLabels(state, {}).map((label) => shownLine(label, LABEL_LENGTH));
  const standing = [
    `iteration ${iteration}${most === 0 ? "" : ` of ${most}`}`,
    ...(unmet.length === 0 ? [] : [`unmet: ${unmet.join(", ")}`]),
    ...(broken === undefined ? [] : [broken]),
  ].join("; ");
  const next =
    paused === undefined
      ? "It continues with your next prompt."
      : `It is paused (${paused.code}); to resume: babysitter loop:resume ${runName}${liftingOption(paused)}`;
  return `🔄 Babysitter run: this session is working on ${shownLine(shownGoal(state.contract, goal), GOAL_LENGTH)} (${standing}). ${next}`;
}
