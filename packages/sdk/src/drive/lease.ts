/** Keeps a second driver away from a run, and notices when another one has taken over. */
import os from "node:os";
import { BabysitterError } from "../model/errors.js";
import type { RunId } from "../model/ids.js";
import { defined } from "../model/json.js";
import type { LeaseHolder, LeaseRecord, Leases } from "../model/ports.js";
import { directoryRef, isOfThisRun, mayEnd } from "../spawn/directory-ref.js";
import { lifeHere } from "../spawn/life-here.js";
import { refOf } from "../spawn/process-group-ref.js";

const HEARTBEAT_MS = 5_000;
/** Where the holder cannot be looked at, silence for this long counts as its end. */
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
  {
    session,
    runDir,
    role,
    onLost,
  }: { session: string; runDir: string; role?: LeaseHolder["role"]; onLost: () => void },
): Promise<HeldLease> {
  const { marker: nonce, ...own } = refOf(process.pid, session);
  const holder = { ...own, host: os.hostname(), nonce, ...defined({ role, dir: directoryRef(runDir) }) };
  const answer = await leases.take(runId, holder, (other) => isGone(other, runDir));
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
export async function holderOf(
  leases: Leases,
  { runId, runDir }: { runId: RunId; runDir: string },
): Promise<LeaseHolder | undefined> {
  const holder = await leases.holder(runId);
  return holder === undefined || holder.released || isGone(holder, runDir) ? undefined : holder;
}

/** Whose processes may still be running when a lease was not released: its own, and those of the holders before. */
export function unsettledIn(previous: LeaseRecord | undefined, runDir: string): LeaseHolder[] {
  if (previous === undefined || previous.released) return [];
  return [...(previous.unsettled ?? []), previous].filter((one) => one.nonce !== "" && mayEnd(one, runDir));
}

/** A process that can be looked at is judged by that, any other by its last sign of life. */
function isGone(other: LeaseRecord, runDir: string): boolean {
  if (!isOfThisRun(other, runDir)) return true;
  const life = lifeHere(other);
  return life === "dead" || (life === "unknown" && hasRunOut(other));
}

/** A time too far ahead, or none at all, says as little about now as one that is long over. */
function hasRunOut({ at }: LeaseRecord): boolean {
  return !(Math.abs(Date.now() - Date.parse(at)) <= SILENCE_MS);
}

function busy(runId: RunId, by: LeaseRecord): BabysitterError {
  const { pid, host } = by;
  const isHidden = lifeHere(by) === "unknown";
  const where = host === os.hostname() ? `process ${pid}` : `process ${pid} on ${host}`;
  const until = isHidden ? new Date(Date.parse(by.at) + SILENCE_MS).toISOString() : undefined;
  return new BabysitterError(
    "RUN_BUSY",
    `Run ${runId} is already being driven by ${where}${isHidden ? ", which cannot be seen from here" : ""}.`,
    {
      hint: isHidden
        ? `It runs on another machine or in another container. If it has crashed, its lease expires at ${until}: run the command again after that.`
        : "Check it with `babysitter run:status`, or stop the other driver first.",
      details: { runId, pid, host, ...defined({ until }) },
    },
  );
}

/** Error of a driver whose lease was taken by another one. */
export function leaseLost(runId: RunId): BabysitterError {
  return new BabysitterError("RUN_BUSY", `Another driver took over run ${runId}; this driver stopped its tasks.`, {
    details: { runId },
  });
}
