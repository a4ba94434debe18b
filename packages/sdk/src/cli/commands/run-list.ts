import { listAnswer } from "../answers/run-list.js";
import type { Command } from "../grammar/invocation.js";

export const command: Command = async (invocation) => {
  const { options, paint } = invocation;
  return listAnswer(invocation, { open: options.flag("open"), archived: options.flag("archived"), paint });
};
