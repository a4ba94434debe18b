import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { CLI, cleanEnvironment, execute } from "../fixtures/command-line.js";
import { Project } from "../fixtures/project.js";

interface Place {
  path: string;
  exists: boolean;
  why: string;
}

interface Map {
  project: Place;
  runs: Place;
  archive: Place;
  hooks: (Place & { tier: string })[];
  config: { team: Place; person: Place };
  state: Place;
  inbox: Record<string, Place>;
  cli: { path: string; realPath: string; version: string };
  node: { path: string; version: string };
}

const map = async (
  project: Project,
  { args = [], ...options }: { args?: string[]; env?: Record<string, string>; cwd?: string } = {},
): Promise<Map> => (await project.ask(["paths", ...args], options)) as unknown as Map;

describe("paths", () => {
  it("C23: the map names every place and whether it is there, and makes none of them", async () => {
    const project = new Project({ ".a5c/hooks/on-run-start/a.sh": "", ".a5c/config.json": "not even JSON" });
    const { home } = project;
    const [shown, text] = await Promise.all([map(project), project.run(["paths"])]);
    expect(shown).toEqual({
      project: { path: project.dir, exists: true, why: "it has an .a5c folder" },
      runs: { path: project.runsDir, exists: false, why: "inside the project" },
      archive: { path: project.path(".a5c/archive"), exists: false },
      hooks: expect.arrayContaining([
        { tier: "project", path: project.path(".a5c/hooks"), exists: true },
        { tier: "user", path: path.join(home, ".config/babysitter/hooks"), exists: false },
        { tier: "plugin", path: project.path("plugins/babysitter/hooks"), exists: false },
      ]) as unknown,
      config: {
        team: { path: project.path(".a5c/config.json"), exists: true },
        person: { path: path.join(home, ".config/babysitter/config.json"), exists: false },
      },
      state: { path: path.join(home, ".a5c"), exists: false },
      inbox: {
        folder: { path: path.join(home, ".a5c/inbox"), exists: false },
        devices: { path: path.join(home, ".a5c/inbox/access.jsonl"), exists: false },
        server: { path: path.join(home, ".a5c/inbox/server.json"), exists: false },
        log: { path: path.join(home, ".a5c/inbox/server.log"), exists: false },
      },
      cli: { path: CLI, realPath: fs.realpathSync(CLI), version: expect.stringMatching(/^\d+\.\d+\.\d+$/) as string },
      node: { path: process.execPath, version: process.versions.node },
    });
    expect(text).toMatchObject({ code: 0, stderr: "" });
    const lines = text.stdout.trimEnd().split("\n");
    expect(lines[0]).toMatch(/^project +\S+ +it has an \.a5c folder$/);
    expect(text.stdout).toMatch(/^config \(team\) +\S+config\.json$/m);
    expect(text.stdout).toMatch(/^config \(person\) +\S+config\.json +missing$/m);
    const column = lines[0]?.indexOf(project.dir);
    for (const line of lines) expect(line.slice(column)).toMatch(/^\//);
    expect(Object.keys(project.tree(project.root)).filter((name) => name.endsWith("/"))).toHaveLength(5);
  });

  it("C23: it says why a folder is the project", async () => {
    const project = new Project({ "sub/x.txt": "" });
    const at = (name: string): string => path.join(project.root, name);
    const cwd = project.path("sub");
    const why = async (options: Parameters<typeof map>[1]): Promise<[string, string]> => {
      const { project: found } = await map(project, { cwd, ...options });
      return [found.path, found.why];
    };
    expect(await why({})).toEqual([cwd, "it is the current folder"]);
    execFileSync("git", ["init", "-q"], { cwd: project.dir, env: cleanEnvironment(project.home) });
    expect(await why({})).toEqual([project.dir, "it is a git repository"]);
    fs.mkdirSync(project.path("sub/.a5c"));
    expect(await why({})).toEqual([cwd, "it has an .a5c folder"]);
    expect(await why({ env: { CLAUDE_PROJECT_DIR: at("c") } })).toEqual([at("c"), "CLAUDE_PROJECT_DIR"]);
    expect(await why({ env: { CLAUDE_PROJECT_DIR: at("c"), REPO_ROOT: at("r") } })).toEqual([at("r"), "REPO_ROOT"]);
    expect(await why({ args: ["--runs-dir", at("o/.a5c/runs")] })).toEqual([at("o"), "--runs-dir is inside it"]);
    const elsewhere = await map(project, { cwd, env: { RUNS_DIR: at("elsewhere") } });
    expect(elsewhere.runs).toEqual({ path: at("elsewhere"), exists: false, why: "RUNS_DIR" });
    expect(elsewhere.archive.path).toBe(at("elsewhere-archive"));
    expect(elsewhere.project.path).toBe(cwd);
  });

  it("C23: variables move the personal places and the plugin", async () => {
    const project = new Project();
    const at = (name: string): string => path.join(project.root, name);
    const env = { BABYSITTER_HOME: at("state"), XDG_CONFIG_HOME: at("xdg"), CLAUDE_PLUGIN_ROOT: at("plugin") };
    const shown = await map(project, { env });
    expect(shown.state.path).toBe(at("state"));
    expect(shown.config.person.path).toBe(at("xdg/babysitter/config.json"));
    expect(shown.hooks.map(({ path: dir }) => dir)).toEqual(
      expect.arrayContaining([at("xdg/babysitter/hooks"), at("plugin/hooks")]),
    );
  });

  it("C23: started through a link, it names the link and the program behind it", async () => {
    const project = new Project();
    const link = path.join(project.root, "babysitter");
    fs.symlinkSync(CLI, link);
    const where = { cwd: project.dir, home: project.home };
    const done = await execute(process.execPath, [link, "paths", "--json"], where);
    expect((done.json() as unknown as Map).cli).toMatchObject({ path: link, realPath: fs.realpathSync(CLI) });
  });
});
