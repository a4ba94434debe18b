/** The promise of a loop that is resumed may change with it. */
import type { LoopTerms } from "../../loop/formats/loop-terms.js";
import { changePromise } from "../../loop-runs/change-contract.js";
import { localLoopPorts } from "../../machine/loops/local-loop-ports.js";
import type { ChangeSource } from "../../model/who-may-decide.js";
import type { RunJournal } from "../../runs/run-journal.js";
import { loopMakerOf } from "../arguments/loop-maker-of.js";
import type { Invocation } from "../grammar/invocation.js";

export async function changePromiseHere(
  invocation: Invocation,
  journal: RunJournal,
  { terms: { completionPromise: promise }, source }: { terms: LoopTerms; source: ChangeSource | undefined },
): Promise<void> {
  if (promise === undefined || source === undefined) return;
  const world = { machine: loopMakerOf(invocation), ports: localLoopPorts(invocation.env) };
  await changePromise(world, journal, { promise, source });
}
