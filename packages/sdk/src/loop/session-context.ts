/** What an agent is told when its session begins, goes on, or has lost its memory to compaction. */
import type { LoopState } from "../model/loop-state.js";
import { runContext } from "./answer-texts.js";
import { resumeAnnouncement } from "./resume-announcement.js";
import type { RunView } from "./situation.js";

export interface ContextRequest {
  state: LoopState;
  run: RunView;
  goal: string;
  runId: string;
  runName: string;
  /** startup, resume, clear, compact, fork. */
  source: string;
}

/** A prompt that is longer is named, not repeated. */
const GOAL_LIMIT = 3_000;

export function sessionContext({ state, run, goal, runId, runName, source }: ContextRequest): string {
  const lines = [resumeAnnouncement(state, goal), `Run: ${runId}`];
  if (state.paused !== undefined)
    return [
      ...lines,
      `The loop is paused (${state.paused.code}): ${state.paused.message}`,
      `Only when the user wants to go on: babysitter loop:resume ${runName}`,
    ].join("\n");
  // After compaction the agent may remember nothing of its task.
  if (source === "compact" || source === "resume")
    lines.push(
      goal.length <= GOAL_LIMIT ? `Task:\n${goal}` : `Task: babysitter loop:status ${runName} --json shows all of it.`,
    );
  lines.push(
    run.hasProcess
      ? `${runContext({ run })} Next: babysitter run:iterate ${runName} --json`
      : `Go on with the task. Where it stands: babysitter loop:status ${runName}. When all of it is really done, output <promise>${state.contract.promise.text}</promise> alone on a line.`,
  );
  return lines.join("\n");
}
