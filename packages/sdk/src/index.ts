/**
 * The public door of the SDK. Everything a process author or a script needs is named here, and nothing
 * else is public.
 */

import { commitEffectResult, createRun, openRun, orchestrateIteration, readRunStatus } from "./machine/api.js";
import { registerDoor } from "./machine/sdk-access.js";
import { ERROR_CODES, EXIT_CODES } from "./model/error-codes.js";
import { BabysitterError, BreakpointRejectedError } from "./model/errors.js";
import { VERSION } from "./model/version.js";
import { defineTask } from "./replay/task-definition.js";

export {
  BabysitterError,
  BreakpointRejectedError,
  commitEffectResult,
  createRun,
  defineTask,
  ERROR_CODES,
  EXIT_CODES,
  openRun,
  orchestrateIteration,
  readRunStatus,
  VERSION,
};

registerDoor(() => ({
  BabysitterError,
  BreakpointRejectedError,
  commitEffectResult,
  createRun,
  defineTask,
  ERROR_CODES,
  EXIT_CODES,
  openRun,
  orchestrateIteration,
  readRunStatus,
  VERSION,
}));

export type { CommitOptions, CreateRunOptions, HotRun, RunReference } from "./machine/api.js";
export type { BreakpointResult } from "./model/breakpoint-result.js";
export type { ErrorCode, ExitName } from "./model/error-codes.js";
export type { RecordedError } from "./model/errors.js";
export type { EventType, JournalEvent, StoredValue } from "./model/events.js";
export type { Json, JsonObject } from "./model/json.js";
export type { Clock, HookResult, HookRunner } from "./model/ports.js";
export type { RunStatus } from "./model/run-state.js";
export type {
  Branch,
  BreakpointOptions,
  BreakpointPayload,
  Checkpoint,
  HookOptions,
  Parallel,
  ParallelOptions,
  ProcessContext,
  ProcessFunction,
  RequestOptions,
} from "./replay/process-context.js";
export type { ShellResult, TaskDef } from "./replay/task-def.js";
export type { DefinedTask, DefineTaskOptions, TaskContext } from "./replay/task-definition.js";
export type { RunDescription } from "./runs/describe-run.js";
export type { Iteration, NextAction } from "./runs/iteration.js";
export type { EffectResult, PostAnswer } from "./runs/post-result.js";
