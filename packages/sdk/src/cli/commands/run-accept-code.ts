import { openChosen } from "../../machine/choose-run.js";
import { runName } from "../../machine/run-name.js";
import { acceptCodeHere } from "../answers/accept-code.js";
import { requirePerson } from "../arguments/choose-loop.js";
import type { Command } from "../grammar/invocation.js";

export const command: Command = async (invocation) => {
  const journal = await openChosen(invocation, invocation.positionals[0]);
  const { by, via } = requirePerson(invocation, { journal }, "Accepting changed code");
  return acceptCodeHere(journal, { by, via, runName: runName(invocation, journal) });
};
