import { openToLook } from "../../machine/choose-run.js";
import { runName } from "../../machine/run-name.js";
import { statusAnswer } from "../answers/run-status.js";
import { defaultChoice, ownRun } from "../arguments/own-run.js";
import type { Command } from "../grammar/invocation.js";

export const command: Command = async (invocation) => {
  const { env, paint } = invocation;
  const journal = await openToLook(
    invocation,
    invocation.positionals[0] || ownRun(invocation),
    defaultChoice(invocation),
  );
  return statusAnswer(journal, { env, paint, runName: runName(invocation, journal) });
};
