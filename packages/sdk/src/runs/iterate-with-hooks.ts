/** One iteration with everything that happens around it: steps told, questions opened, tasks executed by hooks. */
import { EVENT_RULES, isKnownType } from "../model/event-rules.js";
import type { JournalEvent } from "../model/events.js";
import type { HookDispatch, MergedHookResult } from "../model/hook-types.js";
import type { JsonObject } from "../model/json.js";
import { isFinished } from "../model/run-state.js";
import { HookMoments, type MomentCall } from "./hook-moments.js";
import type { Iteration } from "./iteration.js";
import type { IterateOptions, LiveRun } from "./live-run.js";
import type { RunJournal } from "./run-journal.js";

/** The hooks of one iteration. */
export interface IterationHooks {
  /** Calls the hooks of one moment and records what they answered. */
  call(call: MomentCall): Promise<HookDispatch>;
  /** Calls that a program which was killed has not made any more. */
  owed(): Promise<MomentCall[]>;
  /** Takes a snapshot of what new questions want to be looked at; answers the calls that tell people of them. */
  openQuestions(): Promise<MomentCall[]>;
}

export async function iterateWithHooks(
  run: LiveRun,
  hooks: IterationHooks,
  options: IterateOptions & { iteration?: number | undefined },
): Promise<Iteration> {
  const { journal } = run;
  for (const call of await hooks.owed()) await hooks.call(call);
  const moments = new HookMoments(journal);
  const own: JournalEvent[] = [];
  journal.observe((event) => {
    if (isOwn(event)) own.push(event);
  });
  const replayed = await run.iterateToDocument(options);
  // Hooks of any moment may post results.
  const before = resolvedIn(journal);
  for (const event of own.splice(0)) for (const call of moments.callsFor(event)) await hooks.call(call);
  const number = options.iteration ?? replayed.iterationCount;
  const iteration = canGoOn(journal, replayed)
    ? await executeTasks(run, hooks, replayed, { iteration: number, before })
    : await asItStands(run, replayed);
  await hooks.call(iterationEndMoment(journal, number, iteration));
  return iteration;
}

/** What this command has appended; whoever posts a result calls the hooks for it. */
export function isOwn(event: JournalEvent): boolean {
  if (event.type === "EFFECT_RESOLVED") return event.payload.by === "engine";
  return isKnownType(event.type) && EVENT_RULES[event.type].side === "process";
}

function canGoOn({ summary }: RunJournal, { status }: Iteration): boolean {
  return !isFinished(summary) && status !== "failed";
}

/** A hook may have cancelled the run since. */
async function asItStands(run: LiveRun, replayed: Iteration): Promise<Iteration> {
  const { status, warnings } = replayed;
  return status === "waiting" || status === "executed" ? run.describe({ committed: 0, warnings }) : replayed;
}

async function executeTasks(
  run: LiveRun,
  hooks: IterationHooks,
  replayed: Iteration,
  { iteration, before }: { iteration: number; before: number },
): Promise<Iteration> {
  const { journal } = run;
  for (const call of await hooks.openQuestions()) await hooks.call(call);
  const { merged } = await hooks.call(iterationMoment(journal, iteration));
  await journal.catchUp();
  const byReplay = replayed.status === "executed" ? replayed.count : 0;
  const after = await run.describe({ committed: byReplay + resolvedIn(journal) - before, warnings: replayed.warnings });
  return withAnswer(after, merged);
}

/** Hooks name action and reason; whether anything was done the journal knows better. */
function withAnswer(iteration: Iteration, merged: MergedHookResult): Iteration {
  const hookStatus = hookStatusOf(merged);
  const agrees = merged.action === iteration.action && merged.reason !== undefined;
  return {
    ...iteration,
    ...(agrees ? { reason: merged.reason as string } : {}),
    metadata: { ...iteration.metadata, hookStatus },
  };
}

function hookStatusOf({ ok, action }: MergedHookResult): string {
  if (!ok) return "failed";
  return action === "executed-tasks" ? "executed" : action;
}

/** The moment at which hooks may execute tasks. */
export function iterationMoment(journal: RunJournal, iteration: number): MomentCall {
  return momentOf(journal, "on-iteration-start", { iteration, metadata: metadataOf(journal) });
}

/** The moment after it. */
export function iterationEndMoment(
  journal: RunJournal,
  iteration: number,
  { status, reason, count }: Pick<Iteration, "status" | "reason" | "count">,
): MomentCall {
  return momentOf(journal, "on-iteration-end", { iteration, status, reason, count, metadata: metadataOf(journal) });
}

function momentOf(
  { runId, runDir }: RunJournal,
  hookType: "on-iteration-start" | "on-iteration-end",
  fields: JsonObject,
): MomentCall {
  return { hookType, payload: { runId, runDir, ...fields } };
}

function metadataOf({ summary }: RunJournal): JsonObject {
  const byKind: Record<string, number> = {};
  for (const { kind } of Object.values(summary.pending)) byKind[kind] = (byKind[kind] ?? 0) + 1;
  return { processId: summary.created.processId, stateVersion: summary.head.seq, pendingEffectsByKind: byKind };
}

function resolvedIn({ summary }: RunJournal): number {
  return summary.counts.ok + summary.counts.error;
}
