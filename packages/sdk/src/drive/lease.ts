/** Keeps a second driver away from a run, and notices when another one has taken over. */
import os from "node:os";
import { BabysitterError } from "../model/errors.js";
import type { RunId } from "../model/ids.js";
import { defined } from "../model/json.js";
import type { LeaseHolder, LeaseRecord, Leases } from "../model/ports.js";
import { refOf } from "../spawn/process-group-ref.js";

const HEARTBEAT_MS = 5_000;
/** Since the other machine cannot be asked, silence for this long counts as its end. */
const SILENCE_MS = 60_000;

export interface HeldLease {
  /** What the holder shows the store when it appends. */
  epoch: number;
  /** Whose lease ended before. */
  previous: LeaseRecord | undefined;
  /** True when another driver has taken it. */
  isLost(): Promise<boolean>;
  release(): Promise<void>;
}

/** Takes the lease of a run; RUN_BUSY when someone else is working on it. */
export async function holdLease(
  leases: Leases,
  runId: RunId,
  { session, role, onLost }: { session: string; role?: LeaseHolder["role"]; onLost: () => void },
): Promise<HeldLease> {
  const holder = {
    pid: process.pid,
    startTime: refOf(process.pid, session).startTime,
    host: os.hostname(),
    nonce: session,
    ...defined({ role }),
  };
  const answer = await leases.take(runId, holder, isGone);
  if (!answer.taken) throw busy(runId, answer.by);
  const { epoch, previous } = answer;
  const beat = setInterval(() => {
    leases.renew(runId, epoch).then(
      (held) => void (held || onLost()),
      // A disk that is full for a moment is no reason to stop.
      () => undefined,
    );
  }, HEARTBEAT_MS);
  beat.unref();
  return {
    epoch,
    previous,
    isLost: async () => !(await leases.renew(runId, epoch).catch(() => true)),
    release: async () => {
      clearInterval(beat);
      await leases.release(runId, epoch).catch(() => undefined);
    },
  };
}

/** Who holds the lease of a run, while someone does. */
export async function holderOf(leases: Leases, runId: RunId): Promise<LeaseHolder | undefined> {
  const holder = await leases.holder(runId);
  return holder === undefined || holder.released || isGone(holder) ? undefined : holder;
}

/** On this machine the process itself is checked, elsewhere its last sign of life. */
function isGone(other: LeaseRecord): boolean {
  if (other.host === os.hostname()) return refOf(other.pid, "").startTime !== other.startTime;
  return Date.now() - Date.parse(other.at) > SILENCE_MS;
}

function busy(runId: RunId, { pid, host }: LeaseRecord): BabysitterError {
  const where = host === os.hostname() ? `process ${pid}` : `process ${pid} on ${host}`;
  return new BabysitterError("RUN_BUSY", `Run ${runId} is already being driven, by ${where}.`, {
    hint: "Check it with `babysitter run:status`, or stop the other driver first.",
    details: { runId, pid, host },
  });
}

/** Error of a driver whose lease was taken by another one. */
export function leaseLost(runId: RunId): BabysitterError {
  return new BabysitterError("RUN_BUSY", `Another driver took over run ${runId}; this driver stopped its tasks.`, {
    details: { runId },
  });
}
