/** The board of all runs, as the pages of the inbox get it. */
import { type ChildProcess, spawn } from "node:child_process";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { RunList, RunRow } from "../../packages/breakpoints/src/wire/run-wire.js";
import { InboxScene } from "../fixtures/breakpoints/inbox-scene.js";
import { CLI, cleanEnvironment } from "../fixtures/command-line.js";

const scene = new InboxScene({
  "p.mjs": `const shell = (title, command) => ({ kind: "shell", title, shell: { command } });
export async function process(inputs, ctx) {
  await ctx.task(shell("prepare the harvest", "true"));
  if (inputs.command !== undefined) await ctx.task(shell(inputs.title ?? "work", inputs.command));
  if (inputs.sleep !== undefined) await ctx.sleep(inputs.sleep);
  if (inputs.question !== undefined) await ctx.breakpoint(inputs.question);
}
`,
});
const { project } = scene;

function board(query: Record<string, string> = {}): Promise<RunList> {
  return scene.browser.read(`/api/runs?${new URLSearchParams(query).toString()}`);
}

async function ids(query: Record<string, string>): Promise<string[]> {
  return (await board(query)).runs.map(({ id }) => id);
}

/** The server hears of changes by itself; a test may be faster. */
async function seen(id: string, fits: (row: RunRow) => boolean): Promise<RunRow> {
  let last: RunRow | undefined;
  for (let looks = 0; looks < 600; looks += 1) {
    last = (await board()).runs.find((run) => run.id === id);
    if (last !== undefined && fits(last)) return last;
  }
  throw new Error(`${id} stands otherwise: ${JSON.stringify(last)}`);
}

const begin = (runId: string, inputs: object): string[] => [
  ...["run", "p.mjs", "--run-id", runId],
  ...["--inputs", JSON.stringify(inputs), "--no-hooks"],
];

async function drive(runId: string, inputs: object): Promise<void> {
  await project.run(begin(runId, inputs));
}

const drivers: ChildProcess[] = [];
afterAll(() => {
  for (const driver of drivers) driver.kill("SIGKILL");
});

/** A driver that stays at its run. */
function driveOn(runId: string, inputs: object): ChildProcess {
  const driver = spawn(process.execPath, [CLI, ...begin(runId, inputs)], {
    cwd: project.dir,
    env: cleanEnvironment(project.home),
    stdio: "ignore",
  });
  drivers.push(driver);
  return driver;
}

describe("the board", () => {
  beforeAll(async () => {
    await drive("good", { command: "echo a rare kumquat" });
    await drive("bad", { command: "echo spoilt >&2; exit 3" });
    await drive("asks", { question: "Sow now?" });
    driveOn("sleeps", { sleep: 7_200_000 });
  });

  it("B7: each run stands in its lane, and says why", async () => {
    expect(await seen("good", ({ lane }) => lane === "done")).toMatchObject({ state: "completed", outcome: "proof" });
    const bad = await seen("bad", ({ lane }) => lane === "done");
    expect(bad).toMatchObject({ outcome: "failed", why: expect.stringContaining("spoilt") });
    const asks = await seen("asks", ({ lane }) => lane === "you");
    expect(asks.questions).toMatchObject([{ title: "Sow now?" }]);
    expect(await scene.detail(asks.questions[0]?.id ?? "")).toMatchObject({ question: "Sow now?" });
    const sleeps = await seen("sleeps", ({ lane }) => lane === "waiting");
    expect(Date.parse(sleeps.until ?? "")).toBeGreaterThan(Date.now());
    const { counts, projects, processes } = await board();
    expect(counts).toEqual({ you: 1, working: 0, stalled: 0, waiting: 1, done: 2 });
    expect([projects, processes]).toEqual([[asks.project], [asks.process]]);
  });

  it("B7: search finds names, steps and errors, and a word that stands only in a log; filters narrow it", async () => {
    await seen("good", () => true);
    expect(await ids({ search: "KumQuat" })).toEqual(["good"]);
    expect(await ids({ search: "spoilt" })).toEqual(["bad"]);
    expect((await ids({ search: "harvest prepare" })).toSorted()).toEqual(["asks", "bad", "good", "sleeps"]);
    expect(await ids({ search: "nowhere" })).toEqual([]);
    expect(await ids({ state: "completed" })).toEqual(["good"]);
    expect(await ids({ process: "other" })).toEqual([]);
  });
});
