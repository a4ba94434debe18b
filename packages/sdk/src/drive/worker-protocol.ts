/** What a driver and the program that hosts its process say to one another. All of it is plain JSON. */
import type { Json, JsonObject } from "../model/json.js";

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
  | { call: "iterate"; runId: string; fence?: number }
  | { call: "close" };

/** Where the process stands after an iteration. */
export interface WorkerIteration {
  warnings: string[];
  /** The last result that the process has been given. */
  lastResolution: number;
  /** The last event that depends on the process, as the process knows it. */
  processHead: number;
  /** A coded error that kept the process from continuing. */
  error?: JsonObject;
}

export interface WorkerAnswers {
  create: { runId: string; runDir: string };
  iterate: WorkerIteration;
  close: null;
}

export type WorkerRequest = { id: number } & WorkerCall;

export type WorkerMessage =
  | { id: number; value: Json }
  | { id: number; error: JsonObject }
  /** The code is not the one that was loaded: only a new program can run it. */
  | { id: number; stale: true }
  /** Heartbeat: the thread is free. Without it an endless loop would go unnoticed. */
  | { beat: true };
