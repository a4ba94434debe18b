/** The lifecycle hooks: when each is called and what it is told. The reference page is made from this table. */
import type { Json, JsonObject } from "./json.js";

interface HookRule {
  /** Who calls it: the engine at its moment, or a process through ctx.hook. */
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
  effectId: "id of the effect",
  invocationKey: "its place in the process",
  taskId: "id of the task",
  kind: "kind of the task, such as node or agent",
  label: "label of the request, when it has one",
} as const;

/** Every type the engine knows. Any other name can be called through ctx.hook or `hook:dispatch`. */
export const HOOK_TYPES = {
  "on-run-start": rule("a run was created", {
    processId: "name of the process",
    entry: "process file and export",
    createdAt: "when",
  }),
  "on-run-complete": rule("the process has returned", {
    processId: "name of the process",
    status: "`completed`",
    durationMs: "since the run was created",
    output: "what the process returned; left out above 64 KiB",
  }),
  "on-run-fail": rule("the process has thrown", {
    processId: "name of the process",
    status: "`failed`",
    durationMs: "since the run was created",
    error: "name and message",
  }),
  "on-iteration-start": rule("the process was replayed and waits; tasks may be executed and posted now", {
    iteration: "number of the iteration",
    metadata: "processId, stateVersion, and pendingEffectsByKind",
  }),
  "on-iteration-end": rule("the iteration is over", {
    iteration: "number of the iteration",
    status: "as run:iterate answers it",
    reason: "as run:iterate answers it",
    count: "how many results were committed in this iteration",
    metadata: "processId, stateVersion, and pendingEffectsByKind",
  }),
  "on-task-start": rule("somebody has begun an attempt at a task", {
    ...EFFECT_FIELDS,
    attempt: "number of the attempt",
  }),
  "on-task-complete": rule("the result of an effect was recorded, whoever posted it", {
    ...EFFECT_FIELDS,
    status: "`ok` or `error`",
    attempt: "number of the attempt",
    exitCode: "exit code, where there was one",
    durationMs: "how long the attempt took, where it is known",
    resultRef: "file with the result, relative to the run directory",
  }),
  "on-step-dispatch": rule("the process has asked for something new", {
    ...EFFECT_FIELDS,
    stepId: "number of the step",
  }),
  "on-breakpoint": rule("the process has asked a question; also in the variable BREAKPOINT_PAYLOAD", {
    breakpointId: "id of the breakpoint, which is the id of its effect",
    effectId: "the same",
    question: "what is asked",
    title: "title of the question, when it has one",
    options: "labels to choose from, when there are any",
    context: "what the process wants to be looked at",
  }),
  "on-score": rule("a task labelled `score` has delivered a number", {
    ...EFFECT_FIELDS,
    score: "the number",
    result: "the whole result; left out above 64 KiB",
  }),
  "pre-commit": rule("a process is about to commit", { "…": "whatever the process passes" }, "by a process"),
  "pre-branch": rule("a process is about to make a branch", { "…": "whatever the process passes" }, "by a process"),
  "post-planning": rule("a process has made its plan", { "…": "whatever the process passes" }, "by a process"),
} as const satisfies Record<string, HookRule>;

/** Names of {@link HOOK_TYPES}. */
export type KnownHookType = keyof typeof HOOK_TYPES;

/** Where hook scripts are looked for, in the order in which they run. */
export type HookTier = "project" | "user" | "plugin" | "native";

/** What became of one hook script. */
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

/** What all scripts of one call answered together. */
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

/** A call to be made. */
export interface HookCall {
  hookType: string;
  payload: Json;
}
