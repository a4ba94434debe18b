import { openChosen } from "../../machine/choose-run.js";
import { decisionSource, userName } from "../../machine/decision-source.js";
import { runName } from "../../machine/run-name.js";
import { acceptCodeHere } from "../answers/accept-code.js";
import { requirePerson } from "../arguments/choose-loop.js";
import type { Command } from "../grammar/invocation.js";

export const command: Command = async (invocation) => {
  const journal = await openChosen(invocation, invocation.positionals[0]);
  requirePerson(invocation, { journal }, "Accepting changed code");
  const { via } = decisionSource(invocation);
  return acceptCodeHere(journal, { by: userName(), via, runName: runName(invocation, journal) });
};
