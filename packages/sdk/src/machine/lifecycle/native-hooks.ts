/** The hooks that the SDK brings along, as functions: calling a script for them would only cost time. */
import { ITERATE_WAIT_VARIABLE } from "../../config/settings.js";
import { holderOf } from "../../drive/lease.js";
import { orchestrateNatively } from "../../drive/native-orchestrator.js";
import type { NativeHook } from "../../hooks/dispatch-hooks.js";
import { findHooks } from "../../hooks/find-hooks.js";
import type { HookContext } from "../../hooks/run-hook.js";
import { isAgentEnvironment } from "../../hosts/environments.js";
import { TASK_HOOKS } from "../../runs/hook-moments.js";
import type { RunJournal } from "../../runs/run-journal.js";
import { type Caller, type Environment, settingsFor } from "../caller.js";
import { lastWordsOfTaskRunner, startTaskRunner } from "../children/start-task-runner.js";
import { hookContext } from "./hook-context.js";

export const NATIVE_ORCHESTRATOR = "native-orchestrator";

/** Hosts end their agents' commands after a few minutes. */
const AGENT_WAIT_MS = 60_000;

/** Executes what is pending, in a program that outlives this one. `waitMs`: what the caller says about waiting. */
export function orchestratorFor(caller: Caller, journal: RunJournal, waitMs?: number): NativeHook {
  const { runDir, runId, ports, place } = journal;
  return {
    name: NATIVE_ORCHESTRATOR,
    run: (_payload, signal) => {
      const { values } = settingsFor(caller, place.projectRoot);
      const places = hookContext(caller, journal);
      return orchestrateNatively({
        journal,
        startRunner: () => startTaskRunner(runDir, values["driver.concurrency"]),
        lastWords: () => lastWordsOfTaskRunner(runDir),
        worker: () => holderOf(ports.leases.driver, journal),
        hasTaskHooks: () => TASK_HOOKS.some((hookType) => findHooks(hookType, places).hooks.length > 0),
        watch: (onChange) => ports.store.watch(runId, onChange),
        waitMs: waitLimit(waitMs ?? values["iterate.waitMs"], caller.env),
        signal,
      });
    },
  };
}

/** Tells hooks how long to wait for tasks: a plugin's orchestrator is a program of its own. */
export function withWait<C extends HookContext>(context: C, waitMs: number | undefined): C {
  if (waitMs === undefined) return context;
  return { ...context, env: { ...context.env, [ITERATE_WAIT_VARIABLE]: String(waitMs) } };
}

/** How long to wait for tasks; undefined: until they have ended. */
export function waitLimit(waitMs: number | null, env: Environment): number | undefined {
  return waitMs ?? (isAgentEnvironment(env) ? AGENT_WAIT_MS : undefined);
}
