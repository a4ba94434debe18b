import type { BabysitterError } from "../model/errors.js";
import type { Json } from "../model/json.js";
import type { ProcessFunction } from "../model/ports.js";
import type { ReplayIndex } from "../model/replay-index.js";
import type { RunPlace } from "../model/run-places.js";

/** What an interpreter needs to know about its run. */
export interface InterpreterOptions {
  process: ProcessFunction;
  inputs: Json;
  runId: string;
  /** What random numbers grow from. */
  seed: string;
  runDir: string;
  projectRoot: string;
  /** The same with what else it is called, and where the journal says that the run has been. */
  here: RunPlace;
  places: () => readonly RunPlace[];
  createdAt: string;
  /** Version of the replay rules that the run began with. */
  semantics: number;
  /** The real time, for new sleeps. */
  wallClock: () => number;
  /** What the journal knows about this run. */
  recorded: Pick<ReplayIndex, "requests" | "logs" | "patches">;
  /** Kinds of tasks that the project has declared. */
  taskKinds: () => readonly string[];
  putBlob: (text: string) => Promise<{ blob: string; bytes: number }>;
  /** How long work of the process's own may keep an iteration open. */
  quietLimitMs: number;
  /** Told when the process has asked for something, or has ended, between two iterations. */
  onLate?: (() => void) | undefined;
  /** Told of every call that is refused, whatever the process does about it. */
  onRefused?: ((error: BabysitterError) => void) | undefined;
}
