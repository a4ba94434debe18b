import { checkIteration } from "../../loop/check-iteration.js";
import type { Command } from "../invocation.js";
import { openSession } from "../loop/session-command.js";

export const command: Command = async (invocation) => {
  const check = checkIteration(openSession(invocation)?.session, new Date().toISOString());
  return { document: check, text: JSON.stringify(check, null, 2) };
};
