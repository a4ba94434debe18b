import fs from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { Project } from "../fixtures/project.js";

const PROCESS = "export async function process(inputs, ctx) { return ctx.task({ kind: 'agent', id: 'a' }, inputs); }\n";
const CREATE = ["run:create", "--process-id", "dev/build", "--entry", "p.mjs"];

const creating = (name: string): string[] => ["run:create", "--process-id", "x", "--entry", name];

describe("run:create", () => {
  it("C1 C2: makes a complete, private, readable run directory", async () => {
    const project = new Project({
      "flows/build.mjs":
        "import { name } from './lib/name.mjs';\nexport async function build(inputs, ctx) { return name; }\n",
      "flows/lib/name.mjs": "export const name = 'helper';\n",
      "inputs.json": '{"target":"app"}',
    });
    const created = await project.ask([
      "run:create",
      "--process-id",
      "dev/build",
      "--entry",
      "flows/build.mjs#build",
      "--inputs",
      "inputs.json",
      "--run-id",
      "run-1",
      "--process-revision",
      "r7",
      "--request",
      "req-9",
      "--prompt",
      'Build it, bitte: ü "q"',
      "--harness",
      "claude-code",
      "--session-id",
      "s-1",
      "--plugin-root",
      project.path("plugin"),
    ]);
    const runDir = path.join(project.runsDir, "run-1");
    expect(created).toEqual({
      runId: "run-1",
      runDir,
      processId: "dev/build",
      entry: "flows/build.mjs#build",
      session: {
        harness: "claude-code",
        sessionId: "s-1",
        stateFile: project.path("plugin/skills/babysit/state/s-1.md"),
      },
    });
    expect(JSON.parse(fs.readFileSync(path.join(runDir, "run.json"), "utf8"))).toMatchObject({
      schemaVersion: 1,
      runId: "run-1",
      processId: "dev/build",
      entry: { path: "flows/build.mjs", export: "build" },
      projectRoot: "../../..",
      codeHash: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
      semantics: 2,
      processRevision: "r7",
      request: "req-9",
      prompt: 'Build it, bitte: ü "q"',
      harness: "claude-code",
      session: "s-1",
      pluginRoot: project.path("plugin"),
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/) as string,
    });
    expect(JSON.parse(fs.readFileSync(path.join(runDir, "inputs.json"), "utf8"))).toEqual({ target: "app" });
    for (const dir of ["journal", "tasks", "state", "artifacts", "code", "blobs"])
      expect(fs.statSync(path.join(runDir, dir)).isDirectory()).toBe(true);
    expect(fs.readFileSync(path.join(runDir, ".gitignore"), "utf8").split("\n")).toContain("state/");
    expect(project.read(".a5c/.gitignore")).toBe("runs/\n");
    const snapshot = Object.keys(project.tree(path.join(runDir, "code"))).filter((name) => !name.endsWith("/"));
    expect(snapshot.toSorted()).toEqual(["flows/build.mjs", "flows/lib/name.mjs"]);
    for (const entry of fs.readdirSync(runDir, { recursive: true, withFileTypes: true })) {
      const { mode } = fs.statSync(path.join(entry.parentPath, entry.name));
      expect(`${entry.name} ${(mode & 0o777).toString(8)}`).toBe(
        `${entry.name} ${entry.isDirectory() ? "700" : "600"}`,
      );
    }
    expect((fs.statSync(runDir).mode & 0o777).toString(8)).toBe("700");
    // Nothing is left of the making, and only project and session were remembered in the home folder.
    expect(fs.readdirSync(project.runsDir)).toEqual(["run-1"]);
    expect(fs.readdirSync(path.join(project.home, ".a5c"))).toEqual(["claims", "held", "projects"]);
  });

  it("C1: generated ids can be read, and no two are the same", async () => {
    const project = new Project({ "p.mjs": PROCESS });
    const made = await Promise.all([1, 2, 3].map(() => project.ask([...CREATE, "--run-id", ""])));
    const ids = made.map(({ runId }) => runId);
    expect(new Set(ids).size).toBe(3);
    for (const id of ids) expect(id).toMatch(/^run-\d{8}-\d{6}-dev-build-[0-9a-z]{4,}$/);
    expect(fs.readdirSync(project.runsDir).toSorted()).toEqual(ids.toSorted());
  });

  it("C1: without inputs the process gets {}; inputs are also read from stdin", async () => {
    const project = new Project({ "p.mjs": "export default async (inputs) => ({ got: inputs });\n" });
    await project.create("p.mjs", "none");
    await project.create("p.mjs#", "piped", ["--inputs", "-"], { stdin: '[1,"zwei",null]' });
    const [none, piped] = await Promise.all(["none", "piped"].map((runId) => project.ask(["run:iterate", runId])));
    expect(none?.output).toEqual({ got: {} });
    expect(piped?.output).toEqual({ got: [1, "zwei", null] });
    expect(project.readJson(".a5c/runs/none/inputs.json")).toEqual({});
  });

  it("C1: without #export it takes process, then default", async () => {
    const project = new Project({
      "both.mjs": "export default () => 'default';\nexport const process = () => 'process';\n",
      "default.mjs": "export default () => 'default';\nexport const process = 'no function';\n",
      "we#ird.mjs": "export const go = () => 'go';\n",
    });
    const entries = ["both.mjs", "default.mjs", "we#ird.mjs#go"];
    const made = await Promise.all(entries.map((entry, index) => project.create(entry, `r${index}`)));
    expect(made.map(({ entry }) => entry)).toEqual(["both.mjs#process", "default.mjs#default", "we#ird.mjs#go"]);
  });

  it("C1: a dry run checks everything and creates nothing", async () => {
    const project = new Project({ "p.mjs": PROCESS, "inputs.json": "{}" });
    const before = project.tree(project.root);
    const dry = await project.ask([...CREATE, "--run-id", "r", "--inputs", "inputs.json", "--dry-run"]);
    expect(dry).toMatchObject({
      dryRun: true,
      runId: "r",
      runDir: path.join(project.runsDir, "r"),
      runsDir: project.runsDir,
      processId: "dev/build",
      entry: "p.mjs#process",
    });
    const missing = await project.refuse([...CREATE.slice(0, -1), "p.mjs#nope", "--dry-run"]);
    expect(missing).toMatchObject({ code: "EXPORT_NOT_FOUND", exit: 2 });
    expect(project.tree(project.root)).toEqual(before);
  });

  it("C1: every mistake has its code and exit, and creates nothing", async () => {
    const project = new Project({
      "p.mjs": PROCESS,
      "value.mjs": "export const process = 42;\n",
      "broken.mjs": "export async function process( {\n",
      "throws.mjs": "throw new Error('top level');\n",
      "lost.mjs": "import './gone.mjs';\nexport const process = () => 1;\n",
      "bad.json": "{nope",
      "empty.json": "",
    });
    const before = project.tree(project.root);
    const cases: [string, number, string[]][] = [
      ["ENTRY_NOT_FOUND", 2, creating("gone.mjs")],
      ["ENTRY_NOT_FOUND", 2, creating(".")],
      ["EXPORT_NOT_FOUND", 2, creating("p.mjs#nope")],
      ["EXPORT_NOT_FOUND", 2, creating("p.mjs#constructor")],
      ["EXPORT_NOT_FOUND", 2, creating("value.mjs")],
      ["PROCESS_LOAD_FAILED", 1, creating("broken.mjs")],
      ["PROCESS_LOAD_FAILED", 1, creating("throws.mjs")],
      ["PROCESS_LOAD_FAILED", 1, creating("lost.mjs")],
      ["INPUT_NOT_JSON", 2, [...CREATE, "--inputs", "bad.json"]],
      ["INPUT_NOT_JSON", 2, [...CREATE, "--inputs", "empty.json"]],
      ["INPUT_NOT_FOUND", 2, [...CREATE, "--inputs", "gone.json"]],
      ["INPUT_NOT_FOUND", 2, [...CREATE, "--inputs", "."]],
      ["USAGE", 2, ["run:create", "--process-id", "x"]],
      ["USAGE", 2, ["run:create", "--entry", "p.mjs"]],
      ["USAGE", 2, ["run:create", "--entry", "p.mjs", "--process-id", ""]],
      ["USAGE", 2, ["run:create", "--entry", "p.mjs", "--process-id", "  "]],
      ["USAGE", 2, [...CREATE, "surplus"]],
    ];
    const refusals = await Promise.all(cases.map(([, , args]) => project.refuse(args)));
    expect(refusals.map(({ code, exit }) => [code, exit])).toEqual(cases.map(([code, exit]) => [code, exit]));
    expect(refusals[5]?.message).toContain("broken.mjs");
    expect(refusals[6]?.message).toContain("top level");
    expect(refusals[7]?.message).toContain("gone.mjs");
    for (const { message } of refusals) expect(message).toMatch(/\S/);
    expect(project.tree(project.root)).toEqual(before);
  });

  it("C1: ids that could leave the runs directory or confuse a shell are refused", async () => {
    const project = new Project({ "p.mjs": PROCESS });
    const before = project.tree(project.root);
    const ids = ["../x", "/abs", "a/b", "..", ".", ".hidden", "-x=1", "lauf-ü", "a b", "a\nb", "a..b", "x".repeat(200)];
    const refusals = await Promise.all(ids.map((id) => project.refuse([...CREATE, `--run-id=${id}`])));
    expect(refusals.map(({ code, exit }) => `${code} ${exit}`)).toEqual(ids.map(() => "INVALID_ID 2"));
    expect(project.tree(project.root)).toEqual(before);
  });

  it("C1: an existing id is refused and the run stays as it is, even when many ask at once", async () => {
    const project = new Project({ "p.mjs": PROCESS });
    await project.create("p.mjs", "taken");
    await project.ask(["run:iterate", "taken"]);
    fs.writeFileSync(project.path(".a5c/runs/file"), "");
    const before = project.tree(project.runsDir);
    const again = await project.refuse([...CREATE, "--run-id", "taken"]);
    expect(again).toMatchObject({ code: "RUN_EXISTS", exit: 7, details: { runId: "taken" } });
    expect(await project.refuse([...CREATE, "--run-id", "file"])).toMatchObject({ code: "RUN_EXISTS", exit: 7 });
    expect(project.tree(project.runsDir)).toEqual(before);
    const racers = await Promise.all([1, 2, 3, 4].map(() => project.run([...CREATE, "--run-id", "raced", "--json"])));
    expect(racers.map(({ code }) => `exit ${code}`).toSorted()).toEqual(["exit 0", "exit 7", "exit 7", "exit 7"]);
    expect(Object.keys(project.journal("raced"))).toHaveLength(1);
    expect(fs.readdirSync(project.runsDir).toSorted()).toEqual(["file", "raced", "taken"]);
  });

  it("C1 C2: a process file outside the project is used where it is, and its copy stays inside the run", async () => {
    const project = new Project();
    fs.writeFileSync(path.join(project.root, "outside.mjs"), "export const process = () => 'outside';\n");
    fs.symlinkSync(path.join(project.root, "outside.mjs"), project.path("link.mjs"));
    for (const [runId, file] of [
      ["out", "../outside.mjs"],
      ["link", "link.mjs"],
    ] as const) {
      await project.create(file, runId);
      const copies = Object.keys(project.tree(path.join(project.runsDir, runId, "code"))).filter((name) =>
        name.endsWith("outside.mjs"),
      );
      expect([runId, copies.length]).toEqual([runId, 1]);
      expect(await project.ask(["run:iterate", runId])).toMatchObject({ status: "completed", output: "outside" });
    }
    expect(fs.readdirSync(project.root).toSorted()).toEqual(["home", "outside.mjs", "project"]);
  });

  it("C1: an existing .a5c/.gitignore is left alone, and another runs directory gets none", async () => {
    const project = new Project({ "p.mjs": PROCESS, ".a5c/.gitignore": "mine\n" });
    await project.create("p.mjs", "a");
    await project.create("p.mjs", "b", ["--runs-dir", "elsewhere"]);
    expect(project.read(".a5c/.gitignore")).toBe("mine\n");
    expect(fs.readdirSync(project.path("elsewhere"))).toEqual(["b"]);
    expect(await project.ask(["run:iterate", "b", "--runs-dir", "elsewhere"])).toMatchObject({ status: "waiting" });
  });

  it("C18: the session comes from the flag, else from the host's variables in their order", async () => {
    const project = new Project({ "p.mjs": PROCESS });
    const env = { CLAUDE_CODE_SESSION_ID: "one", AGENT_SESSION_ID: "two", CLAUDE_SESSION_ID: "three" };
    const harness = ["--harness", "claude-code"];
    const made = await Promise.all([
      project.create("p.mjs", "a", [...harness, "--session-id", "flag"], { env }),
      project.create("p.mjs", "b", [...harness, "--session-id", ""], { env }),
      project.create("p.mjs", "c", harness, { env: { AGENT_SESSION_ID: "two", CLAUDE_SESSION_ID: "three" } }),
      project.create("p.mjs", "d", harness, { env: { CLAUDE_CODE_SESSION_ID: "", CLAUDE_SESSION_ID: "three" } }),
    ]);
    expect(made.map(({ session }) => session.sessionId)).toEqual(["flag", "one", "two", "three"]);
    expect(project.readJson(".a5c/runs/c/run.json")).toMatchObject({ session: "two", harness: "claude-code" });
  });
});
