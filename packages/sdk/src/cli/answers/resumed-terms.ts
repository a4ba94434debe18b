/** What may change in the contract of a loop that is resumed: its limits and its promise. */
import type { LoopTerms } from "../../loop/formats/loop-terms.js";
import { changePromise } from "../../loop-runs/change-contract.js";
import { localLoopPorts } from "../../machine/loops/local-loop-ports.js";
import type { RunJournal } from "../../runs/run-journal.js";
import { requirePerson } from "../arguments/choose-loop.js";
import { loopMakerOf } from "../arguments/session-of.js";
import type { Invocation } from "../grammar/invocation.js";

export function requirePersonForTerms(
  invocation: Invocation,
  journal: RunJournal,
  { limits, completionPromise }: LoopTerms,
): void {
  if (Object.keys(limits).length > 0) requirePerson(invocation, { journal }, "Raising the limits of a loop");
  if (completionPromise !== undefined) requirePerson(invocation, { journal }, "Changing the promise of a loop");
}

export async function changePromiseHere(
  invocation: Invocation,
  journal: RunJournal,
  { completionPromise }: LoopTerms,
): Promise<void> {
  if (completionPromise === undefined) return;
  const world = { machine: loopMakerOf(invocation), ports: localLoopPorts(invocation.env) };
  await changePromise(world, journal, completionPromise);
}
