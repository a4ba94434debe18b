import { ERROR_CODES, type ErrorCode, EXIT_CODES } from "./error-codes.js";
import type { Json, JsonObject } from "./json.js";

const BRAND = Symbol.for("@a5c-ai/babysitter-sdk/error");

/** What a {@link BabysitterError} carries besides its code and message. */
export interface ErrorInfo {
  /** What the reader can do about it. */
  hint?: string;
  /** Machine-readable facts. */
  details?: JsonObject;
  cause?: unknown;
}

/** The one error class of this SDK; `code` says which of the documented errors it is. */
export class BabysitterError extends Error {
  readonly code: ErrorCode;
  readonly hint: string | undefined;
  readonly details: JsonObject;
  readonly [BRAND] = true;

  constructor(code: ErrorCode, message: string, info: ErrorInfo = {}) {
    super(message, info.cause === undefined ? undefined : { cause: info.cause });
    this.code = code;
    this.hint = info.hint;
    this.details = info.details ?? {};
  }

  /** True for errors of any copy of this SDK; user processes may load a second one. */
  static is(value: unknown): value is BabysitterError {
    return typeof value === "object" && value !== null && BRAND in value;
  }

  /** Exit code of a command that ends with this error. */
  get exitCode(): number {
    return EXIT_CODES[ERROR_CODES[this.code].exit].exit;
  }

  /** The document that `--json` prints. */
  toDocument(): { error: JsonObject } {
    return {
      error: {
        code: this.code,
        message: this.message,
        ...(this.hint === undefined ? {} : { hint: this.hint }),
        details: this.details,
      },
    };
  }
}
Object.defineProperty(BabysitterError.prototype, "name", { value: "BabysitterError" });

/** A rejected (or expired, cancelled) answer that the process did not look at. */
export class BreakpointRejectedError extends BabysitterError {
  constructor(message: string, details: JsonObject) {
    super("BREAKPOINT_REJECTED", message, {
      details,
      hint: "Check `approved` in the answer and handle a rejection, or pass `onReject: 'throw'` and catch the error.",
    });
  }
}
Object.defineProperty(BreakpointRejectedError.prototype, "name", { value: "BreakpointRejectedError" });

/** An error as it is recorded in the journal. */
export interface RecordedError {
  name: string;
  message: string;
  stack?: string;
  code?: string;
  data?: Json;
  /** Large data, kept as a blob. */
  dataRef?: { blob: string; bytes: number };
}

/** Any thrown value as data. */
export function recordError(thrown: unknown): RecordedError {
  if (!(thrown instanceof Error) && !isErrorLike(thrown)) {
    return { name: "Error", message: typeof thrown === "string" ? thrown : describe(thrown) };
  }
  const recorded: RecordedError = { name: thrown.name, message: thrown.message };
  if (typeof thrown.stack === "string") recorded.stack = thrown.stack;
  const { code } = thrown as { code?: unknown };
  if (typeof code === "string") recorded.code = code;
  const data = dataOf(thrown);
  if (data !== undefined) recorded.data = data;
  return recorded;
}

function dataOf(thrown: object): Json | undefined {
  const { details, data } = thrown as { details?: unknown; data?: unknown };
  const source = data ?? (BabysitterError.is(thrown) ? details : undefined);
  if (source === undefined) return undefined;
  try {
    return JSON.parse(JSON.stringify(source)) as Json;
  } catch {
    return undefined;
  }
}

function isErrorLike(value: unknown): value is Error {
  return typeof value === "object" && value !== null && "message" in value && "name" in value;
}

function describe(value: unknown): string {
  try {
    return JSON.stringify(value) ?? String(value);
  } catch {
    return String(value);
  }
}
