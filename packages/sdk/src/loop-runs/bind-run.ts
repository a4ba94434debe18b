/** Binds a session to an existing run: the run gets a contract unless it has one. */
import type { LoopTerms } from "../loop/formats/loop-terms.js";
import { RUN_ITERATIONS } from "../loop/rules/make-contract.js";
import { isResumePrompt, resumeText } from "../loop/texts/resume-text.js";
import { BabysitterError } from "../model/errors.js";
import { defined } from "../model/json.js";
import type { LoopContract } from "../model/loop-contract.js";
import type { SessionBound } from "../model/loop-events.js";
import { isFinished, statusOf } from "../model/run-state.js";
import type { RunJournal } from "../runs/run-journal.js";
import { refuseBusySession, refuseUnseen } from "./busy-session.js";
import { bindSession } from "./change-loop.js";
import { type Continuation, continueLoop } from "./continue-loop.js";
import type { LoopMaker } from "./loop-machine.js";
import { writeSessionView } from "./session-view.js";
import { addLoop } from "./start-loop.js";

export interface Binding {
  session: SessionBound;
  /** What is agreed on for a run that has no contract; of one that has, only the limits count. */
  terms: LoopTerms;
  /** What the agent is to do, whatever the run says. */
  goal?: string;
  by: Continuation["by"];
  source?: Continuation["source"];
  take: boolean;
  runName: string;
}

/** Answers the session's file. */
export async function bindRun(machine: LoopMaker, journal: RunJournal, binding: Binding): Promise<string | undefined> {
  return machine.claimSession(binding.session.sessionId, () => bindClaimed(machine, journal, binding));
}

/** The same by whoever has claimed the session already. */
export async function bindClaimed(
  machine: LoopMaker,
  journal: RunJournal,
  { session, terms, goal, by, source, take, runName }: Binding,
): Promise<string | undefined> {
  if (isFinished(journal.summary)) throw ended(journal);
  const { sessionId } = session;
  await refuseBusySession(machine, sessionId, journal.runId);
  refuseUnseen(machine, journal, session);
  const holder = journal.summary.loop?.session?.sessionId;
  if (journal.summary.loop === undefined) {
    const { created } = journal.summary;
    const text = goal ?? created.prompt ?? created.request ?? resumePrompt(journal);
    const title = isResumePrompt(text) ? titleOf(created) : undefined;
    const contract = await runContract(machine, { goal: text, title, terms });
    await addLoop(journal, { contract, goal: text, iteration: 1, session });
  } else await continueLoop(journal, { by, source, limits: terms.limits, take, sessionId, runName });
  await bindSession(journal, take ? { ...session, ...defined({ source }) } : session, holder);
  const stateFile = await writeSessionView(machine.sessions, journal, { justBound: true });
  await machine.writeViews(journal);
  machine.rememberProject();
  return stateFile;
}

/** What is agreed on for a run; throws what is wrong with it, and does nothing. */
export async function runContract(
  machine: LoopMaker,
  order: { goal: string; title?: string | undefined; terms: LoopTerms },
): Promise<LoopContract> {
  return (await machine.contract({ ...order, mode: "run", iterations: RUN_ITERATIONS })).contract;
}

/** What a run says to an agent that has never heard of it. */
export function resumePrompt({ runId, summary }: RunJournal): string {
  const { processId, prompt } = summary.created;
  return resumeText({ runId, processId, state: statusOf(summary), prompt });
}

/** For people, whom the words to the agent would not tell what the run is about. */
function titleOf({ prompt, request, entry }: RunJournal["summary"]["created"]): string {
  return prompt ?? request ?? `the process ${entry.path}#${entry.export}`;
}

function ended({ runId, summary }: RunJournal): BabysitterError {
  return new BabysitterError("RUN_FINISHED", `Run ${runId} is ${statusOf(summary)}; there is nothing to resume.`, {
    hint: "`babysitter run:list --open` lists the open runs.",
    details: { runId },
  });
}
