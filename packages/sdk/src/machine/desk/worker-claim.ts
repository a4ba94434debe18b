/** One worker at a time sends to a person and listens for their answers; one that died is found out by its process. */
import crypto from "node:crypto";
import path from "node:path";
import { holderOf, holdLease } from "../../drive/lease.js";
import { FileLeases } from "../../journal/files/file-leases.js";
import { BabysitterError } from "../../model/errors.js";
import { parseRunId } from "../../model/ids.js";
import type { LeaseHolder } from "../../model/ports.js";

/** Leases are those of runs, by their names. */
const WORKER = parseRunId("worker");

export interface WorkerClaim {
  /** True when another worker has taken over, as after a long sleep of the machine. */
  isLost(): Promise<boolean>;
  release(): Promise<void>;
}

/** Undefined while another worker has it. */
export async function claimWorker(folder: string, now: () => Date): Promise<WorkerClaim | undefined> {
  const { runDir, leases } = leaseIn(folder, now);
  const session = crypto.randomBytes(8).toString("hex");
  try {
    return await holdLease(leases, WORKER, { session, runDir, onLost: () => undefined });
  } catch (error) {
    if (BabysitterError.is(error) && ["RUN_BUSY", "RUN_CONTENDED"].includes(error.code)) return undefined;
    throw error;
  }
}

/** Whether some worker, here or in another process, sends and listens at present. */
export async function hasWorker(folder: string, now: () => Date): Promise<boolean> {
  return (await workerIn(folder, now)) !== undefined;
}

/** The worker that sends and listens at present: it is the server's own, or a program by itself. */
export async function workerIn(folder: string, now: () => Date): Promise<LeaseHolder | undefined> {
  const { runDir, leases } = leaseIn(folder, now);
  return holderOf(leases, { runId: WORKER, runDir });
}

function leaseIn(folder: string, now: () => Date): { runDir: string; leases: FileLeases } {
  const runDir = path.join(folder, "worker");
  return { runDir, leases: new FileLeases({ runDir: () => runDir, within: () => "/", now }) };
}
