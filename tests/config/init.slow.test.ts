import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { CLI, cleanEnvironment, execute } from "../fixtures/command-line.js";
import { runAsNobody } from "../fixtures/config/as-nobody.js";
import { Project } from "../fixtures/project.js";

interface Report {
  projectRoot: string;
  why: string;
  changed: boolean;
  files: { file: string; outcome: string; note?: string }[];
  detectedChecks: { name: string; command: string }[];
  next: string[];
}

const TSC = fileURLToPath(new URL("../../node_modules/typescript/bin/tsc", import.meta.url));

const init = async (project: Project, args: string[] = [], options: object = {}): Promise<Report> =>
  (await project.ask(["init", ...args], options)) as unknown as Report;

function git(project: Project, ...args: string[]): string {
  return execFileSync("git", args, { cwd: project.dir, env: cleanEnvironment(project.home), encoding: "utf8" });
}

/** Each file with what became of it. */
const outcomes = ({ files }: Report): Record<string, string> =>
  Object.fromEntries(files.map(({ file, outcome }) => [file, outcome]));

const ALL = [
  ".a5c/config.json",
  ".a5c/.gitignore",
  ".gitattributes",
  ".a5c/processes/example.mjs",
  ".a5c/config.schema.json",
  ".a5c/jsconfig.json",
];
const every = (outcome: string, files = ALL): Record<string, string> =>
  Object.fromEntries(files.map((file) => [file, outcome]));

describe("init", () => {
  it("C23: makes what a project needs, tells what and what next; a second time it changes nothing and says so", async () => {
    const project = new Project({ "package.json": '{ "scripts": { "test": "vitest", "lint": "x" } }' });
    git(project, "init", "-q");
    const first = await project.run(["init"]);
    expect(first).toMatchObject({ code: 0, stderr: "" });
    expect(first.stdout).toContain(`Project ${project.dir} (it is a git repository)`);
    for (const file of ALL) expect(first.stdout).toMatch(new RegExp(`^  made +${file.replaceAll(".", "\\.")}$`, "m"));
    expect(first.stdout).toContain("Found checks: npm test, npm run lint");
    expect(first.stdout).toContain("next:\n  babysitter run .a5c/processes/example.mjs\n");
    expect(project.readJson(".a5c/config.json")).toEqual({
      $schema: "./config.schema.json",
      checks: [
        { name: "test", command: "npm test" },
        { name: "lint", command: "npm run lint" },
      ],
    });
    expect(project.read(".gitattributes")).toBe(".a5c/runs/** -text\n");
    expect(project.read(".a5c/.gitignore").split("\n")).toEqual(expect.arrayContaining(["runs/", "archive/"]));
    const before = project.tree();
    const [second, report] = [await project.run(["init"]), await init(project)];
    expect(second.stdout).toContain("Nothing to do: everything is already set up.");
    expect(second.stdout).not.toContain("next:");
    expect(report).toMatchObject({ projectRoot: project.dir, changed: false, next: [] });
    expect(report.files).toEqual(ALL.map((file) => ({ file, outcome: "kept" })));
    expect(project.tree()).toEqual(before);
    expect(await project.ask(["config:show"])).toMatchObject({ origins: { checks: { source: "team" } } });
  });

  it("C23: nothing is overwritten, and only what is missing is created", async () => {
    const config = '{ "checks": [] }';
    const files = {
      ".a5c/config.json": config,
      ".a5c/processes/example.mjs": "mine",
      ".a5c/jsconfig.json": "{}",
      ".a5c/.gitignore": "runs/\nmine",
      ".gitattributes": "* text=auto\r\n*.png binary",
      "go.mod": "module x\n",
    };
    const project = new Project(files);
    git(project, "init", "-q");
    const report = await init(project);
    expect(outcomes(report)).toEqual({
      ...every("kept"),
      ".a5c/.gitignore": "changed",
      ".gitattributes": "changed",
      ".a5c/config.schema.json": "made",
    });
    expect(project.read(".a5c/config.json")).toBe(config);
    expect(project.read(".a5c/processes/example.mjs")).toBe("mine");
    expect(project.read(".a5c/jsconfig.json")).toBe("{}");
    expect(project.read(".a5c/.gitignore")).toBe("runs/\nmine\narchive/\nconfig.schema.json\njsconfig.json\n");
    expect(project.read(".gitattributes")).toBe("* text=auto\r\n*.png binary\n.a5c/runs/** -text\n");
    const note = (name: string): string | undefined => report.files.find(({ file }) => file === name)?.note;
    expect(note(".a5c/config.json")).toBe("found, but not in its checks: go test ./..., go vet ./..., go build ./...");
    expect(note(".a5c/jsconfig.json")).toContain("delete it and run init again");
    expect((await init(project)).changed).toBe(false);
    project.write({ ".a5c/config.json": "{,}" });
    expect((await init(project)).files[0]).toMatchObject({
      outcome: "kept",
      note: expect.stringContaining("invalid") as string,
    });
  });

  it("C23: links in place of files are kept, and what they lead to is not touched", async () => {
    const project = new Project({ "attributes.txt": "theirs\n", ".a5c/x.txt": "" });
    git(project, "init", "-q");
    fs.symlinkSync("attributes.txt", project.path(".gitattributes"));
    fs.symlinkSync("../nowhere.json", project.path(".a5c/config.json"));
    const report = await init(project);
    expect(outcomes(report)).toMatchObject({ ".gitattributes": "kept", ".a5c/config.json": "kept" });
    expect(report.files.find(({ file }) => file === ".gitattributes")?.note).toContain(".a5c/runs/** -text");
    expect(project.read("attributes.txt")).toBe("theirs\n");
    expect(fs.existsSync(project.path("nowhere.json"))).toBe(false);
  });

  it("C23: works outside git, and from a folder below it names the project that it chose", async () => {
    const project = new Project({ "sub/x.txt": "" });
    expect(outcomes(await init(project))).toEqual(
      every(
        "made",
        ALL.filter((file) => file !== ".gitattributes"),
      ),
    );
    const below = await project.run(["init"], { cwd: project.path("sub") });
    expect(below.stdout).toContain(`Project ${project.dir} (it has an .a5c folder)`);
    const repository = new Project({ "sub/x.txt": "" });
    git(repository, "init", "-q");
    const report = await init(repository, [], { cwd: repository.path("sub") });
    expect(report).toMatchObject({ projectRoot: repository.dir, why: "it is a git repository" });
    expect(report.next[0]).toBe("babysitter run ../.a5c/processes/example.mjs");
    expect(fs.readdirSync(repository.path("sub"))).toEqual(["x.txt"]);
  });

  it("C23: the example runs to completion, and waits for a human if none is there", async () => {
    const project = new Project();
    await init(project);
    const [done, waiting] = await Promise.all([
      project.run(["run", ".a5c/processes/example.mjs", "--breakpoint-policy", "approve", "--run-id", "a", "--json"]),
      project.run(["run", ".a5c/processes/example.mjs", "--run-id", "b", "--json"]),
    ]);
    expect(done).toMatchObject({ code: 0 });
    expect(done.json()).toMatchObject({
      output: { results: [{ stdout: expect.stringMatching(/^v\d/) as string }, { success: true }] },
    });
    expect(waiting.code).toBe(3);
  });

  it("C23: editors know the types: the example has no errors, and a mistake in it is found", async () => {
    const project = new Project();
    await init(project);
    const check = async (): Promise<{ code: number | null; stdout: string }> =>
      execute(process.execPath, [TSC, "-p", ".a5c/jsconfig.json"], { cwd: project.dir, home: project.home });
    expect(await check()).toMatchObject({ code: 0, stdout: "" });
    const text = project.read(".a5c/processes/example.mjs");
    project.write({ ".a5c/processes/example.mjs": text.replace("ctx.breakpoint(", "ctx.breakpiont(") });
    const wrong = await check();
    expect(wrong.code).not.toBe(0);
    expect(wrong.stdout).toContain("Did you mean 'breakpoint'?");
  });

  it("C26: --ts writes a process that compiles strictly, is checked, and runs; the language is kept", async () => {
    const project = new Project();
    const report = await init(project, ["--ts"]);
    expect(report.next[0]).toBe("babysitter run .a5c/processes/example.ts");
    const made = ALL.filter((file) => file !== ".gitattributes").map((file) =>
      file.replace("example.mjs", "example.ts").replace("jsconfig", "tsconfig"),
    );
    expect(outcomes(report)).toEqual(every("made", made));
    expect(project.read(".a5c/.gitignore").split("\n")).toContain("tsconfig.json");
    const check = async (): Promise<{ code: number | null; stdout: string }> =>
      execute(process.execPath, [TSC, "-p", ".a5c"], { cwd: project.dir, home: project.home });
    expect(await check()).toMatchObject({ code: 0, stdout: "" });
    const run = await project.ask(["run", ".a5c/processes/example.ts", "--breakpoint-policy", "approve"]);
    expect(run.output).toMatchObject({
      results: [{ stdout: expect.stringMatching(/^v\d/) as string }, { success: true }],
    });
    const text = project.read(".a5c/processes/example.ts");
    project.write({ ".a5c/processes/example.ts": text.replace('kind: "shell"', 'kind: "shel"') });
    expect((await check()).stdout).toContain("only the kinds shell, node and agent have such a section");
    expect((await init(project)).changed).toBe(false);
  });

  it("C23: types of a copy inside the project are named by a path that holds for everyone", async () => {
    const project = new Project();
    const installed = project.path("node_modules/@a5c-ai/babysitter-sdk");
    fs.mkdirSync(path.dirname(installed), { recursive: true });
    fs.symlinkSync(path.resolve(CLI, "../../.."), installed);
    await init(project);
    expect(project.readJson(".a5c/jsconfig.json")).toMatchObject({
      compilerOptions: {
        paths: { "@a5c-ai/babysitter-sdk": ["../node_modules/@a5c-ai/babysitter-sdk/dist/index.d.ts"] },
      },
    });
  });

  it("C23: --track-runs lets git see journals, and not logs, state and blobs", async () => {
    const project = new Project({ "p.mjs": "export const process = () => 1;\n" });
    git(project, "init", "-q");
    await project.create("p.mjs", "early");
    expect(project.read(".a5c/.gitignore")).toBe("runs/\n");
    const seen = (): string[] =>
      git(project, "ls-files", "--others", "--exclude-standard", ".a5c").trim().split("\n").toSorted();
    await init(project);
    expect(seen()).toEqual([".a5c/.gitignore", ".a5c/config.json", ".a5c/processes/example.mjs"]);
    expect(outcomes(await init(project, ["--track-runs"]))[".a5c/.gitignore"]).toBe("changed");
    const inRun = (file: string): string => `.a5c/runs/early/${file}`;
    const [journal] = Object.keys(project.journal("early"));
    // A run says itself what can be left out; the project's file must do without that.
    fs.rmSync(project.path(inRun(".gitignore")));
    const hidden = ["blobs/x.json", "tasks/t/stdout.log", "quarantine/x", "hooks/deep/er.log"];
    project.write(Object.fromEntries(hidden.map((file) => [inRun(file), "x"])));
    project.write({ ".a5c/archive/old/run.json": "x", ".a5c/runs/.tmp/x": "x" });
    expect(seen()).toEqual(expect.arrayContaining([inRun(`journal/${journal}`), inRun("run.json")]));
    const shown = seen().join("\n");
    for (const file of [...hidden, "state/head.json", "archive", ".tmp", "config.schema.json", "jsconfig.json"])
      expect(shown).not.toContain(file);
    expect(git(project, "check-attr", "text", inRun(`journal/${journal}`))).toContain("text: unset");
    // Whoever sets the project up once more does not take the decision back.
    const before = project.tree();
    expect((await init(project)).changed).toBe(false);
    expect((await init(project, ["--track-runs"])).changed).toBe(false);
    expect(project.tree()).toEqual(before);
  });

  it("C23: a folder that cannot be written is an error with the place and the reason", async () => {
    const project = new Project({ "sub/x.txt": "" });
    fs.chmodSync(project.dir, 0o555);
    const [json, text] = [await runAsNobody(project, ["init", "--json"]), await runAsNobody(project, ["init"])];
    fs.chmodSync(project.dir, 0o755);
    expect([json.code, text.code]).toEqual([1, 1]);
    expect(json.json().error).toMatchObject({
      code: "PROJECT_UNWRITABLE",
      message: `${project.path(".a5c/config.json")} cannot be created: permission denied.`,
      details: { code: "EACCES" },
    });
    expect(text.stderr).toContain("permission denied");
    expect(fs.readdirSync(project.dir)).toEqual(["sub"]);
  });

  it("C23: a file where a folder is needed, and a project that is not there, are errors", async () => {
    const project = new Project({ ".a5c": "mine" });
    expect(await project.refuse(["init"])).toMatchObject({
      code: "PROJECT_UNWRITABLE",
      exit: 1,
      message: expect.stringContaining(`${project.path(".a5c")} cannot be set up: it is a file`) as string,
    });
    expect(project.tree()).toEqual({ ".a5c": Buffer.from("mine").toString("base64") });
    const other = new Project({ ".a5c/processes": "mine" });
    expect(await other.refuse(["init"])).toMatchObject({
      code: "PROJECT_UNWRITABLE",
      message: expect.stringContaining("there is a file where a folder is needed") as string,
    });
    const env = { REPO_ROOT: path.join(other.root, "missing") };
    expect(await other.refuse(["init"], { env })).toMatchObject({ code: "PROJECT_UNWRITABLE" });
    expect(fs.existsSync(env.REPO_ROOT)).toBe(false);
  });
});
