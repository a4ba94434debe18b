import { describe, expect, it } from "vitest";
import {
  eventsOf,
  eventTypes,
  failure,
  loggedLines,
  ok,
  other,
  pendingKeys,
  requestedKeys,
  retry,
  work,
} from "../../../../tests/fixtures/replay/journal-views.js";
import type { BabysitterError } from "../model/errors.js";
import type { JsonObject } from "../model/json.js";
import { forkRun } from "../runs/fork-run.js";
import { LiveRun } from "../runs/live-run.js";
import { createTestRun, type TestProcess, type TestRun } from "../testing/index.js";
import type { ProcessContext } from "./process-context.js";
import type { TaskDef } from "./task-def.js";

const plain = (kind: string): TaskDef => ({ kind, id: "plain", [kind]: { entry: "./p.js" } });

const batchOf = (names: string[]) => (_: never, ctx: ProcessContext) =>
  ctx.parallel.map(names, (name) => ctx.task(work, { name }));

const inOrder = (order: string[]) => async (_: never, ctx: ProcessContext) => {
  const results = await Promise.all(order.map(async (name) => [name, await ctx.task(work, { name })] as const));
  return Object.fromEntries(results);
};

const withOwnPaths = (_: never, ctx: ProcessContext) => ctx.task(work, { id: ctx.runId, file: `${ctx.runDir}/x` });

const looping = (withPatch: boolean) => async (_: never, ctx: ProcessContext) => {
  const path: unknown[] = [];
  for (let n = 0; n < 4; n += 1) {
    if (withPatch && ctx.patched("use-other")) path.push(["new", await ctx.task(other, { n })]);
    else path.push(["old", await ctx.task(work, { n })]);
  }
  return path.map((step) => (step as string[])[0]);
};

const failing = (fixed: boolean) => async (_: never, ctx: ProcessContext) => {
  const value = await ctx.task<{ n: number }>(work as never, { n: 1 });
  if (!fixed) throw new RangeError("a bug in the process");
  return [value, await ctx.task(other, {})];
};

/** Two steps that are done, one that is pending. */
const original = async (_: never, ctx: ProcessContext) => {
  const first = await ctx.task<string>(work as never, { n: 1 });
  const second = await ctx.task<string>(plain("node"), { n: 2 });
  return [first, second, await ctx.task<string>(work as never, { n: 3 })];
};

async function advancedRun(): Promise<TestRun> {
  const run = await createTestRun({ process: original });
  await run.iterate();
  await run.post("work:1", ok("one"));
  await run.iterate();
  await run.post("plain:1", ok("two"));
  await run.iterate();
  return run;
}

interface BadEdit {
  name: string;
  process: TestProcess;
  journal: string[];
  code: string[];
  ended?: string;
}

const BAD_EDITS: BadEdit[] = [
  {
    name: "a task added before",
    process: async (_: never, ctx: ProcessContext) => {
      await ctx.task(other, { new: true });
      return original(_, ctx);
    },
    journal: ["work:1"],
    code: ["other:1"],
  },
  {
    name: "a task added in the middle",
    process: async (_: never, ctx: ProcessContext) => {
      await ctx.task(work, { n: 1 });
      await ctx.task(other, {});
      await ctx.task(plain("node"), { n: 2 });
    },
    journal: ["plain:1"],
    code: ["other:1"],
  },
  {
    name: "a task added beside a recorded one",
    process: async (_: never, ctx: ProcessContext) => {
      await Promise.all([ctx.task(work, { n: 1 }), ctx.task(other, {})]);
      await ctx.task(plain("node"), { n: 2 });
    },
    journal: [],
    code: ["other:1"],
  },
  {
    name: "a task added and not awaited",
    process: async (_: never, ctx: ProcessContext) => {
      void ctx.task(other, {});
      return original(_, ctx);
    },
    journal: [],
    code: ["other:1"],
  },
  {
    name: "a task removed",
    process: async (_: never, ctx: ProcessContext) => {
      await ctx.task(work, { n: 1 });
      return ctx.task(work, { n: 3 });
    },
    journal: ["plain:1"],
    code: [],
  },
  {
    name: "arguments changed",
    process: async (_: never, ctx: ProcessContext) => {
      await ctx.task(work, { n: 100 });
      await ctx.task(plain("node"), { n: 2 });
    },
    journal: ["work:1"],
    code: ["work:1"],
  },
  {
    name: "order changed",
    process: async (_: never, ctx: ProcessContext) => {
      await ctx.task(plain("node"), { n: 2 });
      await ctx.task(work, { n: 1 });
      await ctx.task(work, { n: 3 });
    },
    journal: ["work:1"],
    code: [],
  },
  {
    name: "kind changed",
    process: async (_: never, ctx: ProcessContext) => {
      await ctx.task(work, { n: 1 });
      await ctx.task(plain("agent"), { n: 2 });
    },
    journal: ["plain:1"],
    code: ["plain:1"],
  },
  {
    name: "an early throw",
    process: async (_: never, ctx: ProcessContext) => {
      await ctx.task(work, { n: 1 });
      throw new TypeError("undefined is not a function");
    },
    journal: ["plain:1", "work:2"],
    code: [],
    ended: "threw: TypeError: undefined is not a function",
  },
  {
    name: "an early return",
    process: async (_: never, ctx: ProcessContext) => ctx.task(work, { n: 1 }),
    journal: ["plain:1", "work:2"],
    code: [],
    ended: "returned",
  },
  {
    name: "a return before anything",
    process: () => "done",
    journal: ["work:1", "plain:1", "work:2"],
    code: [],
    ended: "returned",
  },
];

function keysIn(report: unknown, side: "journalSays" | "codeAsked"): unknown[] {
  return ((report as Record<string, JsonObject[]>)[side] ?? []).map(({ invocationKey }) => invocationKey);
}

/** What a report says about the journal, and about the code. */
function sidesOf(message: string): string[] {
  const lines = message.split("\n").slice(1);
  const said = (side: string): string =>
    lines
      .filter((line) => line.startsWith(`  ${side}`))
      .map((line) => line.replace(/^ *(journal|code) *(\([^)]*\):)?/, ""))
      .join("\n");
  const changes = lines.filter((line) => line.startsWith("    "));
  return [said("journal"), [said("code"), ...changes].join("\n")];
}

describe("edits that contradict the journal", () => {
  it.each(BAD_EDITS)("C12 R4: $name blocks the run, tells both sides, and restored code goes on", async (edit) => {
    const run = await advancedRun();
    const before = await run.events();
    await run.edit(edit.process);
    const error = await run.iterate().catch((thrown: unknown) => thrown as BabysitterError);
    expect(error).toMatchObject({ code: "RUN_DIVERGED" });
    const { details, hint, message } = error as BabysitterError;
    expect(keysIn(details, "journalSays").slice(0, edit.journal.length)).toEqual(edit.journal);
    expect(keysIn(details, "codeAsked").slice(0, edit.code.length)).toEqual(edit.code);
    for (const key of [...edit.journal, ...edit.code]) expect(message).toContain(key);
    expect(details["processEnded"]).toBe(edit.ended);
    const hasThrown = edit.ended?.startsWith("threw") === true;
    expect(hint).toMatch(hasThrown ? /Fix the error.*Restore/s : /Restore.*ctx\.patched.*run:fork test-run --at \d+/s);
    expect(sidesOf(message)).toSatisfy(([journal, code]: string[]) => journal !== code);

    const added = (await run.events()).slice(before.length);
    expect(added.map(({ type }) => type)).toEqual(["RUN_BLOCKED"]);
    await run.restart();
    await expect(run.iterate()).rejects.toMatchObject({ code: "RUN_DIVERGED" });
    expect(await eventsOf(run, "RUN_BLOCKED")).toHaveLength(1);
    expect((await run.status()).state).toBe("blocked");

    await run.edit(original);
    expect(await run.iterate()).toMatchObject({ status: "waiting", count: 1 });
    expect((await run.status()).state).toBe("waiting");
    await run.post("work:2", ok("three"));
    expect((await run.iterate()).output).toEqual(["one", "two", "three"]);
    expect(await requestedKeys(run)).toEqual(["work:1", "plain:1", "work:2"]);
  });

  it.each(BAD_EDITS.filter(({ ended }) => ended?.startsWith("threw") !== true))(
    "C12: after $name, the copy that is offered is not blocked",
    async ({ process }) => {
      const run = await advancedRun();
      await run.edit(process);
      const error = await run.iterate().catch((thrown: unknown) => thrown as BabysitterError);
      const at = Number(/--at (\d+)$/.exec((error as BabysitterError).details["fork"] as string)?.[1]);
      const { ports, runId } = await run.journal();
      const fork = await forkRun(ports, { runId, from: { at }, forkId: "copy" });
      const live = await LiveRun.open(ports, fork.runId, { quietLimitMs: 5_000 });
      expect((await live.iterate()).status).toMatch(/waiting|completed/);
      await live.close();
    },
  );

  it("C12: a changed definition of a plain task is shown as the difference", async () => {
    const run = await createTestRun({ process: (_: never, ctx: ProcessContext) => ctx.task(plain("node")) });
    await run.iterate();
    await run.edit((_: never, ctx: ProcessContext) => ctx.task({ ...plain("node"), node: { entry: "./q.js" } }));
    await expect(run.iterate()).rejects.toMatchObject({
      message: expect.stringContaining('task.node.entry: "./p.js" → "./q.js"') as string,
    });
  });

  it("C12: a process that asks for something else although its code is the same is told so first", async () => {
    let file = "a";
    const run = await createTestRun({ process: (_: never, ctx: ProcessContext) => ctx.task(work, { file }) });
    await run.iterate();
    file = "b";
    await run.restart();
    await run.post("work:1", ok(1));
    const error = await run.iterate().catch((thrown: unknown) => thrown as BabysitterError);
    const [, first, second, ...more] = ((error as BabysitterError).hint ?? "").split("\n");
    expect(first).toContain("The code has not changed since");
    expect(second).toContain("run:fork test-run --at 1");
    expect(more).toEqual([]);
  });

  it("C12 C25: a failure that the process has caught and that does not fit any more can be retried", async () => {
    const caught = (n: number) => (_: never, ctx: ProcessContext) =>
      ctx.parallel.all([() => ctx.task(work, { n }).catch(() => "failed"), () => ctx.task(other, {})] as never);
    const run = await createTestRun({ process: caught(1) });
    await run.iterate();
    await run.post("par1[0]/work:1", failure("no"));
    await run.iterate();
    await run.edit(caught(2));
    const error = await run.iterate().catch((thrown: unknown) => thrown as BabysitterError);
    const step = /babysitter run:retry test-run --task (\S+)/.exec((error as BabysitterError).hint ?? "")?.[1];
    await retry(run, step);
    expect(await run.complete(({ invocationKey }) => ok(invocationKey))).toMatchObject({
      output: ["par1[0]/work:1", "par1[1]/other:1"],
    });
  });

  it("C12: a retry of a blocked run with the same code tells the same and records nothing", async () => {
    const run = await advancedRun();
    await run.edit(() => "done");
    await expect(run.iterate()).rejects.toMatchObject({ code: "RUN_DIVERGED" });
    const before = (await run.events()).length;
    const codes: unknown[] = [];
    for (let count = 0; count < 2; count += 1) {
      const again = run.iterate({ retry: true }).then(({ error }) => error);
      codes.push(((await again.catch((thrown: unknown) => thrown)) as { code: string }).code);
    }
    expect(codes).toEqual(["RUN_DIVERGED", "RUN_DIVERGED"]);
    expect(await run.events()).toHaveLength(before);
  });

  it("C12: a result that arrives while the run is blocked is kept for the restored code", async () => {
    const run = await advancedRun();
    await run.edit(() => "done");
    await expect(run.iterate()).rejects.toMatchObject({ code: "RUN_DIVERGED" });
    await run.post("work:2", ok("three"));
    await expect(run.iterate()).rejects.toMatchObject({ code: "RUN_DIVERGED" });
    expect(await eventsOf(run, "RUN_BLOCKED")).toHaveLength(1);
    await run.edit(original);
    expect((await run.iterate()).output).toEqual(["one", "two", "three"]);
  });

  it("C12: a passing problem before a recorded request blocks the run only while it lasts", async () => {
    let offline = false;
    const run = await createTestRun({
      process: async (_: never, ctx: ProcessContext) => {
        if (offline) throw new Error("the network is down");
        return ctx.task(work, { n: 1 });
      },
    });
    await run.iterate();
    await run.post("work:1", ok("back"));
    await run.restart();
    offline = true;
    const error = await run.iterate().catch((thrown: unknown) => thrown as BabysitterError);
    expect((error as BabysitterError).message).toContain("threw: Error: the network is down");
    expect((error as BabysitterError).hint).toContain("temporary");
    offline = false;
    expect((await run.iterate()).output).toBe("back");
  });

  it("C12: each version of the code is blocked once, and the difference in the arguments is shown", async () => {
    const run = await advancedRun();
    for (const n of [7, 8]) {
      await run.edit(async (_: never, ctx: ProcessContext) => ctx.task(work, { n, extra: "x" }));
      const error = await run.iterate().catch((thrown: unknown) => thrown as BabysitterError);
      expect((error as BabysitterError).message).toContain(`arguments.n: 1 → ${n}`);
      expect((error as BabysitterError).message).toContain('arguments.extra: absent → "x"');
    }
    expect(await eventsOf(run, "RUN_BLOCKED")).toHaveLength(2);
  });

  it("C12: where a process asked is named with file and line", async () => {
    const run = await advancedRun();
    await run.edit(async (_: never, ctx: ProcessContext) => ctx.task(work, { n: 9 }));
    const error = await run.iterate().catch((thrown: unknown) => thrown as BabysitterError);
    expect((error as BabysitterError).message).toMatch(/edited-code\.test\.ts:\d+:\d+/);
    const [request] = await eventsOf(run, "EFFECT_REQUESTED");
    expect(request?.payload.location).toMatch(/edited-code\.test\.ts:\d+:\d+$/);
  });
});

describe("edits that agree with the journal", () => {
  it("C12: new code after the last request continues the run", async () => {
    const run = await advancedRun();
    await run.edit(async (_: never, ctx: ProcessContext) => [
      ...(await original(_, ctx)),
      await ctx.task(other, { added: true }),
    ]);
    expect((await run.iterate()).status).toBe("waiting");
    await run.post("work:2", ok("three"));
    await run.iterate();
    await run.post("other:1", ok("four"));
    expect((await run.iterate()).output).toEqual(["one", "two", "three", "four"]);
  });

  it("C12: a task added to the batch of the last turn is asked for", async () => {
    const run = await createTestRun({ process: batchOf(["a", "b"]) });
    await run.iterate();
    await run.edit(batchOf(["a", "b", "c"]));
    expect((await run.iterate()).nextActions.map(({ invocationKey }) => invocationKey)).toEqual([
      "par1[0]/work:1",
      "par1[1]/work:1",
      "par1[2]/work:1",
    ]);
    expect((await run.complete(({ invocationKey }) => ok(invocationKey))).output).toHaveLength(3);
  });

  it("C12: changed log lines, labels and comments are not a divergence", async () => {
    const run = await advancedRun();
    await run.edit(async (_: never, ctx: ProcessContext) => {
      ctx.log("new line");
      const first = await ctx.task(work, { n: 1 }, { label: "new label" });
      ctx.log("another");
      return [first, await ctx.task(plain("node"), { n: 2 }), await ctx.task(work, { n: 3 })];
    });
    expect((await run.iterate()).status).toBe("waiting");
    await run.post("work:2", ok("three"));
    expect((await run.iterate()).output).toEqual(["one", "two", "three"]);
    expect(await loggedLines(run)).toEqual(["new line", "another"]);
  });

  it("C12 R1: calls of one turn may change places when their arguments tell them apart", async () => {
    const run = await createTestRun({ process: inOrder(["a", "b"]) });
    await run.iterate();
    await run.post("work:1", ok("for a"));
    await run.edit(inOrder(["b", "a"]));
    expect((await run.iterate()).status).toBe("waiting");
    await run.post("work:2", ok("for b"));
    expect((await run.iterate()).output).toEqual({ a: "for a", b: "for b" });
  });

  it("C12 R1: the run's own id and paths in arguments do not matter", async () => {
    const hashes = await Promise.all(
      ["first-run", "second-run"].map(async (runId) => {
        const run = await createTestRun({ process: withOwnPaths, runId });
        await run.iterate();
        return (await eventsOf(run, "EFFECT_REQUESTED"))[0]?.payload.argsHash;
      }),
    );
    expect(hashes[0]).toBe(hashes[1]);
  });
});

describe("ctx.patched", () => {
  it("C12: new runs take the new path from the start", async () => {
    const run = await createTestRun({ process: looping(true) });
    const end = await run.complete(async () => {
      await run.restart();
      return ok(1);
    });
    expect(end.output).toEqual(["new", "new", "new", "new"]);
    expect(await eventsOf(run, "PATCH_MARKED")).toHaveLength(1);
  });

  it.each([true, false])(
    "C12: a run under way stays on the old path where it has been (restarts: %s)",
    async (cold) => {
      const run = await createTestRun({ process: looping(false) });
      await run.iterate();
      await run.post("work:1", ok(1));
      await run.iterate();
      await run.edit(looping(true));
      const end = await run.complete(async () => {
        if (cold) await run.restart();
        return ok(1);
      });
      expect(end.output).toEqual(["old", "old", "new", "new"]);
      expect(await requestedKeys(run)).toEqual(["work:1", "work:2", "other:1", "other:2"]);
      expect(await eventsOf(run, "PATCH_MARKED")).toHaveLength(1);
    },
  );

  it("C12: a task may be guarded before the place where a run stands", async () => {
    const run = await advancedRun();
    await run.edit(async (_: never, ctx: ProcessContext) => {
      if (ctx.patched("check-first")) await ctx.task(other, {});
      return original(_, ctx);
    });
    expect((await run.iterate()).status).toBe("waiting");
    await run.post("work:2", ok("three"));
    expect((await run.iterate()).output).toEqual(["one", "two", "three"]);
  });

  it("C12: two ids are independent of each other, and a bad name is an error", async () => {
    const run = await createTestRun({
      process: async (_: never, ctx: ProcessContext) => {
        let code = "";
        try {
          ctx.patched("not a name");
        } catch (error) {
          ({ code } = error as { code: string });
        }
        return [code, ctx.patched("a"), await ctx.task(work, {}), ctx.patched("b"), ctx.patched("a")];
      },
    });
    const end = await run.complete(() => ok(1));
    expect(end.output).toEqual(["TASK_INVALID", true, 1, true, true]);
  });
});

describe("failed runs", () => {
  it("C12: changed code reopens a failed run, which continues where it failed", async () => {
    const run = await createTestRun({ process: failing(false) });
    await run.iterate();
    await run.post("work:1", ok("kept"));
    expect(await run.iterate()).toMatchObject({
      status: "failed",
      reason: "failed",
      error: { name: "RangeError", message: "a bug in the process" },
    });
    const before = (await run.events()).length;
    await run.restart();
    expect(await run.iterate()).toMatchObject({ status: "failed", reason: "terminal-state" });
    expect(await run.events()).toHaveLength(before);
    await run.edit(failing(true));
    await run.iterate();
    await run.post("other:1", ok("after"));
    expect((await run.iterate()).output).toEqual(["kept", "after"]);
    expect((await eventTypes(run)).slice(before)).toEqual([
      "RUN_REOPENED",
      "CODE_CHANGED",
      "EFFECT_REQUESTED",
      "EFFECT_RESOLVED",
      "RUN_COMPLETED",
    ]);
  });

  it("C12: retry replays a failed run with the same code", async () => {
    let broken = true;
    const run = await createTestRun({
      process: async (_: never, ctx: ProcessContext) => {
        await ctx.task(work, {});
        if (broken) throw new Error("the disk is full");
        return "done";
      },
    });
    await run.iterate();
    await run.post("work:1", ok(1));
    await run.iterate();
    expect(await run.iterate({ retry: true })).toMatchObject({
      status: "failed",
      error: { message: "the disk is full" },
    });
    broken = false;
    expect((await run.iterate()).status).toBe("failed");
    expect((await run.iterate({ retry: true })).output).toBe("done");
    expect((await eventsOf(run, "RUN_REOPENED")).map(({ payload }) => payload.reason)).toEqual(["retry", "retry"]);
  });

  it("C21: a failed step is opened again and takes a new result", async () => {
    const run = await createTestRun({
      process: async (_: never, ctx: ProcessContext) => [await ctx.task(other, {}), await ctx.task(work, {})],
    });
    await run.iterate();
    await run.post("other:1", ok("before"));
    await run.iterate();
    await run.post("work:1", failure("at first"));
    expect((await run.iterate()).status).toBe("failed");
    const { reopened } = await retry(run);
    expect(reopened).toMatchObject([{ invocationKey: "work:1", attempt: 2 }]);
    expect((await run.iterate()).nextActions).toMatchObject([{ invocationKey: "work:1", attempt: 2 }]);
    await run.restart();
    await run.iterate();
    await run.post("work:1", ok("at last"));
    await run.restart();
    expect((await run.iterate()).output).toEqual(["before", "at last"]);
  });

  it("C21: a failure that the process has built on is not opened again; the way out is named", async () => {
    const run = await createTestRun({
      process: async (_: never, ctx: ProcessContext) => {
        await ctx.task(work, {}).catch(() => undefined);
        return ctx.task(other, {});
      },
    });
    await run.iterate();
    await run.post("work:1", failure("handled"));
    await run.iterate();
    const [failed] = await eventsOf(run, "EFFECT_RESOLVED");
    const before = (await run.events()).length;
    await expect(retry(run, failed?.effectId as string)).rejects.toMatchObject({
      code: "EFFECT_NOT_REOPENABLE",
      hint: expect.stringContaining(`run:fork test-run --at-task ${failed?.effectId}`),
    });
    await expect(retry(run)).rejects.toMatchObject({ code: "NOTHING_TO_RETRY" });
    const [, pending] = await eventsOf(run, "EFFECT_REQUESTED");
    await expect(retry(run, pending?.effectId as string)).rejects.toMatchObject({
      code: "NOTHING_TO_RETRY",
    });
    expect(await run.events()).toHaveLength(before);
    expect(await pendingKeys(run)).toEqual(["other:1"]);
  });

  it("C21: of a failed batch all failed steps are opened again", async () => {
    const run = await createTestRun({
      process: (_: never, ctx: ProcessContext) => ctx.parallel.map([0, 1, 2], (n) => ctx.task(work, { n })),
    });
    await run.iterate();
    await run.post("par1[0]/work:1", failure("a"));
    await run.post("par1[1]/work:1", ok("kept"));
    await run.post("par1[2]/work:1", failure("c"));
    expect((await run.iterate()).status).toBe("failed");
    const { reopened } = await retry(run);
    expect(reopened.map(({ invocationKey }) => invocationKey)).toEqual(["par1[0]/work:1", "par1[2]/work:1"]);
    const end = await run.complete(({ invocationKey }) => ok(invocationKey));
    expect(end.output).toEqual(["par1[0]/work:1", "kept", "par1[2]/work:1"]);
  });
});
