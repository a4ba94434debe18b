import { changeContract } from "../../loop-runs/change-contract.js";
import { writeSessionView } from "../../loop-runs/session-view.js";
import { localLoopPorts } from "../../machine/loops/local-loop-ports.js";
import { runName } from "../../machine/run-name.js";
import { line } from "../../model/terminal-text.js";
import { resumeText } from "../answers/resume-text.js";
import { chooseLoop, requirePerson } from "../arguments/choose-loop.js";
import { loopMakerOf } from "../arguments/loop-maker-of.js";
import { loopTerms } from "../arguments/loop-terms.js";
import type { Command } from "../grammar/invocation.js";

export const command: Command = async (invocation) => {
  const { options, env } = invocation;
  const chosen = await chooseLoop(invocation);
  const source = requirePerson(invocation, chosen, "Changing the contract of a loop", " with the changes");
  const { journal } = chosen;
  const machine = loopMakerOf(invocation);
  const { changes, contract } = await changeContract({ machine, ports: localLoopPorts(env) }, journal, {
    terms: loopTerms(invocation, { mayLift: true }),
    drop: options.texts("drop-criterion"),
    acceptChanges: options.flag("accept-changes"),
    source,
  });
  await writeSessionView(machine.sessions, journal);
  await machine.writeViews(journal);
  const { loop } = journal.summary;
  return {
    document: { runId: journal.runId, runDir: journal.runDir, changes, contract },
    text: [
      line`Amended ${journal.runId}: ${changes.join("; ")}.`,
      ...(loop?.paused === undefined
        ? []
        : [line`It is still paused. To resume: ${await resumeText(journal, loop, runName(invocation, journal))}`]),
    ].join("\n"),
  };
};
