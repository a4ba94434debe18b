/** A command that was typed into a host, and who has typed it. */
import type { HookCaller } from "../../hosts/answer/hook-caller.js";
import type { HostHookCall } from "../../hosts/answer/host-call.js";
import type { HostSession } from "../../loop-runs/find-loop.js";
import type { LoopMaker } from "../../loop-runs/loop-machine.js";
import type { Caller } from "../../machine/caller.js";
import { changeSource } from "../../machine/decision-source.js";
import { BabysitterError } from "../../model/errors.js";
import { hadAgent } from "../../model/loop-state.js";
import { type ChangeSource, mayChange } from "../../model/who-may-decide.js";
import type { RunJournal } from "../../runs/run-journal.js";
import { TYPE_ELSEWHERE } from "../arguments/choose-loop.js";
import type { Command, TypedInto } from "../grammar/invocation.js";

/** The call of a host as that of the person who has typed: what is said here is never the agent's. */
export interface Typing {
  call: HostHookCall;
  caller: Caller;
  loops: LoopMaker;
  session: HostSession;
  commands: CommandLoader;
}

/** Commands of the terminal, by name. */
export type CommandLoader = (name: string) => Promise<Command>;

/** Who has typed it: a person in front of the host, once an agent has worked on the loop. */
export function authorOf({ call }: Typing, journal: RunJournal, what: string): ChangeSource {
  const { source, noPerson } = typistOf(call);
  if (!hadAgent(journal.summary.loop) || mayChange(source, call.machine.answersIn(journal)))
    return changeSource(source);
  throw new BabysitterError("ONLY_FOR_PEOPLE", `${what} is for people, ${noPerson ?? ""}.`, {
    hint: TYPE_ELSEWHERE,
    details: { runId: journal.runId },
  });
}

export function typistOf({ machine }: HostHookCall): Omit<TypedInto, "sessions"> {
  const caller = machine.calledBy();
  // Where the system does not tell, the host is believed.
  if (caller === "person" || caller === "unknown") return { source: { via: "hook", verified: true } };
  return { source: { via: "hook", verified: false }, noPerson: NO_PERSON[caller] };
}

const NO_PERSON: Readonly<Record<Exclude<HookCaller, "person" | "unknown">, string>> = {
  host: "and this session is unattended",
  nested: "and an agent has started this host",
  nobody: "and this command did not come from the host",
};

/** The directory of the run that this session works on. */
export function ownRun({ registry, sessionId }: HostHookCall): string | undefined {
  const found = registry.find(sessionId);
  return found.kind === "found" && found.session.runId ? found.session.runDir : undefined;
}
