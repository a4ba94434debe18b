/** Lifecycle hooks of this machine, called for the moments of a run and recorded in its journal. */

import { readConfig } from "../../config/read-config.js";
import { hookLimits } from "../../config/settings.js";
import { type DispatchContext, dispatchHooks, type NativeHook } from "../../hooks/dispatch-hooks.js";
import { createHookRunner } from "../../hooks/hook-runner.js";
import type { JournalEvent } from "../../model/events.js";
import type { HookDispatch } from "../../model/hook-types.js";
import type { EffectId, RunId } from "../../model/ids.js";
import { defined, type Json, type JsonObject } from "../../model/json.js";
import type { ContextFiles, HookRunner, Ports } from "../../model/ports.js";
import { type PendingEffect, pendingOf } from "../../model/run-state.js";
import { readQuestion } from "../../runs/asked-question.js";
import { HookMoments, type MomentCall } from "../../runs/hook-moments.js";
import type { IterationHooks } from "../../runs/iterate-with-hooks.js";
import { openBreakpoints } from "../../runs/open-breakpoints.js";
import { RunJournal } from "../../runs/run-journal.js";
import { type Caller, type Environment, settingsFor, type Trace } from "../caller.js";
import { untilSignalled } from "../children/until-signalled.js";
import { localContextFiles } from "../context-files.js";
import { startOnDemand } from "../inbox/start-on-demand.js";
import { hookContext, hookContextOfRun, hookTrace } from "./hook-context.js";
import { OpenCalls } from "./open-calls.js";

export interface LifecycleOptions {
  journal: RunJournal;
  /** Without a signal of its own, the signals that end this command end its hooks first. */
  context: DispatchContext;
  contextFiles: ContextFiles;
  /** If false, nothing is called; questions are opened anyway. */
  enabled?: boolean;
  /** By which what this program owes is known when it is killed; without it, nothing is taken over from others. */
  openCalls?: OpenCalls | undefined;
  /** What executes tasks when an iteration starts, unless a plugin does. */
  orchestrator?: NativeHook | undefined;
}

export function lifecycleHooks(options: LifecycleOptions): IterationHooks {
  const { journal, context, contextFiles, orchestrator, openCalls, enabled = true } = options;
  return {
    owed: async () => {
      const calls: MomentCall[] = [];
      for (const call of enabled ? ((await openCalls?.takeOver()) ?? []) : [])
        calls.push("question" in call ? await questionCall(journal, call.question) : call);
      if (calls.some(({ hookType }) => hookType === "on-breakpoint")) startOnDemand(context.env);
      return calls;
    },
    call: async (call) => {
      if (!enabled) return { hookType: call.hookType, hooks: [], merged: { ok: true, action: "none", count: 0 } };
      const native = call.hookType === "on-iteration-start" ? orchestrator : undefined;
      const dispatched = async (signal: AbortSignal): Promise<HookDispatch> => {
        const dispatch = await dispatchHooks(call, { ...context, native, signal });
        await recordDispatch(journal, call.about, dispatch);
        return dispatch;
      };
      return context.signal === undefined ? untilSignalled(dispatched) : dispatched(context.signal);
    },
    openQuestions: async () => {
      const opened = await openBreakpoints(journal, contextFiles);
      if (opened.length > 0) startOnDemand(context.env);
      return Promise.all(opened.map(({ pending }) => questionCall(journal, pending.effectId)));
    },
  };
}

/**
 * The hooks of a run for a program that only records something; undefined when they are switched off. `signal` is for
 * programs that stay: without it the signals that end this program end its hooks.
 */
export function commandHooks(
  caller: Caller,
  journal: RunJournal,
  { signal }: { signal?: AbortSignal } = {},
): IterationHooks | undefined {
  const { values } = settingsFor(caller, journal.place.projectRoot);
  if (!values["hooks.enabled"]) return undefined;
  const context = { ...hookContext(caller, journal), ...hookLimits(values), ...defined({ signal }) };
  return lifecycleHooks({ journal, context, contextFiles: localContextFiles });
}

/** Takes the picture of what is asked where no hook tells people of it. */
export async function openQuietly(journal: RunJournal, env: Environment): Promise<void> {
  if ((await openBreakpoints(journal, localContextFiles)).length > 0) startOnDemand(env);
}

/** Hooks for ctx.hook; none are run where they are switched off. */
export function processHooks(env: Environment, ports: Ports, trace?: Trace): HookRunner {
  const journals = new Map<RunId, Promise<RunJournal>>();
  const opened = (runId: RunId): Promise<RunJournal> => {
    const journal = journals.get(runId) ?? RunJournal.open(ports, runId);
    journals.set(runId, journal);
    return journal;
  };
  return {
    run: async (call) => {
      const journal = await opened(call.runId);
      await journal.catchUp();
      const { values } = readConfig({
        projectRoot: journal.place.projectRoot,
        env,
        flags: {},
      });
      if (!values["hooks.enabled"]) return { hookType: call.hookType, success: true, executedHooks: [] };
      const context = { ...hookContextOfRun(env, journal), ...hookLimits(values), onProgress: hookTrace(trace) };
      const record = async (_runId: RunId, dispatch: HookDispatch, about: EffectId): Promise<void> => {
        await journal.catchUp();
        await recordDispatch(journal, about, dispatch);
      };
      return createHookRunner({ contextOf: () => context, record }).run(call);
    },
  };
}

/** To be made before a result is recorded, and called with the event that records it; without one nothing is owed. */
export function resultTeller(
  caller: Caller,
  journal: RunJournal,
  options: { signal?: AbortSignal } = {},
): (event: JournalEvent | undefined) => Promise<void> {
  const moments = new HookMoments(journal);
  const hooks = commandHooks(caller, journal, options);
  const openCalls = hooks && new OpenCalls(journal, ["tasks"]);
  return async (event) => {
    if (event !== undefined) for (const call of moments.callsFor(event)) await hooks?.call(call);
    openCalls?.end();
  };
}

/** Calls the hooks for a run that was made here. */
export async function tellOfCreation(journal: RunJournal, hooks: IterationHooks | undefined): Promise<void> {
  const [first] = (await journal.ports.store.read(journal.runId, undefined)) ?? [];
  if (hooks === undefined || first === undefined) return;
  const openCalls = new OpenCalls(journal, ["process"], 0);
  for (const call of new HookMoments(journal).callsFor(first)) await hooks.call(call);
  openCalls.end();
}

/** What the SDK's own hook has done is in the journal already, as attempts and results. */
async function recordDispatch(journal: RunJournal, about: string | undefined, dispatch: HookDispatch): Promise<void> {
  if (dispatch.hooks.every(({ tier, status }) => tier === "native" && status === "ok")) return;
  const timestamp = journal.ports.clock.now().toISOString();
  const payload = { ...dispatch, ...defined({ about }) };
  await journal.commit((_summary, appended) =>
    appended.length > 0 ? [] : [{ type: "HOOK_DISPATCHED", timestamp, payload }],
  );
}

/** Tells people of an open question. */
async function questionCall(journal: RunJournal, effectId: EffectId): Promise<MomentCall> {
  const { runId, runDir, summary } = journal;
  const pending = pendingOf(summary, effectId) as PendingEffect;
  const { question: text, title, options, facts, files } = await readQuestion(journal, pending);
  const context = { ...facts, ...(files.length === 0 ? {} : { files: files as unknown as Json }) };
  const fields: JsonObject = {
    breakpointId: effectId,
    effectId,
    question: text,
    context,
    ...defined({ title }),
    ...(options.length === 0 ? {} : { options: options.map(({ label }) => label) }),
  };
  return { hookType: "on-breakpoint", payload: { runId, runDir, ...fields }, about: effectId };
}
