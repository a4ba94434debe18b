/** The vocabulary of the journal, as data: parsing, folding and the reference page follow from it. */
import type { EventType } from "./events.js";

/** What a field of a payload must be. */
export type FieldRule =
  | "string"
  | "number"
  | "object"
  | "array"
  | "string?"
  | "number?"
  | "object?"
  | "array?"
  | "any?";

interface EventRule {
  /** Process-side events are what a replay depends on; an append of a replay is refused when one came in between. */
  readonly side: "process" | "world";
  readonly doc: string;
  readonly fields: Readonly<Record<string, FieldRule>>;
}

/** The vocabulary of the journal: who writes each type, what it means, which fields it must have. */
export const EVENT_RULES: Readonly<Record<EventType, EventRule>> = {
  RUN_CREATED: {
    side: "process",
    doc: "The run exists: its process, inputs and code hash.",
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
      forkedFrom: "object?",
    },
  },
  EFFECT_REQUESTED: {
    side: "process",
    doc: "The process asked for a task, breakpoint, sleep or hook.",
    fields: {
      kind: "string",
      scope: "string",
      argsHash: "string",
      after: "number",
      iteration: "number",
      definition: "object",
      args: "object",
      title: "string?",
      label: "string?",
      labels: "array?",
      location: "string?",
      until: "string?",
    },
  },
  EFFECT_STARTED: {
    side: "world",
    doc: "An attempt at a task has begun, in this process group.",
    fields: { attempt: "number", executor: "string", host: "string", group: "object?" },
  },
  EFFECT_ATTEMPT_FAILED: {
    side: "world",
    doc: "An attempt came to nothing and the task is tried again; the process sees none of it.",
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
    doc: "An effect has its result or its error.",
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
    },
  },
  EFFECT_REOPENED: {
    side: "process",
    doc: "A recorded result no longer counts; the effect is pending again.",
    fields: {
      resolution: "number",
      attempt: "number",
      kind: "string",
      requestSeq: "number",
      requestId: "string",
      requestedAt: "string",
      label: "string?",
      title: "string?",
      until: "string?",
    },
  },
  PROCESS_LOGGED: {
    side: "process",
    doc: "Lines that the process wrote with ctx.log, each recorded once.",
    fields: { iteration: "number", entries: "array" },
  },
  PATCH_MARKED: {
    side: "process",
    doc: "ctx.patched(id) chose the new path from here on.",
    fields: { id: "string", after: "number", iteration: "number" },
  },
  RUN_COMPLETED: {
    side: "process",
    doc: "The process returned; its output and the completion proof.",
    fields: { output: "object", completionProof: "string", iteration: "number", abandoned: "array" },
  },
  RUN_FAILED: {
    side: "process",
    doc: "The process threw. Changed code or run:retry opens the run again.",
    fields: { error: "object", iteration: "number", codeHash: "string" },
  },
  RUN_REOPENED: {
    side: "process",
    doc: "A failed or blocked run goes on.",
    fields: { reason: "string", codeHash: "string" },
  },
  RUN_BLOCKED: {
    side: "process",
    doc: "Journal and code disagree; nothing was executed. The next good replay clears it.",
    fields: { processHead: "number", codeHash: "string", report: "object" },
  },
  RUN_CANCELLED: {
    side: "process",
    doc: "Somebody has ended the run for good.",
    fields: { reason: "string?", by: "string?" },
  },
  HOOK_DISPATCHED: {
    side: "world",
    doc: "Lifecycle hooks were called; what each of them answered.",
    fields: { hookType: "string", about: "string?", hooks: "array", merged: "object" },
  },
  BREAKPOINT_OPENED: {
    side: "world",
    doc: "A question is open: what people are shown, with the hash that a decision refers to.",
    fields: { shown: "string", files: "array" },
  },
  BREAKPOINT_COMMENTED: {
    side: "world",
    doc: "Somebody has commented on an open question without deciding it.",
    fields: { text: "string", author: "string?", via: "string", verified: "any?" },
  },
};
