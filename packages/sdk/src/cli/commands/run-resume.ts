import { hostNamed } from "../../hosts/registry.js";
import { sessionContext } from "../../loop/texts/session-context.js";
import { resumePrompt } from "../../loop-runs/bind-run.js";
import { openLoop } from "../../loop-runs/change-loop.js";
import { goalOf } from "../../loop-runs/goal-of.js";
import { resumeInSession } from "../../loop-runs/resume-in-session.js";
import { runViewOf } from "../../loop-runs/run-view.js";
import { openChosen } from "../../machine/choose-run.js";
import { runName } from "../../machine/run-name.js";
import { BabysitterError } from "../../model/errors.js";
import type { RunJournal } from "../../runs/run-journal.js";
import { bindHere } from "../answers/bind-here.js";
import { changePromiseHere } from "../answers/resumed-terms.js";
import { waysOn } from "../answers/ways-to-work.js";
import { giverOf, personToChange } from "../arguments/choose-loop.js";
import { loopMakerOf } from "../arguments/loop-maker-of.js";
import { loopTerms } from "../arguments/loop-terms.js";
import { defaultChoice, ownRun } from "../arguments/own-run.js";
import { refuseUnhooked } from "../arguments/refuse-unhooked.js";
import { hostSessionOf, sessionOf } from "../arguments/session-of.js";
import type { Command, Invocation } from "../grammar/invocation.js";

export const command: Command = async (invocation) => {
  await refuseUnhooked(invocation);
  const journal = await openChosen(
    invocation,
    invocation.positionals[0] || ownRun(invocation),
    defaultChoice(invocation),
  );
  const resumed = await (journal.summary.loop === undefined ? takeUp : resume)(invocation, journal);
  const state = openLoop(journal);
  const name = runName(invocation, journal);
  const context = sessionContext({
    state,
    run: runViewOf(journal),
    goal: await goalOf(journal, state),
    runId: journal.runId,
    runName: name,
    source: "resume",
  });
  const bound = state.session?.sessionId ?? null;
  const isForAgent = sessionOf(invocation) !== undefined || giverOf(invocation) === "agent";
  return {
    document: { runId: journal.runId, runDir: journal.runDir, resumed, session: bound, context },
    text:
      isForAgent && bound !== null
        ? context
        : await waysOn(journal, state, {
            runName: name,
            resumed,
            typed: hostNamed(state.session?.harness ?? "")?.words?.typed("resume"),
          }),
  };
};

/** False when it was under way already and nothing has changed. */
async function resume(invocation: Invocation, journal: RunJournal): Promise<boolean> {
  const terms = loopTerms(invocation, { mayLift: true });
  const take = invocation.options.flag("take");
  const source = personToChange(invocation, { journal }, { terms, take });
  const resumed = await resumeInSession(loopMakerOf(invocation), journal, {
    by: giverOf(invocation),
    limits: terms.limits,
    take,
    source,
    session: hostSessionOf(invocation),
    runName: runName(invocation, journal),
  });
  await changePromiseHere(invocation, journal, { terms, source });
  return resumed;
}

/** A run that has only a process so far gets a loop, for the session that is to work on it. */
async function takeUp(invocation: Invocation, journal: RunJournal): Promise<boolean> {
  const sessionId = sessionOf(invocation);
  if (sessionId === undefined) throw nobodyToWork(journal.runId, runName(invocation, journal));
  await bindHere(invocation, journal, sessionId, resumePrompt(journal));
  return true;
}

function nobodyToWork(runId: string, name: string): BabysitterError {
  return new BabysitterError(
    "NO_LOOP",
    `Run ${runId} has no loop yet, and there is no agent's session to work on it.`,
    {
      hint: `In an agent's session, run: babysitter loop:resume ${name}. Without an agent: babysitter run ${name}`,
      details: { runId },
    },
  );
}
