/** A small process and the ports to drive it over any file system. */
import path from "node:path";
import { FileJournalStore } from "../../../packages/sdk/src/journal/file-store.js";
import type { Durability, JournalFs } from "../../../packages/sdk/src/journal/journal-fs.js";
import { parseRunId, type RunId } from "../../../packages/sdk/src/model/ids.js";
import type { Json } from "../../../packages/sdk/src/model/json.js";
import type { JournalStore, Ports, ProcessFunction } from "../../../packages/sdk/src/model/ports.js";
import type { ProcessContext } from "../../../packages/sdk/src/replay/process-context.js";
import { createRun } from "../../../packages/sdk/src/runs/create-run.js";
import type { Iteration } from "../../../packages/sdk/src/runs/iteration.js";
import { LiveRun } from "../../../packages/sdk/src/runs/live-run.js";
import { type PostAnswer, postResult } from "../../../packages/sdk/src/runs/post-result.js";
import { RunJournal } from "../../../packages/sdk/src/runs/run-journal.js";
import { memoryLeases } from "../../../packages/sdk/src/testing/memory-leases.js";

export const RUN_ID: RunId = parseRunId("small-run");

/** Asks for `width` tasks at once, then for one that sees their results. */
async function smallProcess(inputs: { width: number }, ctx: ProcessContext): Promise<Json> {
  ctx.log(`asking for ${inputs.width}`);
  const ids = Array.from({ length: inputs.width }, (_, index) => `part-${index + 1}`);
  const parts = await Promise.all(ids.map((id) => ctx.task<Json>({ id, kind: "agent" })));
  const whole = await ctx.task<Json>({ id: "whole", kind: "agent" }, { parts: parts.length });
  return { parts, whole };
}

/** A clock that goes on by a second with every look, from a given hour. */
export class TickingClock {
  #now: number;

  constructor(hour = 0) {
    this.#now = Date.UTC(2026, 0, 1, hour);
  }

  now(): Date {
    this.#now += 1_000;
    return new Date(this.#now);
  }

  /** Moves the clock, also backwards. */
  move(ms: number): void {
    this.#now += ms;
  }
}

export interface SmallRunOptions {
  fs?: JournalFs;
  durability?: Durability;
  clock?: Ports["clock"];
  process?: ProcessFunction;
  store?: JournalStore;
}

/** Ports for the small process over the given files. */
export function smallPorts(runsDir: string, options: SmallRunOptions = {}): Ports {
  let counter = 0;
  const store =
    options.store ??
    new FileJournalStore({
      runsDir,
      ...(options.fs === undefined ? {} : { fs: options.fs }),
      durability: options.durability ?? "relaxed",
    });
  return {
    store,
    clock: options.clock ?? new TickingClock(),
    loader: {
      inspect: () => ({
        hash: "code-1",
        snapshot: () => ({ files: [{ path: "lib/process.js", text: "export const version = 1;\n" }] }),
        load: async () => ({
          exportName: "process",
          run: options.process ?? (smallProcess as unknown as ProcessFunction),
        }),
      }),
    },
    hooks: { run: async ({ hookType }) => ({ hookType, success: true, executedHooks: [] }) },
    leases: memoryLeases(),
    randomHex: (bytes) => {
      counter += 1;
      return counter.toString(16).padStart(bytes * 2, "0");
    },
    locate: (runDir) => ({
      file: "/project/lib/process.js",
      projectRoot: "/project",
      cacheDir: path.join(runDir, "state"),
    }),
  };
}

export async function createSmallRun(ports: Ports, width: number): Promise<void> {
  await createRun(ports, {
    processId: "small",
    runId: RUN_ID,
    entry: { file: "/project/lib/process.js", projectRoot: "/project" },
    recorded: () => ({ path: "lib/process.js", projectRoot: "../../.." }),
    inputs: { width },
  });
}

/** One cold iteration, as a command does it. */
export async function iterateOnce(ports: Ports): Promise<Iteration> {
  const run = await LiveRun.open(ports, RUN_ID, { quietLimitMs: 5_000 });
  try {
    return await run.iterate();
  } finally {
    await run.close();
  }
}

/** The value that is posted for an invocation key. */
export type Answers = (invocationKey: string) => Json;

export const SMALL_ANSWERS: Answers = (key) => ({ did: key });

/** Values above the inline limit, different for each key. */
export const LARGE_ANSWERS: Answers = (key) => ({ did: key, text: key.repeat(70_000 / key.length) });

/** Posts a result for the pending effect with this invocation key, as a command does it. */
export async function postFor(ports: Ports, invocationKey: string, answers = SMALL_ANSWERS): Promise<PostAnswer> {
  const journal = await RunJournal.open(ports, RUN_ID);
  const pending = Object.values(journal.summary.pending).find((effect) => effect.invocationKey === invocationKey);
  if (pending === undefined) throw new Error(`${invocationKey} is not pending`);
  return postResult(journal, {
    effectId: pending.effectId,
    result: { status: "ok", value: answers(invocationKey) },
  });
}

/** Iterates and posts until the run has ended. */
export async function finish(ports: Ports, answers = SMALL_ANSWERS): Promise<Iteration> {
  for (let round = 0; round < 50; round += 1) {
    const iteration = await iterateOnce(ports);
    if (iteration.status === "completed" || iteration.status === "failed") return iteration;
    for (const { invocationKey } of iteration.nextActions) await postFor(ports, invocationKey, answers);
  }
  throw new Error("The run does not end.");
}

/** What the small process returns. */
export function expectedOutput(width: number, answers = SMALL_ANSWERS): Json {
  return {
    parts: Array.from({ length: width }, (_, index) => answers(`part-${index + 1}:1`)),
    whole: answers("whole:1"),
  };
}
