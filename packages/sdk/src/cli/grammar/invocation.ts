import type { Trace } from "../../machine/caller.js";
import type { Places } from "../../machine/file-places.js";
import type { Json } from "../../model/json.js";
import type { DecisionSource } from "../../model/who-may-decide.js";
import type { SessionRegistry } from "../../sessions/session-registry.js";
import type { Paint } from "../output/paint.js";

/** A parsed command line, with the world it was given in. */
export interface Invocation {
  name: string;
  /** The name it was given under, which may be another one of the same command. */
  calledAs?: string;
  positionals: string[];
  options: Options;
  json: boolean;
  verbose: boolean;
  /** Colours, when people are looking. */
  paint: Paint;
  cwd: string;
  env: Readonly<Record<string, string | undefined>>;
  /** Looked up on demand: not every command needs a project. */
  places: () => Places;
  /** Tells what is read and done, where someone wants to know. */
  trace?: Trace | undefined;
  /** Tells what someone should know beside the answer. */
  notice?: Trace | undefined;
  /** It was typed into an agent's host, whose hook carries it out. */
  typed?: TypedInto;
}

/** Where a command was typed that no terminal has seen. */
export interface TypedInto {
  source: DecisionSource;
  /** Why that was no person, where it was none; ends a sentence. */
  noPerson?: string | undefined;
  /** The session files of that host. */
  sessions: SessionRegistry;
}

/** Options by name; an empty value counts as not given. */
export interface Options {
  text(name: string): string | undefined;
  /** All values of an option that may be given several times. */
  texts(name: string): string[];
  flag(name: string): boolean;
  /** True when it was given without a value, as by a variable that is not set. */
  isEmpty(name: string): boolean;
  /** Those of the command itself, as words of a shell. */
  words(): string[];
}

/** What a command answers; exactly one of the two forms is printed. */
export interface CommandResult {
  document: Json | object;
  text: string;
  exitCode?: number;
  /** Printed byte for byte in the place of both, where the command is made for pipes. */
  raw?: string;
}

export type Command = (invocation: Invocation) => Promise<CommandResult>;
