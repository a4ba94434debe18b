/** `session:iteration-message`: the text that continues a loop, for hooks that are separate scripts. */
import { HOSTS } from "../../hosts/registry.js";
import { runContext } from "../../loop/texts/answer-texts.js";
import { runViewOf } from "../../loop-runs/run-view.js";
import { openToLook } from "../../machine/choose-run.js";
import { discoverNames } from "../../machine/loops/discover-names.js";
import type { Command } from "../grammar/invocation.js";
import { numberOption, usageError } from "../grammar/parse-arguments.js";

export const command: Command = async (invocation) => {
  const { options, name, env } = invocation;
  const iteration = numberOption(name, options, "iteration");
  if (iteration === undefined) throw usageError(invocation, "--iteration is missing.");
  const journal = await openToLook(invocation, options.text("run-id") ?? invocation.positionals[0]);
  const run = runViewOf(journal);
  const { projectRoot } = journal.place;
  const skills = discoverNames(HOSTS, projectRoot, env);
  const found = skills.length === 0 ? "" : `\n\nAvailable skills and agents: ${skills.join(", ")}`;
  const systemMessage = `Babysitter iteration ${iteration} | ${runContext({ run })}${found}`;
  return {
    document: {
      systemMessage,
      iteration,
      runId: journal.runId,
      runState: run.state,
      completionProof: run.proof ?? null,
      pendingKinds: run.pendingKinds.join(", "),
      skillContext: skills,
    },
    text: systemMessage,
  };
};
