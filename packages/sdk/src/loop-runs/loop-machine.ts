/** The machine as the use cases of loops see it: session files, projects, and runs anywhere on it. */

import type { LoopTerms } from "../loop/formats/loop-terms.js";
import type { FoundSession, SessionFile } from "../loop/formats/session-file.js";
import type { LoopContract, LoopMode, LoopShape } from "../model/loop-contract.js";
import type { Ports } from "../model/ports.js";
import type { RunJournal } from "../runs/run-journal.js";

/** The file of each session, found by its exact id. A view: the journal is the truth. */
export interface SessionFiles {
  find(sessionId: string): FoundSession;
  /** Answers the file. */
  write(sessionId: string, session: SessionFile): string;
  /** Refuses a session whose file cannot be written: no end of a turn would find its loop. */
  refuseUnwritable(sessionId: string): void;
  /** Puts the file aside; answers where it is now. */
  end(sessionId: string): string | undefined;
  /** Moves a file aside that cannot be read. */
  quarantine(file: string): string | undefined;
}

/** What is wanted of a contract; the rest comes from the settings of the project. */
export interface ContractOrder {
  goal: string;
  terms: LoopTerms;
  mode?: LoopMode;
  /** For people, in place of the goal's first line. */
  title?: string | undefined;
  /** Used when neither terms nor settings have a limit. */
  iterations: number;
  /** Used when the terms name none. */
  shape?: LoopShape | undefined;
}

export interface OrderedContract {
  contract: LoopContract;
  /** Options that have no effect, in words. */
  warnings: string[];
}

export interface LoopMachine {
  /** The project in which something is asked for, and its runs. */
  projectRoot: string;
  ports: Ports;
  sessions: SessionFiles;
  /** The run that a session file names, wherever it is. */
  openRun(named: Pick<SessionFile, "runId" | "runDir">): Promise<RunJournal>;
  /** The project root as a run in this directory records it. */
  recordedRoot(runDir: string): string;
  /** The contract of a loop that was begun by a session file. */
  adoptedContract(session: SessionFile, mode: LoopMode): LoopContract;
  /**
   * Writes the readable copies of a loop; one that cannot be written is not worth failing for. Answers what the user
   * should know about them, once.
   */
  writeViews(journal: RunJournal): Promise<string | undefined>;
  /** Does something while no other command binds this session to a run. Not to be nested. */
  claimSession<T>(sessionId: string, act: () => Promise<T>): Promise<T>;
  /** True when anything of this session was ever seen on this machine, or when nobody could tell. */
  wasSeen(session: { harness: string; sessionId: string }): boolean;
  /** Starts to check criteria in a program that outlives this one; `name` is for the check before any work. */
  startVerification(runDir: string, criteria: readonly string[], name?: string): void;
}

/** What it takes in addition to begin a loop or to change its contract. Hooks of a host do neither. */
export interface LoopMaker extends LoopMachine {
  /** Makes a contract; refuses criteria whose command does not exist. */
  contract(order: ContractOrder): Promise<OrderedContract>;
  /** The same contract with what its criteria depend on as it is now; refuses commands that do not exist. */
  withProtectedThings(projectRoot: string, contract: LoopContract): Promise<LoopContract>;
  /** Remembers where runs are, so that session files can be rebuilt from the journals. */
  rememberProject(): void;
}
