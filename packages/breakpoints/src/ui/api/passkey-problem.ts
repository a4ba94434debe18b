/** What went wrong with a key, in words; browsers give nearly no reason. */
export function passkeyProblem(error: unknown): string | undefined {
  if (!(error instanceof DOMException)) return undefined;
  if (error.name === "NotAllowedError") return "The passkey was not used: the dialog was closed, or it took too long.";
  if (error.name === "InvalidStateError") return "This passkey is already registered.";
  return `The passkey did not work: ${error.message}`;
}
