/** Binds a session to an existing run: the run gets a contract unless it has one. */
import crypto from "node:crypto";
import { RUN_ITERATIONS } from "../../loop/rules/make-contract.js";
import { bindSession } from "../../loop-runs/change-loop.js";
import { addLoop } from "../../loop-runs/start-loop.js";
import { writeLoopViews } from "../../machine/loops/loop-views.js";
import { refuseUnknownCommands } from "../../machine/loops/refuse-unknown-commands.js";
import { writeSessionView } from "../../machine/loops/session-view.js";
import { BabysitterError } from "../../model/errors.js";
import { defined } from "../../model/json.js";
import type { LoopContract } from "../../model/loop-contract.js";
import type { SessionBound } from "../../model/loop-events.js";
import { isFinished, statusOf } from "../../model/run-state.js";
import type { RunJournal } from "../../runs/run-journal.js";
import type { Invocation } from "../grammar/invocation.js";
import { refuseBusySession } from "./bind-session.js";
import { openChosen } from "./choose-run.js";
import { continueLoop } from "./continue-loop.js";
import { contractFrom } from "./contract-options.js";
import { rememberPlace } from "./remember.js";
import { harnessNameOf, registryOf } from "./session-of.js";

export interface Binding {
  run: string;
  sessionId: string;
  by: SessionBound["by"];
  /** What the agent is to do, when the run does not say. */
  goal?: string;
}

export async function bindRun(
  invocation: Invocation,
  { run, sessionId, by, goal }: Binding,
): Promise<{ journal: RunJournal; stateFile: string | undefined }> {
  const journal = await openChosen(invocation, run);
  if (isFinished(journal.summary)) throw ended(journal);
  const registry = registryOf(invocation);
  await refuseBusySession(invocation, registry, sessionId, journal.runId);
  const session: SessionBound = { harness: harnessNameOf(invocation), sessionId, by };
  if (journal.summary.loop === undefined) {
    const usual = resumePrompt(journal);
    const text = goal ?? journal.summary.created.prompt ?? usual;
    const title = text === usual ? titleOf(journal.summary.created) : undefined;
    const contract = await runContract(invocation, { goal: text, ...defined({ title }) });
    await addLoop(journal, { contract, goal: text, iteration: 1, session });
  } else await continueLoop(invocation, { journal, loop: journal.summary.loop }, sessionId);
  await bindSession(journal, session);
  const stateFile = await writeSessionView(registry, journal, { justBound: true });
  await writeLoopViews(journal);
  rememberPlace(invocation);
  return { journal, stateFile };
}

/** What is agreed on for a run; throws what is wrong with the options or the configuration, and does nothing. */
export async function runContract(
  invocation: Invocation,
  { goal, title }: { goal: string; title?: string },
): Promise<LoopContract> {
  const { contract } = await contractFrom(invocation, goal, {
    mode: "run",
    ...defined({ title }),
    iterations: RUN_ITERATIONS,
    nonce: crypto.randomBytes(3).toString("hex"),
  });
  refuseUnknownCommands(invocation.places().projectRoot, contract.criteria);
  return contract;
}

/** What a run says to an agent that has never heard of it. */
export function resumePrompt({ runId, summary }: RunJournal): string {
  const { processId, prompt } = summary.created;
  const task = prompt === undefined ? "" : `\n\n${prompt}`;
  return `Resume Babysitter run: ${runId}

Process: ${processId}
Current state: ${statusOf(summary)}

Continue orchestration using run:iterate loop.${task}`;
}

/** For people, whom the words to the agent would not tell what the run is about. */
function titleOf({ prompt, entry }: RunJournal["summary"]["created"]): string {
  return prompt ?? `the process ${entry.path}#${entry.export}`;
}

function ended({ runId, summary }: RunJournal): BabysitterError {
  return new BabysitterError("RUN_FINISHED", `Run ${runId} is ${statusOf(summary)}; there is nothing to resume.`, {
    hint: "`babysitter run:list --open` shows the runs that are not.",
    details: { runId },
  });
}
