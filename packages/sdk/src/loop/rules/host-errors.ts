/** Errors of hosts and of the model's API, by the words that hosts have for them. */

/** Only a person can fix these: no account, no money, no such model. Time does not. */
const LASTING: ReadonlySet<string> = new Set([
  "authentication_failed",
  "billing_error",
  "invalid_request",
  "model_not_found",
  "oauth_org_not_allowed",
]);

export function isLasting(error: string | undefined): boolean {
  return error !== undefined && LASTING.has(error);
}
