import { runName } from "../../machine/run-name.js";
import { pauseForPerson } from "../answers/pause-loop.js";
import { chooseLoop, requirePerson } from "../arguments/choose-loop.js";
import { loopMakerOf } from "../arguments/session-of.js";
import type { Command } from "../grammar/invocation.js";

export const command: Command = async (invocation) => {
  const chosen = await chooseLoop(invocation);
  requirePerson(invocation, chosen, "Pausing a loop");
  const { journal } = chosen;
  const reason = invocation.options.text("reason");
  return pauseForPerson(loopMakerOf(invocation), journal, { reason, runName: runName(invocation, journal) });
};
