import { renderLoopReport } from "../../loop/texts/render-loop-report.js";
import { localLoopPorts } from "../../machine/loops/local-loop-ports.js";
import { reportOf } from "../../machine/loops/report-of.js";
import { EXIT_CODES, type ExitName } from "../../model/error-codes.js";
import type { LoopState } from "../../model/loop-state.js";
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
    exitCode: EXIT_CODES[exitOf(loop, summary.cancelled !== undefined)].exit,
  };
};

/** Scripts learn from the exit code what a person reads in the first line. */
export function exitOf({ ended, paused }: LoopState, isCancelled: boolean): ExitName {
  if (ended !== undefined) return ended.attestation === "claim" ? "claim" : "ok";
  if (isCancelled) return "cancelled";
  if (paused === undefined) return "ok";
  if (/^(?:budget_|max_iterations|cost_unknown)/u.test(paused.code)) return "limit";
  if (/^(?:stuck_|iteration_too_fast|claims_exhausted|blocked_confirmed|harness_block_cap)/u.test(paused.code))
    return "stuck";
  return "waiting";
}
