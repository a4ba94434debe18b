import fs from "node:fs";
import { describe, expect, it } from "vitest";
import type { ActionDoc, Finished } from "../fixtures/command-line.js";
import { DurableProject, StartLine } from "../fixtures/journal/durable-project.js";

const PROCESS = `
export async function process(inputs, ctx) {
  const ids = Array.from({ length: inputs.width }, (_, index) => "t" + index);
  return Promise.all(ids.map((id) => ctx.task({ id, kind: "agent" })));
}
`;

const RUN = "busy";

/** A new run whose tasks are asked for by the first iteration. */
async function createdRun(width: number): Promise<DurableProject> {
  const project = new DurableProject(PROCESS);
  await project.create("process.mjs", RUN, ["--inputs", "-"], { stdin: JSON.stringify({ width }) });
  return project;
}

async function waitingRun(width: number): Promise<{ project: DurableProject; effects: ActionDoc[] }> {
  const project = await createdRun(width);
  const { nextActions } = await project.ask(["run:iterate", RUN]);
  return { project, effects: nextActions };
}

function post(project: DurableProject, effectId: string, value: unknown, line?: StartLine): Promise<Finished> {
  const stdin = JSON.stringify(value);
  const args = ["task:post", RUN, effectId, "--status", "ok", "--value", "-", "--json"];
  return project.run(args, line?.feeds(stdin) ?? { stdin });
}

/** How many events of each type there are: one too many is named. */
function countsOf(project: DurableProject): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { type } of project.events(RUN)) counts[type] = (counts[type] ?? 0) + 1;
  return counts;
}

describe("many processes on one run", () => {
  it("J1: 50 posts at once, with iterations and readers alongside: each is recorded once, none is refused", async () => {
    const { project, effects } = await waitingRun(50);
    const posts = { open: true };
    const others: Finished[] = [];
    const loops = [
      ["run:iterate", RUN],
      ["run:status", RUN],
      ["run:iterate", RUN],
    ].map(async (args) => {
      while (posts.open) others.push(await project.run([...args, "--json"]));
    });
    const ends = await Promise.all(effects.map(({ effectId }, index) => post(project, effectId, { index })));
    posts.open = false;
    await Promise.all(loops);
    expect(ends.map(({ code, json }) => [code, json().outcome])).toEqual(ends.map(() => [0, "committed"]));
    expect(others.map(({ code }) => code)).toEqual(others.map(() => 0));
    const end = await project.ask(["run:iterate", RUN]);
    expect(end.status).toBe("completed");
    expect(end.output).toEqual(effects.map((_, index) => ({ index })));
    const sequence = project.sequence(RUN);
    expect(sequence).toEqual(sequence.map((_, index) => index + 1));
    expect(countsOf(project)).toEqual({ RUN_CREATED: 1, EFFECT_REQUESTED: 50, EFFECT_RESOLVED: 50, RUN_COMPLETED: 1 });
    expect((await project.ask(["run:check", RUN])).findings).toEqual([]);
  });

  it("C17 J1: 10 different results for one effect: one is recorded, the others are refused and told which", async () => {
    const { project, effects } = await waitingRun(1);
    const effectId = effects[0]?.effectId as string;
    const line = new StartLine(10);
    const ends = await Promise.all(
      Array.from({ length: 10 }, (_, index) => post(project, effectId, { from: index }, line)),
    );
    const winners = ends.flatMap(({ code }, index) => (code === 0 ? [index] : []));
    expect(winners).toHaveLength(1);
    expect(ends[winners[0] as number]?.json()).toMatchObject({ outcome: "committed" });
    for (const { code, json } of ends.filter((_, index) => index !== winners[0])) {
      expect(code).toBe(7);
      expect(json().error).toMatchObject({
        code: "EFFECT_ALREADY_RESOLVED",
        details: { recorded: { status: "ok", value: { from: winners[0] } } },
      });
    }
    expect((await project.ask(["run:iterate", RUN])).output).toEqual([{ from: winners[0] }]);
  });

  it("C17 J1: 10 times the same result for one effect: one is recorded, the others are duplicates", async () => {
    const { project, effects } = await waitingRun(1);
    const effectId = effects[0]?.effectId as string;
    const line = new StartLine(10);
    const ends = await Promise.all(Array.from({ length: 10 }, () => post(project, effectId, { same: true }, line)));
    expect(ends.map(({ code }) => code)).toEqual(ends.map(() => 0));
    const outcomes = ends.map(({ json }) => json().outcome).toSorted();
    expect(outcomes).toEqual(["committed", ...Array.from({ length: 9 }, () => "duplicate")]);
    expect(project.sequence(RUN)).toEqual([1, 2, 3]);
  });

  it("C13 J1: 8 iterations at once record each request once", async () => {
    for (let round = 0; round < 3; round += 1) {
      const project = await createdRun(20);
      const ends = await Promise.all(Array.from({ length: 8 }, () => project.run(["run:iterate", RUN, "--json"])));
      expect(ends.map(({ code, json }) => [code, json().status, json().count])).toEqual(
        ends.map(() => [0, "waiting", 20]),
      );
      expect(project.sequence(RUN)).toEqual(Array.from({ length: 21 }, (_, index) => index + 1));
      expect((await project.ask(["run:check", RUN])).findings).toEqual([]);
    }
  });

  it("C1 J1: creating the same run 5 times at once: one succeeds, four are refused, nothing is left behind", async () => {
    for (let round = 0; round < 3; round += 1) {
      const project = new DurableProject(PROCESS);
      const line = new StartLine(5);
      const args = ["run:create", "--process-id", "p", "--entry", "process.mjs", "--run-id", RUN, "--inputs", "-"];
      const stdin = JSON.stringify({ width: 1 });
      const ends = await Promise.all(
        Array.from({ length: 5 }, () => project.run([...args, "--json"], line.feeds(stdin))),
      );
      const codes = ends.map(({ code, json }) => (code === 0 ? "made" : json().error.code));
      expect(codes.toSorted()).toEqual(["RUN_EXISTS", "RUN_EXISTS", "RUN_EXISTS", "RUN_EXISTS", "made"]);
      expect(fs.readdirSync(project.runsDir)).toEqual([RUN]);
      expect((await project.ask(["run:iterate", RUN])).status).toBe("waiting");
    }
  });

  it("J1: a large result is not starved by many small ones", async () => {
    const { project, effects } = await waitingRun(60);
    const [large, ...small] = effects.map(({ effectId }) => effectId);
    const lane = { open: true };
    const queue = [...small];
    const lanes = Array.from({ length: 3 }, async () => {
      while (lane.open && queue.length > 0) expect((await post(project, queue.pop() as string, 1)).code).toBe(0);
    });
    const end = await post(project, large as string, "x".repeat(5_000_000));
    const waited = small.length - queue.length;
    lane.open = false;
    await Promise.all(lanes);
    expect(end.json()).toMatchObject({ outcome: "committed" });
    // It had its turn while the others were still at it.
    expect(waited).toBeLessThan(small.length);
  });
});
