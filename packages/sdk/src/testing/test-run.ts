import { BabysitterError } from "../model/errors.js";
import type { JournalEvent } from "../model/events.js";
import { parseRunId } from "../model/ids.js";
import type { Clock, HookRunner, Ports, ProcessFunction } from "../model/ports.js";
import type { ProcessContext } from "../replay/process-context.js";
import { createRun } from "../runs/create-run.js";
import { describeRun, type RunDescription } from "../runs/describe-run.js";
import type { Iteration, NextAction } from "../runs/iteration.js";
import { LiveRun } from "../runs/live-run.js";
import { type EffectResult, type PostAnswer, postResult } from "../runs/post-result.js";
import { RunJournal } from "../runs/run-journal.js";
import { MemoryEventStore } from "./memory-event-store.js";
import { memoryLeases } from "./memory-leases.js";
import { MemoryWorkspace } from "./memory-workspace.js";

/** A clock that stands still until a test moves it. */
export class SettableClock implements Clock {
  #now: Date;

  constructor(now: Date | string | number = "2026-01-01T00:00:00.000Z") {
    this.#now = new Date(now);
  }

  now(): Date {
    return new Date(this.#now);
  }

  /** Moves the clock, forwards or backwards. */
  set(time: Date | string | number): void {
    this.#now = new Date(time);
  }
}

/** A process as a test writes it. */
export type TestProcess = (inputs: never, ctx: ProcessContext) => unknown;

/** Arguments of {@link createTestRun}. */
export interface TestRunOptions {
  process: TestProcess;
  inputs?: unknown;
  now?: Date | string | number;
  runId?: string;
  hooks?: HookRunner;
  /** How long work between ctx calls may keep an iteration open. */
  quietLimitMs?: number;
  /** Kinds of tasks that the project declares, as `tasks.kinds` in its settings. */
  taskKinds?: readonly string[];
}

/** The answer to a pending effect; undefined leaves it pending. */
export type Answer = (action: NextAction) => EffectResult | undefined | Promise<EffectResult | undefined>;

/** A run in memory, driven by a test. */
export class TestRun {
  readonly clock: SettableClock;
  readonly #ports: Ports;
  readonly #runId: ReturnType<typeof parseRunId>;
  readonly #quietLimitMs: number;
  #process: TestProcess;
  #version = 1;
  #live: LiveRun | undefined;

  private constructor(options: TestRunOptions) {
    this.clock = new SettableClock(options.now);
    this.#process = options.process;
    this.#runId = parseRunId(options.runId ?? "test-run");
    this.#quietLimitMs = options.quietLimitMs ?? 5_000;
    let counter = 0;
    this.#ports = {
      store: new MemoryEventStore(),
      workspace: new MemoryWorkspace(),
      clock: this.clock,
      loader: {
        inspect: () => ({
          hash: `code-${this.#version}`,
          snapshot: () => ({ hash: `code-${this.#version}`, files: [], gates: [] }),
          load: async () => ({
            hash: `code-${this.#version}`,
            exportName: "process",
            run: this.#process as ProcessFunction,
          }),
        }),
      },
      hooks: options.hooks ?? { run: async ({ hookType }) => ({ hookType, success: true, executedHooks: [] }) },
      randomHex: (bytes) => {
        counter += 1;
        return counter.toString(16).padStart(bytes * 2, "0");
      },
      taskKinds: () => options.taskKinds ?? [],
      leases: memoryLeases(),
      locate: () => ({ file: "/memory/process.js", projectRoot: "/memory", cacheDir: "/memory/state" }),
    };
  }

  static async create(options: TestRunOptions): Promise<TestRun> {
    const run = new TestRun(options);
    await createRun(run.#ports, {
      processId: "test",
      runId: run.#runId,
      entry: { file: "/memory/process.js", projectRoot: "/memory" },
      recorded: () => ({ path: "process.js", projectRoot: "../.." }),
      ...(options.inputs === undefined ? {} : { inputs: options.inputs }),
    });
    return run;
  }

  /** One iteration. */
  async iterate(options: { retry?: boolean; keepFailures?: boolean } = {}): Promise<Iteration> {
    this.#live ??= await LiveRun.open(this.#ports, this.#runId, { quietLimitMs: this.#quietLimitMs });
    return this.#live.iterate(options);
  }

  /** Throws the living process away, as a crash would; the next iteration replays from the journal. */
  async restart(): Promise<void> {
    await this.#live?.close();
    this.#live = undefined;
  }

  /** Puts another version of the code in place, as an edit would. */
  async edit(process: TestProcess): Promise<void> {
    await this.restart();
    this.#process = process;
    this.#version += 1;
  }

  /** Records a result, for an effect id or an invocation key such as `task/build:1`. The process sees it in the next iteration. */
  async post(effect: string, result: EffectResult): Promise<PostAnswer> {
    const journal = await this.journal();
    const { requests } = await journal.index();
    const known = Object.values(requests).find(
      ({ effectId, invocationKey }) => effectId === effect || invocationKey === effect,
    );
    if (known === undefined) throw noSuchRequest(effect, Object.values(journal.summary.pending));
    this.#live ??= await LiveRun.open(this.#ports, this.#runId, { quietLimitMs: this.#quietLimitMs });
    return postResult(this.#live.journal, { effectId: known.effectId, result });
  }

  /** Iterates, answers what is pending and skips sleeps until the run ends or nobody answers. */
  async complete(answer: Answer): Promise<Iteration> {
    for (;;) {
      const iteration = await this.iterate();
      if (iteration.status === "completed" || iteration.status === "failed") return iteration;
      let moved = false;
      for (const action of iteration.nextActions.filter(({ kind }) => kind !== "sleep")) {
        const result = await answer(action);
        if (result === undefined) continue;
        await this.post(action.effectId, result);
        moved = true;
      }
      if (!moved && !this.#skipSleep(iteration.nextActions)) return iteration;
    }
  }

  async status(): Promise<RunDescription> {
    return describeRun(await this.journal());
  }

  async events(): Promise<JournalEvent[]> {
    return (await this.#ports.store.read(this.#runId, undefined)) ?? [];
  }

  /** The folded journal, for use cases that the test wants to call itself. */
  async journal(): Promise<RunJournal> {
    return RunJournal.open(this.#ports, this.#runId);
  }

  #skipSleep(actions: readonly NextAction[]): boolean {
    const next = actions
      .map(({ until }) => until)
      .filter((until) => until !== undefined)
      .toSorted()[0];
    if (next === undefined) return false;
    if (Date.parse(next) <= this.clock.now().getTime())
      throw new BabysitterError("INTERNAL", "A sleep is over but still pending.");
    this.clock.set(next);
    return true;
  }
}

/** Begins a run in memory. */
export function createTestRun(options: TestRunOptions): Promise<TestRun> {
  return TestRun.create(options);
}

function noSuchRequest(effect: string, pending: readonly { invocationKey: string }[]): BabysitterError {
  const open = pending.map(({ invocationKey }) => invocationKey).join(", ");
  return new BabysitterError("EFFECT_NOT_FOUND", `The process has made no request ${JSON.stringify(effect)}.`, {
    hint: open === "" ? "No request is open." : `Open requests: ${open}`,
    details: { effect },
  });
}
