import { bindRun } from "../../loop-runs/bind-run.js";
import { runName } from "../../machine/run-name.js";
import type { RunJournal } from "../../runs/run-journal.js";
import { giverOf, personToChange } from "../arguments/choose-loop.js";
import { loopMakerOf } from "../arguments/loop-maker-of.js";
import { loopTerms } from "../arguments/loop-terms.js";
import { refuseUnhooked } from "../arguments/refuse-unhooked.js";
import { harnessNameOf } from "../arguments/session-of.js";
import type { Invocation } from "../grammar/invocation.js";
import { changePromiseHere } from "./resumed-terms.js";

/** Binds a session to a run with what the command says about it; answers the session's file. */
export async function bindHere(
  invocation: Invocation,
  journal: RunJournal,
  sessionId: string,
  goal?: string,
): Promise<string | undefined> {
  await refuseUnhooked(invocation);
  const terms = loopTerms(invocation);
  const hadLoop = journal.summary.loop !== undefined;
  const take = invocation.options.flag("take");
  const source = personToChange(invocation, { journal }, { terms, take });
  const stateFile = await bindRun(loopMakerOf(invocation), journal, {
    session: { harness: harnessNameOf(invocation), sessionId, by: "resume" },
    terms,
    by: giverOf(invocation),
    take,
    source,
    runName: runName(invocation, journal),
    ...(goal === undefined ? {} : { goal }),
  });
  if (hadLoop) await changePromiseHere(invocation, journal, { terms, source });
  return stateFile;
}
