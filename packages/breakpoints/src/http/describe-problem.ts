/** Errors as documents: the same as on the command line, with a status. */
import { BabysitterError, type ErrorCode } from "@a5c-ai/babysitter-sdk";
import { QuestionMovedOn } from "../desk/inbox-questions.js";
import type { WireError } from "../wire/inbox-wire.js";

export interface Problem {
  status: 400 | 401 | 403 | 404 | 409 | 500 | 503;
  document: WireError;
}

const STATUS: Partial<Record<ErrorCode, Problem["status"]>> = {
  BREAKPOINT_NOT_FOUND: 404,
  INPUT_NOT_FOUND: 404,
  RUN_NOT_FOUND: 404,
  FILE_NOT_SHOWN: 404,
  SIGN_IN_REFUSED: 401,
  DECISION_NOT_ALLOWED: 403,
  ONLY_FOR_PEOPLE: 403,
  EFFECT_ALREADY_RESOLVED: 409,
  BREAKPOINT_CHANGED: 409,
  ENGINE_TOO_OLD: 409,
  RUN_FINISHED: 409,
  RUN_BUSY: 409,
  RUN_CONTENDED: 409,
  NO_LOOP: 409,
  NO_PROCESS: 409,
  LIMIT_REACHED: 409,
  NOTHING_TO_RETRY: 409,
  EFFECT_NOT_REOPENABLE: 409,
  JOURNAL_UNWRITABLE: 503,
  SYSTEM_REFUSED: 503,
};

/** Exit code of what was called in a wrong way. */
const USAGE = 2;

/** Whatever is not one of our errors is told to nobody but the log: it may name anything. */
export function describeProblem(error: unknown): Problem {
  if (error instanceof QuestionMovedOn) {
    const { status, document } = describeProblem(error.cause);
    return { status, document: { ...document, question: error.question } };
  }
  if (!BabysitterError.is(error))
    return { status: 500, document: { error: { code: "INTERNAL", message: "Something went wrong here." } } };
  const { code, message, hint, details, exitCode } = error;
  const status = STATUS[code] ?? (exitCode === USAGE ? 400 : 500);
  return { status, document: { error: { code, message, ...(hint === undefined ? {} : { hint }), details } } };
}
