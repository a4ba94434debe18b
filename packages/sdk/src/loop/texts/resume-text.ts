/** What a run says to an agent that has never heard of it. Scripts know these words. */

const BEGINNING = "Resume Babysitter run: ";

export interface ResumedRun {
  runId: string;
  processId: string;
  state: string;
  prompt: string | undefined;
}

export function resumeText({ runId, processId, state, prompt }: ResumedRun): string {
  return `${BEGINNING}${runId}

Process: ${processId}
Current state: ${state}

Continue orchestration using run:iterate loop.${prompt === undefined ? "" : `\n\n${prompt}`}`;
}

/** True for words that tell an agent how to continue, and a person nothing about the goal. */
export function isResumePrompt(goal: string): boolean {
  return goal.startsWith(BEGINNING);
}

/** The goal for people. */
export function shownGoal({ title }: { title: string }, goal: string): string {
  return isResumePrompt(goal) ? title : goal;
}
