/** Lifecycle hooks for ctx.hook. */
import type { HookDispatch } from "../model/hook-types.js";
import type { EffectId, RunId } from "../model/ids.js";
import { defined, type JsonObject } from "../model/json.js";
import type { HookResult, HookRunner } from "../model/ports.js";
import { type DispatchContext, dispatchHooks } from "./dispatch-hooks.js";

export interface HookRunnerOptions {
  /** Where and how hooks of a run are called. */
  contextOf: (runId: RunId) => DispatchContext;
  /** Keeps the outcome of a call, before its result is answered. */
  record?: (runId: RunId, dispatch: HookDispatch, about: EffectId) => Promise<void>;
}

export function createHookRunner({ contextOf, record }: HookRunnerOptions): HookRunner {
  return {
    run: async ({ runId, hookType, payload, effectId }) => {
      const context = contextOf(runId);
      const answers: JsonObject[] = [];
      const dispatch = await dispatchHooks(
        { hookType, payload },
        {
          ...context,
          onProgress: (progress) => {
            if (progress.what === "ended" && progress.answer !== undefined) answers.push(progress.answer);
            context.onProgress?.(progress);
          },
        },
      );
      if (dispatch.hooks.length > 0) await record?.(runId, dispatch, effectId);
      return resultOf(dispatch, answers);
    },
  };
}

function resultOf({ hookType, hooks, merged }: HookDispatch, answers: readonly JsonObject[]): HookResult {
  return {
    hookType,
    success: merged.ok,
    ...defined({ output: outputOf(answers, merged.ok), error: merged.error }),
    executedHooks: hooks.filter(({ status }) => status !== "not-started").map(({ name }) => name),
  };
}

/**
 * One object, however many have answered: a colleague's own hook must not change what a process has to read.
 * Where two answers have the same key, the earlier hook counts, the project's before the person's.
 */
function outputOf(answers: readonly JsonObject[], ok: boolean): JsonObject | undefined {
  if (answers.length === 0) return undefined;
  const together = answers.reduceRight<JsonObject>((all, answer) => ({ ...all, ...answer }), {});
  return answers.length > 1 && "ok" in together ? { ...together, ok } : together;
}
