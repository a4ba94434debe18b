import { renderLoopReport } from "../../loop/texts/render-loop-report.js";
import { loopExit } from "../../loop-runs/loop-exit.js";
import { reportOf } from "../../loop-runs/report-of.js";
import { localLoopPorts } from "../../machine/loops/local-loop-ports.js";
import { EXIT_CODES } from "../../model/error-codes.js";
import { chooseLoop } from "../arguments/choose-loop.js";
import type { Command } from "../grammar/invocation.js";

export const command: Command = async (invocation) => {
  const { journal, loop } = await chooseLoop(invocation, invocation.positionals[0], { onlyLooking: true });
  const { summary, runDir } = journal;
  const { projectRoot } = journal.place;
  const tree = await localLoopPorts(invocation.env).tree({ projectRoot, runDir });
  const report = await reportOf(journal, loop, tree);
  return {
    document: { ...report, runDir },
    text: renderLoopReport(report),
    exitCode: EXIT_CODES[loopExit(loop, summary.cancelled !== undefined)].exit,
  };
};
