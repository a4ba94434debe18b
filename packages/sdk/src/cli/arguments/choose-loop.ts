/** The run that a loop command is about: named, the session's own, or the only open one. */

import { isAgentEnvironment } from "../../hosts/environments.js";
import { hostNamed } from "../../hosts/registry.js";
import { typedVerbOf } from "../../hosts/typed-words.js";
import type { LoopTerms } from "../../loop/formats/loop-terms.js";
import { noLoop, RESUMING_PAUSED } from "../../loop-runs/change-loop.js";
import { isGivenByAnAgent } from "../../machine/agents-above.js";
import { openChosen, openToLook } from "../../machine/choose-run.js";
import { answersOf, changeSource, decisionSource } from "../../machine/decision-source.js";
import { BabysitterError } from "../../model/errors.js";
import { hadAgent, isPausedByPerson, type LoopState } from "../../model/loop-state.js";
import { type ChangeSource, mayChange } from "../../model/who-may-decide.js";
import type { RunJournal } from "../../runs/run-journal.js";
import type { Invocation } from "../grammar/invocation.js";
import { ownRun } from "./own-run.js";
import { harnessNameOf } from "./session-of.js";

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
  const journal = await open(invocation, named || ownRun(invocation), { loops: true });
  const { loop } = journal.summary;
  if (loop === undefined) throw noLoop(journal.runId);
  return { journal, loop };
}

/** What the host cannot obey here names no command: it would be translated into the one that was just refused. */
export const TYPE_ELSEWHERE = "Type the command in your own terminal, or in your own interactive session.";

/** Who gives the command, as far as environment and ancestors tell. */
export function giverOf({ env, typed }: Pick<Invocation, "env" | "typed">): "person" | "agent" {
  return typed === undefined && isGivenByAnAgent(env) ? "agent" : "person";
}

/**
 * What would let an agent out of its own loop is not for the agent. Once an agent has worked on the loop, only someone
 * at a terminal, or in front of the host, counts as a person. Answers who it was.
 */
export function requirePerson(
  invocation: Invocation,
  { journal }: Pick<ChosenLoop, "journal">,
  what: string,
  withWhat = "",
): ChangeSource {
  const { env, name, calledAs = name, options, typed } = invocation;
  const source = typed?.source ?? decisionSource(invocation);
  const isFree = !hadAgent(journal.summary.loop) || mayChange(source, answersOf(invocation, journal));
  if (isFree && !isAgentEnvironment(env)) return changeSource(source);
  const { runId } = journal;
  const named = options.text("run-id") === undefined ? [runId] : [];
  const noTerminal = source.agent === true ? "but an agent ran this command" : "and this command has no terminal";
  const way =
    source.agent === true
      ? `Ask the user to type it${inSession(invocation, runId, withWhat)} in their own`
      : "Type it in a";
  throw new BabysitterError("ONLY_FOR_PEOPLE", `${what} is for people, ${typed?.noPerson ?? noTerminal}.`, {
    hint:
      typed === undefined
        ? `${way} terminal: ${["babysitter", calledAs, ...named, ...options.words()].join(" ")}`
        : TYPE_ELSEWHERE,
    details: { runId },
  });
}

/**
 * The person who changes limits or promise, takes a loop from its session, or resumes what a person has paused;
 * undefined when the command does none of these.
 */
export function personToChange(
  invocation: Invocation,
  { journal }: Pick<ChosenLoop, "journal">,
  { terms: { limits, completionPromise }, take }: { terms: LoopTerms; take: boolean },
): ChangeSource | undefined {
  if (journal.summary.loop === undefined) return undefined;
  const person = (what: string, withWhat?: string): ChangeSource =>
    requirePerson(invocation, { journal }, what, withWhat);
  if (Object.keys(limits).length > 0) return person("Raising the limits of a loop", " with the new limits");
  if (completionPromise !== undefined) return person("Changing the promise of a loop", " with the new promise");
  if (take) return person("Taking a loop from its session", " --take");
  return isPausedByPerson(journal.summary.loop) ? person(RESUMING_PAUSED) : undefined;
}

/** What the user can type right there: commands of a host that our hooks carry out. */
function inSession(invocation: Invocation, runId: string, withWhat: string): string {
  const verb = typedVerbOf(invocation.name);
  const { words } = hostNamed(harnessNameOf(invocation)) ?? {};
  if (verb === undefined || words === undefined) return "";
  return ` here, as ${words.typed(verb)} ${runId}${withWhat}, or`;
}
