import fs from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { LoopProject, SESSION } from "../fixtures/loop-runs/loop-project.js";
import { until } from "../fixtures/processes.js";

const CLEAR =
  "Add pagination to src/api/list.ts. It must not change the public types. Done when `npm test` passes and every page has at most 50 rows.";
const MIDDLING = "Add pagination to src/api/list.ts. It must not change the public types.";
const VAGUE = "Make it better somehow";
const STEPS = ["--step", "Write the test", "--step", "Write the code"];
const DONE = "<promise>ALL DONE</promise>";
const PROMISE = ["--run-id", "work", "--completion-promise", "ALL DONE"];

/** A transcript as the host writes it, a call per turn: one row per content block, the usage of the call on each. */
function transcript(
  project: LoopProject,
  calls: { model: string; input: number; output: number; tools?: boolean }[],
): string {
  const file = path.join(project.root, "transcripts", `${SESSION}.jsonl`);
  fs.mkdirSync(path.dirname(file), { recursive: true });
  const rows: object[] = [];
  for (const [index, { model, input, output, tools = true }] of calls.entries()) {
    const row = (block: object): object => ({
      type: "assistant",
      uuid: `a${index}-${rows.length}`,
      timestamp: new Date().toISOString(),
      sessionId: SESSION,
      message: {
        id: `msg_${index}`,
        role: "assistant",
        model,
        content: [block],
        usage: { input_tokens: input, output_tokens: output },
      },
    });
    const user = { type: "user", uuid: `u${index}`, timestamp: new Date().toISOString(), sessionId: SESSION };
    rows.push({ ...user, message: { role: "user", content: "go on" } }, row({ type: "text", text: `call ${index}` }));
    if (tools) rows.push(row({ type: "tool_use", id: `t${index}`, name: "Bash", input: {} }));
  }
  fs.writeFileSync(file, rows.map((row) => `${JSON.stringify(row)}\n`).join(""));
  return file;
}

describe("a loop of steps", () => {
  it("L12: a task that is not clear enough is refused without a person, with the questions to answer", async () => {
    const project = new LoopProject();
    const error = await project.refuse(["loop:start", VAGUE, ...STEPS]);
    expect([error.exit, error.code]).toEqual([7, "LOOP_SPEC_WEAK"]);
    expect(error.details["score"]).toBeLessThan(5);
    expect(error.details["questions"]).toContain("Where? Which files, folders or modules are involved?");
    expect(error.hint).toContain("--shape colleague");
    expect(project.runs()).toEqual([]);
    // In the session of an agent the user can be asked.
    const inSession = await project.doc(["loop:start", VAGUE, ...STEPS, "--session-id", SESSION]);
    expect(inSession.contract).toMatchObject({ shape: "colleague", limits: { reviewEvery: 5 } });
  });

  it("L12: a clear task runs unattended, an unclear one is reviewed every few turns, and a flag overrides that", async () => {
    const project = new LoopProject();
    const contractOf = async (...args: string[]): Promise<unknown> =>
      (await project.doc(["loop:start", ...args, ...STEPS])).contract;
    expect(await contractOf(CLEAR)).toMatchObject({ mode: "tasks", shape: "tool" });
    expect(await contractOf(CLEAR)).not.toHaveProperty("limits.reviewEvery");
    expect(await contractOf(MIDDLING)).toMatchObject({ shape: "colleague", limits: { reviewEvery: 5 } });
    expect(await contractOf(VAGUE, "--shape", "tool")).toMatchObject({ shape: "tool" });
    expect(await contractOf(CLEAR, "--shape", "colleague", "--review-every", "2")).toMatchObject({
      shape: "colleague",
      limits: { reviewEvery: 2 },
    });
  });

  it("L12: criteria that were agreed by flags count for how clear a task is", async () => {
    const project = new LoopProject();
    const weak = "Add pagination to src/api/list.ts";
    const { contract, runId } = await project.doc([
      "loop:start",
      weak,
      ...STEPS,
      "--criteria",
      "t: true",
      "--protect",
      "x/**",
    ]);
    await project.baseline({ runId, contract });
    expect(contract.shape).toBe("tool");
  });

  it("L12: a colleague's work is paused for review, and resumes when someone says so", async () => {
    const project = new LoopProject();
    await project.start([CLEAR, ...STEPS, ...PROMISE, "--shape", "colleague", "--review-every", "2"]);
    project.write({ a: "1" });
    expect((await project.stop("one")).code).toBe("continue_loop");
    project.write({ a: "2" });
    expect((await project.stop("two")).code).toBe("review_due");
    expect((await project.run(["loop:report", "work"])).code).toBe(3);
    await project.doc(["loop:resume", "work"]);
    project.write({ a: "3" });
    expect((await project.stop("three")).code).toBe("continue_loop");
  });

  it("L12: steps are done one by one; the agent is told the next one, and is not done before all are", async () => {
    const project = new LoopProject();
    await project.start([CLEAR, ...STEPS, ...PROMISE]);
    const early = await project.stop(DONE);
    expect(early.code).toBe("steps_remaining");
    expect(early.reason).toContain("write-the-test (Write the test), write-the-code (Write the code)");
    const shown = await project.run(["loop:step"]);
    expect(shown.stdout).toBe(
      "·  write-the-test  Write the test\n·  write-the-code  Write the code\nnext step: Write the test\n",
    );
    expect((await project.doc(["loop:step", "write-the-test", "--done"])).next).toBe("write-the-code");
    expect((await project.doc(["loop:step", "work", "write-the-code", "--done"])).next).toBeNull();
    expect((await project.run(["loop:step", "work"])).stdout).toContain("All steps are done.");
    expect((await project.stop(DONE)).code).toBe("promise_matched");
    expect(
      project.events("work", "STEP_CHANGED").map(({ payload }) => [payload["step"], payload["status"], payload["by"]]),
    ).toEqual([
      ["write-the-test", "done", "person"],
      ["write-the-code", "done", "person"],
    ]);
  });

  it("L13: loop:step takes new steps with a title, and refuses what it does not understand", async () => {
    const project = new LoopProject();
    await project.start([CLEAR, ...STEPS, ...PROMISE]);
    const before = project.journal("work");
    const refused = async (...args: string[]): Promise<unknown> => {
      const { exit, code } = await project.refuse(["loop:step", "work", ...args]);
      return [exit, code];
    };
    expect(await refused("write-the-poem", "--done")).toEqual([2, "STEP_NOT_FOUND"]);
    expect(await refused("write-the-test")).toEqual([2, "USAGE"]);
    expect(await refused("write-the-test", "--done", "--failed")).toEqual([2, "USAGE"]);
    expect(await refused("write-the-test", "--failed", "--error-class", "bad")).toEqual([2, "USAGE"]);
    expect(await refused("a", "b", "--done")).toEqual([2, "USAGE"]);
    expect(project.journal("work")).toEqual(before);
    const { steps } = await project.doc(["loop:step", "work", "write-docs", "--title", "Write the docs"]);
    expect(steps.at(-1)).toMatchObject({ id: "write-docs", title: "Write the docs", status: "open" });
  });

  it.each([
    ["blocking", "error_blocking"],
    ["unknown", "error_unknown"],
  ])("L12: a step that met an error of the class %s pauses the loop at once", async (errorClass, code) => {
    const project = new LoopProject();
    await project.start([CLEAR, ...STEPS, ...PROMISE]);
    await project.doc(["loop:step", "write-the-test", "--failed", "--error-class", errorClass, "--note", "no network"]);
    expect((await project.stop("It does not work.")).code).toBe(code);
    expect((await project.run(["loop:report", "work"])).stdout).toContain(`(failed, ${errorClass}: \`no network\`)`);
    expect((await project.run(["loop:report", "work"])).code).toBe(3);
  });

  it("L12: a passing error is tried once more, the same one again pauses", async () => {
    const project = new LoopProject();
    await project.start([CLEAR, ...STEPS, ...PROMISE]);
    const fails = ["loop:step", "write-the-test", "--failed", "--error-class", "transient"];
    await project.doc(fails);
    expect((await project.stop("The network was gone.")).code).toBe("continue_loop");
    await project.doc(fails);
    expect((await project.stop("It is gone again.")).code).toBe("error_transient");
    // Resumed, it has its one more try again.
    await project.doc(["loop:resume", "work"]);
    await project.doc(fails);
    expect((await project.stop("And again.")).code).toBe("continue_loop");
  });

  it("L12: a logic error is the agent's to mend; a failed step without a class is unknown", async () => {
    const project = new LoopProject();
    await project.start([CLEAR, ...STEPS, ...PROMISE]);
    await project.doc(["loop:step", "write-the-test", "--failed", "--error-class", "logic"]);
    expect((await project.stop("A test is red.")).code).toBe("continue_loop");
    await project.doc(["loop:step", "write-the-test", "--failed"]);
    expect((await project.stop("Something.")).code).toBe("error_unknown");
  });

  it("L12: the record of the task is written after every turn, and can be taken over by loop:import", async () => {
    const project = new LoopProject();
    await project.start([CLEAR, ...STEPS, ...PROMISE, "--budget-usd", "25", "--max-iterations", "10"]);
    await project.doc(["loop:step", "write-the-test", "--done"]);
    await project.stop("one");
    const file = path.join(project.runsDir, "work", "task.json");
    const record = JSON.parse(fs.readFileSync(file, "utf8")) as { metadata: object };
    expect(record).toMatchObject({
      id: "work",
      subject: expect.stringMatching(/^Complete: Add pagination/u),
      status: "in_progress",
      metadata: {
        iteration: 2,
        cost: null,
        shape: "tool",
        budget: 25,
        maxIterations: 10,
        completedSteps: ["Write the test"],
        remainingSteps: ["Write the code"],
        errors: [],
      },
    });
    project.write({ "task.json": JSON.stringify({ ...record, metadata: { ...record.metadata, shape: "colleague" } }) });
    const imported = await project.doc(["loop:import", "task.json", "--run-id", "again"]);
    expect([imported.format, imported.contract.mode]).toEqual(["task-record", "tasks"]);
    expect(imported.contract).toMatchObject({
      shape: "colleague",
      limits: { iterations: 10, usd: 25, reviewEvery: 5 },
    });
    expect(await project.status("again")).toMatchObject({
      iteration: 2,
      steps: [
        { title: "Write the test", status: "done" },
        { title: "Write the code", status: "open" },
      ],
    });
    expect(JSON.parse((await project.run(["loop:check", "again"])).stdout)).toEqual({
      ok: false,
      reason: "next: Write the code",
    });
  });

  it("L12: the cost, ID and start of an imported record count", async () => {
    const metadata = { cost: 4.5, budget: 5, startedAt: "2026-01-20T10:00:00Z", remainingSteps: ["Mop"] };
    const project = new LoopProject({
      "task.json": JSON.stringify({ id: "task-7", description: CLEAR, status: "in_progress", metadata }),
    });
    await project.doc(["loop:import", "task.json", "--run-id", "work", "--session-id", SESSION]);
    const record = (): unknown => JSON.parse(fs.readFileSync(path.join(project.runsDir, "work", "task.json"), "utf8"));
    const start = { startedAt: "2026-01-20T10:00:00Z" };
    expect(record()).toMatchObject({ id: "task-7", metadata: { ...start, cost: 4.5, budget: 5 } });
    const calls = [0, 1].map(() => ({ model: "claude-sonnet-4-5-20250929", input: 100_000, output: 10_000 }));
    const stop = await project.stop("call 1", { transcript_path: transcript(project, calls) });
    expect([stop.code, stop.message.split("\n")[0]]).toEqual([
      "budget_cost",
      "🛑 Babysitter run: Budget reached ($5.40 of $5.00).",
    ]);
    expect(record()).toMatchObject({ id: "task-7", metadata: { ...start, cost: expect.closeTo(5.4) as number } });
  });

  it("L12: the end by <loop-complete> says so", async () => {
    const project = new LoopProject();
    await project.start([CLEAR, "--step", "Mop", ...PROMISE]);
    await project.doc(["loop:step", "mop", "--done"]);
    const end = await project.stop("<loop-complete>\nAll success criteria satisfied:\n- mop: ✓\n</loop-complete>");
    expect(end.message).toMatch(/^✅ Babysitter run: Detected <loop-complete>\n/u);
  });

  it("L12: the end has a report: how it ended, the steps, what it took", async () => {
    const project = new LoopProject();
    await project.start([CLEAR, ...STEPS, ...PROMISE, "--criteria", "code: test -e code.txt"]);
    for (const step of ["write-the-test", "write-the-code"]) await project.doc(["loop:step", step, "--done"]);
    project.write({ "code.txt": "" });
    expect((await project.claim(DONE)).code).toBe("completed_verified");
    const file = fs.readFileSync(path.join(project.runsDir, "work", "report.md"), "utf8");
    expect(file).toContain("Done, verified by the engine");
    expect(file).toContain("- [x] `Write the test`\n- [x] `Write the code`");
    expect((await project.run(["loop:report", "work"])).code).toBe(0);
  });
});

describe("limits", () => {
  const SONNET = "claude-sonnet-4-5-20250929";

  it("L12: the money that a session has used is read from its transcript, each call once", async () => {
    const project = new LoopProject();
    await project.start(["Tidy", ...PROMISE, "--budget-usd", "10"]);
    const file = transcript(project, [{ model: SONNET, input: 100_000, output: 10_000 }]);
    expect((await project.stop("call 0", { transcript_path: file })).code).toBe("continue_loop");
    const { spend } = await project.status("work");
    expect(spend).toMatchObject({ totalTokens: 110_000, unpriced: [] });
    expect(spend?.usd).toBeCloseTo(0.45);
    expect((await project.run(["loop:status", "work"])).stdout).toMatch(
      /^Spend: +110,000 tokens, \$0\.45 of \$10\.00 \(list price of /mu,
    );
  });

  it("L12: when the money is used up the loop is paused, and a person can give it more", async () => {
    const project = new LoopProject();
    await project.start(["Tidy", ...PROMISE, "--budget-usd", "0.40"]);
    const file = transcript(project, [{ model: SONNET, input: 100_000, output: 10_000 }]);
    const stop = await project.stop("call 0", { transcript_path: file });
    expect(stop.code).toBe("budget_cost");
    expect(stop.message).toContain("Budget reached ($0.45 of $0.40)");
    expect((await project.run(["loop:report", "work"])).code).toBe(4);
    await project.doc(["loop:resume", "work", "--budget-usd", "5"], { as: "person" });
    const calls = [0, 1].map(() => ({ model: SONNET, input: 100_000, output: 10_000 }));
    expect((await project.stop("call 1", { transcript_path: transcript(project, calls) })).code).toBe("continue_loop");
    expect((await project.status("work")).spend?.usd).toBeCloseTo(0.9);
  });

  it("L12: tokens are a separate limit", async () => {
    const project = new LoopProject();
    await project.start(["Tidy", ...PROMISE, "--budget-tokens", "110000"]);
    const file = transcript(project, [{ model: SONNET, input: 100_000, output: 10_000 }]);
    expect((await project.stop("call 0", { transcript_path: file })).code).toBe("budget_tokens");
    expect((await project.run(["loop:report", "work"])).code).toBe(4);
  });

  it("L12: with a money limit a model without a known price pauses the loop and says so; a setting gives it one", async () => {
    const project = new LoopProject();
    await project.start(["Tidy", ...PROMISE, "--budget-usd", "10"]);
    const file = transcript(project, [{ model: "strange-model-9", input: 1000, output: 1000 }]);
    const stop = await project.stop("call 0", { transcript_path: file });
    expect(stop.code).toBe("cost_unknown");
    expect(stop.message).toContain(
      "no price is known for strange-model-9. A loop keeps the prices that it began with; for the next one, add it to the setting `prices`.",
    );
    expect((await project.run(["loop:report", "work"])).code).toBe(4);
    const other = new LoopProject({
      ".a5c/config.json": JSON.stringify({ prices: { "strange-model": { input: 1, output: 2 } } }),
    });
    await other.start(["Tidy", ...PROMISE, "--budget-usd", "10"]);
    const again = transcript(other, [{ model: "strange-model-9", input: 1_000_000, output: 1_000_000 }]);
    expect((await other.stop("call 0", { transcript_path: again })).code).toBe("continue_loop");
    expect((await other.status("work")).spend?.usd).toBeCloseTo(3);
  });

  it("L12: usage before the loop started does not count", async () => {
    const project = new LoopProject();
    const file = transcript(project, [{ model: SONNET, input: 9_000_000, output: 0 }]);
    await project.start(["Tidy", ...PROMISE, "--budget-usd", "1"]);
    expect((await project.stop("call 0", { transcript_path: file })).code).toBe("continue_loop");
  });

  it("L12: after the last iteration the loop is paused with everything kept; a true claim in it still counts", async () => {
    const project = new LoopProject();
    await project.start(["Tidy", ...PROMISE, "--max-iterations", "2"]);
    expect((await project.stop("one")).code).toBe("continue_loop");
    const stop = await project.stop("two");
    expect([stop.code, stop.message]).toEqual([
      "max_iterations_reached",
      "🛑 Babysitter run: Max iterations (2) reached.\nThe loop is paused and nothing is lost. To resume: babysitter loop:resume work --max-iterations <n>",
    ]);
    expect((await project.run(["loop:report", "work"])).code).toBe(4);
    await project.doc(["loop:resume", "work", "--max-iterations", "3"], { as: "person" });
    expect((await project.stop(DONE)).code).toBe("promise_matched");
  });

  it("L12: the way on after an amendment works as it is printed, whether or not it lifts the limit", async () => {
    const project = new LoopProject();
    await project.start(["Tidy", ...PROMISE, "--max-iterations", "1"]);
    expect((await project.stop("one")).code).toBe("max_iterations_reached");
    const amend = async (...terms: string[]): Promise<string> =>
      (await project.run(["loop:amend", "work", ...terms], { as: "person" })).stdout;
    expect(await amend("--max-time", "2h")).toMatch(/To resume: babysitter loop:resume work --max-iterations <n>\s*$/u);
    expect((await project.run(["loop:resume", "work"], { as: "person" })).stderr).toContain("LIMIT_REACHED");
    expect(await amend("--max-iterations", "4")).toMatch(/To resume: babysitter loop:resume work\s*$/u);
    expect((await project.run(["run:status", "work"])).stdout).toMatch(/^next: babysitter loop:resume work$/mu);
    await project.doc(["loop:resume", "work"], { as: "person" });
    expect((await project.stop("two")).code).toBe("continue_loop");
  });

  it("L12: a loop that has had its time is paused at the end of the turn", async () => {
    const project = new LoopProject();
    await project.start(["Tidy", ...PROMISE, "--max-time", "1s"]);
    await until(() => Date.now() - Date.parse(project.events("work")[0]?.timestamp ?? "") > 1000);
    expect((await project.stop("one")).code).toBe("budget_time");
    expect((await project.run(["loop:report", "work"])).code).toBe(4);
  });
});
