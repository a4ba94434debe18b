import { decideHere } from "../decide-here.js";
import type { Command } from "../invocation.js";
import { usageError } from "../parse-arguments.js";

export const command: Command = async (invocation) => {
  const feedback = invocation.options.text("reason");
  if (feedback === undefined)
    throw usageError(invocation, "--reason is missing: whoever goes on with the work needs to know what is wrong.");
  return decideHere(invocation, { decision: "reject", feedback });
};
