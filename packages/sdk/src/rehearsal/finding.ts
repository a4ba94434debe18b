/** What a check of a process has found. */
import type { ErrorCode } from "../model/error-codes.js";
import { defined } from "../model/json.js";

/** An error was seen happening; a warning may be what the author means; a note says how far the check could see. */
type FindingLevel = "error" | "warning" | "note";

/** Codes of findings that no run would be refused for. */
const OWN_CODES = {
  NOT_DETERMINISTIC: "error",
  REFERENCE_ERROR: "error",
  UNKNOWN_KIND: "warning",
  UNKNOWN_FIELD: "warning",
  MODULE_STATE: "warning",
  FILE_OUTSIDE_TASK: "warning",
  NETWORK_OUTSIDE_TASK: "warning",
  PROGRAM_OUTSIDE_TASK: "warning",
  ASYNC_FOR_EACH: "warning",
  FLOATING_CALL: "warning",
  PLAY_ENDED_EARLY: "note",
  PLAY_BOUNDED: "note",
  RUN_WARNING: "note",
} as const satisfies Readonly<Record<string, FindingLevel>>;

type OwnCode = keyof typeof OWN_CODES;

export interface Finding {
  level: FindingLevel;
  code: OwnCode | ErrorCode;
  /** Relative to the project. */
  file?: string;
  line?: number;
  message: string;
  hint: string;
}

/** A place in the code, as `file:line:column` or `file:line`. */
export type Location = string | undefined;

/** A finding of its usual level; error codes of the engine are errors. */
export function finding(code: Finding["code"], at: Location, message: string, hint: string): Finding {
  const level = Object.hasOwn(OWN_CODES, code) ? OWN_CODES[code as OwnCode] : "error";
  return { level, code, ...placeOf(at), message, hint };
}

function placeOf(at: Location): { file?: string; line?: number } {
  const [, file, line] = /^(.+?):(\d+)(?::\d+)?$/u.exec(at ?? "") ?? [];
  return defined({ file: file ?? at, line: line === undefined ? undefined : Number(line) });
}
