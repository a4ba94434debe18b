import { sessionContext } from "../../loop/texts/session-context.js";
import { bindSession } from "../../loop-runs/change-loop.js";
import { goalOf } from "../../loop-runs/goal-of.js";
import { runViewOf } from "../../loop-runs/run-view.js";
import { writeSessionView } from "../../machine/loops/session-view.js";
import type { LoopState } from "../../model/loop-state.js";
import { refuseBusySession } from "../arguments/bind-session.js";
import { chooseLoop } from "../arguments/choose-loop.js";
import { runName } from "../arguments/choose-run.js";
import { continueLoop } from "../arguments/continue-loop.js";
import { harnessNameOf, registryOf, sessionOf } from "../arguments/session-of.js";
import type { Command } from "../grammar/invocation.js";

export const command: Command = async (invocation) => {
  const chosen = await chooseLoop(invocation);
  const { journal, loop } = chosen;
  const sessionId = sessionOf(invocation);
  const registry = registryOf(invocation);
  if (sessionId !== undefined) await refuseBusySession(invocation, registry, sessionId, journal.runId);
  const resumed = await continueLoop(invocation, chosen, sessionId);
  if (sessionId !== undefined)
    await bindSession(journal, { harness: harnessNameOf(invocation), sessionId, by: "resume" });
  await writeSessionView(registry, journal, { justBound: sessionId !== undefined });
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
