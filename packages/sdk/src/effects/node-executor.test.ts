/** Real children: where a node task's file is found, what it gets, and what becomes its result. */
import fs from "node:fs";
import path from "node:path";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { makeTempDir, removeTempDir } from "../../../../tests/fixtures/temp-dir.js";
import type { EffectId, RunId } from "../model/ids.js";
import { isJsonObject, type Json, type JsonObject } from "../model/json.js";
import type { RunningWork, Work, WorkPlace, WorkResult } from "./executor.js";
import { createNodeExecutor } from "./node-executor.js";

const inherited = { PATH: process.env["PATH"], INHERITED: "yes" };
const executor = createNodeExecutor({ env: inherited, session: `node-test-${process.pid}` });
let root = "";
let count = 0;
let place: WorkPlace;

beforeAll(() => {
  root = makeTempDir();
  // Whatever lies above the folder for temporary files must not decide what .js means.
  write("package.json", "{}");
  return () => removeTempDir(root);
});

beforeEach(() => {
  count += 1;
  const runDir = path.join(root, "runs", `${count}`);
  fs.mkdirSync(runDir, { recursive: true });
  place = {
    projectRoot: path.join(root, "project"),
    processDir: path.join(root, "process"),
    runDir,
    taskDir: path.join(runDir, "tasks", "e1"),
  };
});

function write(name: string, text: string): string {
  const file = path.join(root, name);
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, text);
  return file;
}

interface Other {
  args?: Json;
  attempt?: number;
  definition?: JsonObject;
}

function begin(node: Json, { args = {}, attempt = 1, definition = {} }: Other = {}): RunningWork {
  const work: Work = {
    runId: "r1" as RunId,
    effectId: "e1" as EffectId,
    invocationKey: "k",
    taskId: "build",
    title: "Build it",
    kind: "node",
    attempt,
    definition: { timeout: 30_000, ...definition, node },
    args,
  };
  return executor.begin(work, place);
}

/** Runs a file of this text. */
function run(text: string, node: JsonObject = {}, other: Other = {}): Promise<WorkResult> {
  write("project/task.cjs", `const fs = require("node:fs"); const OUT = process.env.BABYSITTER_OUTPUT_JSON;\n${text}`);
  return begin({ entry: "task.cjs", ...node }, other).result;
}

function valueIn(result: WorkResult): Json {
  if (result.status === "error") throw new Error(JSON.stringify(result.error));
  return result.value;
}

function errorIn(result: WorkResult): WorkResult & { status: "error" } {
  if (result.status === "ok") throw new Error(`it gave ${JSON.stringify(result.value)}`);
  return result;
}

const task = (name: string): string => path.join(place.taskDir, name);
const print = (what: string): string => `console.log(JSON.stringify(${what}))`;

describe("the entry", () => {
  it("is looked for in the project, then beside the process file, or is absolute", async () => {
    for (const where of ["project", "process"]) write(`${where}/both.cjs`, print(`"${where}"`));
    write("process/tools/own.cjs", print(`"own"`));
    const absolute = write("elsewhere/far.cjs", print(`"far"`));
    for (const [entry, expected] of [
      ["both.cjs", "project"],
      ["./tools/own.cjs", "own"],
      [absolute, "far"],
    ] as const)
      expect(valueIn(await begin({ entry }).result)).toBe(expected);
  });

  it("runs as the main program, in the project", async () => {
    const text = print("[process.argv[1], process.cwd(), require.main === module]");
    expect(valueIn(await run(text))).toEqual([path.join(root, "project/task.cjs"), place.projectRoot, true]);
  });

  it("may be a link to a file elsewhere", async () => {
    const target = write("elsewhere/linked.mjs", "export default () => 'linked';");
    fs.symlinkSync(target, path.join(place.projectRoot, "link.mjs"));
    expect(valueIn(await begin({ entry: "link.mjs" }).result)).toBe("linked");
  });

  it.each(["no such.js", "folder", "task.cjs/below.js", "a".repeat(300), "loop.js"])(
    "%s that is no file is a permanent error that names both places",
    async (entry) => {
      write("project/task.cjs", "");
      fs.mkdirSync(path.join(place.projectRoot, "folder"), { recursive: true });
      fs.rmSync(path.join(place.projectRoot, "loop.js"), { force: true });
      fs.symlinkSync("loop.js", path.join(place.projectRoot, "loop.js"));
      const running = begin({ entry });
      const { error, permanent, reason } = errorIn(await running.result);
      expect(running.group).toBeUndefined();
      expect([error.code, permanent, reason]).toEqual(["TASK_INVALID", true, "failed"]);
      for (const dir of [place.projectRoot, place.processDir]) expect(error.message).toContain(path.join(dir, entry));
    },
  );

  it.skipIf(Boolean((process.features as { typescript?: unknown }).typescript))(
    "in TypeScript needs a Node that can run it",
    async () => {
      write("project/typed.ts", "console.log(1 as number);");
      const { error, permanent } = errorIn(await begin({ entry: "typed.ts" }).result);
      expect([error.code, permanent]).toEqual(["TASK_INVALID", true]);
      expect(error.message).toMatch(/cannot run typed\.ts; use JavaScript, or Node 22/u);
    },
  );

  it.each([
    "with blank",
    `quo"te's`,
    "hash#mark",
    "per%20cent%",
    "what?",
    "ünï😀",
    "-dash",
    "a;b&c$HOME`x`",
    "new\nline",
  ])("may be named %j", async (name) => {
    for (const [type, text] of [
      ["mjs", "export default () => import.meta.url.length > 0;"],
      ["cjs", "module.exports = () => __filename.length > 0;"],
    ]) {
      write(`project/${name}.${type}`, text as string);
      expect(valueIn(await begin({ entry: `${name}.${type}` }).result)).toBe(true);
    }
  });
});

describe("what the task gets", () => {
  it("arguments, environment and working directory", async () => {
    fs.mkdirSync(path.join(root, "project/sub"), { recursive: true });
    const text = print(
      "[process.argv.slice(2), process.env.N, process.env.T, process.env.INHERITED, process.env.GONE ?? null, process.cwd()]",
    );
    const node = {
      args: ["a b", "", "$HOME", 5, true],
      env: { N: 1.5, T: "", INHERITED: null, GONE: null },
      cwd: "sub",
    };
    const expected = [["a b", "", "$HOME", "5", "true"], "1.5", "", "yes", null, path.join(place.projectRoot, "sub")];
    expect(valueIn(await run(text, node))).toEqual(expected);
  });

  it("its place in the run, which its own env does not change", async () => {
    const names = ["RUN_ID", "RUN_DIR", "PROJECT_ROOT", "EFFECT_ID", "ATTEMPT", "STDOUT_PATH", "INPUT_JSON"];
    const text = print(`${JSON.stringify(names)}.map((name) => process.env["BABYSITTER_" + name])`);
    const env = { BABYSITTER_RUN_ID: "other", BABYSITTER_INPUT_JSON: "/dev/null" };
    const expected = ["r1", place.runDir, place.projectRoot, "e1", "2", task("stdout.log"), task("input.json")];
    expect(valueIn(await run(text, { env }, { attempt: 2 }))).toEqual(expected);
  });

  it.each([
    ["nothing", null],
    ["false", false],
    ["unicode", { ключ: "ä\u2028\u0000😀\ud800", list: [1.5, [], {}] }],
    ["five megabytes", { text: "ü".repeat(2_500_000) }],
  ])("its inputs in a file: %s", async (_what, args) => {
    const text = `fs.writeFileSync(OUT, fs.readFileSync(process.env.BABYSITTER_INPUT_JSON));`;
    const value = valueIn(await run(text, {}, { args }));
    expect(JSON.stringify(value) === JSON.stringify(args)).toBe(true);
    expect(fs.statSync(task("input.json")).mode & 0o777).toBe(0o600);
  });

  it("nothing to read from stdin, or what is written for it", async () => {
    const text = print("fs.readFileSync(0, 'utf8')");
    expect(valueIn(await run(text))).toBe("");
    expect(valueIn(await run(text, { stdin: "two\nlines ü" }))).toBe("two\nlines ü");
  });

  it("no working directory that does not exist", async () => {
    const { error, reason, facts } = errorIn(await run("", { cwd: "not/there" }));
    expect([reason, facts.exitCode]).toEqual(["failed", null]);
    expect(error.message).toBe(
      `"Build it" could not be started: The working directory ${place.projectRoot}/not/there does not exist.`,
    );
  });
});

describe("the result", () => {
  const ways = `module.exports = () => ({ by: "return" }); console.log('{"by":"line"}');`;
  it.each([
    ["the output file", `fs.writeFileSync(OUT, '{"by":"file"}'); ${ways}`, { by: "file" }],
    ["the output file, although it holds null", `fs.writeFileSync(OUT, "null"); ${ways}`, null],
    ["the return value", ways, { by: "return" }],
    ["the return value, although it is null", `console.log(1); module.exports = () => null;`, null],
    ["the last line", `console.log("5\\nmore"); console.log('{"by":"line"}\\r\\n\\n');`, { by: "line" }],
    ["nothing, if the last line is no JSON", `console.log("5"); console.log("done: 5");`, null],
    ["nothing, if what is printed is JSON over several lines", `console.log(JSON.stringify({ a: 1 }, null, 2));`, null],
    ["nothing, if nothing is printed", `console.error(5);`, null],
  ])("is %s", async (_what, text, expected) => {
    expect(valueIn(await run(text))).toEqual(expected);
  });

  it.each([null, false, 0, "", [], {}, { deep: [{ "": [null, "ü"] }], __proto__x: {} }])(
    "in a file or a line may be %j",
    async (json) => {
      const [file, line] = [
        `fs.writeFileSync(OUT, "\\uFEFF" + process.argv[2] + "\\n")`,
        "console.log(process.argv[2])",
      ];
      const args = [JSON.stringify(json)];
      expect(valueIn(await run(file, { args }))).toEqual(json);
      expect(valueIn(await run(line, { args }))).toEqual(json);
    },
  );

  it.each([
    ["no JSON", `fs.writeFileSync(OUT, '{"half":')`, "its output file is not JSON"],
    ["nothing", `fs.writeFileSync(OUT, " \\n")`, "its output file is empty"],
    ["a folder", `fs.mkdirSync(OUT)`, "its output file is not a file"],
    ["a device without end", `fs.symlinkSync("/dev/zero", OUT)`, "its output file is not a file"],
    [
      "a pipe that nobody fills",
      `require("node:child_process").execFileSync("mkfifo", [OUT])`,
      "its output file is not a file",
    ],
    ["too much depth", `fs.writeFileSync(OUT, "[".repeat(5000) + "]".repeat(5000))`, "more than 1000 levels deep"],
    ["a loop of links", `fs.symlinkSync(OUT, OUT)`, "ELOOP"],
    [
      "more than can be kept",
      `fs.truncateSync(OUT, fs.writeFileSync(OUT, "") ?? 65 * 1024 * 1024)`,
      "keep large results in a file",
    ],
  ])("with %s as its output file is an error that may pass", async (_what, text, message) => {
    const result = errorIn(await run(`${text}; console.log(1);`));
    expect(result.error.message).toContain(message);
    expect([result.reason, result.permanent, result.facts.exitCode]).toEqual(["failed", undefined, 0]);
  });

  it("may be a link to a file, or to none", async () => {
    const file = write("elsewhere/result.json", `"linked"`);
    expect(valueIn(await run(`fs.symlinkSync(${JSON.stringify(file)}, OUT)`))).toBe("linked");
    expect(valueIn(await run(`fs.symlinkSync("nowhere", OUT); console.log(3);`))).toBe(3);
  });

  it("is not what an earlier attempt has left", async () => {
    await run(`fs.writeFileSync(OUT, '"file"'); module.exports = () => "return"; console.log('"line"');`);
    expect(fs.existsSync(task("returned.json"))).toBe(true);
    expect(valueIn(await run("", {}, { attempt: 2 }))).toBeNull();
    await run(`fs.mkdirSync(OUT); fs.writeFileSync(OUT + "/x", "")`, {}, { attempt: 3 });
    expect(valueIn(await run("", {}, { attempt: 4 }))).toBeNull();
  });

  it("of an earlier attempt that has spoilt its files does not hold up the next", async () => {
    const spoil = (name: string): string =>
      `fs.rmSync(process.env.${name}); execFileSync("mkfifo", [process.env.${name}]);`;
    const names = ["BABYSITTER_INPUT_JSON", "BABYSITTER_STDOUT_PATH", "BABYSITTER_STDERR_PATH"];
    const text = `const { execFileSync } = require("node:child_process"); ${names.map(spoil).join(" ")}`;
    expect(valueIn(await run(text))).toBeNull();
    expect(
      valueIn(
        await run(
          `console.log(fs.readFileSync(process.env.BABYSITTER_INPUT_JSON, "utf8"))`,
          {},
          { args: 7, attempt: 2 },
        ),
      ),
    ).toBe(7);
  });

  it("of a task that failed is its error, with what it printed, and never a value", async () => {
    const text = `fs.writeFileSync(OUT, "1"); console.log("out"); console.error("why\\n"); process.exitCode = 75;`;
    const { error, facts, permanent } = errorIn(await run(text));
    expect(error).toEqual({
      name: "TaskError",
      message: `"Build it" exited with 75: why`,
      code: "TASK_FAILED",
      data: { exitCode: 75, signal: null, stdout: "out\n", stderr: "why\n\n" },
    });
    expect(facts).toMatchObject({
      exitCode: 75,
      signal: null,
      stdoutRef: "tasks/e1/stdout.log",
      stderrRef: "tasks/e1/stderr.log",
    });
    expect(permanent).toBeUndefined();
  });

  it("may be a thousand levels deep", async () => {
    const text = "[".repeat(1000) + "]".repeat(1000);
    expect(JSON.stringify(valueIn(await run(`console.log("${text}")`)))).toBe(text);
    expect(errorIn(await run(`console.log("[${text}]")`)).error.message).toContain("levels deep");
  });

  it("is not the end of a line that is too long", async () => {
    expect(valueIn(await run(`process.stdout.write("1".repeat(3_000_000) + "\\n")`))).toBeNull();
  });

  it("of a hundred megabytes printed needs little memory", async () => {
    const text = `const piece = Buffer.alloc(1024 * 1024, "x".repeat(99) + "\\n"); for (let i = 0; i < 100; i++) fs.writeSync(1, piece);`;
    write("project/task.cjs", `const fs = require("node:fs");\n${text}`);
    const before = process.memoryUsage.rss();
    let most = 0;
    const running = begin({ entry: "task.cjs" });
    running.onOutput(() => (most = Math.max(most, process.memoryUsage.rss() - before)));
    const result = await running.result;
    expect(valueIn(result)).toBeNull();
    expect(result.facts.notes).toEqual({ logsTruncated: true });
    expect(most).toBeLessThan(90 * 1024 * 1024);
    expect(fs.statSync(task("stdout.log")).size).toBeLessThan(17 * 1024 * 1024);
  });
});

describe("a definition that is wrong", () => {
  it.each<[string, Json, string]>([
    ["no section", null, "`node` must be an object"],
    ["a text", "task.cjs", "`node` must be an object"],
    ["a list", ["task.cjs"], "`node` must be an object"],
    ["no entry", {}, "`node` needs an `entry`"],
    ["an empty entry", { entry: "" }, "`node` needs an `entry`"],
    ["a number as entry", { entry: 5 }, "`entry` must be a string"],
    ["a zero byte in the entry", { entry: "task.cjs\0" }, "`entry` must be a string"],
    ["args in one text", { args: "a b" }, "`args` must be a list"],
    ["an object in args", { args: [{}] }, "`args` must contain only strings"],
    ["null in args", { args: [null] }, "`args` must contain only strings"],
    ["env as a list", { env: ["A=1"] }, "`env` must be an object"],
    ["a list in env", { env: { A: [] } }, "`env.A` must contain only strings"],
    ["= in a name", { env: { "A=B": "1" } }, `"A=B"`],
    ["a variable without a name", { env: { "": "1" } }, `""`],
    ["a number as cwd", { cwd: 5 }, "`cwd` must be a string"],
    ["an object as stdin", { stdin: {} }, "`stdin` must be a string"],
    ["a text as timeout", { timeout: "5s" }, "`timeout` must be a number of milliseconds"],
    ["a negative timeout", { timeoutMs: -1 }, "`timeoutMs` must be a number of milliseconds"],
    ["one text as secretEnv", { secretEnv: "TOKEN" }, "`secretEnv` must be a list"],
  ])("by %s fails for good, and nothing is started", async (_what, section, message) => {
    const marker = path.join(root, "project/started");
    write("project/task.cjs", `require("node:fs").writeFileSync(${JSON.stringify(marker)}, "")`);
    const isAboutTheRest = isJsonObject(section) && Object.keys(section).some((name) => name !== "entry");
    const running = begin(isAboutTheRest ? { entry: "task.cjs", ...section } : section);
    const { error, permanent } = errorIn(await running.result);
    expect([error.code, permanent, running.group]).toEqual(["TASK_INVALID", true, undefined]);
    expect(error.message).toMatch(/^Task "build" cannot be executed: /u);
    expect(error.message).toContain(message);
    expect(fs.existsSync(marker)).toBe(false);
  });
});
