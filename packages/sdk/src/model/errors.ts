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
  /** What the reader can do about it, for an error of ours. */
  hint?: string;
  data?: Json;
  /** Large data, kept as a blob. */
  dataRef?: { blob: string; bytes: number };
  cause?: RecordedCause;
}

/** What an error was caused by, as far down as anyone reads. */
export interface RecordedCause {
  name: string;
  message: string;
  code?: string;
  cause?: RecordedCause;
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
  if (BabysitterError.is(thrown) && thrown.hint !== undefined) recorded.hint = thrown.hint;
  const data = dataOf(thrown);
  if (data !== undefined) recorded.data = data;
  const cause = recordCause((thrown as { cause?: unknown }).cause);
  if (cause !== undefined) recorded.cause = cause;
  return recorded;
}

const MAX_CAUSES = 5;
const MAX_CAUSE_LENGTH = 1_000;

/** The cause of an error as data; it may come from anyone, and may lead back to itself. */
export function recordCause(cause: unknown, depth = 1): RecordedCause | undefined {
  if (cause === undefined || cause === null || depth > MAX_CAUSES) return undefined;
  if (!isErrorLike(cause)) return { name: "Error", message: textOf(cause) };
  const { code, errors, cause: next } = cause as { code?: unknown; errors?: unknown; cause?: unknown };
  // Of several tries that failed together, such as one for each address of a host, each says something.
  const parts = Array.isArray(errors) ? errors.slice(0, MAX_CAUSES).map((error) => textOf(error)) : [];
  const message = typeof cause.message === "string" && cause.message !== "" ? cause.message : parts.join("; ");
  const below = recordCause(next, depth + 1);
  return {
    name: cause.name,
    message: message.slice(0, MAX_CAUSE_LENGTH),
    ...(typeof code === "string" ? { code } : {}),
    ...(below === undefined ? {} : { cause: below }),
  };
}

function textOf(thrown: unknown): string {
  const text = isErrorLike(thrown) ? thrown.message : typeof thrown === "string" ? thrown : describe(thrown);
  return text.slice(0, MAX_CAUSE_LENGTH);
}

/** The message of an error with what caused it, nothing said twice: `fetch failed: connect ECONNREFUSED ::1:80`. */
export function messageWithCauses({ message, cause, data }: Pick<RecordedError, "message" | "cause" | "data">): string {
  const parts = [message];
  // A result that was posted has it among its data.
  const posted = typeof data === "object" && data !== null && !Array.isArray(data) ? data["cause"] : undefined;
  for (let next = cause ?? recordCause(posted); next !== undefined; next = next.cause) {
    const text = next.message === "" ? (next.code ?? next.name) : next.message;
    if (!parts.some((part) => part.includes(text))) parts.push(text);
  }
  return parts.join(": ");
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
