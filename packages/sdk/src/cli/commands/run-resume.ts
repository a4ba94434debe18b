import { sessionContext } from "../../loop/texts/session-context.js";
import { goalOf } from "../../loop-runs/goal-of.js";
import { resumeInSession } from "../../loop-runs/resume-in-session.js";
import { runViewOf } from "../../loop-runs/run-view.js";
import { runName } from "../../machine/run-name.js";
import type { LoopState } from "../../model/loop-state.js";
import { chooseLoop, giverOf, requirePerson } from "../arguments/choose-loop.js";
import { loopTerms } from "../arguments/loop-terms.js";
import { hostSessionOf, loopMakerOf, refuseUnhooked } from "../arguments/session-of.js";
import type { Command } from "../grammar/invocation.js";

export const command: Command = async (invocation) => {
  await refuseUnhooked(invocation);
  const chosen = await chooseLoop(invocation);
  const { journal, loop } = chosen;
  const { limits } = loopTerms(invocation, { mayLift: true });
  if (Object.keys(limits).length > 0) requirePerson(invocation, chosen, "Raising the limits of a loop");
  const resumed = await resumeInSession(loopMakerOf(invocation), journal, {
    by: giverOf(invocation),
    limits,
    take: invocation.options.flag("take"),
    session: hostSessionOf(invocation),
    runName: runName(invocation, journal),
  });
  const goal = await goalOf(journal, loop);
  const state = journal.summary.loop as LoopState;
  const context = sessionContext({
    state,
    run: runViewOf(journal.summary),
    goal,
    runId: journal.runId,
    runName: runName(invocation, journal),
    source: "resume",
  });
  const bound = state.session?.sessionId ?? null;
  return {
    document: { runId: journal.runId, runDir: journal.runDir, resumed, session: bound, context },
    text:
      bound === null
        ? `${journal.runId} is active, but no agent is working on it. In an agent's session, run: babysitter loop:resume ${runName(invocation, journal)}`
        : context,
  };
};
