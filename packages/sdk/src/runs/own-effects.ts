/** Effects that nobody outside has to execute: sleeps that are over, and lifecycle hooks. */
import { recordError } from "../model/errors.js";
import { isJsonObject, type Json } from "../model/json.js";
import type { HookResult, HookRunner } from "../model/ports.js";
import { isFinished, type PendingEffect, pendingOf } from "../model/run-state.js";
import { waitEnds } from "../model/time-spans.js";
import { resolution } from "./post-result.js";
import type { RunJournal } from "./run-journal.js";

/** Resolves sleeps whose time has come, the earliest first; answers how many. */
export async function wakeSleepers(journal: RunJournal): Promise<number> {
  const now = journal.ports.clock.now().getTime();
  const due = Object.values(journal.summary.pending)
    .filter(({ kind }) => kind === "sleep")
    .map((pending) => ({ pending, end: waitEnds(pending, now) ?? now }))
    .filter(({ end }) => end <= now)
    .toSorted((a, b) => a.end - b.end);
  let settled = 0;
  for (const { pending } of due) settled += await settle(journal, pending, null);
  return settled;
}

/** Runs the hooks that the process asked for; answers how many. */
export async function runHooks(journal: RunJournal): Promise<number> {
  const { ports, runId, summary } = journal;
  let settled = 0;
  for (const pending of Object.values(summary.pending).filter(({ kind }) => kind === "hook")) {
    const event = await ports.store.readAt(runId, pending.request);
    const definition = event.type === "EFFECT_REQUESTED" ? await journal.valueOf(event.payload.definition) : null;
    const hook = isJsonObject(definition) && isJsonObject(definition["hook"]) ? definition["hook"] : {};
    const hookType = typeof hook["hookType"] === "string" ? hook["hookType"] : "";
    const call = { runId, hookType, payload: journal.relocated(hook["payload"] ?? null), effectId: pending.effectId };
    settled += await settle(journal, pending, (await answerOf(ports.hooks, call)) as unknown as Json);
  }
  return settled;
}

/** A hook that breaks is an answer too. */
async function answerOf(hooks: HookRunner, call: Parameters<HookRunner["run"]>[0]): Promise<HookResult> {
  try {
    return await hooks.run(call);
  } catch (error) {
    return { hookType: call.hookType, success: false, error: recordError(error).message, executedHooks: [] };
  }
}

async function settle(journal: RunJournal, pending: PendingEffect, value: Json): Promise<number> {
  const timestamp = journal.ports.clock.now().toISOString();
  const outcome = { status: "ok" as const, value };
  const events = await journal.commit((summary, appended) =>
    appended.length > 0 || isFinished(summary) || pendingOf(summary, pending.effectId) === undefined
      ? []
      : [resolution(pending, { result: { status: "ok" }, outcome, by: "engine", timestamp, ...journal.newPlace })],
  );
  return events.length;
}
