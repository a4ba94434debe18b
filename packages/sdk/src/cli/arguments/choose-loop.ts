/** The run that a loop command is about: named, the session's own, or the only open one. */

import { isAgentEnvironment } from "../../hosts/environments.js";
import type { TypedVerb } from "../../hosts/host.js";
import { hostNamed } from "../../hosts/registry.js";
import { typedVerbOf } from "../../hosts/typed-words.js";
import { noLoop } from "../../loop-runs/change-loop.js";
import { openChosen, openToLook } from "../../machine/choose-run.js";
import { BabysitterError } from "../../model/errors.js";
import type { LoopState } from "../../model/loop-state.js";
import type { RunJournal } from "../../runs/run-journal.js";
import type { Invocation } from "../grammar/invocation.js";
import { harnessNameOf, loopMakerOf, sessionOf } from "./session-of.js";

export interface ChosenLoop {
  journal: RunJournal;
  loop: LoopState;
}

export async function chooseLoop(
  invocation: Invocation,
  named: string | undefined = invocation.positionals[0],
  { onlyLooking = false } = {},
): Promise<ChosenLoop> {
  const open = onlyLooking ? openToLook : openChosen;
  const journal = await open(invocation, named || ownRun(invocation));
  const { loop } = journal.summary;
  if (loop === undefined) throw noLoop(journal.runId);
  return { journal, loop };
}

/** The run of the session in whose shell the command runs. */
export function ownRun(invocation: Invocation): string | undefined {
  const sessionId = sessionOf(invocation);
  if (sessionId === undefined) return undefined;
  const found = loopMakerOf(invocation).sessions.find(sessionId);
  return found.kind === "found" ? found.session.runDir : undefined;
}

/** Who gives the command, as far as the environment says. */
export function giverOf({ env }: Pick<Invocation, "env">): "person" | "agent" {
  return isAgentEnvironment(env) ? "agent" : "person";
}

/** What would let an agent out of its own loop is not for the agent. */
export function requirePerson(invocation: Invocation, { journal }: Pick<ChosenLoop, "journal">, what: string): void {
  if (giverOf(invocation) === "person") return;
  throw new BabysitterError("ONLY_FOR_PEOPLE", `${what} is for people, but an agent ran this command.`, {
    hint: `Ask the user to type it${inSession(invocation, journal.runId)} in their own terminal: babysitter ${invocation.name} ${journal.runId}`,
    details: { runId: journal.runId },
  });
}

const WITH: Partial<Record<TypedVerb, string>> = { resume: " with the new limits", amend: " with the changes" };

/** What the user can type right there: commands of a host that our hooks carry out. */
function inSession(invocation: Invocation, runId: string): string {
  const verb = typedVerbOf(invocation.name);
  const { words } = hostNamed(harnessNameOf(invocation)) ?? {};
  if (verb === undefined || words === undefined) return "";
  return ` here, as ${words.typed(verb)} ${runId}${WITH[verb] ?? ""}, or`;
}
