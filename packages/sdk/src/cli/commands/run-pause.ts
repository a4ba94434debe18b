import { runName } from "../../machine/run-name.js";
import { pauseForPerson } from "../answers/pause-loop.js";
import { chooseLoop, requirePerson } from "../arguments/choose-loop.js";
import { loopMakerOf } from "../arguments/loop-maker-of.js";
import type { Command } from "../grammar/invocation.js";

export const command: Command = async (invocation) => {
  const chosen = await chooseLoop(invocation);
  const { journal } = chosen;
  const source = requirePerson(invocation, chosen, "Pausing a loop");
  const reason = invocation.options.text("reason");
  return pauseForPerson(loopMakerOf(invocation), journal, {
    reason,
    source,
    runName: runName(invocation, journal),
  });
};
