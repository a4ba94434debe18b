/** Whether a task that came to nothing is tried again, and when. */
import type { RecordedError } from "../model/errors.js";
import { isJsonObject, type JsonObject } from "../model/json.js";
import type { WorkResult } from "./executor.js";

/** `retry` of a task definition, with everything filled in. */
export interface RetryPolicy {
  /** How often the task may be tried in all. */
  attempts: number;
  /** Pause before the second attempt; each further one is `factor` times as long. */
  backoffMs: number;
  factor: number;
  maxBackoffMs: number;
  /** Reasons (`failed`, `timed-out`), error codes, error names or `exit:<code>`; without it, everything. */
  on: string[] | undefined;
  /** False for tasks that must not be repeated when whoever ran them was stopped. */
  interrupted: boolean;
}

/** A task that takes its own machine down must not do so forever. */
const MAX_INTERRUPTIONS = 10;
const MAX_PAUSE_MS = 24 * 3_600_000;

const FROM_0 = { words: "a number of at least 0", fits: (value: number) => Number.isFinite(value) && value >= 0 };
const FROM_1 = { words: "a number of at least 1", fits: (value: number) => Number.isFinite(value) && value >= 1 };
const COUNT = { words: "a whole number of at least 1", fits: (value: number) => Number.isInteger(value) && value >= 1 };
const NUMBER_RULES = { attempts: COUNT, backoffMs: FROM_0, factor: FROM_1, maxBackoffMs: FROM_0 };

/** The policy in a definition, or what is wrong with it. */
export function retryPolicyOf(definition: JsonObject): RetryPolicy | { problem: string } {
  const given = definition["retry"] ?? {};
  const section = typeof given === "number" ? { attempts: given } : given;
  if (!isJsonObject(section)) return { problem: "`retry` must be an object such as { attempts: 3 }" };
  const numbers = { attempts: 1, backoffMs: 1_000, factor: 2, maxBackoffMs: 60_000 };
  for (const name of Object.keys(numbers) as (keyof typeof numbers)[]) {
    const value = section[name] ?? numbers[name];
    const rule = NUMBER_RULES[name];
    if (typeof value !== "number" || !rule.fits(value)) return { problem: `\`retry.${name}\` must be ${rule.words}` };
    numbers[name] = value;
  }
  const on = section["on"] ?? undefined;
  if (on !== undefined && !(Array.isArray(on) && on.every((entry) => typeof entry === "string")))
    return { problem: "`retry.on` must be a list such as ['timed-out', 'exit:75', 'ECONNRESET']" };
  const interrupted = section["interrupted"] ?? true;
  if (typeof interrupted !== "boolean") return { problem: "`retry.interrupted` must be true or false" };
  return { ...numbers, on, interrupted };
}

/** Attempts so far, the one that has just ended not included. */
export interface AttemptRecord {
  failures: number;
  interruptions: number;
}

/** `because`: what nobody could know from the policy. */
export type Verdict = { again: false; because?: string } | { again: true; afterMs: number };

/** What to do after an attempt that ended with an error. */
export function judge(policy: RetryPolicy, record: AttemptRecord, result: WorkResult & { status: "error" }): Verdict {
  if (result.reason === "interrupted") {
    if (!policy.interrupted) return { again: false };
    if (record.interruptions + 1 < MAX_INTERRUPTIONS) return { again: true, afterMs: 0 };
    return { again: false, because: `It is not repeated after ${MAX_INTERRUPTIONS} interruptions.` };
  }
  const failures = record.failures + 1;
  if (result.permanent === true || failures >= policy.attempts || !matches(policy.on, result)) return { again: false };
  // The factor may grow beyond all numbers, and nothing times that is no number.
  const pause = policy.backoffMs === 0 ? 0 : policy.backoffMs * policy.factor ** (failures - 1);
  return { again: true, afterMs: Math.min(pause, policy.maxBackoffMs, MAX_PAUSE_MS) };
}

/** The error of the last attempt, with what else there is to say about it. */
export function finalError(error: RecordedError, verdict: Verdict): RecordedError {
  if (verdict.again || verdict.because === undefined) return error;
  return { ...error, message: `${error.message} ${verdict.because}` };
}

function matches(on: string[] | undefined, { reason, error, facts }: WorkResult & { status: "error" }): boolean {
  if (on === undefined) return true;
  const names = [reason, error.code, error.name, `exit:${facts.exitCode ?? ""}`];
  return on.some((entry) => names.includes(entry));
}
