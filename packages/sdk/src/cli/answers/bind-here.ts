import { bindRun } from "../../loop-runs/bind-run.js";
import { runName } from "../../machine/run-name.js";
import type { RunJournal } from "../../runs/run-journal.js";
import { giverOf, personToChange } from "../arguments/choose-loop.js";
import { loopTerms } from "../arguments/loop-terms.js";
import { harnessNameOf, loopMakerOf } from "../arguments/session-of.js";
import type { Invocation } from "../grammar/invocation.js";

/** Binds a session to a run with what the command says about it; answers the session's file. */
export async function bindHere(
  invocation: Invocation,
  journal: RunJournal,
  sessionId: string,
  goal?: string,
): Promise<string | undefined> {
  const terms = loopTerms(invocation);
  const take = invocation.options.flag("take");
  const source = personToChange(invocation, { journal }, { limits: terms.limits, take });
  return bindRun(loopMakerOf(invocation), journal, {
    session: { harness: harnessNameOf(invocation), sessionId, by: "resume" },
    terms,
    by: giverOf(invocation),
    take,
    source,
    runName: runName(invocation, journal),
    ...(goal === undefined ? {} : { goal }),
  });
}
