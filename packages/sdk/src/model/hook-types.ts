/** The lifecycle hooks: when each is called and with what payload. The reference page is generated from this table. */
import type { Json, JsonObject } from "./json.js";

interface HookRule {
  /** Who calls it: the engine when its event happens, or a process through ctx.hook. */
  readonly called: "by the engine" | "by a process";
  readonly moment: string;
  /** Fields of the payload besides `runId` and `runDir`, which every payload has. */
  readonly fields: Readonly<Record<string, string>>;
}

const rule = (moment: string, fields: HookRule["fields"], called: HookRule["called"] = "by the engine"): HookRule => ({
  called,
  moment,
  fields,
});

const EFFECT_FIELDS = {
  effectId: "ID of the effect",
  invocationKey: "its place in the process",
  taskId: "ID of the task",
  kind: "task kind, such as node or agent",
  label: "label of the request, if any",
} as const;

const HOOK_TYPE = /^[a-z0-9][a-z0-9-]{0,63}$/;
export const HOOK_TYPE_RULE =
  "Use 1 to 64 lowercase letters, digits and dashes, starting with a letter or digit, such as on-run-complete.";

/** True for the name of a type, known or not: folders are named after it. */
export function isHookType(text: string): boolean {
  return HOOK_TYPE.test(text);
}

/** Every type the engine knows. Any other name can be called through ctx.hook or `hook:dispatch`. */
export const HOOK_TYPES = {
  "on-run-start": rule("a run was created", {
    processId: "name of the process",
    entry: "process file and export",
    createdAt: "when",
  }),
  "on-run-complete": rule("the process returned", {
    processId: "name of the process",
    status: "`completed`",
    durationMs: "since the run was created",
    output: "what the process returned; omitted above 64 KiB",
  }),
  "on-run-fail": rule("the process threw an error", {
    processId: "name of the process",
    status: "`failed`",
    durationMs: "since the run was created",
    error: "name and message",
  }),
  "on-iteration-start": rule("the process was replayed and is waiting; tasks can now be executed and posted", {
    iteration: "number of the iteration",
    metadata: "processId, stateVersion, and pendingEffectsByKind",
  }),
  "on-iteration-end": rule("the iteration ended", {
    iteration: "number of the iteration",
    status: "as printed by run:iterate",
    reason: "as printed by run:iterate",
    count: "number of results committed in this iteration",
    metadata: "processId, stateVersion, and pendingEffectsByKind",
  }),
  "on-task-start": rule("an attempt at a task started", {
    ...EFFECT_FIELDS,
    attempt: "number of the attempt",
  }),
  "on-task-complete": rule("the result of an effect was recorded, no matter who posted it", {
    ...EFFECT_FIELDS,
    status: "`ok` or `error`",
    attempt: "number of the attempt",
    exitCode: "exit code, if any",
    durationMs: "duration of the attempt, if known",
    resultRef: "file with the result, relative to the run directory",
  }),
  "on-step-dispatch": rule("the process requested a new effect", {
    ...EFFECT_FIELDS,
    stepId: "number of the step",
  }),
  "on-breakpoint": rule("the process asked a question; the payload is also in the variable BREAKPOINT_PAYLOAD", {
    breakpointId: "ID of the breakpoint, equal to the ID of its effect",
    effectId: "the same",
    question: "the question",
    title: "title of the question, if any",
    options: "labels to choose from, if any",
    context: "what the process wants reviewed",
  }),
  "on-score": rule("a task labelled `score` returned a number", {
    ...EFFECT_FIELDS,
    score: "the number",
    result: "the whole result; omitted above 64 KiB",
  }),
  "pre-commit": rule("a process is about to commit", { "…": "whatever the process passes" }, "by a process"),
  "pre-branch": rule("a process is about to create a branch", { "…": "whatever the process passes" }, "by a process"),
  "post-planning": rule("a process finished planning", { "…": "whatever the process passes" }, "by a process"),
} as const satisfies Record<string, HookRule>;

/** Names of {@link HOOK_TYPES}. */
export type KnownHookType = keyof typeof HOOK_TYPES;

/** Where hook scripts are found, in the order in which they run. */
export type HookTier = "project" | "user" | "plugin" | "native";

/** The outcome of one hook script. */
export interface HookOutcome {
  /** File name of the script. */
  name: string;
  tier: HookTier;
  status: "ok" | "failed" | "timed-out" | "not-started";
  exitCode: number | null;
  durationMs: number;
  /** Its answer: the last complete JSON object on stdout. */
  result?: JsonObject;
  /** Why there is no answer, or a wrong one. */
  problem?: string;
  /** Its stderr, relative to the run directory. */
  stderrRef?: string;
}

/** The combined result of all scripts of one call. */
export interface MergedHookResult {
  ok: boolean;
  action: "executed-tasks" | "waiting" | "none";
  count: number;
  reason?: string;
  error?: string;
}

/** One call of a lifecycle hook. */
export interface HookDispatch {
  hookType: string;
  hooks: HookOutcome[];
  merged: MergedHookResult;
}

/** A hook call to make. */
export interface HookCall {
  hookType: string;
  payload: Json;
}
