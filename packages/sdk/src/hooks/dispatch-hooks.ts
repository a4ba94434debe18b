/** Calls every hook of a type, one after the other. None of them can keep the others from running. */
import type { HookCall, HookDispatch, HookOutcome } from "../model/hook-types.js";
import { isJsonObject, type Json, type JsonObject, toJson } from "../model/json.js";
import { type FoundHook, type FoundHooks, findHooks, type SkippedHook } from "./find-hooks.js";
import { DEEPEST_NESTING, nestingOf } from "./hook-environment.js";
import type { HookPlaces } from "./hook-folders.js";
import { mergeResults } from "./merge-results.js";
import { type HookContext, type RanHook, refusalIn, runHook } from "./run-hook.js";

/** A hook of the SDK that needs no process of its own. It keeps its own time limit. */
export interface NativeHook {
  /** That of its script, without `.sh`. */
  name: string;
  run(payload: Json, signal: AbortSignal | undefined): Promise<JsonObject>;
}

export interface DispatchContext extends HookContext, HookPlaces {
  /** Runs last, unless a plugin has scripts for the type and the SDK's own is not among them. */
  native?: NativeHook | undefined;
  onProgress?: ((progress: HookProgress) => void) | undefined;
}

/** What happens during a call, as it happens. */
export type HookProgress =
  | { what: "skipped"; hookType: string; file: SkippedHook }
  | { what: "started"; hookType: string; hook: Pick<FoundHook, "name" | "tier"> }
  /** `answer` is whole, however large it is. */
  | { what: "ended"; hookType: string; outcome: HookOutcome; answer?: JsonObject; stderr: string };

/** Larger answers are not stored, nor are any more once the others exceed this size. */
const MAX_ANSWER = 16 * 1024;
const MAX_STORED = 64 * 1024;

/** Rejects only for a type that is no name. */
export async function dispatchHooks(call: HookCall, context: DispatchContext): Promise<HookDispatch> {
  const { hookType } = call;
  const found = findHooks(hookType, context);
  const tell = context.onProgress ?? (() => undefined);
  for (const file of found.skipped) tell({ what: "skipped", hookType, file });
  const input = { hookType, payload: withRun(call.payload, context.run) };
  const done: RanHook[] = [];
  for (const hook of withNative(found, context.native)) {
    const { name, tier } = hook;
    tell({ what: "started", hookType, hook: { name, tier } });
    const ran = await runOne(hook, input, context);
    done.push(ran);
    tell({ what: "ended", hookType, ...ran });
  }
  return {
    hookType,
    hooks: storable(done),
    merged: mergeResults(done.map(({ outcome, answer }) => ({ ...outcome, answer }))),
  };
}

/** A script, or a function in its place. */
type Runnable = FoundHook | (Pick<FoundHook, "name" | "tier"> & { native: NativeHook });

function withNative({ hooks, builtIn }: FoundHooks, native: NativeHook | undefined): Runnable[] {
  if (native === undefined) return hooks;
  const hasPlugin = builtIn.length > 0 || hooks.some(({ tier }) => tier === "plugin");
  const isReplaced = hasPlugin && !builtIn.some(({ name }) => name === `${native.name}.sh`);
  return isReplaced ? hooks : [...hooks, { name: native.name, tier: "native", native }];
}

async function runOne(hook: Runnable, input: HookCall, context: DispatchContext): Promise<RanHook> {
  if (context.signal?.aborted) return notBegun(hook, "not started: interrupted");
  if ("native" in hook) return runNative(hook.native, input.payload, context.signal);
  if (nestingOf(context.env) >= DEEPEST_NESTING)
    return notBegun(hook, `hooks have called hooks ${DEEPEST_NESTING} levels deep`);
  return runHook(hook, input, context);
}

function notBegun({ name, tier }: Runnable, problem: string): RanHook {
  return { outcome: { name, tier, status: "not-started", exitCode: null, durationMs: 0, problem }, stderr: "" };
}

async function runNative(native: NativeHook, payload: Json, signal: AbortSignal | undefined): Promise<RanHook> {
  const started = performance.now();
  const outcome = { name: native.name, tier: "native" as const, exitCode: null };
  const durationMs = (): number => Math.round(performance.now() - started);
  try {
    const answer = toJson(await native.run(payload, signal), `The answer of ${native.name}`);
    if (!isJsonObject(answer)) throw new TypeError("its answer is not an object");
    const problem = refusalIn(answer);
    const status = problem === undefined ? { status: "ok" as const } : { status: "failed" as const, problem };
    return { outcome: { ...outcome, ...status, durationMs: durationMs() }, answer, stderr: "" };
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error);
    return { outcome: { ...outcome, status: "failed", durationMs: durationMs(), problem }, stderr: "" };
  }
}

/** Every payload names its run. */
function withRun(payload: Json, run: HookContext["run"]): Json {
  if (run === undefined) return payload;
  const { runId, runDir } = run;
  if (isJsonObject(payload)) return { ...payload, runId, runDir };
  return payload === null ? { runId, runDir } : { runId, runDir, payload };
}

function storable(done: readonly RanHook[]): HookOutcome[] {
  let left = MAX_STORED;
  return done.map(({ outcome, answer }) => {
    if (answer === undefined) return outcome;
    const bytes = Buffer.byteLength(JSON.stringify(answer));
    if (bytes > Math.min(MAX_ANSWER, left)) return { ...outcome, result: { leftOut: `${bytes} bytes` } };
    left -= bytes;
    return { ...outcome, result: answer };
  });
}
