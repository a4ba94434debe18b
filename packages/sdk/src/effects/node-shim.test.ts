/** Real children, begun by the executor: what a node task's file may export, and how it may end. */
import fs from "node:fs";
import path from "node:path";
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { makeTempDir, removeTempDir } from "../../../../tests/fixtures/temp-dir.js";
import type { EffectId, RunId } from "../model/ids.js";
import type { Json } from "../model/json.js";
import type { Work, WorkResult } from "./executor.js";
import { createNodeExecutor } from "./node-executor.js";

const SESSION = `shim-test-${process.pid}`;
const executor = createNodeExecutor({ env: { PATH: process.env["PATH"] }, session: SESSION });
let root = "";
let count = 0;

beforeAll(() => {
  root = makeTempDir();
  // Whatever lies above the folder for temporary files must not decide what .js means.
  write("package.json", "{}");
  return () => removeTempDir(root);
});

afterEach(() => {
  const left = leftRunning();
  for (const pid of left) process.kill(Number(pid), "SIGKILL");
  if (left.length > 0) throw new Error(`left running: ${left.join(", ")}`);
});

/** Pids of the living that this file has started. */
function leftRunning(): string[] {
  return fs.readdirSync("/proc").filter((pid) => {
    try {
      const isDead = /\) Z/u.test(fs.readFileSync(`/proc/${pid}/stat`, "utf8"));
      return !isDead && fs.readFileSync(`/proc/${pid}/environ`, "utf8").includes(SESSION);
    } catch {
      return false;
    }
  });
}

function write(name: string, text: string): string {
  fs.writeFileSync(path.join(root, name), text);
  return name;
}

/** Runs a file of this text; `name` says of which type it is. */
function run(name: string, text: string, args: Json = {}): Promise<WorkResult> {
  count += 1;
  const effectId = `e${count}` as EffectId;
  const entry = write(`${count}-${name}`, text);
  const work: Work = {
    runId: "r" as RunId,
    effectId,
    invocationKey: "k",
    taskId: "try",
    kind: "node",
    attempt: 3,
    definition: { node: { entry, timeoutMs: 30_000 } },
    args,
  };
  const runDir = path.join(root, "run");
  const taskDir = path.join(runDir, "tasks", effectId);
  fs.mkdirSync(runDir, { recursive: true });
  return executor.begin(work, { projectRoot: root, processDir: root, runDir, taskDir }).result;
}

async function valueOf(name: string, text: string, args: Json = {}): Promise<Json> {
  const result = await run(name, text, args);
  if (result.status === "error") throw new Error(result.error.message);
  return result.value;
}

async function errorOf(name: string, text: string): Promise<WorkResult & { status: "error" }> {
  const result = await run(name, text);
  if (result.status === "ok") throw new Error(`it gave ${JSON.stringify(result.value)}`);
  return result;
}

/** Text for a file that counts its calls in this file. */
const counted = (file: string): string =>
  `require("node:fs").appendFileSync(${JSON.stringify(at(file))}, process.pid + "\\n")`;
const at = (name: string): string => path.join(root, name);
const linesIn = (name: string): number => fs.readFileSync(at(name), "utf8").trim().split("\n").length;

describe("what a file exports", () => {
  it.each([
    ["default.mjs", "export default (inputs) => inputs.n + 1;"],
    ["async.mjs", "export default async ({ n }) => { await null; return n + 1; };"],
    ["run.mjs", "export function run({ n }) { return n + 1; }"],
    ["both.mjs", "export const run = () => 0; export default ({ n }) => n + 1;"],
    ["object.mjs", "export default { one: 1, run({ n }) { return n + this.one; } };"],
    ["thenable.mjs", "export default ({ n }) => ({ then: (settle) => settle(n + 1) });"],
    ["awaits.mjs", "const one = await new Promise((go) => setTimeout(go, 20, 1)); export default ({ n }) => n + one;"],
    ["exports.cjs", "module.exports = async ({ n }) => n + 1;"],
    ["exports-run.cjs", "exports.run = ({ n }) => n + 1;"],
    ["method.cjs", "const made = { one: 1, run({ n }) { return n + this.one; } }; module.exports = made;"],
    [
      "transpiled.cjs",
      `Object.defineProperty(exports, "__esModule", { value: true }); exports.default = ({ n }) => n + 1;`,
    ],
    ["typeless.js", "import fs from 'node:fs'; export default ({ n }) => n + fs.constants.X_OK;"],
    ["typeless-await.js", "const one = await 1; export default ({ n }) => n + one;"],
    ["commonjs.js", "module.exports = function ({ n }) { return n + 1; };"],
    ["no-extension", "module.exports = ({ n }) => n + 1;"],
  ])("%s: the function is called and gives the result", async (name, text) => {
    expect(await valueOf(name, text, { n: 41 })).toBe(42);
  });

  it("whatever is no task is not called, nor is a class", async () => {
    const values = await Promise.all([
      valueOf("class.mjs", "export default class Task { constructor() { throw new Error('made'); } }"),
      valueOf("text.mjs", "export default 'text'; export const run = 5;"),
      valueOf("other.mjs", "export const help = () => { throw new Error('called'); };"),
      valueOf("null.cjs", "module.exports = null;"),
      valueOf("empty.mjs", ""),
    ]);
    expect(values).toEqual([null, null, null, null, null]);
  });

  it("gets its inputs and knows which attempt of what it is", async () => {
    const text = "export default (...all) => all;";
    expect(await valueOf("all.mjs", text, ["ü", null])).toEqual([
      ["ü", null],
      { runId: "r", effectId: expect.any(String), attempt: 3 },
    ]);
  });

  it("may return any JSON", async () => {
    const values: Json[] = [
      null,
      false,
      0,
      -1.5e300,
      "",
      "ä\u2028\u0000😀",
      [],
      {},
      [[]],
      { a: [{ b: { "": null } }], __proto__x: 1 },
    ];
    const given = await Promise.all(
      values.map((value) => valueOf("same.mjs", "console.log(1); export default (x) => x;", value)),
    );
    expect(given).toEqual(values);
  });

  it("is called although the file removes its arguments", async () => {
    const text = `process.argv.length = 0; module.exports = () => 5;`;
    expect(await valueOf("no-args.cjs", text)).toBe(5);
  });

  it("that returns nothing leaves the result to the last line printed", async () => {
    expect(await valueOf("quiet.mjs", `export default async () => { console.log('{"a":[1]}'); };`)).toEqual({ a: [1] });
  });

  it("is called although the file keeps something open", async () => {
    const text = `setInterval(() => undefined, 1000);
      module.exports = async () => { console.log('"called"'); process.exit(); };`;
    expect(await valueOf("open.cjs", text)).toBe("called");
  });
});

describe("a file that runs itself", () => {
  it.each([
    [
      "require-main.cjs",
      (call: string) =>
        `function run() { ${call}; console.log(7); } module.exports = run; if (require.main === module) run();`,
    ],
    [
      "parent.cjs",
      (call: string) => `function run() { ${call}; console.log(7); } module.exports = run; if (!module.parent) run();`,
    ],
    [
      "argv.mjs",
      (call: string) => `import { createRequire } from "node:module"; import { pathToFileURL } from "node:url";
        const require = createRequire(import.meta.url);
        export default function run() { ${call}; console.log(7); }
        if (import.meta.url === pathToFileURL(process.argv[1]).href) run();`,
    ],
  ])("%s: once", async (name, text) => {
    expect(await valueOf(name, text(counted(`${name}.calls`)))).toBe(7);
    expect(linesIn(`${name}.calls`)).toBe(1);
  });

  const ways = {
    "fork.cjs": `const { fork } = require("node:child_process"); fork(__filename).on("exit", settle);`,
    "spawn.cjs": `const { spawn } = require("node:child_process"); spawn(process.execPath, [__filename]).on("exit", settle);`,
    "worker.cjs": `const { Worker } = require("node:worker_threads"); new Worker(__filename).on("exit", settle);`,
  };
  it.each(Object.entries(ways))("again, by %s: only the task's function is called", async (name, way) => {
    const text = `require("node:fs").appendFileSync(${JSON.stringify(at(`${name}.loads`))}, "load\\n");
      module.exports = () => new Promise((settle) => { ${counted(`${name}.calls`)}; ${way} });`;
    await run(name, text);
    expect([linesIn(`${name}.loads`), linesIn(`${name}.calls`)]).toEqual([2, 1]);
  });

  it("does not see what belongs to us", async () => {
    const text = `module.exports = () => [process.env.BABYSITTER_RETURN_JSON ?? null, process.execArgv.includes("--import")];`;
    expect(await valueOf("own.cjs", text)).toEqual([null, false]);
  });
});

describe("a function that fails", () => {
  it("keeps name, message, code and data", async () => {
    const text = `class PaymentError extends Error { name = "PaymentError"; code = "E_CARD"; data = { card: "x", tries: [1] }; }
      export default async () => { throw new PaymentError("no money\\nat all"); };`;
    expect(await errorOf("fails.mjs", text)).toMatchObject({
      reason: "failed",
      error: {
        name: "PaymentError",
        message: "no money\nat all",
        code: "E_CARD",
        data: { card: "x", tries: [1], exitCode: 1 },
      },
      facts: { exitCode: 1 },
    });
  });

  it.each([
    ["a text", "'just text'", { name: "Error", message: "just text", code: "TASK_FAILED" }],
    ["nothing", "undefined", { message: "undefined" }],
    ["null", "null", { message: "null" }],
    ["an object", "{ some: 'fields' }", { message: "{ some: 'fields' }" }],
    ["what looks like an error", "{ name: 'N', message: 'm', code: 'C' }", { name: "N", message: "m", code: "C" }],
    [
      "a list as data",
      "Object.assign(new Error('m'), { data: [1, 2] })",
      { message: "m", data: { data: [1, 2], exitCode: 1 } },
    ],
    [
      "data that is no JSON",
      "Object.assign(new Error('m'), { code: 'C', data: 1n })",
      { name: "Error", message: "m", code: "C" },
    ],
    ["a number as code", "Object.assign(new Error('m'), { code: 5 })", { message: "m", code: "TASK_FAILED" }],
  ])("throws %s", async (_what, thrown, expected) => {
    expect((await errorOf("throws.mjs", `export default async () => { throw ${thrown}; };`)).error).toMatchObject(
      expected,
    );
  });

  it("by what it returns says that it is no JSON", async () => {
    const [big, ring] = await Promise.all([
      errorOf("big.mjs", "export default () => ({ n: 1n });"),
      errorOf("ring.mjs", "export default () => { const ring = {}; return (ring.ring = ring); };"),
    ]);
    expect([big.error.message, ring.error.message]).toEqual(
      Array(2).fill(expect.stringContaining("cannot be recorded as JSON")),
    );
  });

  it("says why although its folder is gone", async () => {
    const text = `const fs = require("node:fs"); fs.rmSync(process.env.BABYSITTER_RUN_DIR, { recursive: true });
      module.exports = () => { throw new Error("no folder"); };`;
    expect((await errorOf("homeless.cjs", text)).error.code).toBe("TASK_FAILED");
    const late = `require("node:fs").rmSync(process.env.BABYSITTER_RUN_DIR, { recursive: true }); throw new Error("no folder");`;
    expect((await errorOf("late.cjs", late)).facts.exitCode).toBe(1);
  });

  it("to settle says so", async () => {
    const { error, facts } = await errorOf("never.mjs", "export default () => new Promise(() => {});");
    expect(error.message).toContain("never settled");
    expect(facts.exitCode).toBe(1);
  });

  it("with an exit code of its own keeps that", async () => {
    const codes = await Promise.all([
      errorOf("thrown.mjs", "export default () => { process.exitCode = 75; throw new Error('later'); };"),
      errorOf("returned.mjs", "export default () => { process.exitCode = 76; return 1; };"),
      errorOf("exit.mjs", "export default async () => { process.exit(77); };"),
      errorOf("loaded.mjs", "process.exitCode = 78; export default () => process.exit(0);"),
    ]);
    expect(codes.map(({ facts }) => facts.exitCode)).toEqual([75, 76, 77, 78]);
  });
});

describe("the end of a task", () => {
  it("may be process.exit", async () => {
    const inFunction = "export default async () => { console.log(5); process.exit(0); };";
    const whileLoading = "console.log(6); process.exit(0);";
    expect(await Promise.all([valueOf("f.mjs", inFunction), valueOf("l.mjs", whileLoading)])).toEqual([5, 6]);
  });

  it("is not delayed forever by what is left running, nor cut off for who has only begun", async () => {
    const timer = "export default async () => { setInterval(() => undefined, 1000); return 'over'; };";
    const nothing = "export default async () => { setInterval(() => undefined, 1000); };";
    const failing = "export default async () => { setInterval(() => undefined, 1000); throw new Error('over'); };";
    const begun = "export default () => { setTimeout(() => console.log('\"at last\"'), 2500); };";
    const short = "export default () => { setTimeout(() => console.log('last words'), 200); return 'kept'; };";
    const [failed, ...values] = await Promise.all([
      errorOf("failing.mjs", failing),
      valueOf("timer.mjs", timer),
      valueOf("nothing.mjs", nothing),
      valueOf("begun.mjs", begun),
      valueOf("short.mjs", short),
    ]);
    expect(failed.error.message).toBe("over");
    expect(values).toEqual(["over", null, "at last", "kept"]);
    expect(fs.readFileSync(at(`run/tasks/e${count}/stdout.log`), "utf8")).toBe("last words\n");
  });

  it.each([
    [
      "an uncaught exception",
      `setTimeout(() => { throw Object.assign(new RangeError("late"), { code: "E_LATE" }); });`,
      "RangeError",
      "E_LATE",
    ],
    [
      "an unhandled rejection",
      `void Promise.reject(Object.assign(new RangeError("late"), { code: "E_LATE" }));`,
      "RangeError",
      "E_LATE",
    ],
    [
      "an exception while loading",
      `throw Object.assign(new RangeError("late"), { code: "E_LATE" });`,
      "RangeError",
      "E_LATE",
    ],
    ["a syntax error", `const late = "late" late;`, "SyntaxError", "TASK_FAILED"],
    ["an import of nothing", `import "./late.mjs";`, "Error", "ERR_MODULE_NOT_FOUND"],
  ])("by %s is told by its name", async (_what, text, name, code) => {
    const { error } = await errorOf("dies.mjs", text);
    expect(error).toMatchObject({ name, code, data: { exitCode: 1 } });
    expect((error.data as { stderr: string }).stderr).toContain("late");
  });

  it("by an exception after the function has settled is a failure", async () => {
    const text = "export default () => { setTimeout(() => { throw new Error('after'); }, 50); return 1; };";
    expect((await errorOf("after.mjs", text)).error.message).toBe("after");
  });

  it("of a file that handles its exceptions itself is what it makes of it", async () => {
    const text = `process.on("uncaughtException", () => console.log(8)); setImmediate(() => { throw new Error("handled"); });`;
    expect(await valueOf("handles.mjs", text)).toBe(8);
  });

  it("that waits for what cannot come while loading is Node's", async () => {
    expect((await errorOf("waits.mjs", "await new Promise(() => {}); export default () => 1;")).facts.exitCode).toBe(
      13,
    );
  });

  it.each(["SIGKILL", "SIGSEGV", "SIGTERM"])("may be %s", async (signal) => {
    const { error, facts, reason } = await errorOf(
      "killed.cjs",
      `process.kill(process.pid, "${signal}"); setInterval(() => 0, 1000);`,
    );
    expect([facts.exitCode, facts.signal, reason]).toEqual([null, signal, "failed"]);
    expect(error).toMatchObject({ code: "TASK_FAILED", message: expect.stringContaining(`was killed by ${signal}`) });
  });
});
