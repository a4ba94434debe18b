import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { cleanEnvironment } from "../fixtures/command-line.js";
import { Project } from "../fixtures/project.js";

const PROCESS = "export const process = (inputs, ctx) => ctx.task({ kind: 'agent', id: 'a' });\n";

function git(project: Project, cwd: string, ...args: string[]): void {
  const identity = ["-c", "user.name=t", "-c", "user.email=t@example.test", "-c", "init.defaultBranch=main"];
  execFileSync("git", [...identity, ...args], { cwd, env: cleanEnvironment(project.home), stdio: "ignore" });
}

const runs = (dir: string): string => path.join(dir, ".a5c", "runs");

describe("where runs are", () => {
  it("C18: a run is named by id or by directory, absolute, relative, or as the folder one stands in, by every command", async () => {
    const project = new Project({ "p.mjs": PROCESS, "sub/x.txt": "" });
    const { runDir } = await project.create("p.mjs", "r");
    const { nextActions } = await project.ask(["run:iterate", "r"]);
    const effectId = nextActions[0]?.effectId ?? "";
    const elsewhere = project.home;
    const names: [string, string][] = [
      ["r", project.dir],
      ["r", project.path("sub")],
      [runDir, elsewhere],
      [`${runDir}/`, elsewhere],
      [path.relative(elsewhere, runDir), elsewhere],
      ["./.a5c/runs/r", project.dir],
      [".a5c/runs/r", project.dir],
      ["r", project.runsDir],
      ["./r", project.runsDir],
      [".", runDir],
      ["..", path.join(runDir, "journal")],
    ];
    const found = await Promise.all(names.map(([name, cwd]) => project.run(["run:status", name, "--json"], { cwd })));
    expect(found.map((done, index) => [names[index], done.code, done.json().runDir])).toEqual(
      names.map((name) => [name, 0, runDir]),
    );
    const commands = [
      ...["run:iterate", "run:events", "run:check", "task:list"].map((name) => [name, runDir]),
      ["run:repair", runDir, "--dry-run"],
      ["task:show", runDir, effectId],
      ["task:post", runDir, effectId, "--status", "ok", "--dry-run"],
      ["run:fork", runDir, "--at", "1", "--run-id", "copy"],
    ];
    const done = await Promise.all(commands.map((args) => project.run([...args, "--json"], { cwd: elsewhere })));
    expect(done.map(({ code }, index) => [commands[index]?.[0], code])).toEqual(commands.map(([name]) => [name, 0]));
    expect(fs.readdirSync(project.runsDir).toSorted()).toEqual(["copy", "r"]);
    for (const name of ["missing", "./missing", "/nonexistent/run"])
      expect(await project.refuse(["run:status", name])).toMatchObject({ code: "RUN_NOT_FOUND", exit: 2 });
    for (const name of ["a b", "ü", "x".repeat(200)])
      expect(await project.refuse(["run:status", name])).toMatchObject({ code: "INVALID_ID", exit: 2 });
  });

  it("C18: --runs-dir, RUNS_DIR, REPO_ROOT, CLAUDE_PROJECT_DIR, the nearest .a5c, git, the current folder: in this order", async () => {
    const project = new Project({ "deep/er/x.txt": "", "deep/.a5c/x.txt": "" });
    const at = (name: string): string => path.join(project.root, name);
    const runsDir = async (args: string[], env: Record<string, string>, cwd = project.dir): Promise<string> =>
      (await project.ask(["run:list", ...args], { env, cwd })).runsDir;
    const all = {
      RUNS_DIR: at("env-runs"),
      REPO_ROOT: at("repo"),
      CLAUDE_PROJECT_DIR: at("claude"),
    };
    git(project, project.dir, "init");
    const { RUNS_DIR: _, ...withoutRuns } = all;
    const cases: [string[], Record<string, string>, string, string][] = [
      [["--runs-dir", at("flag")], all, project.dir, at("flag")],
      [["--runs-dir", "relative"], all, project.dir, project.path("relative")],
      [["--runs-dir="], all, project.dir, at("env-runs")],
      [[], { ...all, RUNS_DIR: "rel" }, project.path("deep"), project.path("deep/rel")],
      [[], withoutRuns, project.dir, runs(at("repo"))],
      [[], { CLAUDE_PROJECT_DIR: at("claude") }, project.dir, runs(at("claude"))],
      [
        [],
        { RUNS_DIR: "", REPO_ROOT: "", CLAUDE_PROJECT_DIR: "" },
        project.path("deep/er"),
        runs(project.path("deep")),
      ],
      [[], {}, project.dir, runs(project.dir)],
      [[], {}, project.root, runs(project.root)],
    ];
    const found = await Promise.all(cases.map(([args, env, cwd]) => runsDir(args, env, cwd)));
    expect(found).toEqual(cases.map(([, , , expected]) => expected));
    expect((await project.ask(["--runs-dir", at("flag"), "run:list"])).runsDir).toBe(at("flag"));
  });

  it("C18: below the git top level without .a5c, runs belong to the top level; in a linked worktree to the main one", async () => {
    const project = new Project({ "a/b/x.txt": "", "p.mjs": PROCESS });
    git(project, project.dir, "init");
    git(project, project.dir, "add", ".");
    git(project, project.dir, "commit", "-m", "x");
    const linked = path.join(project.root, "linked");
    git(project, project.dir, "worktree", "add", linked);
    const created = await project.create("../../p.mjs", "r", [], { cwd: project.path("a/b") });
    expect(created).toMatchObject({ runDir: path.join(project.runsDir, "r"), entry: "p.mjs#process" });
    const seen = await project.ask(["run:list"], { cwd: path.join(linked, "a") });
    expect(seen).toMatchObject({ runsDir: project.runsDir, runs: [{ runId: "r" }] });
    // Started in the worktree, the process of the worktree is the one that runs.
    fs.writeFileSync(path.join(linked, "p.mjs"), "export const process = () => 'worktree';\n");
    const there = await project.create("p.mjs", "w", [], { cwd: linked });
    expect(there.runDir).toBe(path.join(project.runsDir, "w"));
    expect(await project.ask(["run:iterate", "w"])).toMatchObject({ status: "completed", output: "worktree" });
    expect(fs.existsSync(path.join(linked, ".a5c"))).toBe(false);
  });

  it("C1 C18: a runs directory that cannot be one is the user's mistake, not a defect of ours", async () => {
    const project = new Project({ "p.mjs": PROCESS, "a-file": "text" });
    const before = project.tree();
    const create = ["run:create", "--process-id", "x", "--entry", "p.mjs", "--runs-dir"];
    const refusals = await Promise.all([
      project.refuse([...create, "a-file"]),
      project.refuse([...create, "a-file/runs"]),
      project.refuse(["run:status", "r", "--runs-dir", "a-file"]),
    ]);
    expect(refusals.map(({ code, exit }) => `${code} ${exit}`)).toEqual([
      "JOURNAL_UNWRITABLE 1",
      "JOURNAL_UNWRITABLE 1",
      "RUN_NOT_FOUND 2",
    ]);
    for (const { message } of refusals) expect(message).toContain(project.path("a-file"));
    const listed = (await project.run(["run:list", "--runs-dir", "a-file", "--json"])).json();
    expect(listed.error?.code).not.toBe("INTERNAL");
    expect(project.tree()).toEqual(before);
  });

  it("C18: the settings folder ~/.a5c does not make the home folder a project", async () => {
    const project = new Project();
    const work = path.join(project.home, "work");
    fs.mkdirSync(path.join(project.home, ".a5c"));
    fs.mkdirSync(work);
    const expected = path.join(work, ".a5c", "runs");
    expect((await project.ask(["run:list"], { cwd: work })).runsDir).toBe(expected);
    const slash = { HOME: `${project.home}/` };
    expect((await project.ask(["run:list"], { cwd: work, env: slash })).runsDir).toBe(expected);
  });

  it("C18: a project that was moved with its runs still works", async () => {
    const project = new Project({ "p.mjs": PROCESS });
    await project.create("p.mjs", "r");
    const { nextActions } = await project.ask(["run:iterate", "r"]);
    const moved = path.join(project.root, "moved");
    fs.renameSync(project.dir, moved);
    const options = { cwd: moved, stdin: '"x"' };
    await project.ask(["task:post", "r", nextActions[0]?.effectId ?? "", "--status", "ok", "--value", "-"], options);
    expect(await project.ask(["run:iterate"], { cwd: moved })).toMatchObject({ status: "completed", output: "x" });
  });

  it("C18: without a name, the only open run is meant; none or several are an error that lists them", async () => {
    const project = new Project({ "p.mjs": PROCESS, "done.mjs": "export const process = () => 1;\n" });
    expect(await project.refuse(["run:status"])).toMatchObject({ code: "NO_OPEN_RUN", exit: 2 });
    await project.create("done.mjs", "finished");
    await project.ask(["run:iterate"]);
    expect(await project.refuse(["run:iterate"])).toMatchObject({ code: "NO_OPEN_RUN", exit: 2 });
    await project.create("p.mjs", "one");
    const { nextActions } = await project.ask(["run:iterate"]);
    const effectId = nextActions[0]?.effectId ?? "";
    expect((await project.ask(["task:show", effectId])).effect.effectId).toBe(effectId);
    expect(await project.ask(["task:post", effectId, "--status", "ok", "--dry-run"])).toMatchObject({ effectId });
    await project.create("p.mjs", "two");
    const several = await project.refuse(["run:status"]);
    expect(several).toMatchObject({ code: "RUN_AMBIGUOUS", exit: 2, details: { open: ["one", "two"] } });
    expect(several.message).toMatch(/Name one:\none\ntwo$/);
    expect(several.hint).toBe("To see what each of them is: babysitter run:list");
  });
});
