import { describe, expect, it } from "vitest";
import {
  eventsOf,
  ok,
  other,
  pendingKeys,
  requestedKeys,
  work,
} from "../../../../tests/fixtures/replay/journal-views.js";
import { createTestRun, type TestProcess, type TestRun } from "../testing/index.js";
import type { ProcessContext } from "./process-context.js";
import { defineTask } from "./task-definition.js";

const REJECTED = { approved: false, feedback: "not like this", respondedBy: "Ada" };
const QUESTION = { question: "Deploy?", context: { files: ["plan.md"] } };
const UNREAD = { status: "failed", error: { name: "BreakpointRejectedError", code: "BREAKPOINT_REJECTED" } };

async function asked(process: TestProcess, key = "breakpoint:1"): Promise<TestRun> {
  const run = await createTestRun({ process });
  await run.iterate();
  expect(await pendingKeys(run)).toContain(key);
  return run;
}

/** A question beside other work; whether anyone looks at the answer is up to `look`. */
const besideWork = (look: boolean) => async (_: never, ctx: ProcessContext) => {
  const [answer] = await ctx.parallel.all([
    () => ctx.breakpoint(QUESTION),
    async () => [await ctx.task(work, { n: 1 }), await ctx.task(work, { n: 2 })],
  ]);
  const approved = look ? (answer as { approved: boolean }).approved : undefined;
  return [approved, await ctx.task(other, {})];
};

describe("breakpoints", () => {
  it("C7: an approval is returned in its one shape, with what the person said", async () => {
    const run = await asked((_: never, ctx: ProcessContext) => ctx.breakpoint(QUESTION, { label: "gate" }));
    expect((await run.iterate()).nextActions).toMatchObject([
      { kind: "breakpoint", label: "gate", taskDef: { kind: "breakpoint", breakpoint: { payload: QUESTION } } },
    ]);
    await run.post("breakpoint:1", ok({ approved: true, response: "go", respondedBy: "Ada", option: "blue" }));
    expect((await run.iterate()).output).toEqual({
      approved: true,
      release: true,
      response: "go",
      feedback: "go",
      option: "blue",
      respondedBy: "Ada",
      comments: [],
      allResponses: [],
      decidedAt: "2026-01-01T00:00:00.000Z",
      via: "task:post",
      verified: false,
    });
  });

  it("C7: feedback with release: true is an approval; an answer without a decision is refused", async () => {
    const run = await asked((_: never, ctx: ProcessContext) => ctx.breakpoint("Go on?"));
    for (const value of [{ comment: "hm" }, "yes", null, { release: false }])
      await expect(run.post("breakpoint:1", ok(value))).rejects.toMatchObject({ code: "BREAKPOINT_ANSWER_UNCLEAR" });
    await run.post("breakpoint:1", ok({ author: "Ada", comment: "fine", release: true }));
    expect((await run.iterate()).output).toMatchObject({ approved: true, feedback: "fine", respondedBy: "Ada" });
  });

  it("C7: an answer whose fields contradict one another, or the options, is refused", async () => {
    const options = ["Ship it", { id: "stop", label: "Not now", reject: true }];
    const run = await asked((_: never, ctx: ProcessContext) => ctx.breakpoint({ question: "Ship?", options }));
    for (const value of [
      { approved: true, release: false },
      { approved: false, release: true },
      { approved: "no", release: true },
      { approved: true, option: "Later" },
      { approved: true, option: "stop" },
    ])
      await expect(run.post("breakpoint:1", ok(value))).rejects.toMatchObject({ code: "BREAKPOINT_ANSWER_UNCLEAR" });
    await run.post("breakpoint:1", ok({ approved: true, release: true, option: "ship it" }));
    expect((await run.iterate()).output).toMatchObject({ approved: true, option: "ship it" });
    const no = await asked((_: never, ctx: ProcessContext) =>
      ctx.breakpoint({ question: "Ship?", options }, { onReject: "return" }),
    );
    await no.post("breakpoint:1", ok({ approved: false, option: "Ship it" }));
    expect((await no.iterate()).output).toMatchObject({ approved: false, option: "Ship it" });
  });

  it.each<[string, (answer: { approved: boolean }) => unknown]>([
    ["reads approved", (answer) => (answer.approved ? "yes" : "no")],
    ["takes it apart", ({ approved }) => (approved ? "yes" : "no")],
    ["spreads it", (answer) => ({ ...answer }).approved],
    ["serialises it", (answer) => JSON.stringify(answer).includes('"approved":false')],
    ["reads a field that is not set", (answer) => (answer as { option?: string }).option === "skip"],
  ])("C7 R7: a process that %s of a rejected answer goes on", async (_name, look) => {
    const run = await asked(async (_: never, ctx: ProcessContext) => {
      const answer = await ctx.breakpoint(QUESTION);
      const seen = look(answer);
      return [seen, await ctx.task(work, {})];
    });
    await run.post("breakpoint:1", ok(REJECTED));
    expect((await run.iterate()).status).toBe("waiting");
    await run.restart();
    await run.post("work:1", ok("went on"));
    expect((await run.iterate()).status).toBe("completed");
  });

  it.each<[string, TestProcess]>([
    [
      "asks for a task",
      async (_: never, ctx: ProcessContext) => {
        await ctx.breakpoint(QUESTION);
        return ctx.task(work, {});
      },
    ],
    [
      "asks for a task and catches everything",
      async (_: never, ctx: ProcessContext) => {
        await ctx.breakpoint(QUESTION);
        try {
          await ctx.task(work, {});
        } catch {
          return "went on";
        }
        return "went on";
      },
    ],
    [
      "returns",
      async (_: never, ctx: ProcessContext) => {
        await ctx.breakpoint(QUESTION);
        return "deployed";
      },
    ],
    [
      "only checks that there is an answer",
      async (_: never, ctx: ProcessContext) => ((await ctx.breakpoint(QUESTION)) ? "deployed" : ""),
    ],
    [
      "sleeps",
      async (_: never, ctx: ProcessContext) => {
        await ctx.breakpoint(QUESTION);
        await ctx.sleep(1);
      },
    ],
    [
      "asks again",
      async (_: never, ctx: ProcessContext) => {
        await ctx.breakpoint(QUESTION);
        await ctx.breakpoint("Really?");
      },
    ],
    [
      "runs a hook",
      async (_: never, ctx: ProcessContext) => {
        await ctx.breakpoint(QUESTION);
        await ctx.hook("custom");
      },
    ],
    [
      "opens branches",
      async (_: never, ctx: ProcessContext) => {
        await ctx.breakpoint(QUESTION);
        await ctx.parallel.settled([() => ctx.task(work, {})]);
        return "went on";
      },
    ],
    [
      "asked with a plain task",
      async (_: never, ctx: ProcessContext) => {
        await ctx.task({ kind: "breakpoint", id: "breakpoint", breakpoint: { payload: QUESTION } });
        return ctx.task(work, {});
      },
    ],
    [
      "asked with a plain task without a kind",
      async (_: never, ctx: ProcessContext) => {
        await ctx.task({ id: "breakpoint", breakpoint: { payload: QUESTION } });
        return ctx.task(work, {});
      },
    ],
    [
      "asked with a defined task",
      async (_: never, ctx: ProcessContext) => {
        const gate = defineTask("breakpoint", () => ({ kind: "breakpoint", breakpoint: { payload: QUESTION } }));
        await ctx.task(gate, {});
        return ctx.task(work, {});
      },
    ],
  ])("C7 R7: a process that ignores a rejection and %s ends failed", async (_name, process) => {
    for (const cold of [false, true]) {
      const run = await asked(process);
      const before = await requestedKeys(run);
      await run.post("breakpoint:1", ok(REJECTED));
      if (cold) await run.restart();
      expect(await run.iterate()).toMatchObject(UNREAD);
      expect(await requestedKeys(run)).toEqual(before);
    }
  });

  it("C7 R7: a failed run continues once the code checks the answer", async () => {
    const run = await asked(async (_: never, ctx: ProcessContext) => {
      await ctx.breakpoint(QUESTION);
      return ctx.task(work, {});
    });
    await run.post("breakpoint:1", ok(REJECTED));
    expect((await run.iterate()).status).toBe("failed");
    await run.edit(async (_: never, ctx: ProcessContext) => {
      const { approved, feedback } = await ctx.breakpoint(QUESTION);
      return approved ? ctx.task(work, {}) : `stopped: ${feedback}`;
    });
    expect((await run.iterate()).output).toBe("stopped: not like this");
  });

  type Ask = (ctx: ProcessContext, question: string, onReject: "throw" | "return") => Promise<unknown>;
  it.each<[string, Ask]>([
    ["beside the question", (ctx, question, onReject) => ctx.breakpoint(question, { onReject })],
    ["in the question", (ctx, question, onReject) => ctx.breakpoint({ question, onReject })],
  ])("C7: onReject %s: throw throws at the call with the reason, return trusts the process", async (_where, ask) => {
    const run = await asked(async (_: never, ctx: ProcessContext) => {
      await ask(ctx, "First?", "return");
      try {
        await ask(ctx, "Second?", "throw");
      } catch (error) {
        const { name, code, message } = error as Error & { code: string };
        return [name, code, message, await ctx.task(work, {})];
      }
      return "not thrown";
    });
    await run.post("breakpoint:1", ok(REJECTED));
    await run.iterate();
    await run.post("breakpoint:2", ok(REJECTED));
    await run.iterate();
    await run.restart();
    await run.post("work:1", ok(1));
    expect((await run.iterate()).output).toEqual([
      "BreakpointRejectedError",
      "BREAKPOINT_REJECTED",
      'The breakpoint "Second?" was rejected. Reason: not like this',
      1,
    ]);
  });

  it("C7 R7: an unread rejection in a branch stops that branch's next request", async () => {
    const run = await asked(
      (_: never, ctx: ProcessContext) =>
        ctx.parallel.settled([
          async () => {
            await ctx.breakpoint(QUESTION);
            return ctx.task(work, {});
          },
          () => ctx.task(other, {}),
        ]),
      "par1[0]/breakpoint:1",
    );
    await run.post("par1[0]/breakpoint:1", ok(REJECTED));
    expect(await run.iterate()).toMatchObject(UNREAD);
  });

  it("C7 R7: a sibling branch may continue; after the batch an unread rejection stops the process", async () => {
    for (const look of [true, false]) {
      const run = await asked(besideWork(look), "par1[0]/breakpoint:1");
      await run.post("par1[0]/breakpoint:1", ok(REJECTED));
      await run.post("par1[1]/work:1", ok(1));
      await run.restart();
      expect((await run.iterate()).status).toBe("waiting");
      await run.post("par1[1]/work:2", ok(2));
      expect(await run.iterate()).toMatchObject(
        look ? { status: "waiting", nextActions: [{ taskId: "other" }] } : UNREAD,
      );
    }
  });

  it("C7 R7: the end of one group does not touch answers in groups with longer numbers", async () => {
    const run = await createTestRun({
      process: async (_: never, ctx: ProcessContext) => {
        const groups = Array.from({ length: 10 }, (_unused, index) =>
          index === 9
            ? ctx.parallel.all([
                async () => {
                  const answer = await ctx.breakpoint(QUESTION);
                  await new Promise((resolve) => setTimeout(resolve, 1));
                  return answer;
                },
                () => ctx.task(work, { last: true }),
              ])
            : ctx.parallel.all([() => ctx.task(work, { index })]),
        );
        void Promise.allSettled(groups);
        await groups[0];
        await ctx.task(other, {});
        const [answer] = (await groups[9]) as { approved: boolean }[];
        return answer?.approved;
      },
    });
    await run.iterate();
    await run.post("par10[0]/breakpoint:1", ok(REJECTED));
    await run.iterate();
    await run.post("par1[0]/work:1", ok(1));
    expect((await run.iterate()).status).toBe("waiting");
    await run.post("other:1", ok(1));
    await run.post("par10[1]/work:1", ok(1));
    expect((await run.iterate()).output).toBe(false);
  });

  it("C7: a rejection is recorded as it was given", async () => {
    const run = await asked(async (_: never, ctx: ProcessContext) => (await ctx.breakpoint(QUESTION)).approved);
    await run.post("breakpoint:1", ok(REJECTED));
    await run.iterate();
    expect((await eventsOf(run, "EFFECT_RESOLVED"))[0]?.payload).toMatchObject({
      status: "ok",
      by: "post",
      result: { value: REJECTED },
    });
  });

  it("C7 R7: of a race only the winning branch must be checked", async () => {
    const process = async (_: never, ctx: ProcessContext) => {
      const first = await ctx.parallel.race([() => ctx.breakpoint(QUESTION), () => ctx.task(work, {})]);
      await ctx.task(other, {});
      return typeof first;
    };
    const late = await createTestRun({ process });
    await late.iterate();
    await late.post("par1[1]/work:1", ok("in time"));
    await late.iterate();
    await late.post("par1[0]/breakpoint:1", ok(REJECTED));
    await late.post("other:1", ok(1));
    expect((await late.iterate()).output).toBe("string");

    const inTime = await createTestRun({ process });
    await inTime.iterate();
    await inTime.post("par1[0]/breakpoint:1", ok(REJECTED));
    expect(await inTime.iterate()).toMatchObject(UNREAD);
  });
});
