/** Listens to what people do in a channel: one thing after the other, and each is remembered once it is dealt with. */
import { setTimeout as delay } from "node:timers/promises";
import { type Channel, DeliveryProblem, type Heard } from "../channels/channel.js";
import { type Ledger, textOf } from "./ledger.js";
import { within } from "./time-limit.js";

const POLL_LIMIT_MS = 90_000;
const DEAL_LIMIT_MS = 60_000;
/** Something that nobody can deal with must not stop what comes after it. */
const MAX_DEALS = 3;
const DEAL_PAUSE_MS = 500;
/** A service that answers at once, and says nothing, is not asked all the time. */
const QUICK_MS = 250;
const QUICK_PAUSE_MS = 1_000;
const FAILED_PAUSES_MS: readonly number[] = [1_000, 5_000, 15_000, 60_000];
/** A moment without a connection is nothing to speak of. */
const FAILURES_TO_TELL = 3;

export interface ListeningParts {
  name: string;
  poll: NonNullable<Channel["poll"]>;
  ledger: Ledger;
  log: (text: string) => void;
}

/** Until it is told to stop. */
export async function listenTo(parts: ListeningParts, stop: AbortSignal): Promise<void> {
  let cursor = parts.ledger.state().cursors.get(parts.name);
  for (let failures = 0; !stop.aborted; ) {
    try {
      const begin = performance.now();
      const heard = await within(POLL_LIMIT_MS, stop, (signal) => parts.poll(cursor, signal));
      if (failures >= FAILURES_TO_TELL) parts.ledger.works(parts.name);
      failures = 0;
      for (const one of heard) cursor = await dealtWith(parts, one, stop);
      if (heard.length === 0 && performance.now() - begin < QUICK_MS) await pause(QUICK_PAUSE_MS, stop);
    } catch (error) {
      if (stop.aborted) return;
      failures += 1;
      if (failures === FAILURES_TO_TELL) parts.ledger.fails(parts.name, `cannot listen: ${reasonOf(error)}`);
      await pause(waitAfter(error, failures), stop);
    }
  }
}

/** Answers the cursor behind it. */
async function dealtWith({ name, ledger, log }: ListeningParts, heard: Heard, stop: AbortSignal): Promise<string> {
  for (let deal = 1; ; deal += 1) {
    try {
      await within(DEAL_LIMIT_MS, stop, () => heard.deal());
      break;
    } catch (error) {
      // It comes again after the next start.
      if (stop.aborted) throw error;
      if (deal === MAX_DEALS) {
        log(`${name}: something that was heard is skipped after ${MAX_DEALS} attempts: ${reasonOf(error)}`);
        break;
      }
      await pause(DEAL_PAUSE_MS, stop);
    }
  }
  ledger.noteSurely({ type: "HEARD", channel: name, cursor: heard.cursor });
  return heard.cursor;
}

/** Errors of others may quote tokens and addresses. */
function reasonOf(error: unknown): string {
  return error instanceof DeliveryProblem ? textOf(error) : `an unexpected ${nameOf(error)}`;
}

function nameOf(error: unknown): string {
  return error instanceof Error && /^\w{1,40}$/u.test(error.name) ? error.name : "error";
}

function waitAfter(error: unknown, failures: number): number {
  const usual = FAILED_PAUSES_MS[Math.min(failures, FAILED_PAUSES_MS.length) - 1] ?? 0;
  return Math.max(usual, error instanceof DeliveryProblem ? (error.retryAfterMs ?? 0) : 0);
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await delay(ms, undefined, { signal }).catch(() => undefined);
}
