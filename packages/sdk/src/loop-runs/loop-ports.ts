/** What the use cases of loops need from the world besides journals. */
import type { ModelPrice, ProtectedThing } from "../model/loop-contract.js";
import type { Spend } from "../model/loop-events.js";
import type { LoopState } from "../model/loop-state.js";

/** What could be read of the turn that has just ended. */
export interface TurnReading {
  /** Every text that the agent said in it, as far as the transcript has it. */
  blocks: string[];
  /** The texts after the last tool call and result; missing when the transcript does not have the last message. */
  lastWords?: string[];
  tools?: number;
  /** Tool calls that the host's permissions did not allow. */
  denied: string[];
  /** Identity of the turn, where the transcript is complete. */
  key?: string;
  /** A command of the user to pause or cancel the loop waits for the agent to stop. */
  commandWaiting?: true;
  /** There is no transcript to read. */
  missing: boolean;
  /** What is wrong with the line of the last message, where the host does not report that message. */
  broken?: string;
}

export interface TurnRequest {
  path: string | undefined;
  lastMessage: string | undefined;
  /** The turn before, where it is enough to know that this one has called a tool: the rest is not waited for. */
  after?: string | undefined;
}

/** A verification with the time of its start. */
export type BegunVerification = NonNullable<LoopState["verification"]>;

export interface LoopPorts {
  /** Hash of the working tree; undefined when it cannot be told. */
  tree(place: { projectRoot: string; runDir: string }): Promise<string | undefined>;
  /** Which of these things are no longer as they were. */
  changed(projectRoot: string, things: readonly ProtectedThing[]): Promise<{ name: string; what: string }[]>;
  turn(request: TurnRequest): Promise<TurnReading>;
  /** What the sessions of a loop have used since it began; undefined when nobody can say. */
  spend(request: {
    transcriptPath: string | undefined;
    sessions: readonly string[];
    since: string;
    runDir: string;
    prices: Readonly<Record<string, ModelPrice>>;
  }): Promise<Spend | undefined>;
  /** Starts checking criteria, in a program that outlives this one. */
  startVerification(runDir: string, criteria: readonly string[]): void;
  isAlive(verification: BegunVerification, runDir: string): boolean;
  /** Skills and agents that the host offers in this project. */
  discovered(projectRoot: string): string[];
}
