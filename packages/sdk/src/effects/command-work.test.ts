/** What all tasks that are child processes have in common: secrets, logs, stopping, and results that always come. */
import fs from "node:fs";
import path from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { tempDir } from "../../../../tests/fixtures/temp-dir.js";
import { BabysitterError } from "../model/errors.js";
import type { EffectId, RunId } from "../model/ids.js";
import type { Json, JsonObject } from "../model/json.js";
import { maskJson } from "../spawn/mask-json.js";
import { beginCommand, type CommandPlan } from "./command-work.js";
import type { Executor, RunningWork, Work, WorkPlace, WorkResult } from "./executor.js";
import { createNodeExecutor } from "./node-executor.js";
import { createShellExecutor } from "./shell-executor.js";

const SESSION = `work-test-${process.pid}`;
const SECRET = `s3cr"et-ü-value`;
const env = {
  PATH: process.env["PATH"],
  TOKEN: SECRET,
  WORD: "failed",
  SHORT: "abc",
  PIN: "12345678",
  UNSET: undefined,
};
const settings = { env, session: SESSION };
const shell = createShellExecutor(settings);
const node = createNodeExecutor(settings);
let place: WorkPlace;

beforeEach(() => {
  const root = tempDir();
  const taskDir = path.join(root, "run", "tasks", "e1");
  place = { projectRoot: root, processDir: root, runDir: path.join(root, "run"), taskDir };
  fs.mkdirSync(place.runDir);
  fs.writeFileSync(path.join(root, "package.json"), "{}");
});

function workOf(definition: JsonObject, attempt = 1): Work {
  const [runId, effectId] = ["r1" as RunId, "e1" as EffectId];
  return { runId, effectId, invocationKey: "k", taskId: "work", kind: "any", attempt, definition, args: {} };
}

function begin(executor: Executor, definition: JsonObject, attempt = 1): RunningWork {
  return executor.begin(workOf({ timeout: 30_000, ...definition }, attempt), place);
}

const runShell = (command: string, more: JsonObject = {}, attempt = 1): Promise<WorkResult> =>
  begin(shell, { shell: { command, ...more } }, attempt).result;

function runNode(text: string, more: JsonObject = {}): Promise<WorkResult> {
  fs.writeFileSync(path.join(place.projectRoot, "task.mjs"), text);
  return begin(node, { node: { entry: "task.mjs", ...more } }).result;
}

const inTask = (name: string): string => path.join(place.taskDir, name);
const readLog = (name: string): string => fs.readFileSync(inTask(name), "utf8");

/** Everything that the task has left behind, and what is journaled. */
function traces(result: WorkResult): string {
  return `${JSON.stringify(result)}${fs.readdirSync(place.taskDir).map(readLog).join("")}`;
}

describe("secrets", () => {
  const secretEnv = ["TOKEN"];
  const leak = JSON.stringify(SECRET).slice(1, -1);

  it("reach the task, and neither its logs nor its result", async () => {
    const lines: string[] = [];
    const running = begin(shell, {
      shell: { command: `[ "$TOKEN" = '${SECRET}' ] && echo "it is $TOKEN" && echo "$TOKEN" >&2`, secretEnv },
    });
    running.onOutput((line) => lines.push(line));
    const result = await running.result;
    expect(result).toMatchObject({ status: "ok", value: { stdout: "it is ***\n", stderr: "***\n" } });
    for (const form of [SECRET, leak]) expect(`${traces(result)}${lines.join("")}`).not.toContain(form);
    expect(lines).toContain("it is ***");
  });

  it.each([
    [
      "a value",
      "export default () => ({ a: [process.env.TOKEN], [process.env.TOKEN]: 1 });",
      { status: "ok", value: { a: ["***"], "***": 1 } },
    ],
    [
      "a last line that is JSON",
      "console.log(JSON.stringify(['it is', process.env.TOKEN]));",
      { status: "ok", value: ["it is", "***"] },
    ],
    [
      "an error",
      "export default () => { throw Object.assign(new Error('bad ' + process.env.TOKEN), { code: process.env.TOKEN, data: { t: process.env.TOKEN } }); };",
      { status: "error", error: { name: "Error", message: "bad ***", code: "***", data: { t: "***", exitCode: 1 } } },
    ],
    [
      "an output file that is no JSON",
      "import fs from 'node:fs'; fs.writeFileSync(process.env.BABYSITTER_OUTPUT_JSON, process.env.TOKEN);",
      { status: "error", error: { message: expect.stringContaining("is not JSON") } },
    ],
    [
      "last words",
      "console.error('no: ' + process.env.TOKEN); process.exitCode = 1;",
      { error: { message: '"work" exited with 1: no: ***' } },
    ],
  ])("are masked in %s", async (_what, text, expected) => {
    const result = await runNode(text, { secretEnv });
    expect(result).toMatchObject(expected);
    for (const form of [SECRET, leak]) expect(traces(result)).not.toContain(form);
  });

  it.each([
    ["JSON", "output.json", "JSON.stringify([TOKEN, 1])", /^\["\*{3}",1\]$/u],
    ["JSON as people write it, without secrets", "output.json", "JSON.stringify([1], null, 2)", /^\[\n {2}1\n\]$/u],
    ["a number", "output.json", "'[12345678]'", /^\["\*{3}"\]$/u],
    ["what is no JSON", "output.json", "`{ ${TOKEN}`", /^\{ \*{3}$/u],
    [
      "JSON that is too deep",
      "output.json",
      "'['.repeat(5000) + JSON.stringify(TOKEN) + ']'.repeat(5000)",
      /^\[+"\*{3}"\]+$/u,
    ],
    ["a returned value", "returned.json", undefined, /^\{"value":"\*{3}"\}$/u],
    ["a thrown error", "returned.json", null, /"message":"\*\*\*"/u],
  ])("are in no file that the task leaves: %s", async (_what, file, written, left) => {
    const end = written === null ? "throw new Error(TOKEN)" : "return TOKEN";
    const body = typeof written === "string" ? `fs.writeFileSync(process.env.BABYSITTER_OUTPUT_JSON, ${written})` : end;
    const text = `import fs from "node:fs"; const { TOKEN } = process.env; export default () => { ${body}; };`;
    const result = await runNode(text, { secretEnv: ["TOKEN", "PIN"] });
    expect(readLog(file)).toMatch(left);
    for (const form of [SECRET, leak]) expect(traces(result)).not.toContain(form);
    expect((fs.statSync(inTask(file)).mode & 0o777).toString(8)).toBe("600");
  });

  it("are in no file that the task leaves when it is stopped in the middle", async () => {
    const text = `import fs from "node:fs";
fs.writeFileSync(process.env.BABYSITTER_OUTPUT_JSON, process.env.TOKEN);
setInterval(() => console.log("written"), 10);`;
    fs.writeFileSync(path.join(place.projectRoot, "task.mjs"), text);
    const running = begin(node, { node: { entry: "task.mjs", secretEnv } });
    await new Promise<void>((resolve) => void running.onOutput(() => resolve()));
    await running.stop("enough");
    expect(await running.result).toMatchObject({ status: "error", reason: "interrupted" });
    expect(readLog("output.json")).toBe("***");
  });

  it("behind a link are not in the copy that is kept, and what it points to is left alone", async () => {
    const elsewhere = path.join(place.projectRoot, "own.json");
    const text = `import fs from "node:fs"; const { TOKEN, BABYSITTER_OUTPUT_JSON: out } = process.env;
fs.writeFileSync(${JSON.stringify(elsewhere)}, JSON.stringify(TOKEN)); fs.symlinkSync(${JSON.stringify(elsewhere)}, out);`;
    expect(await runNode(text, { secretEnv })).toMatchObject({ status: "ok", value: "***" });
    expect(fs.lstatSync(inTask("output.json")).isFile()).toBe(true);
    expect(fs.readFileSync(elsewhere, "utf8")).toBe(JSON.stringify(SECRET));
  });

  it("that nobody has named are masked where their names say so and their values are no words", async () => {
    const more = {
      MY_API_KEY: "sk-0123456789",
      DB_PASSWORD: "postgres",
      SSH_KEY: "/home/me/.ssh/id",
      CI_TOKEN: "abc1",
    };
    const executor = createShellExecutor({ ...settings, env: { ...env, ...more } });
    const command = 'echo "$MY_API_KEY $DB_PASSWORD $SSH_KEY $CI_TOKEN"';
    const { result } = begin(executor, { shell: { command } });
    expect(await result).toMatchObject({ value: { stdout: "*** postgres /home/me/.ssh/id abc1\n" } });
  });

  it("that are not there are named, and nothing is started", async () => {
    const names = ["TOKEN", "NO_SUCH", "UNSET", "toString"];
    const running = begin(shell, { shell: { command: "true", secretEnv: names } });
    const result = await running.result;
    expect(running.group).toBeUndefined();
    expect(result).toMatchObject({ status: "error", permanent: true, error: { code: "TASK_INVALID" } });
    expect((result as { error: { message: string } }).error.message).toMatch(
      /it needs NO_SUCH, UNSET, toString, which .*; export it/u,
    );
    expect(JSON.stringify(result)).not.toContain(leak);
  });

  it("that happen to be words of ours leave the result readable", async () => {
    const result = await runShell("echo failed; exit 1", { secretEnv: ["WORD"] });
    expect(result).toMatchObject({
      status: "error",
      reason: "failed",
      error: { name: "TaskError", data: { stdout: "***\n" } },
    });
  });

  it("win over a value of the same name in the definition", async () => {
    const result = await runShell(`[ "$TOKEN" = '${SECRET}' ]`, { secretEnv, env: { TOKEN: "written down" } });
    expect(result.status).toBe("ok");
  });

  it("are masked in any JSON, in keys too, and nothing else changes", () => {
    const value: Json = { a: ["x secret y", null, 1, true, ["secretsecret"]], secret: { "": "se" } };
    expect(maskJson(value, ["secret"])).toEqual({ a: ["x *** y", null, 1, true, ["******"]], "***": { "": "se" } });
    expect(maskJson(JSON.parse('{"__proto__":{"a":"secret"}}') as Json, ["secret"])).toEqual(
      JSON.parse('{"__proto__":{"a":"***"}}'),
    );
  });
});

describe("logs", () => {
  it("of earlier attempts are kept under their numbers, each stream", async () => {
    for (const attempt of [1, 2, 3]) await runShell(`echo out ${attempt}; echo err ${attempt} >&2`, {}, attempt);
    expect(fs.readdirSync(place.taskDir).toSorted()).toEqual([
      "input.json",
      "stderr.attempt-1.log",
      "stderr.attempt-2.log",
      "stderr.log",
      "stdout.attempt-1.log",
      "stdout.attempt-2.log",
      "stdout.log",
    ]);
    expect(["stdout.attempt-1.log", "stderr.attempt-2.log", "stdout.log"].map(readLog)).toEqual([
      "out 1\n",
      "err 2\n",
      "out 3\n",
    ]);
  });

  it("keep their numbers over an attempt that could not begin", async () => {
    await runShell("echo one", {}, 1);
    await runShell("", {}, 2);
    await runShell("echo three", {}, 3);
    expect([readLog("stdout.attempt-1.log"), readLog("stdout.log")]).toEqual(["one\n", "three\n"]);
    expect(fs.existsSync(inTask("stdout.attempt-2.log"))).toBe(false);
  });

  it("are nobody else's, and the facts say where they are", async () => {
    const { facts } = await runShell("echo x");
    for (const ref of [facts.stdoutRef, facts.stderrRef])
      expect(fs.statSync(path.join(place.runDir, ref as string)).mode & 0o777).toBe(0o600);
    expect(Date.parse(facts.finishedAt)).toBeGreaterThanOrEqual(Date.parse(facts.startedAt));
    expect(facts).toMatchObject({ exitCode: 0, signal: null, durationMs: expect.any(Number) });
    expect(facts.notes).toBeUndefined();
  });
});

describe("stopping", () => {
  const started = `echo up; exec sleep 300`;

  it.each([1, 2])("at once, %i times, interrupts", async (times) => {
    const running = begin(shell, { shell: { command: started } });
    await Promise.all(Array.from({ length: times }, (_, index) => running.stop(`stop ${index}`)));
    expect(await running.result).toMatchObject({
      reason: "interrupted",
      error: { message: '"work" was interrupted: stop 0.' },
    });
  });

  it("while it runs interrupts, and resolves when it is over", async () => {
    const running = begin(shell, { shell: { command: started } });
    await new Promise<void>((resolve) => running.onOutput(() => resolve()));
    await running.stop("");
    expect(() => process.kill(running.group?.pid as number, 0)).toThrow("ESRCH");
    expect(await running.result).toMatchObject({
      reason: "interrupted",
      error: { message: '"work" was interrupted.' },
      facts: { signal: "SIGTERM" },
    });
  });

  it("afterwards changes nothing", async () => {
    const running = begin(shell, { shell: { command: "echo done" } });
    const result = await running.result;
    await running.stop("late");
    await running.stop("later");
    expect(await running.result).toBe(result);
    expect(result.status).toBe("ok");
  });

  it("what has not been started changes nothing", async () => {
    for (const section of [{}, { argv: ["no-such-program"] }]) {
      const running = begin(shell, { shell: section });
      await running.stop("why not");
      running.onOutput(() => undefined)();
      expect(await running.result).toMatchObject({ status: "error", reason: "failed" });
    }
  });
});

describe("a result comes", () => {
  it.each([
    ["shell", shell, { shell: "true" }],
    ["node", node, { node: { entry: "package.json" } }],
  ])("of a %s task whose folder cannot be made, and may pass", async (_kind, executor, definition) => {
    fs.rmdirSync(place.runDir);
    fs.writeFileSync(place.runDir, "in the way");
    const result = await begin(executor, definition, 2).result;
    expect(result).toMatchObject({ status: "error", reason: "failed", error: { code: expect.stringMatching(/^E/u) } });
    expect((result as { permanent?: boolean }).permanent ?? false).toBe(false);
  });

  const plan = (more: Partial<CommandPlan>): CommandPlan => ({
    argv: ["true"],
    cwd: place.projectRoot,
    env: {},
    secretEnv: [],
    timeoutMs: undefined,
    conclude: () => ({ status: "ok", value: 1 }),
    ...more,
  });
  const start = (make: () => CommandPlan): RunningWork => beginCommand(settings, workOf({}), place, make);

  it("of a plan that cannot be made: for good if it is the definition's fault", async () => {
    const throwing = (error: unknown): Promise<WorkResult> =>
      start(() => {
        throw error;
      }).result;
    expect(await throwing(new BabysitterError("TASK_INVALID", "no"))).toMatchObject({
      permanent: true,
      error: { code: "TASK_INVALID" },
    });
    expect(await throwing(new Error("disk"))).toMatchObject({ permanent: false, error: { message: "disk" } });
    expect(await throwing("text")).toMatchObject({ permanent: false, error: { message: "text" } });
  });

  it("of a conclusion that throws", async () => {
    const conclude = (): never => {
      throw new RangeError("unreadable");
    };
    expect(await start(() => plan({ conclude })).result).toMatchObject({
      status: "error",
      reason: "failed",
      error: { name: "RangeError", message: "unreadable" },
      facts: { exitCode: 0 },
    });
  });

  it("of a session that makes no sense", async () => {
    const result = await beginCommand({ env, session: "two words" }, workOf({}), place, () => plan({})).result;
    expect(result).toMatchObject({ status: "error", error: { code: "INTERNAL" } });
  });

  it("of a task without a limit of time", async () => {
    expect(await runShell("true", { timeout: 0 })).toMatchObject({ status: "ok" });
  });
});
