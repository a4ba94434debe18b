import type { BabysitterError } from "../../model/errors.js";

/**
 * The document that a failed command prints with --json. Scripts loop over the `status` of run:iterate, so
 * there it has one whatever went wrong.
 */
export function errorDocument(command: string | undefined, error: BabysitterError): object {
  if (command !== "run:iterate") return error.toDocument();
  const reason = error.code.toLowerCase().replaceAll("_", "-");
  return { status: "failed", action: "none", reason, count: 0, nextActions: [], warnings: [], ...error.toDocument() };
}

/** How an error is printed by a thread when the command itself can no longer print. */
export function lastWordsOf({ json, name }: { json: boolean; name: string }): {
  print?: (error: BabysitterError) => { fd: number; text: string };
} {
  return json ? { print: (error) => ({ fd: 1, text: `${JSON.stringify(errorDocument(name, error))}\n` }) } : {};
}
