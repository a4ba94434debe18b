import { checkIteration } from "../../loop/formats/check-iteration.js";
import { visibleJson } from "../../model/shown-text.js";
import { openSession } from "../arguments/session-command.js";
import type { Command } from "../grammar/invocation.js";

export const command: Command = async (invocation) => {
  const check = checkIteration(openSession(invocation)?.session, new Date().toISOString());
  return { document: check, text: visibleJson(check, 2) };
};
