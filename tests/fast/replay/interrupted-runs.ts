/** Carries a random program through a run in memory, in one sitting or with interruptions. */
import type { JournalEvent } from "../../../packages/sdk/src/model/events.js";
import type { AppendResult } from "../../../packages/sdk/src/model/ports.js";
import type { Iteration } from "../../../packages/sdk/src/runs/iteration.js";
import { LiveRun } from "../../../packages/sdk/src/runs/live-run.js";
import { type EffectResult, postResult } from "../../../packages/sdk/src/runs/post-result.js";
import { RunJournal } from "../../../packages/sdk/src/runs/run-journal.js";
import { createTestRun, MemoryJournalStore, type TestRun } from "../../../packages/sdk/src/testing/index.js";
import { answerFor, type Findings, type Program, processOf } from "./random-programs.js";
import { RUN, type SharedPorts, sharedRun } from "./shared-run.js";

/** A store that writes only the beginning of the next batch and then fails, as a crash would. */
class CrashingStore extends MemoryJournalStore {
  /** How many events of the next batch are written; undefined writes all. */
  crashAfter: number | undefined;

  override async append(...[runId, head, drafts]: Parameters<MemoryJournalStore["append"]>): Promise<AppendResult> {
    if (this.crashAfter === undefined) return super.append(runId, head, drafts);
    await super.append(runId, head, drafts.slice(0, this.crashAfter));
    this.crashAfter = undefined;
    throw new Error(CRASH);
  }
}

const CRASH = "the program crashed";

/** What happens around one post: decided by the generated case, not by chance. */
export interface Interruption {
  /** Iterations with nothing new before going on. */
  idle: number;
  /** The process is thrown away. */
  restart: boolean;
  /** Results posted before the next iteration, as far as they are pending. */
  together: number;
}

export interface Story {
  status: string;
  output: string;
  error: string;
  /** Task, scope and arguments of every request, sorted. */
  requests: string[];
  /** Invocation key and arguments of every request, sorted. */
  keys: string[];
  /** Scope and text of every logged line, sorted. */
  logs: string[];
  /** Identities of the requests in the order in which they were answered. */
  answered: string[];
  swapped: string[];
}

type Requested = Extract<JournalEvent, { type: "EFFECT_REQUESTED" }>;

const START = Date.parse("2026-03-01T10:00:00.000Z");

/** The run with a process that stays alive; pending requests are answered in an order made from `seed`. */
export async function inOneSitting(program: Program, seed: number): Promise<Story> {
  const { run, findings } = await begin(program);
  const answered: string[] = [];
  for (;;) {
    const iteration = await run.iterate();
    if (iteration.status === "completed" || iteration.status === "failed") return tell(run, answered, findings);
    const pending = await pendingRequests(run);
    const [next] = pending.toSorted((a, b) => rank(identityOf(a), seed) - rank(identityOf(b), seed));
    if (next === undefined) throw new Error(`nothing is pending, yet the run is ${iteration.status}`);
    await answer(run, next, answered);
  }
}

/** The same answers in the same order, with crashes in the middle of what iterations write. */
export async function crashing(program: Program, order: readonly string[], crashes: readonly number[]): Promise<Story> {
  const findings: Findings = { swapped: [] };
  const store = new CrashingStore();
  const ports = await sharedRun(processOf(program, findings), { store, now: START });
  const answered: string[] = [];
  for (let step = 0; ; step += 1) {
    store.crashAfter = crashes[step % crashes.length];
    await iterateOnce(ports).catch((error: Error) => {
      if (error.message !== CRASH) throw error;
    });
    store.crashAfter = undefined;
    const iteration = await iterateOnce(ports);
    const events = (await store.read(RUN, undefined)) ?? [];
    if (iteration.status === "completed" || iteration.status === "failed")
      return storyOf(iteration, events, answered, findings);
    const journal = await RunJournal.open(ports, RUN);
    const next = pendingOf(events, journal).find((request) => identityOf(request) === order[answered.length]);
    if (next === undefined) throw new Error(`${order[answered.length] ?? "nothing"} is to be answered and not pending`);
    ports.clock.set(START + (answered.length + 1) * 1_000);
    await postResult(journal, { effectId: next.effectId ?? "", result: answerTo(next) });
    answered.push(identityOf(next));
  }
}

async function iterateOnce(ports: SharedPorts): Promise<Iteration> {
  const live = await LiveRun.open(ports, RUN, { quietLimitMs: 5_000 });
  try {
    return await live.iterate();
  } finally {
    await live.close();
  }
}

/** The same answers in the same order, with interruptions. */
export async function interrupted(
  program: Program,
  order: readonly string[],
  interruptions: readonly Interruption[],
): Promise<Story> {
  const { run, findings } = await begin(program);
  const answered: string[] = [];
  for (let step = 0; ; step += 1) {
    const { idle, restart, together } = interruptions[step % interruptions.length] as Interruption;
    if (restart) await run.restart();
    const iteration = await run.iterate();
    for (let index = 0; index < idle; index += 1) {
      const before = (await run.events()).length;
      await run.iterate();
      const added = (await run.events()).slice(before);
      if (added.length > 0)
        throw new Error(`an iteration with nothing new appended ${added.map(({ type }) => type).join(", ")}`);
    }
    if (iteration.status === "completed" || iteration.status === "failed") return tell(run, answered, findings);
    let posted = 0;
    for (; posted < together; posted += 1) {
      const next = (await pendingRequests(run)).find((request) => identityOf(request) === order[answered.length]);
      if (next === undefined) break;
      await answer(run, next, answered);
    }
    if (posted === 0) throw new Error(`${order[answered.length] ?? "nothing"} is to be answered and not pending`);
  }
}

async function begin(program: Program): Promise<{ run: TestRun; findings: Findings }> {
  const findings: Findings = { swapped: [] };
  const run = await createTestRun({ process: processOf(program, findings), now: START, runId: RUN });
  return { run, findings };
}

async function answer(run: TestRun, request: Requested, answered: string[]): Promise<void> {
  // The time of an answer depends on nothing but its place in the order.
  run.clock.set(START + (answered.length + 1) * 1_000);
  await run.post(request.effectId ?? "", answerTo(request));
  answered.push(identityOf(request));
}

function answerTo({ taskId, payload }: Requested): EffectResult {
  return answerFor(taskId ?? "", "value" in payload.args ? payload.args.value : null);
}

async function pendingRequests(run: TestRun): Promise<Requested[]> {
  return pendingOf(await run.events(), await run.journal());
}

function pendingOf(events: readonly JournalEvent[], { summary }: RunJournal): Requested[] {
  return events.filter(
    (event): event is Requested =>
      event.type === "EFFECT_REQUESTED" && summary.pending[event.effectId ?? ""] !== undefined,
  );
}

function identityOf({ taskId, payload }: Requested): string {
  return `${payload.scope} ${taskId} ${JSON.stringify(payload.args)}`;
}

function rank(identity: string, seed: number): number {
  let value = seed;
  for (const char of identity) value = (Math.imul(value, 1_664_525) + char.charCodeAt(0) + 1_013_904_223) >>> 0;
  return value;
}

async function tell(run: TestRun, answered: string[], findings: Findings): Promise<Story> {
  const iteration = await run.iterate();
  await run.restart();
  return storyOf(iteration, await run.events(), answered, findings);
}

function storyOf(
  iteration: Iteration,
  events: readonly JournalEvent[],
  answered: string[],
  { swapped }: Findings,
): Story {
  const requests = events.filter((event) => event.type === "EFFECT_REQUESTED");
  return {
    status: iteration.status,
    output: JSON.stringify(iteration.output ?? null),
    error: iteration.status === "failed" ? (iteration.error as { message: string }).message : "",
    requests: requests.map(identityOf).toSorted(),
    keys: requests.map((event) => `${event.invocationKey} ${JSON.stringify(event.payload.args)}`).toSorted(),
    logs: events
      .flatMap((event) => (event.type === "PROCESS_LOGGED" ? event.payload.entries : []))
      .map(({ scope, message }) => `${scope} ${message}`)
      .toSorted(),
    answered,
    swapped,
  };
}
