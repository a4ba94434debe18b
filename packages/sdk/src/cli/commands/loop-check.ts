/** `loop:check`: the seeds' `{ok, reason}`, for scripts. */

import { checkLoop, type LoopCheck } from "../../loop/formats/loop-state-file.js";
import { localLoopPorts } from "../../machine/loops/local-loop-ports.js";
import { BabysitterError } from "../../model/errors.js";
import { visibleJson } from "../../model/shown-text.js";
import type { RunJournal } from "../../runs/run-journal.js";
import { chooseLoop } from "../arguments/choose-loop.js";
import type { Command, Invocation } from "../grammar/invocation.js";

export const command: Command = async (invocation) => {
  const journal = await loopOrNone(invocation);
  const check = await checkOf(invocation, journal);
  return { document: check, text: visibleJson(check) };
};

const NONE: ReadonlySet<string> = new Set(["NO_LOOP", "NO_OPEN_RUN", "RUN_AMBIGUOUS"]);

/** No loop at all means that nothing holds the agent. */
async function loopOrNone(invocation: Invocation): Promise<RunJournal | undefined> {
  try {
    return (await chooseLoop(invocation, invocation.positionals[0], { onlyLooking: true })).journal;
  } catch (error) {
    const isNone = BabysitterError.is(error) && NONE.has(error.code);
    if (isNone && invocation.positionals[0] === undefined) return undefined;
    throw error;
  }
}

async function checkOf(invocation: Invocation, journal: RunJournal | undefined): Promise<LoopCheck> {
  if (journal === undefined) return checkLoop(undefined);
  const { summary, runDir } = journal;
  const { projectRoot } = journal.place;
  const tree = await localLoopPorts(invocation.env).tree({ projectRoot, runDir });
  return checkLoop(summary.loop, {
    ...(tree === undefined ? {} : { tree }),
    ...(summary.cancelled === undefined ? {} : { cancelled: summary.cancelled }),
  });
}
