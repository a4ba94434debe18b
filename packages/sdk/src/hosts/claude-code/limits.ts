import type { HostLimits } from "../../loop/rules/situation.js";
import type { Environment } from "../host.js";

/** The host ends a turn itself after this many blocks without a tool call. */
const BLOCK_CAP = 8;
export const CAP_VARIABLE = "CLAUDE_CODE_STOP_HOOK_BLOCK_CAP";

export function limits(env: Environment): HostLimits {
  const cap = env[CAP_VARIABLE];
  const blockCap = cap !== undefined && /^\d{1,6}$/u.test(cap) ? Number(cap) : BLOCK_CAP;
  return { blockCap, toolSettings: "permissions.allow in .claude/settings.json" };
}
