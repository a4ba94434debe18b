import { awaitDecision, timeoutOf } from "../answers/await-decision.js";
import { findNamedBreakpoint } from "../arguments/find-breakpoint.js";
import type { Command } from "../grammar/invocation.js";

export const command: Command = async (invocation) => {
  const timeoutMs = timeoutOf(invocation);
  return awaitDecision(invocation, await findNamedBreakpoint(invocation), timeoutMs);
};
