/** The vocabulary of the journal, as data: parsing, folding and the reference page follow from it. */
import type { EventType } from "./events.js";
import { LOOP_EVENT_RULES } from "./loop-event-rules.js";

/** What a field of a payload must be. */
export type FieldRule = FieldType | `${FieldType}?` | "any?";
type FieldType = "string" | "number" | "object" | "array";

export interface EventRule {
  /** A replay depends on process-side events; its append is refused when another one came in between. */
  readonly side: "process" | "world";
  /** What a fork does with it: events about how the original ended, was executed or belonged to a session stay there. */
  readonly fork: "copy" | "leave";
  readonly doc: string;
  readonly fields: Readonly<Record<string, FieldRule>>;
}

/** What is known of a request whose result no longer counts. */
const EARLIER_REQUEST = {
  attempt: "number",
  kind: "string",
  requestSeq: "number",
  requestId: "string",
  requestedAt: "string",
  label: "string?",
  title: "string?",
} as const;

/** The vocabulary of the journal: who writes each type, what it means, which fields it must have. */
export const EVENT_RULES: Readonly<Record<EventType, EventRule>> = {
  RUN_CREATED: {
    side: "process",
    fork: "copy",
    doc: "A run was created, with its process, inputs and code hash.",
    fields: {
      runId: "string",
      processId: "string",
      entry: "object",
      projectRoot: "string",
      inputs: "object",
      codeHash: "string",
      semantics: "number",
      seed: "string",
      processRevision: "string?",
      request: "string?",
      prompt: "string?",
      harness: "string?",
      session: "string?",
      pluginRoot: "string?",
      manifest: "object?",
      gates: "string?",
      forkedFrom: "object?",
      place: "object?",
    },
  },
  EFFECT_REQUESTED: {
    side: "process",
    fork: "copy",
    doc: "The process asked for a task, breakpoint, sleep or hook.",
    fields: {
      kind: "string",
      scope: "string",
      argsHash: "string",
      after: "number",
      iteration: "number",
      definition: "object",
      args: "object",
      secretEnv: "array?",
      title: "string?",
      label: "string?",
      labels: "array?",
      location: "string?",
      until: "string?",
      sleepMs: "number?",
      fired: "array?",
      late: "number?",
      place: "object?",
      attempt: "number?",
    },
  },
  EFFECT_STARTED: {
    side: "world",
    fork: "leave",
    doc: "An attempt at a task started, in this process group.",
    fields: { attempt: "number", executor: "string", host: "string", group: "object?", dir: "object?" },
  },
  EFFECT_ATTEMPT_FAILED: {
    side: "world",
    fork: "copy",
    doc: "An attempt failed and the task is retried; the process does not see this.",
    fields: {
      attempt: "number",
      reason: "string",
      error: "object",
      nextAttempt: "number",
      notBefore: "string?",
      startedAt: "string?",
      finishedAt: "string?",
    },
  },
  EFFECT_RESOLVED: {
    side: "world",
    fork: "copy",
    doc: "An effect got its result or its error.",
    fields: {
      status: "string",
      attempt: "number",
      by: "string",
      result: "object?",
      error: "object?",
      startedAt: "string?",
      finishedAt: "string?",
      stdoutRef: "string?",
      stderrRef: "string?",
      metadata: "any?",
      place: "object?",
    },
  },
  EFFECT_REOPENED: {
    side: "process",
    fork: "copy",
    doc: "A recorded result no longer counts; the effect is pending again, as it was requested. Written by earlier versions; see EFFECT_RETRIED.",
    fields: {
      resolution: "number",
      ...EARLIER_REQUEST,
      until: "string?",
      sleepMs: "number?",
    },
  },
  EFFECT_RETRIED: {
    side: "process",
    fork: "copy",
    doc: "A recorded failure or rejection no longer counts. The current code requests the effect anew: another EFFECT_REQUESTED, which replaces the earlier one, or EFFECT_DROPPED.",
    fields: {
      ...EARLIER_REQUEST,
      resolution: "number?",
      status: "string?",
      source: "object?",
    },
  },
  EFFECT_DROPPED: {
    side: "process",
    fork: "copy",
    doc: "The current code no longer asks for an effect that was to be retried.",
    fields: { iteration: "number", requestSeq: "number", requestId: "string" },
  },
  PROCESS_LOGGED: {
    side: "process",
    fork: "copy",
    doc: "Lines that the process wrote with ctx.log, each recorded once.",
    fields: { iteration: "number", entries: "array" },
  },
  PATCH_MARKED: {
    side: "process",
    fork: "copy",
    doc: "ctx.patched(id) chose the new path from here on.",
    fields: { id: "string", after: "number", iteration: "number" },
  },
  RUN_COMPLETED: {
    side: "process",
    fork: "leave",
    doc: "The process returned: its output and the completion proof.",
    fields: { output: "object", completionProof: "string", iteration: "number", abandoned: "array" },
  },
  RUN_FAILED: {
    side: "process",
    fork: "leave",
    doc: "The process threw an error. Changed code or run:retry reopens the run.",
    fields: { error: "object", iteration: "number", codeHash: "string" },
  },
  RUN_REOPENED: {
    side: "process",
    fork: "leave",
    doc: "A failed or blocked run resumed.",
    fields: { reason: "string", codeHash: "string" },
  },
  RUN_BLOCKED: {
    side: "process",
    fork: "leave",
    doc: "Journal and code disagree, or the code has lost breakpoints that people agreed to (`code: GATES_CHANGED`); nothing was executed. The next matching replay, or CODE_ACCEPTED, clears this.",
    fields: { processHead: "number", codeHash: "string", report: "object", code: "string?", diff: "object?" },
  },
  CODE_CHANGED: {
    side: "process",
    fork: "leave",
    doc: "From here on other code runs than before: the files with their old and new hash, what changed, and which breakpoints are missing.",
    fields: {
      before: "string",
      codeHash: "string",
      files: "array",
      lost: "array",
      manifest: "object",
      diff: "object",
    },
  },
  CODE_ACCEPTED: {
    side: "process",
    fork: "leave",
    doc: "A person accepted changed code: who, by which way, and which breakpoints were given up with it.",
    fields: { codeHash: "string", files: "array", lost: "array", manifest: "object", by: "string", via: "string" },
  },
  RUN_CANCELLED: {
    side: "process",
    fork: "leave",
    doc: "The run was cancelled for good.",
    fields: { reason: "string?", by: "string?", source: "object?" },
  },
  HOOK_DISPATCHED: {
    side: "world",
    fork: "leave",
    doc: "Lifecycle hooks were called: the result of each.",
    fields: { hookType: "string", about: "string?", hooks: "array", merged: "object" },
  },
  CLOCK_SET_BACK: {
    side: "world",
    fork: "copy",
    doc: "The clock was found to be earlier than the events before: it is wrong now, or was wrong then. What waits for a time span, such as a sleep, counts it by this clock from here on.",
    fields: { newest: "string", byMs: "number?" },
  },
  BREAKPOINT_OPENED: {
    side: "world",
    fork: "leave",
    doc: "A question was opened: what people see, with the hash that a decision refers to.",
    fields: { shown: "string", files: "array" },
  },
  BREAKPOINT_COMMENTED: {
    side: "world",
    fork: "copy",
    doc: "A comment was added to an open question without deciding it.",
    fields: {
      text: "string",
      author: "string?",
      via: "string",
      verified: "any?",
      path: "string?",
      side: "string?",
      line: "number?",
      endLine: "number?",
      quote: "string?",
    },
  },
  ...LOOP_EVENT_RULES,
};

/** True for a type of this version's vocabulary. */
export function isKnownType(type: string): type is EventType {
  return Object.hasOwn(EVENT_RULES, type);
}
