/** A turn of the agent has ended: may it stop? */

import { type Decision, decideGuard } from "../../loop/rules/decide.js";
import { otherOwnerText } from "../../loop/texts/release-texts.js";
import { pauseLoop } from "../../loop-runs/change-loop.js";
import { endTurn, noteGuard, type TurnEnd } from "../../loop-runs/end-turn.js";
import { BabysitterError } from "../../model/errors.js";
import { defined } from "../../model/json.js";
import type { RunJournal } from "../../runs/run-journal.js";
import type { HostAnswer } from "../host.js";
import { partsOf } from "../host-parts.js";
import type { HostHookCall } from "./host-call.js";
import { isAgentsOwn } from "./is-forged.js";
import { refusedSettings } from "./on-config-change.js";
import { sessionLoop } from "./session-loop.js";
import { unusableLoop } from "./unusable-loop.js";
import { logRefusal, writeView } from "./write-view.js";

/** A verification that takes longer is waited for by the agent, not by the host. */
const PATIENCE_MS = 3_000;

/** The run is gone or damaged, which may be found out only when its journal is read or written. */
const LOST: ReadonlySet<string> = new Set(["RUN_NOT_FOUND", "JOURNAL_BROKEN"]);

export async function onStop(call: HostHookCall): Promise<HostAnswer> {
  if (isAgentsOwn(call)) return {};
  const found = await sessionLoop(call);
  const { journal, standing } = found;
  if (journal === undefined) return unusableLoop(call, found);
  try {
    return await stopWith(call, journal, decideGuard(call.input, standing));
  } catch (error) {
    if (!BabysitterError.is(error) || !LOST.has(error.code)) throw error;
    const { runId } = journal;
    return unusableLoop(call, { standing: { kind: "run-unknown", runId, problem: error.message } });
  }
}

async function stopWith(call: HostHookCall, journal: RunJournal, guard: Decision | undefined): Promise<HostAnswer> {
  const { input, env } = call;
  if (guard !== undefined) {
    await noteGuard(journal, input, guard);
    if (guard.code === "not_owner") return lostLoop(call, journal);
    await writeView(call, journal);
    return {};
  }
  if (await wasSwitchedOff(call, journal)) return switchedOff(call, journal);
  const runName = call.machine.runName(journal);
  const end = await endTurn(journal, input, {
    ports: call.machine.loopPorts,
    host: { ...call.harness.limits(env), ...defined({ questionTool: questionToolOf(call) }) },
    runName,
    projectRoot: journal.place.projectRoot,
    patienceMs: PATIENCE_MS,
  });
  await writeView(call, journal);
  const notices = [
    await call.machine.loops.writeViews(journal),
    end.action === "block" ? refusedSettings(call, runName) : undefined,
  ];
  return answerOf(end, notices);
}

/** Undefined where the agent has no tool to ask a person: it is not told to use one. */
function questionToolOf({ harness, env }: HostHookCall): string | undefined {
  return harness.environment.isHeadless?.(env) === true ? undefined : partsOf(harness).question?.name;
}

/** Another session has taken the loop, or never gave it away. */
async function lostLoop(call: HostHookCall, journal: RunJournal): Promise<HostAnswer> {
  const { registry, sessionId } = call;
  await logRefusal(call, async () => registry.end(sessionId));
  const { runId, summary } = journal;
  return { message: otherOwnerText({ runId, runName: call.machine.runName(journal), summary }) };
}

function answerOf({ action, answer }: TurnEnd, notices: (string | undefined)[]): HostAnswer {
  const { reason = "", delta = "" } = answer;
  const [message, line] = [answer.message, answer.line].map((text) =>
    [text, ...notices].filter((part) => part !== undefined).join("\n"),
  );
  return {
    ...(action === "block" ? { continueWith: { reason, delta, ...(line ? { line } : {}) } } : {}),
    ...(message ? { message } : {}),
  };
}

/** Anybody may have written `active: false` into the session file; the journal does not know of it yet. */
async function wasSwitchedOff({ registry, sessionId }: HostHookCall, journal: RunJournal): Promise<boolean> {
  const found = registry.find(sessionId);
  return found.kind === "found" && !found.session.active && journal.summary.loop?.paused === undefined;
}

async function switchedOff(call: HostHookCall, journal: RunJournal): Promise<HostAnswer> {
  const message = `⏸ Babysitter run: paused, because the session file says active: false. To resume: babysitter loop:resume ${call.machine.runName(journal)}`;
  await pauseLoop(journal, { code: "session_inactive", message, by: "session-file" });
  await writeView(call, journal);
  return { message };
}
