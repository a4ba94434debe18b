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
  /** A replay depends on process-side events; its append is refused when another one came in between. */
  readonly side: "process" | "world";
  /** What a fork does with it: events about how the original ended, was executed or belonged to a session stay there. */
  readonly fork: "copy" | "leave";
  readonly doc: string;
  readonly fields: Readonly<Record<string, FieldRule>>;
}

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
      title: "string?",
      label: "string?",
      labels: "array?",
      location: "string?",
      until: "string?",
    },
  },
  EFFECT_STARTED: {
    side: "world",
    fork: "leave",
    doc: "An attempt at a task started, in this process group.",
    fields: { attempt: "number", executor: "string", host: "string", group: "object?" },
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
    },
  },
  EFFECT_REOPENED: {
    side: "process",
    fork: "copy",
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
    fields: { text: "string", author: "string?", via: "string", verified: "any?" },
  },
  LOOP_STARTED: {
    side: "world",
    fork: "leave",
    doc: "The run is or became a loop: the contract with its goal, criteria and limits.",
    fields: { contract: "object", goal: "object", iteration: "number" },
  },
  PROCESS_ATTACHED: {
    side: "process",
    fork: "copy",
    doc: "A loop without a process got one; from now on it is replayed like any other run.",
    fields: {
      processId: "string",
      entry: "object",
      inputs: "object",
      codeHash: "string",
      processRevision: "string?",
      request: "string?",
      manifest: "object?",
    },
  },
  SESSION_BOUND: {
    side: "world",
    fork: "leave",
    doc: "An agent's session started working on the run.",
    fields: { harness: "string", sessionId: "string", by: "string", source: "object?" },
  },
  SESSION_RELEASED: {
    side: "world",
    fork: "leave",
    doc: "The session stopped working on the run.",
    fields: { sessionId: "string", reason: "string" },
  },
  STOP_HOOK_INVOKED: {
    side: "world",
    fork: "leave",
    doc: "An agent's turn ended: whether it must continue, and by which rule; some rules also pause or end the loop.",
    fields: {
      sessionId: "string",
      iteration: "number",
      decision: "string",
      reason: "string",
      runState: "string",
      pendingKinds: "string",
      hasPromise: "any?",
      timestamp: "string",
      nextIteration: "number",
      turn: "object?",
      told: "string?",
      claim: "string?",
      blocked: "string?",
      sample: "object?",
      spend: "object?",
      denied: "number?",
      warned: "string?",
      asked: "array?",
      rejected: "any?",
      paused: "string?",
      ended: "string?",
    },
  },
  VERIFICATION_STARTED: {
    side: "world",
    fork: "leave",
    doc: "The engine started checking criteria, in a separate program.",
    fields: {
      verification: "string",
      criteria: "array",
      tree: "string",
      host: "string",
      group: "object",
      alone: "any?",
    },
  },
  VERIFICATION_FINISHED: {
    side: "world",
    fork: "leave",
    doc: "That program ended, or was found to be gone.",
    fields: { verification: "string", outcome: "string" },
  },
  CRITERION_CHECKED: {
    side: "world",
    fork: "leave",
    doc: "The engine checked a criterion: command, exit code, tree before and after, location of the output.",
    fields: {
      verification: "string",
      criterion: "string",
      text: "string?",
      ok: "any?",
      written: "array?",
      kind: "string",
      outcome: "string",
      exitCode: "any?",
      signal: "any?",
      durationMs: "number",
      before: "string",
      after: "string",
      alone: "any?",
      tail: "string",
      signature: "string?",
      failures: "number?",
      evidence: "string?",
      outputSha256: "string?",
      flaky: "any?",
      at: "string",
    },
  },
  STEP_CHANGED: {
    side: "world",
    fork: "leave",
    doc: "A loop step was done, failed or was reopened.",
    fields: { step: "string", title: "string", status: "string", errorClass: "string?", note: "string?", by: "string" },
  },
  LOOP_PAUSED: {
    side: "world",
    fork: "leave",
    doc: "The loop was paused until it is resumed.",
    fields: { code: "string", message: "string", by: "string", source: "object?" },
  },
  LOOP_RESUMED: {
    side: "world",
    fork: "leave",
    doc: "The loop resumed.",
    fields: { by: "string", limits: "object?", source: "object?" },
  },
  LOOP_AMENDED: {
    side: "world",
    fork: "leave",
    doc: "A person changed the contract of a loop.",
    fields: { what: "string", contract: "object", by: "string", source: "object?" },
  },
  PROMPT_SUBMITTED: {
    side: "world",
    fork: "leave",
    doc: "The session received a prompt: to steer, after an interruption or a cut by the host, or to start a turn.",
    fields: { sessionId: "string", promptId: "string?", kind: "string" },
  },
  TURN_FAILED: {
    side: "world",
    fork: "leave",
    doc: "A turn ended with a host error, such as one from the model's API; no decision was made.",
    fields: {
      sessionId: "string",
      promptId: "string?",
      error: "string",
      message: "string",
      report: "string",
      by: "string?",
      retryAt: "string?",
    },
  },
  ENGINE_ERROR: {
    side: "world",
    fork: "leave",
    doc: "The engine itself failed while a host waited for its answer; the agent was allowed to stop.",
    fields: { where: "string", code: "string", message: "string" },
  },
};
