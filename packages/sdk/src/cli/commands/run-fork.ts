import { chooseRun } from "../../machine/choose-run.js";
import { BabysitterError } from "../../model/errors.js";
import { forkRun } from "../../runs/fork-run.js";
import type { Command } from "../grammar/invocation.js";
import { numberOption } from "../grammar/parse-arguments.js";

export const command: Command = async (invocation) => {
  const { options, name } = invocation;
  const at = numberOption(name, options, "at");
  if (at === undefined)
    throw new BabysitterError("USAGE", `${name}: --at is missing.`, {
      hint: "`babysitter run:events` lists the sequence numbers.",
    });
  const { ports, runId } = await chooseRun(invocation, invocation.positionals[0]);
  const fork = await forkRun(ports, { runId, at, forkId: options.text("run-id") });
  return {
    document: fork,
    text: `Forked ${runId} at event ${at} as ${fork.runId}\n  ${fork.runDir}\nnext: babysitter run:iterate ${fork.runId}`,
  };
};
