/** What `babysitter run` does about a run that has failed: retry a step in place, in a copy, or replay as it is. */
import { rememberRun } from "../../machine/remember-project.js";
import { runName } from "../../machine/run-name.js";
import { BabysitterError } from "../../model/errors.js";
import type { RecordedRequest } from "../../model/replay-index.js";
import { shownLine } from "../../model/shown-text.js";
import { type FailedSteps, failedSteps } from "../../runs/failed-steps.js";
import { forkRun } from "../../runs/fork-run.js";
import { retryRun } from "../../runs/retry-run.js";
import { RunJournal } from "../../runs/run-journal.js";
import { stepName } from "../../runs/step-facts.js";
import type { Invocation } from "../grammar/invocation.js";
import { usageError } from "../grammar/parse-arguments.js";
import { deciderOf } from "./decider.js";

export interface Resumed {
  journal: RunJournal;
  /** The process sees the recorded failures although its code has changed. */
  keepFailures: boolean;
  /** What the user should know before it goes on. */
  notices: string[];
}

type Confirm = (lines: readonly string[], preset: boolean) => Promise<boolean>;

/** `confirm` asks the person at the terminal, where there is one. */
export async function resumeFailed(
  invocation: Invocation,
  journal: RunJournal,
  confirm: Confirm | undefined,
): Promise<Resumed> {
  const { options, name } = invocation;
  const asIs: Resumed = { journal, keepFailures: options.flag("no-retry"), notices: [] };
  if (["retry", "no-retry", "fork"].filter((flag) => options.flag(flag)).length > 1)
    throw usageError({ name }, "--retry, --no-retry and --fork exclude one another.");
  if (options.flag("retry")) {
    await retryRun(journal, { name: runName(invocation, journal), decider: deciderOf(invocation, journal) });
    return asIs;
  }
  const { failed } = journal.summary;
  if (options.flag("fork"))
    return inCopy(invocation, journal, stepToRepeat(invocation, journal, await failedSteps(journal)));
  if (failed === undefined || options.flag("no-retry") || confirm === undefined) return asIs;
  const steps = await failedSteps(journal);
  const question = questionAbout(steps, { isChanged: hasChanged(journal), why: shownLine(failed.error.message) });
  if (question === undefined) return asIs;
  const isWanted = await confirm(question.lines, question.preset);
  if (question.way === "retry") return { ...asIs, keepFailures: !isWanted };
  if (!isWanted) return asIs;
  if (question.way === "fork") return inCopy(invocation, journal, question.step);
  await retryRun(journal, { name: runName(invocation, journal), decider: deciderOf(invocation, journal) });
  return asIs;
}

interface Asked {
  lines: string[];
  preset: boolean;
  way: "retry" | "fork" | "ask";
  step: RecordedRequest;
}

/** Undefined when there is nothing to choose. */
function questionAbout(steps: FailedSteps, { isChanged, why }: { isChanged: boolean; why: string }): Asked | undefined {
  const { failed, rejected, used } = steps;
  const [first, ...others] = failed;
  const changed = "The code of the process has changed since.";
  if (first !== undefined && isChanged) {
    const what = others.length === 0 ? "this step" : `these ${failed.length} steps`;
    const lines = [
      `${failed.map(stepName).join(", ")} failed: ${why}`,
      changed,
      `Retry ${what} with the changed code?`,
    ];
    return { lines, preset: true, way: "retry", step: first };
  }
  if (used !== undefined && isChanged) {
    const lines = [
      `${stepName(used)} failed: ${why}`,
      `${changed} The process has already used this failure, so the step can only be retried in a copy of the run.`,
      "Retry it in a copy?",
    ];
    return { lines, preset: true, way: "fork", step: used };
  }
  const [question] = rejected;
  if (first !== undefined || question === undefined) return undefined;
  return { lines: [`${stepName(question)} was rejected.`, "Ask it again?"], preset: false, way: "ask", step: question };
}

/** Code that cannot be read is told by whoever runs it. */
function hasChanged(journal: RunJournal): boolean {
  try {
    return journal.inspectCode().hash !== journal.summary.failed?.codeHash;
  } catch (error) {
    if (BabysitterError.is(error)) return false;
    throw error;
  }
}

function stepToRepeat(invocation: Invocation, journal: RunJournal, steps: FailedSteps): RecordedRequest {
  const step = steps.failed[0] ?? steps.used ?? steps.rejected[0];
  if (journal.summary.failed !== undefined && step !== undefined) return step;
  const name = runName(invocation, journal);
  throw new BabysitterError(
    "NOTHING_TO_RETRY",
    `Run ${journal.runId} has not failed in a step that could be repeated.`,
    {
      hint: `To repeat any step in a copy: babysitter run:fork ${name} --at-task <task>    (babysitter task:list ${name} lists them)`,
      details: { runId: journal.runId },
    },
  );
}

async function inCopy(invocation: Invocation, { ports, runId }: RunJournal, step: RecordedRequest): Promise<Resumed> {
  const fork = await forkRun(ports, { runId, from: { step } });
  const journal = await RunJournal.open(ports, fork.runId);
  rememberRun(invocation, journal);
  const notices = [`Continuing in a copy, before ${stepName(step)}: ${fork.runId}. ${runId} stays as it is.`];
  return { journal, keepFailures: false, notices };
}
