/** What a driver and the program that hosts its process say to one another. All of it is plain JSON. */
import type { Json, JsonObject } from "../model/json.js";
import type { PostAnswer, PostRequest } from "../runs/post-result.js";

/** A run to be created. */
interface NewRun {
  processId: string;
  file: string;
  exportName?: string;
  inputs?: Json;
  runId?: string;
}

export type WorkerCall =
  | { call: "create"; run: NewRun }
  /** `fence`: epoch of the lease that the driver holds. */
  | { call: "iterate"; runId: string; fence?: number; keepFailures?: boolean }
  /** To record a result together with what the process does with it. */
  | { call: "post"; runId: string; fence?: number; post: PostRequest }
  | { call: "close" };

/** What the process has seen of its run. */
export interface SeenByProcess {
  /** The last result that the process has been given. */
  lastResolution: number;
  /** The last event that depends on the process, as the process knows it. */
  processHead: number;
}

/** Where the process stands after an iteration. */
interface WorkerIteration extends SeenByProcess {
  warnings: string[];
  /** A coded error that kept the process from continuing. */
  error?: JsonObject;
}

/** What became of a result. */
export interface WorkerPost {
  outcome: PostAnswer["outcome"];
  /** The event that has the result; another program's if it is a duplicate. */
  seq: number;
  /** Set when the process has gone on with the result and needs no iteration for it. */
  seen?: SeenByProcess;
  warnings: string[];
}

export interface WorkerAnswers {
  create: { runId: string; runDir: string };
  iterate: WorkerIteration;
  post: WorkerPost;
  close: null;
}

export type WorkerRequest = { id: number } & WorkerCall;

export type WorkerMessage =
  | { id: number; value: Json }
  | { id: number; error: JsonObject }
  /** The code is not the one that was loaded: only a new program can run it. */
  | { id: number; stale: true }
  /** The process has something to record although nothing new was given to it. */
  | { late: true }
  /** Heartbeat: the thread is free. Without it an endless loop would go unnoticed. */
  | { beat: true };
