/** The machine as the answers to a host see it. */
import type { LoopMachine } from "../../loop-runs/loop-machine.js";
import type { LoopPorts } from "../../loop-runs/loop-ports.js";
import type { JournalEvent } from "../../model/events.js";
import type { AnswersPolicy } from "../../model/who-may-decide.js";
import type { RunJournal } from "../../runs/run-journal.js";
import type { OnUnreadable } from "../../runs/unreadable-runs.js";
import type { HostAnswer, TypedVerb } from "../host.js";
import type { HookCaller } from "./hook-caller.js";
import type { HostHookCall } from "./host-call.js";

/** Our program as agents write it. */
export const PROGRAM_NAME = "babysitter";

/** A command that someone has typed into the host. */
export interface SlashCommand {
  verb: TypedVerb;
  /** Byte for byte. */
  args: string;
}

export type SlashRunner = (call: HostHookCall, typed: SlashCommand) => Promise<HostAnswer>;

export interface HostMachine {
  loops: LoopMachine;
  loopPorts: LoopPorts;
  /** The loops of the project that someone could continue, the newest first. */
  openLoops(onUnreadable?: OnUnreadable): Promise<RunJournal[]>;
  /** How to name a run in a command. */
  runName(run: { runId: string; runDir: string }): string;
  /** Whose answers to questions count in a run. */
  answersIn(journal: RunJournal): AnswersPolicy;
  /** Who has called this hook. */
  calledBy(): HookCaller;
  /** True when an agent calls the hook, with a tool of the host. */
  isCalledByTool(): boolean;
  /** The person whose host this is. */
  userName(): string;
  /** To be made before a result is recorded, and called with the event that records it: calls the lifecycle hooks. */
  resultTeller(journal: RunJournal): (event: JournalEvent | undefined) => Promise<void>;
  /** True for the first who asks about this name in a run. */
  claimOnce(journal: RunJournal, name: string): boolean;
  /** True when no lifecycle hook has changed since the run was made. */
  areHooksOlder(journal: RunJournal): boolean;
  /** True when a path leads to the run, or to the folder of its runs, whatever links are on the way. */
  leadsToRun(path: string, journal: RunJournal): boolean;
  leadsToRuns(path: string, journal: RunJournal): boolean;
  /** A file that a command may read in the agent's name, without links; undefined when it may not. */
  readableFile(name: string, where: { cwd: string; runDir: string }, roots: readonly string[]): string | undefined;
  /** The words of the command line of the host that has called this hook. */
  hostArguments(): string[];
  /** The words that call this very program. */
  ownProgram(): string[];
  /** Runs a slash command; loaded when one is typed. */
  runSlashCommand: SlashRunner;
}
