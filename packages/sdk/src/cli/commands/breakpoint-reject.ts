import { decideHere } from "../answers/decide-here.js";
import type { Command } from "../grammar/invocation.js";
import { usageError } from "../grammar/parse-arguments.js";

export const command: Command = async (invocation) => {
  const feedback = invocation.options.text("reason");
  if (feedback === undefined)
    throw usageError(invocation, "--reason is missing: whoever continues the work needs to know what is wrong.");
  return decideHere(invocation, { decision: "reject", feedback });
};
