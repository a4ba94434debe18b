import fs from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { LoopProject, SESSION, told } from "../fixtures/loop-runs/loop-project.js";
import { until } from "../fixtures/processes.js";

/** Nobody is there to be asked, and the tasks of these tests are vague. */
const UNATTENDED = ["loop:start", "--shape", "tool"];

describe("loop:start", () => {
  it("L13: fills in defaults: 50 iterations, a generated promise, a title", async () => {
    const project = new LoopProject();
    const first = await project.doc([...UNATTENDED, "\n\n  Tidy   the shed\nand the attic"]);
    const second = await project.doc([...UNATTENDED, "Tidy the shed"]);
    expect(first.contract).toMatchObject({
      mode: "prompt",
      title: "Tidy the shed",
      criteria: [],
      steps: [],
      shape: "tool",
      limits: { iterations: 50 },
      promise: { issued: true },
    });
    expect(first.contract.limits).not.toHaveProperty("usd");
    expect(first.contract.promise.text).toMatch(/^DONE-[0-9a-f]{6}$/u);
    expect(second.contract.promise.text).not.toBe(first.contract.promise.text);
    expect(path.isAbsolute(first.runDir)).toBe(true);
  });

  it("L13: no limit of iterations only when someone says so", async () => {
    const project = new LoopProject();
    const unlimited = await project.doc([...UNATTENDED, "Tidy", "--max-iterations", "0"]);
    expect(unlimited.contract.limits["iterations"]).toBe(0);
    const text = (await project.run([...UNATTENDED, "Tidy", "--max-iterations", "0"])).stdout;
    expect(text).toContain("limits:  no iteration limit");
    expect((await project.doc([...UNATTENDED, "Tidy", "--max-iterations", ""])).contract.limits["iterations"]).toBe(50);
  });

  it("L13: takes the prompt as words, an option, a file and stdin, byte for byte", async () => {
    const prompt = '---\nactive: false\n---\n$(touch PWNED) `x` "y" \\ é 漢\n\n  iteration: keep this  \n\n';
    const project = new LoopProject({ "task.md": prompt });
    const started = [
      await project.doc([...UNATTENDED, "two", "words"]),
      await project.doc([...UNATTENDED, `--prompt=${prompt}`]),
      await project.doc([...UNATTENDED, "--prompt-file", "task.md"]),
      await project.doc([...UNATTENDED, "--prompt-file", "-"], { stdin: prompt }),
    ];
    const goals = started.map(async ({ runId }) => (await project.status(runId)).goal);
    expect(await Promise.all(goals)).toEqual(["two words", prompt, prompt, prompt]);
    expect(fs.existsSync(project.path("PWNED"))).toBe(false);
    const run = started.at(-1)?.runId ?? "";
    expect(fs.readFileSync(path.join(project.runsDir, run, "prompt.md"), "utf8")).toBe(prompt);
  });

  it("L13: a prompt that is missing, empty, given twice, too large or no text is refused and nothing is made", async () => {
    const project = new LoopProject({ "empty.md": " \n\t\n", "task.md": "Tidy" });
    fs.writeFileSync(project.path("latin1.md"), Buffer.from([0x54, 0x69, 0xe9]));
    fs.writeFileSync(project.path("large.md"), "x".repeat(4 * 1024 * 1024 + 1));
    const refused = async (...args: string[]): Promise<unknown> => told(await project.refuse(["loop:start", ...args]));
    expect(await refused()).toEqual([2, "USAGE", expect.stringContaining("The task is missing")]);
    expect(await refused("")).toEqual([2, "USAGE", expect.stringContaining("The task is missing")]);
    expect(await refused("--prompt-file", "empty.md")).toEqual([2, "USAGE", expect.stringContaining("missing")]);
    expect(await refused("Tidy", "--prompt-file", "task.md")).toEqual([2, "USAGE", expect.stringContaining("once")]);
    expect(await refused("--prompt", "a", "b")).toEqual([2, "USAGE", expect.stringContaining("once")]);
    expect(await refused("--prompt-file", "large.md")).toEqual([2, "USAGE", expect.stringContaining("4194304 bytes")]);
    expect(await refused("--prompt-file", "latin1.md")).toEqual([
      2,
      "INPUT_NOT_FOUND",
      expect.stringContaining("not UTF-8"),
    ]);
    expect(await refused("--prompt-file", "none.md")).toEqual([
      2,
      "INPUT_NOT_FOUND",
      expect.stringContaining("none.md"),
    ]);
    expect(project.runs()).toEqual([]);
  });

  it("L13: criteria are named commands; anything else is refused with what to write", async () => {
    const project = new LoopProject();
    const refused = async (...args: string[]): Promise<unknown> => {
      const error = await project.refuse(["loop:start", "Tidy", ...args]);
      return [error.exit, error.code, `${error.message} ${error.hint}`];
    };
    expect(await refused("--criteria", "npm test")).toEqual([
      2,
      "CRITERION_INVALID",
      expect.stringContaining("--claim"),
    ]);
    expect(await refused("--criteria", "tests:")).toEqual([2, "CRITERION_INVALID", expect.stringContaining("no name")]);
    expect(await refused("--criteria", "(my) tests: true")).toEqual([
      2,
      "CRITERION_INVALID",
      expect.stringContaining("'my-tests: …'"),
    ]);
    expect(await refused("--criteria", "a: true", "--fast-criteria", "a: false")).toEqual([
      2,
      "CRITERION_INVALID",
      expect.stringContaining('Two criteria are named "a"'),
    ]);
    expect(await refused("--criteria", "lint: no-such-linter --all")).toEqual([
      2,
      "CRITERION_INVALID",
      expect.stringContaining("there is no command no-such-linter"),
    ]);
    expect(await refused("--must-not", "bad: ./not-there.sh")).toEqual([
      2,
      "CRITERION_INVALID",
      expect.stringContaining("there is no command ./not-there.sh"),
    ]);
    expect(project.runs()).toEqual([]);
  });

  it.each([
    ["--max-iterations", "many"],
    ["--max-iterations", "-1"],
    ["--max-iterations", "1e3"],
    ["--budget-usd", "cheap"],
    ["--budget-usd", "-5"],
    ["--budget-tokens", "1.5"],
    ["--max-time", "soon"],
    ["--criteria-timeout", "10"],
    ["--review-every", "x"],
    ["--shape", "friend"],
    ["--completion-promise", ""],
    ["--completion-promise", "  "],
    ["--session-id", "../../etc/passwd"],
    ["--run-id", "../escape"],
    ["--unknown", "x"],
  ])("L13: a wrong option is a usage error and nothing is made: %s %s", async (flag, value) => {
    const project = new LoopProject();
    const { exit, message } = await project.refuse(["loop:start", "Tidy", flag, value]);
    expect(exit).toBe(2);
    expect(message).not.toBe("");
    expect(project.runs()).toEqual([]);
  });

  it.each([
    ["max-iterations", "many"],
    ["budget-usd", "0"],
  ])("L13: the document of the error names the option and its value: --%s %s", async (flag, value) => {
    const { details } = await new LoopProject().refuse(["loop:start", "Tidy", `--${flag}`, value]);
    expect(details).toEqual({ flag, value });
  });

  it("L13: of the limits in the team's settings and on the command line the stricter counts, and it says so", async () => {
    const project = new LoopProject({
      ".a5c/config.json": JSON.stringify({ limits: { maxIterations: 10, budgetUsd: 2 } }),
    });
    const limitsOf = async (...args: string[]): Promise<Record<string, number>> =>
      (await project.doc([...UNATTENDED, "Tidy", ...args])).contract.limits;
    expect(await limitsOf()).toMatchObject({ iterations: 10, usd: 2 });
    expect(await limitsOf("--max-iterations", "3", "--budget-usd", "0.5")).toMatchObject({ iterations: 3, usd: 0.5 });
    expect(await limitsOf("--max-iterations", "20", "--budget-usd", "9")).toMatchObject({ iterations: 10, usd: 2 });
    expect(await limitsOf("--max-iterations", "0")).toMatchObject({ iterations: 10 });
    const { stdout } = await project.run([...UNATTENDED, "Tidy", "--max-iterations", "20"]);
    expect(stdout).toMatch(/^warning: .*20/mu);
  });

  it("L13: what the agent writes into the settings later has no effect on a loop that has begun", async () => {
    const project = new LoopProject({ ".a5c/config.json": JSON.stringify({ limits: { maxIterations: 2 } }) });
    await project.start(["Tidy"]);
    project.write({ ".a5c/config.json": JSON.stringify({ limits: { maxIterations: 99 } }) });
    await project.stop("still at it");
    expect((await project.stop("still at it")).code).toBe("max_iterations_reached");
  });

  it("L13: without a session the loop is made, and it says how an agent takes it up", async () => {
    const project = new LoopProject();
    const { stdout, code } = await project.run([...UNATTENDED, "Tidy"]);
    const [runId] = project.runs();
    expect(code).toBe(0);
    expect(stdout).toContain(
      `No agent is working on it yet. In an agent's session, run: babysitter loop:resume ${runId}`,
    );
    expect(await project.status()).toMatchObject({ status: "active", session: null });
    expect(fs.existsSync(path.join(project.home, ".a5c", "state"))).toBe(false);
  });

  it("L13: the session is the one that is named, or the one in whose shell the command runs", async () => {
    const project = new LoopProject();
    expect((await project.doc(["loop:start", "a", "--session-id", "named"])).session).toMatchObject({
      sessionId: "named",
      by: "start",
    });
    const inAgent = { CLAUDECODE: "1", CLAUDE_CODE_SESSION_ID: "of-the-shell" };
    expect((await project.doc(["loop:start", "b"], { env: inAgent })).session).toMatchObject({
      harness: "claude-code",
      sessionId: "of-the-shell",
    });
    expect(fs.readFileSync(project.sessionFile("named"), "utf8")).toMatch(/^---\nactive: true\niteration: 1\n/u);
  });

  it.each(["CLAUDE_CODE_SESSION_ID", "AGENT_SESSION_ID", "CLAUDE_SESSION_ID"])(
    "L13: %s alone binds a loop and a run, and nonsense in it is refused",
    async (name) => {
      const project = new LoopProject();
      project.write({ "p.mjs": "export const process = () => 1;" });
      const started = await project.doc(["loop:start", "a"], { env: { [name]: "one" } });
      expect(started.session).toMatchObject({ harness: "claude-code", sessionId: "one" });
      const create = ["run:create", "--process-id", "p", "--entry", "p.mjs"];
      expect((await project.doc(create, { env: { [name]: "two" } })).session).toMatchObject({ sessionId: "two" });
      const before = project.runs();
      for (const args of [["loop:start", "b"], create]) {
        const refused = await project.refuse(args, { env: { [name]: "../three" } });
        expect(told(refused)).toEqual([2, "INVALID_ID", expect.stringContaining(name)]);
      }
      expect(project.runs()).toEqual(before);
    },
  );

  it("L9: a session that works on one loop is not given another one", async () => {
    const project = new LoopProject();
    const { runId } = await project.start(["Tidy the shed"]);
    expect(told(await project.refuse(["loop:start", "Another", "--session-id", SESSION]))).toEqual([
      7,
      "SESSION_BOUND",
      `Session already associated with run: ${runId}`,
    ]);
    expect(project.runs()).toEqual([runId]);
    await project.doc(["loop:pause", runId], { as: "person" });
    expect((await project.doc(["loop:start", "Another", "--session-id", SESSION])).runId).not.toBe(runId);
  });

  it("L13: a run id of one's own is taken once", async () => {
    const project = new LoopProject();
    expect((await project.doc([...UNATTENDED, "Tidy", "--run-id", "my-loop"])).runId).toBe("my-loop");
    expect(told(await project.refuse([...UNATTENDED, "Tidy", "--run-id", "my-loop"]))).toEqual([
      7,
      "RUN_EXISTS",
      expect.stringContaining("my-loop"),
    ]);
  });

  it("L13: prints the goal, how it ends, the limits and how to stop it", async () => {
    const project = new LoopProject();
    const { stdout } = await project.run([
      "loop:start",
      "Tidy the shed",
      "--run-id",
      "shed",
      "--session-id",
      SESSION,
      "--completion-promise",
      "ALL TIDY",
      "--criteria",
      "tests: true",
      "--claim",
      "it looks nice",
      "--max-iterations",
      "7",
      "--budget-usd",
      "1.5",
      "--budget-tokens",
      "90000",
      "--max-time",
      "2h",
      "--review-every",
      "1",
    ]);
    await until(() => project.count("shed", "VERIFICATION_FINISHED") > 0);
    expect(stdout).toBe(`🔄 Babysitter loop shed
goal:    Tidy the shed
clarity: 5 of 10, for your info only; open: Where? Which files, folders or modules are involved? What must not change, and what must not happen? What exactly should exist or be different at the end? (a verb and an object: “add pagination to …”)
ends:    the agent says <promise>ALL TIDY</promise>, and the engine has verified: tests
limits:  7 iterations, $1.50, 90,000 tokens, 2 h, your review every 1 iteration
to stop: babysitter loop:pause shed, or babysitter loop:cancel shed
session: ${SESSION}
next:    babysitter loop:status shed
`);
  });
});
