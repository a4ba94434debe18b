import fs from "node:fs";
import { afterEach, describe, expect, it } from "vitest";
import { CliProject, type CommandEnd, type Document, StartLine } from "../fixtures/cli/cli-project.js";

const PROCESS = `
export async function process(inputs, ctx) {
  const ids = Array.from({ length: inputs.width }, (_, index) => "t" + index);
  return Promise.all(ids.map((id) => ctx.task({ id, kind: "agent" })));
}
`;

const RUN = "busy";
const projects: CliProject[] = [];

afterEach(() => {
  for (const project of projects.splice(0)) project.remove();
});

async function waitingRun(width: number): Promise<{ project: CliProject; effects: Document[] }> {
  const project = new CliProject(PROCESS);
  projects.push(project);
  await project.must(project.createArguments(RUN, { width }));
  const { nextActions } = await project.must(["run:iterate", RUN]);
  return { project, effects: nextActions as Document[] };
}

const post = (project: CliProject, effectId: string, value: unknown, line?: StartLine): Promise<CommandEnd> =>
  project.run(["task:post", RUN, effectId, "--status", "ok", "--value", "-"], {
    stdin: JSON.stringify(value),
    ...(line === undefined ? {} : { line }),
  });

describe("many processes on one run", () => {
  it("J1: 50 posts at once beside iterations and looks: all are in, each once, nobody is turned away", async () => {
    const { project, effects } = await waitingRun(50);
    const posts = { open: true };
    const others: CommandEnd[] = [];
    const loops = [
      ["run:iterate", RUN],
      ["run:status", RUN],
      ["run:iterate", RUN],
    ].map(async (args) => {
      while (posts.open) others.push(await project.run(args));
    });
    const ends = await Promise.all(effects.map(({ effectId }, index) => post(project, effectId as string, { index })));
    posts.open = false;
    await Promise.all(loops);
    expect(ends.map(({ exitCode, json }) => [exitCode, json?.["outcome"]])).toEqual(ends.map(() => [0, "committed"]));
    expect(others.map(({ exitCode }) => exitCode)).toEqual(others.map(() => 0));
    const end = await project.must(["run:iterate", RUN]);
    expect(end["status"]).toBe("completed");
    expect(end["output"]).toEqual(effects.map((_, index) => ({ index })));
    const sequence = project.sequence(RUN);
    expect(sequence).toEqual(sequence.map((_, index) => index + 1));
    expect(sequence).toHaveLength(1 + 50 + 50 + 1);
    expect((await project.must(["run:check", RUN]))["findings"]).toEqual([]);
  });

  it("C17 J1: 10 different results for one effect: one is recorded, the others are refused and told which", async () => {
    const { project, effects } = await waitingRun(1);
    const effectId = effects[0]?.["effectId"] as string;
    const line = new StartLine(10);
    const ends = await Promise.all(
      Array.from({ length: 10 }, (_, index) => post(project, effectId, { from: index }, line)),
    );
    const winners = ends.flatMap(({ exitCode }, index) => (exitCode === 0 ? [index] : []));
    expect(winners).toHaveLength(1);
    expect(ends[winners[0] as number]?.json).toMatchObject({ outcome: "committed" });
    for (const { exitCode, json } of ends.filter((_, index) => index !== winners[0])) {
      expect(exitCode).toBe(7);
      expect(json?.["error"]).toMatchObject({
        code: "EFFECT_ALREADY_RESOLVED",
        details: { recorded: { status: "ok", value: { from: winners[0] } } },
      });
    }
    expect((await project.must(["run:iterate", RUN]))["output"]).toEqual([{ from: winners[0] }]);
  });

  it("C17 J1: 10 times the same result for one effect: one is recorded, the others are duplicates", async () => {
    const { project, effects } = await waitingRun(1);
    const effectId = effects[0]?.["effectId"] as string;
    const line = new StartLine(10);
    const ends = await Promise.all(Array.from({ length: 10 }, () => post(project, effectId, { same: true }, line)));
    expect(ends.map(({ exitCode }) => exitCode)).toEqual(ends.map(() => 0));
    const outcomes = ends.map(({ json }) => json?.["outcome"] as string).toSorted();
    expect(outcomes).toEqual(["committed", ...Array.from({ length: 9 }, () => "duplicate")]);
    expect(project.sequence(RUN)).toEqual([1, 2, 3]);
  });

  it("C13 J1: 8 iterations at once record each request once", async () => {
    for (let round = 0; round < 3; round += 1) {
      const project = new CliProject(PROCESS);
      projects.push(project);
      await project.must(project.createArguments(RUN, { width: 20 }));
      const ends = await Promise.all(Array.from({ length: 8 }, () => project.run(["run:iterate", RUN])));
      expect(ends.map(({ exitCode, json }) => [exitCode, json?.["status"], json?.["count"]])).toEqual(
        ends.map(() => [0, "waiting", 20]),
      );
      expect(project.sequence(RUN)).toEqual(Array.from({ length: 21 }, (_, index) => index + 1));
      expect((await project.must(["run:check", RUN]))["findings"]).toEqual([]);
    }
  });

  it("C1 J1: 5 times the same new run at once: one is made, four are refused, nothing is left behind", async () => {
    for (let round = 0; round < 3; round += 1) {
      const project = new CliProject(PROCESS);
      projects.push(project);
      const line = new StartLine(5);
      const options = { stdin: JSON.stringify({ width: 1 }), line };
      const ends = await Promise.all(
        Array.from({ length: 5 }, () => project.run(project.createFromStdin(RUN), options)),
      );
      const codes = ends.map(({ exitCode, json }) => (exitCode === 0 ? "made" : (json?.["error"].code as string)));
      expect(codes.toSorted()).toEqual(["RUN_EXISTS", "RUN_EXISTS", "RUN_EXISTS", "RUN_EXISTS", "made"]);
      expect(fs.readdirSync(project.runsDir)).toEqual([RUN]);
      expect((await project.must(["run:iterate", RUN]))["status"]).toBe("waiting");
    }
  });

  it("J1: a large result is not starved by many small ones", async () => {
    const { project, effects } = await waitingRun(60);
    const [large, ...small] = effects.map(({ effectId }) => effectId as string);
    const lane = { open: true };
    const queue = [...small];
    const lanes = Array.from({ length: 3 }, async () => {
      while (lane.open && queue.length > 0) expect((await post(project, queue.pop() as string, 1)).exitCode).toBe(0);
    });
    const end = await post(project, large as string, "x".repeat(5_000_000));
    const waited = small.length - queue.length;
    lane.open = false;
    await Promise.all(lanes);
    expect(end.json).toMatchObject({ outcome: "committed" });
    // It had its turn while the others were still at it.
    expect(waited).toBeLessThan(small.length);
  });
});
