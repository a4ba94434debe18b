/** Begins a loop on this machine: run, session, session file, and the first look at the criteria. */
import path from "node:path";
import { requiredCriteria } from "../../loop/rules/criteria-standing.js";
import { startLoop } from "../../loop-runs/start-loop.js";
import { startVerifier } from "../../machine/children/start-verifier.js";
import { writeLoopViews } from "../../machine/loops/loop-views.js";
import { writeSessionView } from "../../machine/loops/session-view.js";
import type { LoopContract } from "../../model/loop-contract.js";
import { BASELINE } from "../../model/loop-state.js";
import type { RunJournal } from "../../runs/run-journal.js";
import type { Invocation } from "../grammar/invocation.js";
import { refuseBusySession } from "./bind-session.js";
import { invocationPorts } from "./choose-run.js";
import { rememberPlace } from "./remember.js";
import { harnessNameOf, registryOf, sessionOf } from "./session-of.js";

export interface NewLoop {
  contract: LoopContract;
  goal: string;
  iteration: number;
  runId?: string;
}

export async function newLoop(invocation: Invocation, request: NewLoop): Promise<RunJournal> {
  const { projectRoot } = invocation.places();
  const sessionId = sessionOf(invocation);
  const registry = registryOf(invocation);
  if (sessionId !== undefined) await refuseBusySession(invocation, registry, sessionId);
  const journal = await startLoop(invocationPorts(invocation), {
    ...request,
    projectRoot: (runDir) => path.relative(runDir, projectRoot).split(path.sep).join("/") || ".",
    ...(sessionId === undefined
      ? {}
      : { session: { harness: harnessNameOf(invocation), sessionId, by: "start" as const } }),
  });
  await writeSessionView(registry, journal, { justBound: true });
  await writeLoopViews(journal);
  rememberPlace(invocation);
  if (requiredCriteria(request.contract.criteria).length > 0) startVerifier(journal.runDir, [], BASELINE);
  return journal;
}
