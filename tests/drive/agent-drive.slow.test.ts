import fs from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { drive, RunningDriver } from "../fixtures/drive/driven-project.js";
import { type HostCall, PlayedProject, type PlayedTurn } from "../fixtures/drive/played-host.js";
import { isRunning, until } from "../fixtures/processes.js";

const AGENT = ["--agent", "claude-code"];
const OPEN_ANSWERS = { ".a5c/config.json": '{ "breakpoints": { "answers": "open" } }\n' };

/** Does the pending agent task, as an agent would. */
const DOES_TASK: PlayedTurn = {
  shell: `babysitter run:iterate r --json > ../it.json
id=$(node -p 'JSON.parse(require("fs").readFileSync("../it.json", "utf8")).nextActions[0].effectId')
echo '"five"' | babysitter task:post r "$id" --status ok --value - --json`,
};
const PROVES: PlayedTurn = {
  shell: "babysitter run:status r --json",
  says: "Done.\n\n<promise>%completionProof%</promise>",
};
const CLAIMS: PlayedTurn = { says: "All is done.\n\n<promise>DONE</promise>" };

const processFile = (body: string): Record<string, string> => ({
  "p.mjs": `
const node = (title) => ({ kind: "node", title, node: { entry: "./add.cjs" } });
const agent = (prompt) => ({ kind: "agent", title: prompt, agent: { prompt } });
export async function process(inputs, ctx) {\n${body}\n}\n`,
  "add.cjs": "module.exports = () => ({ sum: 5 });\n",
});

/** Begins a prompt loop that no agent works on yet. */
async function newLoop(project: PlayedProject, args: string[] = []): Promise<void> {
  const started = await project.doc([
    "loop:start",
    "Write x",
    "--run-id",
    "r",
    "--completion-promise",
    "DONE",
    "--shape",
    "tool",
    ...args,
  ]);
  await project.baseline(started);
}

const start = (project: PlayedProject, args: string[]): RunningDriver => new RunningDriver(project, args, project.env);

test("P8: a prompt loop with a criterion is driven to verified in a host without hooks: first everything, then what is new", async () => {
  const project = new PlayedProject([CLAIMS, { shell: "touch done", ...CLAIMS }]);
  await newLoop(project, ["--criteria", "there: test -f done"]);
  const { code, doc } = await drive(project, ["r", ...AGENT, "--permission-mode", "acceptEdits"], project.env);
  expect([code, doc.state, project.codes()]).toEqual([0, "completed", ["claim_rejected", "completed_verified"]]);
  const [first, second, ...more] = project.calls();
  const id = first?.args[2];
  const rest = ["--output-format", "stream-json", "--verbose", "--permission-mode", "acceptEdits"];
  expect([first?.args, second?.args, more]).toEqual([
    ["-p", "--session-id", id, ...rest],
    ["-p", "--resume", id, ...rest],
    [],
  ]);
  expect(first?.text).toContain("Task:\nWrite x");
  expect(second?.text).toContain("Not met: there");
  expect(second?.text).not.toContain("Task:");
  expect((await project.status("r")).session?.sessionId).toBe(id);
});

test("P8: run --agent claude-code drives a whole run: tasks without the agent, the question without a turn, answered from outside, proof", async () => {
  const project = new PlayedProject([DOES_TASK, PROVES], {
    ...OPEN_ANSWERS,
    ...processFile(`
      const sum = await ctx.task(node("add"));
      const text = await ctx.task(agent("describe"));
      const answer = await ctx.breakpoint({ question: "Ship it?" });
      return { sum, text, shipped: answer.approved };`),
  });
  const driver = start(project, ["p.mjs", "--run-id", "r", ...AGENT]);
  await until(() => driver.told.includes("Waiting for a person"));
  const [question] = project.events("r", "EFFECT_REQUESTED").slice(-1);
  expect(project.calls()).toHaveLength(1);
  await project.ask(["breakpoint:approve", (question as unknown as { effectId: string }).effectId]);
  const { code, doc } = await driver.finished;
  expect([code, doc.state, doc.output]).toEqual([0, "completed", { sum: { sum: 5 }, text: "five", shipped: true }]);
  expect(project.codes()).toEqual(["continue_loop", "completion_proof_matched"]);
  expect(project.calls()[1]?.text).toContain("completionProof");
});

test("what a task has named as a secret is in no file of the run, whoever prints it: the host, the agent, the process", async () => {
  const dsn = "db://plain:words@host/name";
  const copies = [dsn, Buffer.from(dsn).toString("base64"), encodeURIComponent(dsn)];
  const project = new PlayedProject([{ ...DOES_TASK, says: `It is ${copies.join(" ")}` }, PROVES], {
    ...processFile(`
      await ctx.task({ kind: "shell", id: "named", shell: { command: "true", secretEnv: ["DSN"] } });
      const text = await ctx.task(agent("describe"));
      console.error("${copies.join(" ")}");
      return text;`),
  });
  const { code, doc } = await drive(project, ["p.mjs", "--run-id", "r", ...AGENT], { ...project.env, DSN: dsn });
  expect([code, doc.output]).toEqual([0, "five"]);
  const written = Object.entries(project.tree(project.runDir("r"))).filter(([name]) => !name.startsWith("code/"));
  const texts = written.map(([name, base64]) => [name, Buffer.from(base64, "base64").toString()] as const);
  const holding = (part: string): string[] => texts.flatMap(([name, text]) => (text.includes(part) ? [name] : []));
  // The last characters of base64 say little of the value, and may stay.
  expect(copies.map((copy) => copy.slice(0, -4)).flatMap(holding)).toEqual([]);
  expect(holding("***")).toEqual(
    expect.arrayContaining(["state/agent/iterate.stderr.log", "state/agent/turn-1.stdout.log"]),
  );
});

test("with --no-wait a question ends the driver with 3 and the words to answer with; the same command goes on", async () => {
  const project = new PlayedProject([PROVES], {
    ...OPEN_ANSWERS,
    ...processFile(`return (await ctx.breakpoint({ question: "Ship it?" })).approved;`),
  });
  const first = await drive(
    project,
    ["p.mjs", "--run-id", "r", ...AGENT, "--no-wait", "--permission-mode", "plan"],
    project.env,
  );
  expect([first.code, first.doc.state, project.calls()]).toEqual([3, "waiting", []]);
  const commands = first.doc.next.map(({ command }) => command);
  const id = first.doc.waitingFor[0]?.effectId ?? "";
  expect(commands).toContain(`babysitter breakpoint:approve ${id}`);
  expect(commands.at(-1)).toBe("babysitter run r --agent claude-code --permission-mode plan");
  await project.ask(["breakpoint:approve", id]);
  const { code, doc } = await drive(project, ["r", ...AGENT], project.env);
  expect([code, doc.output]).toEqual([0, true]);
});

test("P8: a sleep that is due continues the work; nobody is asked meanwhile", async () => {
  const project = new PlayedProject([PROVES], processFile(`await ctx.sleep(400); return "slept";`));
  const { code, doc } = await drive(project, ["p.mjs", "--run-id", "r", ...AGENT], project.env);
  expect([code, doc.output, project.calls().length]).toEqual([0, "slept", 1]);
});

test("a task that runs longer than a turn goes on between the turns, whoever began it", async () => {
  const gate = `const fs = require("node:fs");
module.exports = () => new Promise((resolve) => {
  fs.appendFileSync("starts", "x");
  const timer = setInterval(() => fs.existsSync("go") && resolve(clearInterval(timer)), 10);
});`;
  const body = `await ctx.task(agent("describe")); await ctx.task({ kind: "node", title: "g", node: { entry: "./gate.cjs" } });`;
  const begins = "babysitter run:iterate r --json; while [ ! -f starts ]; do sleep 0.05; done";
  const project = new PlayedProject([{ shell: `${DOES_TASK.shell}; ${begins}` }, PROVES], {
    ...processFile(body),
    "gate.cjs": gate,
  });
  const env = { ...project.env, BABYSITTER_ITERATE_WAIT_MS: "20" };
  const driver = new RunningDriver(project, ["p.mjs", "--run-id", "r", ...AGENT], env);
  await until(() => project.codes().length > 0);
  // Until the driver has asked for results itself, and got none.
  const iterations = path.join(project.runsDir, "r", "state", "agent", "iterate.stdout.log");
  await until(() => fs.existsSync(iterations) && fs.readFileSync(iterations, "utf8").includes("tasks-running"));
  project.write({ go: "" });
  expect((await driver.finished).code).toBe(0);
  expect([project.read("starts"), project.calls().length]).toEqual(["x", 2]);
});

test("a host with our Stop hook is judged by it, once for each stop; the driver adds nothing", async () => {
  const project = new PlayedProject([
    { says: "One.", hook: true },
    { shell: "touch done", says: "Two.", hook: true, cut: true },
    { ...CLAIMS, hook: true },
  ]);
  await newLoop(project);
  const { code } = await drive(project, ["r", ...AGENT], project.env);
  expect([code, project.codes()]).toEqual([6, ["continue_loop", "continue_loop", "promise_matched"]]);
  const [, second, ...more] = project.calls();
  expect([second?.text.startsWith("Babysitter iteration 3/50"), more]).toEqual([true, []]);
});

test("a driver killed in the middle of a turn: the next one ends the orphan and continues with the same session", async () => {
  const project = new PlayedProject([{ hangs: true }, CLAIMS]);
  await newLoop(project);
  const driver = start(project, ["r", ...AGENT]);
  await until(() => fs.existsSync(path.join(project.root, "played")));
  driver.child.kill("SIGKILL");
  await driver.finished;
  const [first] = project.calls();
  const { pid, args } = first as HostCall;
  expect(isRunning(pid)).toBe(true);
  const next = await drive(project, ["r", ...AGENT], project.env);
  expect([next.code, isRunning(pid)]).toEqual([6, false]);
  expect(project.calls().map((call) => call.args.slice(1, 3))).toEqual([
    ["--session-id", args[2]],
    ["--resume", args[2]],
  ]);
  expect(project.count("r", "SESSION_BOUND")).toBe(1);
});

test("a driver killed before its host has seen the session: the host's word about it is taken", async () => {
  const project = new PlayedProject([{ hangs: true }, CLAIMS]);
  await newLoop(project);
  const driver = start(project, ["r", ...AGENT]);
  await until(() => fs.existsSync(path.join(project.root, "played")));
  driver.child.kill("SIGKILL");
  await driver.finished;
  const id = project.calls()[0]?.args[2];
  fs.rmSync(path.join(project.root, `session-${id}`));
  expect((await drive(project, ["r", ...AGENT], project.env)).code).toBe(6);
  const [, second, third] = project.calls();
  expect([second?.args.slice(1, 3), third?.args.slice(1, 3)]).toEqual([
    ["--resume", id],
    ["--session-id", id],
  ]);
  expect(third?.text).toContain("Task:\nWrite x");
});

test("a second driver of the same run is refused, and the first goes on", async () => {
  const project = new PlayedProject([{ hangs: true }]);
  await newLoop(project);
  const driver = start(project, ["r", ...AGENT]);
  await until(() => project.calls().length > 0);
  const second = await drive(project, ["r", ...AGENT], project.env);
  expect([second.code, second.doc.error?.code]).toEqual([9, "RUN_BUSY"]);
  expect(isRunning(driver.pid)).toBe(true);
  expect(project.calls()).toHaveLength(1);
});

test("Ctrl-C ends the host in good order with 130; the same command goes on in the same session", async () => {
  const project = new PlayedProject([{ hangs: true }, CLAIMS]);
  await newLoop(project);
  const driver = start(project, ["r", ...AGENT]);
  await until(() => fs.existsSync(path.join(project.root, "played")));
  driver.child.kill("SIGINT");
  const { code, doc } = await driver.finished;
  expect([code, doc.state, doc.next.at(-1)?.command]).toEqual([
    130,
    "interrupted",
    "babysitter run r --agent claude-code",
  ]);
  expect(isRunning(project.calls()[0]?.pid ?? 0)).toBe(false);
  expect((await project.status("r")).paused).toBeNull();
  expect((await drive(project, ["r", ...AGENT], project.env)).code).toBe(6);
  expect(project.calls()[1]?.args[2]).toBe(project.calls()[0]?.args[2]);
});

test("errors of the host are tried again; the work goes on where it was", async () => {
  const project = new PlayedProject([{ error: "API Error: 529 overloaded" }, { error: "API Error: 500" }, CLAIMS]);
  await newLoop(project);
  const { code, stderr } = await drive(project, ["r", ...AGENT, "--agent-retry-ms", "1"], project.env);
  expect([code, project.codes()]).toEqual([6, ["promise_matched"]]);
  expect(stderr).toContain("API Error: 529 overloaded");
  const failures = project.events("r", "TURN_FAILED").map(({ payload }) => payload);
  expect(failures).toMatchObject([
    { error: "unknown", message: "API Error: 529 overloaded", by: "driver", retryAt: expect.any(String) as string },
    { message: "API Error: 500" },
  ]);
  expect((await project.doc(["run:status", "r"])) as object).toMatchObject({
    failedTurns: { count: 2, error: "unknown", message: "API Error: 500" },
  });
  const { stdout } = await project.run(["report"]);
  expect(stdout).toMatch(/failed turns\s+2\n/u);
  expect(stdout).toMatch(/turns that failed with a host error:\n\s+r\s+2\s.*unknown: API Error: 500/u);
});

test.each(["authentication_failed", "billing_error"])(
  "P8: an error that only a person can fix (%s) is tried once more, then the loop is paused; no next try is announced then",
  async (errorKind) => {
    const project = new PlayedProject(
      Array.from({ length: 9 }, () => ({ error: "Credit balance is too low", errorKind })),
    );
    await newLoop(project);
    const { code, doc, stderr } = await drive(project, ["r", ...AGENT, "--agent-retry-ms", "1"], project.env);
    expect([code, doc.state, project.calls().length]).toEqual([3, "paused", 2]);
    expect(doc.why).toContain("Credit balance is too low. Only a person can fix this");
    expect(stderr.match(/Next try in/gu)).toHaveLength(1);
    expect(stderr).toMatch(/The turn failed: Credit balance is too low\.\n[^]*Paused: /u);
    expect(project.events("r", "TURN_FAILED").map(({ payload }) => payload["error"])).toEqual([errorKind, errorKind]);
    const status = (await project.run(["run:status", "r"])).stdout;
    expect(status).toContain(`failed with a host error (${errorKind}`);
    expect(status).toMatch(/Only a person can fix this\. The agent's last 2 turns/u);
    expect(/^why .*/mu.exec(status)?.[0].match(/Credit balance is too low/gu)).toHaveLength(1);
    expect(status).not.toContain("Next try");
  },
);

test("a limit of the account is waited for until it ends, and counts as no failure", async () => {
  const project = new PlayedProject([{ limitedForS: 4 }, CLAIMS]);
  await newLoop(project);
  const args = ["r", ...AGENT, "--agent-retry-ms", "1", "--agent-retries", "0"];
  const { code, stderr } = await drive(project, args, project.env);
  expect([code, project.calls().length]).toEqual([6, 2]);
  expect(stderr).toMatch(/You've hit your session limit\. Next try in \d+ s \(\d{4}-/u);
});

test("a host that keeps failing pauses the loop with its last words, and 3; resumed, it tries again", async () => {
  const project = new PlayedProject(Array.from({ length: 3 }, () => ({ error: "API Error: 401 no credit" })));
  await newLoop(project);
  const args = ["r", ...AGENT, "--agent-retry-ms", "1", "--agent-retries", "2"];
  const { code, doc, stderr } = await drive(project, args, project.env);
  expect([code, doc.state, project.calls().length]).toEqual([3, "paused", 3]);
  expect(stderr.match(/Next try in/gu)).toHaveLength(2);
  expect(doc.why).toContain("API Error: 401 no credit");
  expect((await project.status("r")).paused).toMatchObject({ code: "agent_failed" });
  expect(project.codes()).toEqual([]);
  project.plays([{}, {}, {}, CLAIMS]);
  expect((await drive(project, args, project.env)).code).toBe(6);
});

test("a host that prints nothing for too long is ended and counts as failed", async () => {
  const project = new PlayedProject([{ hangs: true }, CLAIMS]);
  await newLoop(project);
  const args = ["r", ...AGENT, "--agent-timeout", "1s", "--agent-retry-ms", "1"];
  const { code, stderr } = await drive(project, args, project.env);
  expect([code, isRunning(project.calls()[0]?.pid ?? 0)]).toEqual([6, false]);
  expect(stderr).toContain("it printed nothing for 1 s");
});

test("without the program nothing is begun over and over: 2, and the loop is not paused", async () => {
  const project = new PlayedProject([]);
  await newLoop(project);
  const { code, doc } = await drive(project, ["r", ...AGENT], { BABYSITTER_CLAUDE: "./no-such-program" });
  expect([code, doc.error?.code]).toEqual([2, "INPUT_NOT_FOUND"]);
  expect(doc.error?.hint).toContain("BABYSITTER_CLAUDE");
  expect((await project.status("r")).paused).toBeNull();
});

test("whoever cancels the run is obeyed in the middle of a turn", async () => {
  const project = new PlayedProject([{ hangs: true }]);
  await newLoop(project);
  const driver = start(project, ["r", ...AGENT]);
  await until(() => fs.existsSync(path.join(project.root, "played")));
  await project.ask(["run:cancel", "r"], { as: "person" });
  const { code, doc } = await driver.finished;
  expect([code, doc.state]).toEqual([12, "cancelled"]);
  expect(isRunning(project.calls()[0]?.pid ?? 0)).toBe(false);
});

test("when another session takes the run in the middle of a turn, the host stops: two on one tree would undo each other's work", async () => {
  const project = new PlayedProject([{ hangs: true }]);
  await newLoop(project);
  const driver = start(project, ["r", ...AGENT]);
  await until(() => fs.existsSync(path.join(project.root, "played")));
  const theirs = ["--session-id", "theirs", "--harness", "other", "--take"];
  await project.ask(["loop:resume", "r", ...theirs], { as: "person" });
  const { code, doc } = await driver.finished;
  expect([code, doc.error?.code]).toEqual([7, "SESSION_BOUND"]);
  expect(isRunning(project.calls()[0]?.pid ?? 0)).toBe(false);
  expect((await project.status("r")).session?.sessionId).toBe("theirs");
});

test("a limit ends it with 4, and with a higher one it goes on", async () => {
  const project = new PlayedProject([{ shell: "echo a > a" }, { shell: "echo b > b" }, CLAIMS]);
  await newLoop(project, ["--max-iterations", "2"]);
  const first = await drive(project, ["r", ...AGENT], project.env);
  expect([first.code, first.doc.state, project.codes().at(-1)]).toEqual([4, "paused", "max_iterations_reached"]);
  expect(first.doc.next[0]?.command).toBe("babysitter run r --agent claude-code --max-iterations <n>");
  expect((await drive(project, ["r", ...AGENT], project.env)).doc.error?.code).toBe("LIMIT_REACHED");
  expect((await drive(project, ["r", ...AGENT, "--max-iterations", "5"], project.env)).doc.error?.code).toBe(
    "ONLY_FOR_PEOPLE",
  );
  const typed = await project.run(["run", "r", ...AGENT, "--max-iterations", "5"], { env: project.env, as: "person" });
  expect(typed.code).toBe(6);
});

test("code of the process that the agent has changed is run by nobody without being asked", async () => {
  const change = `sed -i '1i import fs from "node:fs"; fs.writeFileSync("ran", "");' p.mjs`;
  const project = new PlayedProject(
    [{ shell: `${DOES_TASK.shell} && ${change}` }, {}],
    processFile(`return ctx.task(agent("describe"));`),
  );
  const { code } = await drive(project, ["p.mjs", "--run-id", "r", ...AGENT, "--agent-retries", "0"], project.env);
  expect([code, project.count("r", "EFFECT_RESOLVED"), project.codes()[0]]).toEqual([3, 1, "continue_loop"]);
  expect(fs.existsSync(project.path("ran"))).toBe(false);
  await project.ask(["run:iterate", "r"]);
  expect(fs.existsSync(project.path("ran"))).toBe(true);
});

test("the session of someone else is not taken while it is at work; the environment of an outer host stays outside", async () => {
  const project = new PlayedProject([CLAIMS]);
  await project.start(["Write x", "--run-id", "r", "--completion-promise", "DONE", "--harness", "claude-code"]);
  const refused = await drive(project, ["r", ...AGENT], project.env);
  expect([refused.code, refused.doc.error?.code, project.calls()]).toEqual([7, "SESSION_BOUND", []]);
  expect(refused.doc.next.map(({ command }) => command)).toEqual([
    "babysitter loop:resume r --take",
    "babysitter run r --agent claude-code",
  ]);
  await project.pauseByFile();
  const outer = { CLAUDECODE: "1", CLAUDE_CODE_SESSION_ID: "outer", AI_AGENT: "x", CLAUDE_CODE_USE_BEDROCK: "1" };
  expect((await drive(project, ["r", ...AGENT], { ...project.env, ...outer })).code).toBe(6);
  const { env } = project.calls()[0] as { env: Record<string, string> };
  expect([env["CLAUDECODE"], env["CLAUDE_CODE_SESSION_ID"], env["AI_AGENT"]]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
  expect(env["CLAUDE_CODE_USE_BEDROCK"]).toBe("1");
});

test("a session that is gone is no dead end: the commands that the refusal names lead to the end", async () => {
  const project = new PlayedProject([CLAIMS]);
  await project.start(["Write x", "--run-id", "r", "--completion-promise", "DONE", "--harness", "claude-code"]);
  const refused = await drive(project, ["r", ...AGENT], project.env);
  const [take, run] = refused.doc.next.map(({ command }) => command.split(" ").slice(1));
  expect((await project.run(take as string[], { as: "person" })).code).toBe(0);
  expect((await project.run(run as string[], { env: project.env })).code).toBe(6);
});

test("wrong options are told before anything is begun", async () => {
  const project = new PlayedProject([], processFile("return 1;"));
  const wrong = [
    [["p.mjs", "--agent", "codex"], "--agent must be claude-code"],
    [["p.mjs", "--permission-mode", "plan"], "--permission-mode requires --agent"],
    [["p.mjs", "--no-wait"], "--no-wait requires --agent"],
    [["p.mjs", ...AGENT, "--agent-timeout", "soon"], "--agent-timeout must be"],
    [["p.mjs", ...AGENT, "--agent-retries", "-"], "--agent-retries must be"],
    [["p.mjs", ...AGENT, "--budget-usd", "0.0000001"], "--budget-usd: it must be"],
  ] as const;
  for (const [args, message] of wrong) {
    const { code, doc } = await drive(project, [...args], project.env);
    expect([code, doc.error?.code]).toEqual([2, "USAGE"]);
    expect(doc.error?.message).toContain(message);
  }
  expect(project.runs()).toEqual([]);
});
