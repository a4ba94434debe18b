/** When a loop is paused because it has gone on for long enough. */
import fs from "node:fs";
import { describe, expect, it } from "vitest";
import { clockAhead, HostSession } from "../fixtures/hosts/host-session.js";
import { Project } from "../fixtures/project.js";

/** Ends a turn so many seconds from now. */
const stopAt = async (session: HostSession, seconds: number, says = "Working."): Promise<unknown> =>
  (await session.hook("stop", { last_assistant_message: says }, { env: clockAhead(session.project, seconds) }))
    .decision;

describe("max iterations", () => {
  it("L5: after the last one the loop is paused, told with its way on, and continues with a higher limit", async () => {
    const session = new HostSession();
    const runId = await session.startLoop("Do it.", ["--max-iterations", "2"]);
    expect(await session.stop()).toMatchObject({ decision: "block" });
    expect(await session.stop()).toEqual({
      systemMessage: `🛑 Babysitter run: Max iterations (2) reached.\nThe loop is paused and nothing is lost. To resume: babysitter loop:resume ${runId} --max-iterations <n>`,
    });
    expect(await session.stop()).toEqual({});
    expect(session.stops(runId)).toMatchObject([
      { decision: "block", reason: "continue_loop", iteration: 1, nextIteration: 2 },
      { decision: "approve", reason: "max_iterations_reached", iteration: 2, nextIteration: 2 },
      { decision: "approve", reason: "paused", iteration: 2, nextIteration: 2 },
    ]);
    expect(fs.readFileSync(session.file, "utf8")).toContain("active: false\niteration: 2\nmax_iterations: 2\n");
    await session.project.ask(["loop:resume", runId, "--max-iterations", "3"], { as: "person" });
    session.project.write({ "work.txt": "1" });
    expect(await session.stop()).toMatchObject({ decision: "block" });
    expect(await session.stop()).toMatchObject({
      systemMessage: expect.stringContaining("Max iterations (3)") as string,
    });
  });

  it("L5: a true claim in the last iteration counts", async () => {
    const session = new HostSession();
    const runId = await session.startLoop("Do it.", ["--max-iterations", "1", "--completion-promise", "DONE"]);
    await session.stop("<promise>DONE</promise>");
    expect(session.codes(runId)).toEqual(["promise_matched"]);
  });

  it("L5: 0 = unlimited only on explicit request; the defaults are 50, and 256 for a run", async () => {
    const session = new HostSession(new Project({ "p.mjs": "export async function p() {}\n" }));
    const limits = (): string | undefined => /^max_iterations: .*$/mu.exec(fs.readFileSync(session.file, "utf8"))?.[0];
    const first = await session.startLoop("Do it.");
    expect(limits()).toBe("max_iterations: 50");
    await session.project.ask(["loop:cancel", first], { as: "person" });
    const second = await session.startLoop("Do it.", ["--max-iterations", "0"]);
    expect(limits()).toBe("max_iterations: 0");
    await session.project.ask(["loop:cancel", second], { as: "person" });
    await session.createRun("p.mjs#p", "r");
    expect(limits()).toBe("max_iterations: 256");
    const wrong = ["-1", "1e3", "many", "1.5"];
    const exits = wrong.map(
      async (n) => (await session.project.refuse(["loop:start", "Do it.", `--max-iterations=${n}`])).exit,
    );
    expect(await Promise.all(exits)).toEqual(wrong.map(() => 2));
  });

  it("L5: an unlimited loop continues long past every default", async () => {
    const session = new HostSession();
    fs.mkdirSync(session.file.slice(0, session.file.lastIndexOf("/")), { recursive: true });
    const text = (max: number): string =>
      `---\nactive: true\niteration: 10000\nmax_iterations: ${max}\ncompletion_promise: null\nstarted_at: "2026-01-20T10:15:30Z"\n---\n\nGo on.\n`;
    fs.writeFileSync(session.file, text(0));
    expect(await session.stop()).toMatchObject({ decision: "block", reason: "Go on." });
    const other = new HostSession(session.project);
    fs.writeFileSync(other.file, text(10_000));
    expect(await other.stop()).toMatchObject({
      systemMessage: expect.stringMatching(/^🛑 Babysitter run: Max iterations \(10000\) reached\./u) as string,
    });
  });
});

describe("runaway detection", () => {
  it("L5: turns of a few seconds are no reason as long as something happens in them", async () => {
    const session = new HostSession();
    const runId = await session.startLoop("Do it.");
    for (let turn = 1; turn <= 8; turn += 1) {
      session.project.write({ "work.txt": String(turn) });
      expect({ turn, decision: await stopAt(session, turn * 4) }).toEqual({ turn, decision: "block" });
    }
    expect(new Set(session.codes(runId))).toEqual(new Set(["continue_loop"]));
  });

  it("L5: from the fifth iteration on, three of them in which nothing happens: a warning, then iteration_too_fast", async () => {
    const session = new HostSession();
    const runId = await session.startLoop("Do it.");
    for (let turn = 1; turn <= 5; turn += 1) {
      session.project.write({ "work.txt": String(Math.min(turn, 4)) });
      expect(await stopAt(session, turn * 4)).toBe("block");
    }
    expect(await stopAt(session, 24)).toBe("block");
    expect(session.stops(runId).at(-1)).toMatchObject({ reason: "breaker_half_open", warned: "too_fast" });
    expect(await stopAt(session, 28)).toBeUndefined();
    expect(session.stops(runId).at(-1)).toMatchObject({ reason: "iteration_too_fast", decision: "approve" });
    expect(fs.readFileSync(session.file, "utf8")).toContain("active: false\niteration: 7\n");
  });

  it("L5: long turns in which nothing happens are told apart from short ones", async () => {
    const session = new HostSession();
    const runId = await session.startLoop("Do it.");
    for (let turn = 1; turn <= 5; turn += 1) {
      session.project.write({ "work.txt": String(Math.min(turn, 3)) });
      await stopAt(session, turn * 60);
    }
    expect(await stopAt(session, 360)).toBeUndefined();
    expect(session.codes(runId).slice(-2)).toEqual(["breaker_half_open", "stuck_no_progress"]);
  });
});
