import type { ErrorCode } from "../model/error-codes.js";
import { BabysitterError } from "../model/errors.js";
import { defined, type JsonObject } from "../model/json.js";

interface Mistake {
  /** Where the call is. */
  location: string | undefined;
  hint?: string | undefined;
  details?: JsonObject;
}

/** The error for a mistake in a process: it shows the author's code, not ours. */
export function mistakeError(code: ErrorCode, message: string, { location, hint, details }: Mistake): BabysitterError {
  const error = new BabysitterError(code, message, {
    details: { ...details, ...defined({ location }) },
    ...defined({ hint }),
  });
  if (location !== undefined) error.stack = `${error.name}: ${message}\n    at ${location}`;
  return error;
}
