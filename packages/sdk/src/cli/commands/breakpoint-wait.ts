import { awaitDecision, timeoutOf } from "../await-decision.js";
import { findNamedBreakpoint } from "../find-breakpoint.js";
import type { Command } from "../invocation.js";

export const command: Command = async (invocation) => {
  const timeoutMs = timeoutOf(invocation);
  return awaitDecision(invocation, await findNamedBreakpoint(invocation), timeoutMs);
};
