import { BabysitterError } from "@a5c-ai/babysitter-sdk";

/** How often the worker looks, and how much it does at once. */
export interface WorkerLimits {
  pollMs: number;
  batchSize: number;
}

const POLL_MS = { usual: 2_000, least: 20, most: 600_000 };
const BATCH = { usual: 10, least: 1, most: 1_000 };

export function workerLimits(env: NodeJS.ProcessEnv): WorkerLimits {
  return {
    pollMs: numberIn(env, "WORKER_POLL_MS", POLL_MS),
    batchSize: numberIn(env, "WORKER_BATCH_SIZE", BATCH),
  };
}

function numberIn(
  env: NodeJS.ProcessEnv,
  name: string,
  { usual, least, most }: { usual: number; least: number; most: number },
): number {
  const text = env[name];
  if (text === undefined || text === "") return usual;
  const number = /^\d{1,9}$/u.test(text) ? Number(text) : Number.NaN;
  if (number >= least && number <= most) return number;
  throw new BabysitterError("USAGE", `${name} is a number from ${least} to ${most}, not ${JSON.stringify(text)}.`, {
    hint: `Leave it out for ${usual}.`,
  });
}
