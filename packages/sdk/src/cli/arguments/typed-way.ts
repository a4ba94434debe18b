import type { Environment } from "../../hosts/host.js";
import { detectHost } from "../../hosts/registry.js";
import { BabysitterError } from "../../model/errors.js";

/** A host does not tell what its user types into its shell from what its agent runs; its own commands it does. */
export function withTypedWay(error: BabysitterError, env: Environment): BabysitterError {
  const { effectId, why } = error.details as { effectId?: string; why?: string };
  const { words } = detectHost(env);
  if (error.code !== "DECISION_NOT_ALLOWED" || why !== "agent-session" || effectId === undefined || words === undefined)
    return error;
  const ways = `${words.typed("approve")} ${effectId}, or ${words.typed("reject")} ${effectId} with the reason`;
  const { code, message, hint = "", details, cause } = error;
  return new BabysitterError(code, message, { hint: `In the agent's session, type ${ways}. ${hint}`, details, cause });
}
