/** What `babysitter run` does about a run that has failed: retry a step in place, in a copy, or replay as it is. */
import { rememberRun } from "../../machine/remember-project.js";
import { runName } from "../../machine/run-name.js";
import { BabysitterError } from "../../model/errors.js";
import type { RecordedRequest } from "../../model/replay-index.js";
import { shownLine } from "../../model/shown-text.js";
import { wayOnOf } from "../../runs/failed-steps.js";
import { forkRun } from "../../runs/fork-run.js";
import { retryRun } from "../../runs/retry-run.js";
import { RunJournal } from "../../runs/run-journal.js";
import { stepName } from "../../runs/step-facts.js";
import type { WayOn } from "../../runs/way-on.js";
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
    throw usageError({ name }, "--retry, --no-retry and --fork cannot be combined.");
  if (options.flag("retry")) {
    await retryRun(journal, { name: runName(invocation, journal), decider: deciderOf(invocation, journal) });
    return asIs;
  }
  const { failed } = journal.summary;
  if (options.flag("fork"))
    return inCopy(invocation, journal, stepToRepeat(invocation, journal, await wayOnOf(journal)));
  if (failed === undefined || options.flag("no-retry") || confirm === undefined) return asIs;
  const question = questionAbout(await wayOnOf(journal), {
    isChanged: hasChanged(journal),
    why: shownLine(failed.error.message),
  });
  if (question === undefined) return asIs;
  const isWanted = await confirm(question.lines, question.preset);
  if (question.way === "retry") return { ...asIs, keepFailures: !isWanted };
  if (!isWanted) return asIs;
  if (question.way === "fork") return inCopy(invocation, journal, question.step);
  await retryRun(journal, { name: runName(invocation, journal), decider: deciderOf(invocation, journal) });
  return asIs;
}

type Asked = { lines: string[]; preset: boolean } & ({ way: "retry" | "ask" } | { way: "fork"; step: RecordedRequest });

/** Undefined when there is nothing to choose. */
function questionAbout(
  way: WayOn | undefined,
  { isChanged, why }: { isChanged: boolean; why: string },
): Asked | undefined {
  const changed = "The process code has changed since.";
  if (way?.is === "retry" && isChanged) {
    const { steps } = way;
    const what = steps.length === 1 ? "this step" : `these ${steps.length} steps`;
    const failed = `${steps.map(stepName).join(", ")} failed: ${why}`;
    return { lines: [failed, changed, `Retry ${what} with the changed code?`], preset: true, way: "retry" };
  }
  if (way?.is === "copy" && isChanged) {
    const { step } = way;
    const [end, again] =
      step.kind === "breakpoint"
        ? ["was rejected.", "Ask it again in a copy?"]
        : [`failed: ${why}`, "Retry it in a copy?"];
    const lines = [
      `${stepName(step)} ${end}`,
      `${changed} The process has already used this, so the step can only be repeated in a copy of the run.`,
      again,
    ];
    return { lines, preset: true, way: "fork", step };
  }
  if (way?.is !== "ask") return undefined;
  const rejected = way.steps.filter(({ kind }) => kind === "breakpoint");
  const [was, them] = rejected.length === 1 ? ["was", "it"] : ["were", "them"];
  return {
    lines: [`${rejected.map(stepName).join(", ")} ${was} rejected.`, `Ask ${them} again?`],
    preset: false,
    way: "ask",
  };
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

function stepToRepeat(invocation: Invocation, journal: RunJournal, way: WayOn | undefined): RecordedRequest {
  if (way?.is === "copy") return way.step;
  const [step] = way === undefined || way.is === "correct" ? [] : way.steps;
  if (step !== undefined) return step;
  const name = runName(invocation, journal);
  throw new BabysitterError("NOTHING_TO_RETRY", `Run ${journal.runId} did not fail in a step that can be repeated.`, {
    hint: `To repeat any step in a copy: babysitter run:fork ${name} --at-task <task>    (babysitter task:list ${name} lists them)`,
    details: { runId: journal.runId },
  });
}

async function inCopy(invocation: Invocation, { ports, runId }: RunJournal, step: RecordedRequest): Promise<Resumed> {
  const fork = await forkRun(ports, { runId, from: { step } });
  const journal = await RunJournal.open(ports, fork.runId);
  rememberRun(invocation, journal);
  const notices = [`Continuing in a copy, before ${stepName(step)}: ${fork.runId}. ${runId} stays as it is.`];
  return { journal, keepFailures: false, notices };
}
