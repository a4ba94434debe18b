/** A turn of the agent has ended: may it stop? */

import { decideGuard } from "../../loop/rules/decide.js";
import { pauseLoop } from "../../loop-runs/change-loop.js";
import { endTurn, noteGuard, type TurnEnd } from "../../loop-runs/end-turn.js";
import { writeSessionView } from "../../loop-runs/session-view.js";
import { BabysitterError } from "../../model/errors.js";
import { defined } from "../../model/json.js";
import type { RunJournal } from "../../runs/run-journal.js";
import { logHookProblem } from "../../sessions/hook-log.js";
import type { HostAnswer } from "../host.js";
import { partsOf } from "../host-parts.js";
import type { HostHookCall } from "./host-call.js";
import { sessionLoop } from "./session-loop.js";
import { unusableLoop } from "./unusable-loop.js";

/** A verification that takes longer is waited for by the agent, not by the host. */
const PATIENCE_MS = 3_000;

export async function onStop(call: HostHookCall): Promise<HostAnswer> {
  const { input, env } = call;
  const found = await sessionLoop(call);
  const { journal, standing } = found;
  const guard = decideGuard(input, standing);
  if (journal === undefined) return unusableLoop(found);
  if (guard !== undefined) {
    await noteGuard(journal, input, guard);
    if (guard.code === "not_owner") return lostLoop(call, journal);
    await writeView(call, journal);
    return {};
  }
  if (await wasSwitchedOff(call, journal)) return switchedOff(call, journal);
  const end = await endTurn(journal, input, {
    ports: call.machine.loopPorts,
    host: { ...call.harness.limits(env), ...defined({ questionTool: questionToolOf(call) }) },
    runName: call.machine.runName(journal),
    projectRoot: journal.place.projectRoot,
    patienceMs: PATIENCE_MS,
  });
  await writeView(call, journal);
  await call.machine.loops.writeViews(journal);
  return answerOf(end);
}

/** Undefined where the agent has no tool to ask a person: it is not told to use one. */
function questionToolOf({ harness, env }: HostHookCall): string | undefined {
  return harness.environment.isHeadless?.(env) === true ? undefined : partsOf(harness).question?.name;
}

/** The decision is in the journal; a view of it that cannot be written must not turn it into another one. */
async function writeView(call: HostHookCall, journal: RunJournal): Promise<void> {
  await logRefusal(call, async () => writeSessionView(call.registry, journal));
}

async function logRefusal({ places, event, sessionId }: HostHookCall, act: () => Promise<unknown>): Promise<void> {
  try {
    await act();
  } catch (error) {
    if (!BabysitterError.is(error)) throw error;
    const { code, message } = error;
    logHookProblem(places.home, { at: new Date().toISOString(), hookType: event, sessionId, code, message });
  }
}

/** Another session has taken the loop, or never gave it away. */
async function lostLoop(call: HostHookCall, journal: RunJournal): Promise<HostAnswer> {
  const { registry, sessionId } = call;
  await logRefusal(call, async () => registry.end(sessionId));
  const owner = journal.summary.loop?.session?.sessionId;
  const whose = owner === undefined ? "belongs to no session" : `belongs to session ${owner}`;
  return {
    message: `⚠️  Babysitter run: the loop of ${journal.runId} ${whose}, so this session may stop. To work on it here: babysitter loop:resume ${call.machine.runName(journal)} --take`,
  };
}

function answerOf({ action, answer }: TurnEnd): HostAnswer {
  const { reason = "", delta = "", message, line } = answer;
  return {
    ...(action === "block" ? { continueWith: { reason, delta, ...defined({ line }) } } : {}),
    ...(message === undefined ? {} : { message }),
  };
}

/** A person may write `active: false` into the session file; the journal does not know of it yet. */
async function wasSwitchedOff({ registry, sessionId }: HostHookCall, journal: RunJournal): Promise<boolean> {
  const found = registry.find(sessionId);
  return found.kind === "found" && !found.session.active && journal.summary.loop?.paused === undefined;
}

async function switchedOff(call: HostHookCall, journal: RunJournal): Promise<HostAnswer> {
  const message = `⏸ Babysitter run: paused, because the session file says active: false. To resume: babysitter loop:resume ${call.machine.runName(journal)}`;
  await pauseLoop(journal, { code: "session_inactive", message, by: "person" });
  await writeView(call, journal);
  return { message };
}
