/**
 * Random process programs as data, and the process function that carries them out.
 *
 * Every request carries the path of its node, so that the program itself can tell whether the result it
 * receives was computed for its own arguments. What a program may contain is limited to what is
 * deterministic on any machine: of the branches of a race only the first may begin with files or timers,
 * and where files or timers decide the order of branches of a plain Promise combinator, those branches
 * use neither random numbers nor equal arguments nor parallel groups.
 */
import { randomUUID } from "node:crypto";
import fs from "node:fs";
import { setTimeout as delay, setImmediate as immediate } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import * as fc from "fast-check";
import type { ProcessContext } from "../../../packages/sdk/src/replay/process-context.js";
import { defineTask } from "../../../packages/sdk/src/replay/task-definition.js";

type AllMode = "all" | "settled";

export type Program =
  | { is: "task"; task: number; fails: boolean; extra: "none" | "now" | "date" | "random" | "same" }
  | { is: "seq"; steps: Program[] }
  | { is: "loop"; count: number; body: Program }
  | { is: "par"; mode: AllMode; concurrency: number; branches: Program[] }
  | { is: "par-map"; count: number; concurrency: number; body: Program }
  | { is: "par-race"; branches: Program[] }
  | { is: "native"; mode: AllMode; branches: Program[] }
  | { is: "native-map"; count: number; body: Program }
  | { is: "native-race"; mode: "race" | "any"; branches: Program[] }
  | { is: "try"; body: Program; handler: Program; cleanup: Program }
  | { is: "retry"; task: number; failures: number }
  | { is: "late"; task: number; fails: boolean; meanwhile: Program }
  | { is: "value"; value: "undefined" | "number" }
  | { is: "world"; what: "file" | "timer" | "immediate" }
  | { is: "sleep" }
  | { is: "log" }
  | { is: "breakpoint"; approved: boolean };

type Group = Extract<Program, { is: "par" | "par-map" | "par-race" | "native" | "native-map" | "native-race" }>;

interface Place {
  path: string;
  /** Inside a branch of a plain Promise combinator, in the current numbering scope. */
  native: boolean;
  /** Inside a plain branch of a program that waits for files or timers. */
  disordered: boolean;
}

export interface Findings {
  /** Results that did not belong to the arguments they were delivered for. */
  swapped: string[];
}

const TASKS = ["build", "test", "review"].map((id) =>
  defineTask<{ at: string }>(`task/${id}`, ({ at }) => ({
    kind: "node",
    node: { entry: `./${id}.js` },
    about: at,
    nonce: [Math.random(), randomUUID()],
  })),
);
const OWN_FILE = fileURLToPath(import.meta.url);

/** What the outside world answers; it depends on nothing but the request. */
export function answerFor(taskId: string, args: unknown): { status: "ok" | "error"; value?: unknown; error?: unknown } {
  if (taskId === "sleep") return { status: "ok", value: null };
  if (taskId === "breakpoint") {
    const { question, approve } = args as { question: string; approve: boolean };
    return { status: "ok", value: { approved: approve, feedback: `on ${question}` } };
  }
  const { at, fails } = args as { at: string; fails?: boolean };
  return fails === true
    ? { status: "error", error: { name: "TaskFailed", message: `${taskId} failed at ${at}`, data: { at } } }
    : { status: "ok", value: { for: at, by: taskId } };
}

/** True when a program waits for files or timers somewhere. */
export function touchesWorld(program: Program): boolean {
  return JSON.stringify(program).includes('"is":"world"');
}

/** The process function of a program. */
export function processOf(program: Program, findings: Findings): (inputs: unknown, ctx: ProcessContext) => unknown {
  const disorderly = touchesWorld(program);
  return (_inputs, ctx) =>
    new Carrier(ctx, findings, disorderly).run(program, { path: "", native: false, disordered: false });
}

class Carrier {
  readonly #ctx: ProcessContext;
  readonly #findings: Findings;
  readonly #disorderly: boolean;

  constructor(ctx: ProcessContext, findings: Findings, disorderly: boolean) {
    this.#ctx = ctx;
    this.#findings = findings;
    this.#disorderly = disorderly;
  }

  async run(program: Program, place: Place): Promise<unknown> {
    if (isGroup(program)) return this.#together(program, place);
    switch (program.is) {
      case "task":
        return this.#task(program.task, this.#args(program, place));
      case "seq":
        return this.#inTurn(program.steps, place);
      case "loop":
        return this.#inTurn(Array<Program>(program.count).fill(program.body), place);
      case "try":
        return this.#guarded(program, place);
      case "retry":
        return this.#retry(program.task, program.failures, place);
      case "late":
        return this.#late(program, place);
      case "value":
        return syncValue(program);
      case "world":
        return this.#world(program.what);
      case "sleep":
        return this.#ctx.sleep(86_400_000 + hash(place.path));
      case "log":
        this.#ctx.log(`at ${place.path}`);
        return "logged";
      case "breakpoint":
        return this.#breakpoint(program.approved, place);
    }
    return undefined;
  }

  async #inTurn(steps: Program[], place: Place): Promise<unknown[]> {
    const results: unknown[] = [];
    for (const [index, step] of steps.entries()) results.push(await this.run(step, below(place, `${index}`)));
    return results;
  }

  async #guarded(program: Extract<Program, { is: "try" }>, place: Place): Promise<unknown> {
    try {
      return await this.run(program.body, below(place, "t"));
    } catch (error) {
      return [told(error), await this.run(program.handler, below(place, "c"))];
    } finally {
      await this.run(program.cleanup, below(place, "f"));
    }
  }

  async #breakpoint(approved: boolean, { path }: Place): Promise<boolean> {
    const answer = await this.#ctx.breakpoint({ question: path, approve: approved });
    if (answer.approved !== approved || answer.feedback !== `on ${path}`) this.#findings.swapped.push(path);
    return answer.approved;
  }

  /** A group's number is its order of calling; where that is open, plain combinators take over. */
  async #together(program: Group, place: Place): Promise<unknown> {
    const bodies = "branches" in program ? program.branches : Array.from({ length: program.count }, () => program.body);
    if (program.is.startsWith("native") || place.disordered) return this.#plainly(program, bodies, place);
    const { parallel } = this.#ctx;
    const limit = "concurrency" in program && program.concurrency > 0 ? program.concurrency : undefined;
    const branches = bodies.map((body, index) =>
      body.is === "value" ? () => syncValue(body) : () => this.run(body, inScope(place, index)),
    );
    if (program.is === "par-race") return parallel.race(branches);
    if (program.is === "par-map")
      return parallel.map(
        bodies,
        (body, index) => this.run(body, inScope(place, index)),
        limit === undefined ? {} : { maxConcurrency: limit },
      );
    const options = limit === undefined ? {} : { concurrency: limit };
    if ("mode" in program && program.mode === "settled") return settledOf(await parallel.settled(branches, options));
    return parallel.all(branches, options);
  }

  async #plainly(program: Group, bodies: Program[], place: Place): Promise<unknown> {
    const runs = bodies.map(async (body, index) => this.run(body, this.#inPlain(place, index)));
    if (program.is === "native-race" && program.mode === "any") return Promise.any(runs);
    if (program.is === "native-race" || program.is === "par-race") return Promise.race(runs);
    if ("mode" in program && program.mode === "settled") return settledOf(await Promise.allSettled(runs));
    return Promise.all(runs);
  }

  async #task(task: number, args: { at: string; fails: boolean }): Promise<unknown> {
    const defined = TASKS[task % TASKS.length] as (typeof TASKS)[number];
    const expected = answerFor(defined.id, args);
    try {
      const value = await this.#ctx.task(defined, args);
      if (JSON.stringify(value) !== JSON.stringify(expected.value)) this.#findings.swapped.push(args.at);
      return value;
    } catch (error) {
      const wanted = (expected.error as { message?: string } | undefined)?.message;
      if ((error as Error).message !== wanted) this.#findings.swapped.push(args.at);
      throw error;
    }
  }

  #args(program: Extract<Program, { is: "task" }>, { path, native, disordered }: Place) {
    const args = { at: path, fails: program.fails };
    switch (program.extra) {
      case "none":
        break;
      case "now":
        return { ...args, now: this.#ctx.now() };
      case "date":
        return { ...args, now: Date.now(), day: new Date() };
      case "random":
        return disordered ? args : { ...args, random: Math.random() };
      case "same":
        return native && disordered ? args : { at: "same", fails: program.fails };
    }
    return args;
  }

  async #retry(task: number, failures: number, { path }: Place): Promise<unknown> {
    for (let attempt = 0; ; attempt += 1) {
      try {
        return [attempt, await this.#task(task, { at: `${path}#${attempt}`, fails: attempt < failures })];
      } catch {
        this.#ctx.log(`retry ${path} ${attempt}`);
      }
    }
  }

  async #late(program: Extract<Program, { is: "late" }>, place: Place): Promise<unknown> {
    const args = { at: `${place.path}.late`, fails: program.fails };
    const defined = TASKS[program.task % TASKS.length] as (typeof TASKS)[number];
    const early = this.#ctx.task(defined, args);
    const meanwhile = await this.run(program.meanwhile, below(place, "m"));
    try {
      const value = await early;
      if (JSON.stringify(value) !== JSON.stringify(answerFor(defined.id, args).value))
        this.#findings.swapped.push(args.at);
      return [meanwhile, value];
    } catch (error) {
      return [meanwhile, told(error)];
    }
  }

  async #world(what: "file" | "timer" | "immediate"): Promise<string> {
    if (what === "file") return (await fs.promises.readFile(OWN_FILE, "utf8")).slice(0, 3);
    await (what === "timer" ? delay(1) : immediate());
    return what;
  }

  #inPlain(place: Place, index: number): Place {
    return { path: `${place.path}/n${index}`, native: true, disordered: place.disordered || this.#disorderly };
  }
}

function isGroup(program: Program): program is Group {
  return program.is.startsWith("par") || program.is.startsWith("native");
}

function syncValue(program: Extract<Program, { is: "value" }>): number | undefined {
  return program.value === "undefined" ? undefined : 7;
}

function below(place: Place, name: string): Place {
  return { ...place, path: `${place.path}/${name}` };
}

function inScope(place: Place, index: number): Place {
  return { path: `${place.path}/p${index}`, native: false, disordered: false };
}

function told(error: unknown): string {
  const { name, message, errors } = error as { name: string; message: string; errors?: unknown[] };
  return errors === undefined ? `${name}: ${message}` : `${name}: ${errors.map(told).join("; ")}`;
}

function settledOf(results: PromiseSettledResult<unknown>[]): unknown[] {
  return results.map((result) => (result.status === "fulfilled" ? result.value : told(result.reason)));
}

function hash(text: string): number {
  let value = 7;
  for (const char of text) value = (value * 31 + char.charCodeAt(0)) % 1_000_003;
  return value;
}

const SMALL_TASK: fc.Arbitrary<Program> = fc.record({
  is: fc.constant("task" as const),
  task: fc.nat(2),
  fails: fc.oneof({ weight: 5, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) }),
  extra: fc.constantFrom("none" as const, "now" as const, "date" as const, "random" as const, "same" as const),
});

const LEAF: fc.Arbitrary<Program> = fc.oneof(
  { weight: 8, arbitrary: SMALL_TASK },
  {
    weight: 2,
    arbitrary: fc.record({ is: fc.constant("retry" as const), task: fc.nat(2), failures: fc.nat(2) }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      is: fc.constant("world" as const),
      what: fc.constantFrom("file" as const, "timer" as const, "immediate" as const),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      is: fc.constant("value" as const),
      value: fc.constantFrom("undefined" as const, "number" as const),
    }),
  },
  { weight: 1, arbitrary: fc.constant({ is: "sleep" as const }) },
  { weight: 1, arbitrary: fc.constant({ is: "log" as const }) },
  { weight: 1, arbitrary: fc.record({ is: fc.constant("breakpoint" as const), approved: fc.boolean() }) },
);

/** Of the branches of a race all but the first begin by asking for a task. */
function racers(branches: Program[]): Program[] {
  return branches.map((branch, index) =>
    index === 0
      ? branch
      : { is: "seq", steps: [{ is: "task", task: index, fails: false, extra: "none" } as const, branch] },
  );
}

/** A random program, of up to a few dozen requests. */
export const programs: fc.Arbitrary<Program> = fc.letrec<{ program: Program }>((tie) => {
  const inner = tie("program");
  const branches = fc.array(inner, { minLength: 1, maxLength: 3 });
  const limit = fc.nat(2);
  const allMode = fc.constantFrom<AllMode>("all", "settled");
  return {
    program: fc.oneof(
      { depthSize: "small", withCrossShrink: true },
      { weight: 4, arbitrary: LEAF },
      {
        weight: 4,
        arbitrary: fc.record({
          is: fc.constant("seq" as const),
          steps: fc.array(inner, { minLength: 1, maxLength: 4 }),
        }),
      },
      {
        weight: 1,
        arbitrary: fc.record({ is: fc.constant("loop" as const), count: fc.integer({ min: 1, max: 3 }), body: inner }),
      },
      {
        weight: 3,
        arbitrary: fc.record({ is: fc.constant("par" as const), mode: allMode, concurrency: limit, branches }),
      },
      {
        weight: 1,
        arbitrary: fc.record({
          is: fc.constant("par-map" as const),
          count: fc.nat(3),
          concurrency: limit,
          body: inner,
        }),
      },
      {
        weight: 1,
        arbitrary: fc.record({ is: fc.constant("par-race" as const), branches: branches.map(racers) }),
      },
      { weight: 2, arbitrary: fc.record({ is: fc.constant("native" as const), mode: allMode, branches }) },
      {
        weight: 1,
        arbitrary: fc.record({ is: fc.constant("native-map" as const), count: fc.nat(3), body: inner }),
      },
      {
        weight: 2,
        arbitrary: fc.record({
          is: fc.constant("native-race" as const),
          mode: fc.constantFrom("race" as const, "any" as const),
          branches: branches.map(racers),
        }),
      },
      {
        weight: 2,
        arbitrary: fc.record({ is: fc.constant("try" as const), body: inner, handler: inner, cleanup: inner }),
      },
      {
        weight: 2,
        arbitrary: fc.record({
          is: fc.constant("late" as const),
          task: fc.nat(2),
          fails: fc.boolean(),
          meanwhile: inner,
        }),
      },
    ),
  };
}).program;
