import fs from "node:fs";
import { describe, expect, it } from "vitest";
import { findCommand, nearCommands } from "../../packages/sdk/src/cli/grammar/find-command.js";
import { renderCommandHelp } from "../../packages/sdk/src/cli/grammar/help.js";
import { recordRun, requested } from "../fixtures/cli/recorded-runs.js";
import { CLI, execute } from "../fixtures/command-line.js";
import { Project } from "../fixtures/project.js";

const COMMANDS = [
  "run",
  "run:create",
  "run:iterate",
  "run:execute",
  "run:status",
  "run:show",
  "run:output",
  "run:watch",
  "run:list",
  "run:events",
  "run:export",
  "run:check",
  "run:repair",
  "run:retry",
  "run:fork",
  "run:accept-code",
  "run:cancel",
  "run:replay",
  "run:archive",
  "run:prune",
  "run:pause",
  "run:resume",
  "run:report",
  "task:list",
  "task:show",
  "task:logs",
  "task:post",
  "loop:start",
  "loop:verify",
  "loop:check",
  "loop:step",
  "loop:amend",
  "loop:import",
  "session:init",
  "session:associate",
  "session:resume",
  "session:state",
  "session:update",
  "session:check-iteration",
  "session:last-message",
  "session:iteration-message",
  "hook:list",
  "hook:dispatch",
  "hook:run",
  "init",
  "config:show",
  "paths",
  "doctor",
  "extension",
  "notify:test",
  "ui",
  "breakpoint:list",
  "breakpoint:show",
  "breakpoint:approve",
  "breakpoint:reject",
  "breakpoint:comment",
  "breakpoint:wait",
  "breakpoint:create",
  "report",
  "process:check",
  "completion",
  "uninstall",
  "help",
];
/** Those that are about one run, named first. */
const ABOUT_A_RUN = COMMANDS.filter((name) => /^(run|task)\b/.test(name) && !["run:list", "run:prune"].includes(name));
const PROCESS = "export const process = (inputs, ctx) => ctx.task({ kind: 'agent', id: 'a' });\n";

describe("the command line", () => {
  it("C18: --help describes every command and all of its flags, and writes nothing", async () => {
    const project = new Project();
    const overview = await project.run(["--help"]);
    expect(overview).toMatchObject({ code: 0, stderr: "" });
    const flags = (name: string): string => {
      const found = findCommand([name, "--help"]);
      return found === undefined ? "" : renderCommandHelp(found.spec);
    };
    for (const name of COMMANDS) {
      expect(overview.stdout).toMatch(new RegExp(`^  ${name} +\\S`, "m"));
      expect(flags(name)).toContain(`Usage: babysitter ${name}`);
      for (const flag of ["--runs-dir", "--json", "--verbose", "--help", "--version"])
        expect(flags(name)).toContain(flag);
    }
    // Nothing is offered that this list forgets.
    expect(
      overview.stdout
        .match(/^  \S+/gm)
        ?.map((line) => line.trim())
        .toSorted(),
    ).toEqual(COMMANDS.toSorted());
    for (const flag of "process-id entry inputs run-id process-revision request prompt harness session-id plugin-root dry-run".split(
      " ",
    ))
      expect(flags("run:create")).toContain(`--${flag}`);
    for (const flag of "status value error stdout-ref stderr-ref stdout-file stderr-file started-at finished-at metadata invocation-key attempt dry-run".split(
      " ",
    ))
      expect(flags("task:post")).toContain(`--${flag}`);
    // `run` and `hook:run` have ways of their own through the program.
    const typed = ["run", "run:status", "hook:run"];
    const helps = await Promise.all(typed.map((name) => project.run([name, "--help"])));
    for (const [index, name] of typed.entries())
      expect(helps[index]).toMatchObject({ code: 0, stderr: "", stdout: flags(name) });
    const [short, spaced, json] = await Promise.all([
      project.run(["run:status", "-h"]),
      project.run(["run", "status", "--help"]),
      project.ask(["run:status", "--help"]),
    ]);
    expect(short.stdout).toBe(flags("run:status"));
    expect(spaced.stdout).toBe(flags("run:status"));
    expect(json.help).toBe(flags("run:status"));
    expect(project.tree(project.root)).toEqual({ "home/": "", "project/": "" });
  });

  it("C18: --version answers wherever it stands; no arguments show the overview with exit 2", async () => {
    const project = new Project();
    const [version, short, json, behind, nothing, help] = await Promise.all([
      project.run(["--version"]),
      project.run(["-v"]),
      project.ask(["--version"]),
      project.run(["run:status", "--version"]),
      project.run([]),
      project.run(["--help"]),
    ]);
    expect(version).toMatchObject({
      code: 0,
      stderr: "",
      stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/) as string,
    });
    expect(short.stdout).toBe(version.stdout);
    expect(json).toEqual({ version: version.stdout.trim() });
    expect(behind).toMatchObject({ code: 0, stdout: version.stdout });
    expect(nothing).toMatchObject({ code: 2, stdout: help.stdout });
  });

  it("C18 C27: help is grouped by what people do, with what scripts need last, and has topics", async () => {
    const project = new Project();
    const { stdout } = await project.run(["help"]);
    const groups = stdout
      .split("\n\n")
      .slice(2, -1)
      .map((group) => group.split("\n"));
    expect(groups.map(([title]) => title)).toEqual([
      "Run a process",
      "See what happens",
      "Decide",
      "Keep an agent going",
      "Maintain",
      "For scripts, agents and their hosts",
    ]);
    expect(groups[0]?.join("\n")).toContain("  run ");
    expect(groups.at(-1)?.join("\n")).toMatch(/hook:run/);
    const [command, spaced, topics, dashed] = await Promise.all(
      [["run:status"], ["run", "status"], ["topics"], ["--", "run:status"]].map((words) =>
        project.run(["help", ...words]),
      ),
    );
    expect(command?.stdout).toContain("Usage: babysitter run:status");
    expect([spaced?.stdout, dashed?.stdout]).toEqual([command?.stdout, command?.stdout]);
    const names = [...(topics?.stdout ?? "").matchAll(/^ {2}(\S+)/gm)].map(([, name = ""]) => name);
    expect(names).toContain("names");
    const texts = await Promise.all(names.map((name) => project.run(["help", name])));
    for (const { code, stdout: text } of texts) {
      expect(code).toBe(0);
      expect(Math.max(...text.split("\n").map((line) => line.length))).toBeLessThanOrEqual(100);
    }
    expect(await project.refuse(["help", "lits"])).toMatchObject({ code: "USAGE" });
  });

  it("C18 C27: help on a noun lists its commands under all of their names, and the noun alone says so", async () => {
    const project = new Project();
    const { stdout } = await project.run(["help", "loop"]);
    const verbs = [...stdout.matchAll(/^ {2}loop:(\S+)/gm)].map(([, verb = ""]) => verb);
    expect(verbs.join(" ")).toBe("start verify check step amend import status cancel pause resume report");
    expect(stdout).toMatch(/^ {2}loop:report .* The same as run:report\.$/m);
    for (const typed of [["loop"], ["loop", "--help"]])
      expect(await project.refuse(typed)).toMatchObject({ code: "USAGE", hint: expect.stringContaining("help loop") });
  });

  it("C18 C27: a word that says what is wanted leads to the command", async () => {
    const hints = ["list", "status", "logs", "retry", "stop", "approve", "sttus", "run:logs"].map((word) => {
      const near = nearCommands(word);
      return `${word}: ${near[0]}`;
    });
    expect(hints).toEqual([
      "list: run:list",
      "status: run:status",
      expect.stringMatching(/^logs: task:(logs|show)$/),
      "retry: run:retry",
      "stop: run:cancel",
      "approve: breakpoint:approve",
      "sttus: run:status",
      expect.stringMatching(/^run:logs: task:(logs|show)$/),
    ]);
    const typed = await new Project().refuse(["list"]);
    expect(typed).toMatchObject({ code: "USAGE", exit: 2, hint: expect.stringContaining("run:list") as string });
  });

  it("C18: noun verb is the same as noun:verb", async () => {
    const project = new Project({ "p.mjs": PROCESS });
    await project.ask(["run", "create", "--process-id", "x", "--entry", "p.mjs", "--run-id", "r"]);
    expect(await project.ask(["run", "iterate", "r", "--iteration", "3"])).toMatchObject({ iteration: 3 });
    expect((await project.ask(["task", "list", "r"])).tasks).toHaveLength(1);
    expect((await project.ask(["--verbose", "run", "status", "r"])).state).toBe("waiting");
  });

  it("C18: unknown commands and flags are errors with exit 2 and a way on", async () => {
    const project = new Project({ "p.mjs": PROCESS });
    const cases: [string[], RegExp][] = [
      [["run:itrate"], /run:iterate/],
      [["task:posts"], /task:post/],
      [["frobnicate"], /--help/],
      [["run:iterate", "--jsn"], /Did you mean --json\? See: babysitter run:iterate --help/],
      [["run", "--run-idd", "r"], /Did you mean --run-id\?/],
      [["run", "--no-hook"], /Did you mean --no-hooks\?/],
      [["run:list", "--opn"], /Did you mean --open\?/],
      [["run:list", "--frobnicate"], /^run:list --frobnicate: See: babysitter run:list --help/],
      [["run:status", "--limit", "3"], /run:status --help/],
      [["run:status", "a", "b"], /run:status --help/],
      [["run:create", "--entry"], /run:create --help/],
      [["--frob"], /--help/],
      [["completion", "tcsh"], /completion --help/],
      [["constructor"], /--help/],
      [["run:continue"], /run:iterate/],
      [["run", "continue"], /run:iterate/],
      [["task:run"], /task:post/],
      [["run:repair-journal"], /run:repair/],
      [["run:rebuild-state"], /run:status/],
    ];
    const unknownRun = await project.refuse(["run", "itrate"]);
    expect(unknownRun).toMatchObject({ code: "RUN_NOT_FOUND", exit: 2, hint: expect.stringContaining("run:iterate") });
    const refusals = await Promise.all(cases.map(([args]) => project.refuse(args)));
    for (const [index, [args, hint]] of cases.entries()) {
      expect([args, refusals[index]?.code, refusals[index]?.exit]).toEqual([args, "USAGE", 2]);
      expect(`${args.join(" ")}: ${refusals[index]?.hint}`).toMatch(hint);
      expect(refusals[index]?.hint).not.toContain("native code");
    }
    expect(refusals[3]?.message).toContain("--jsn");
  });

  it("C18: an error is one JSON document on stdout with --json, and text on stderr without", async () => {
    const project = new Project();
    const cases = ABOUT_A_RUN.map((name) => [
      name,
      name === "run:create" ? "--entry=gone.mjs" : "missing-run",
      ...(name === "run:create" ? ["--process-id", "x"] : []),
      ...(name === "run:fork" ? ["--at", "1"] : []),
      ...(name.startsWith("task:") && name !== "task:list" ? ["effect-1"] : []),
      ...(name === "task:post" ? ["--status", "ok"] : []),
    ]);
    const codeOf = ([name]: string[]): string => (name === "run:create" ? "ENTRY_NOT_FOUND" : "RUN_NOT_FOUND");
    const json = await Promise.all(cases.map((args) => project.run([...args, "--json"])));
    for (const [index, args] of cases.entries()) {
      const { error } = json[index]?.json() ?? {};
      expect([args, json[index]?.code, json[index]?.stderr, error?.code]).toEqual([args, 2, "", codeOf(args)]);
      expect(Object.keys(error ?? {}).filter((key) => !["code", "message", "hint", "details"].includes(key))).toEqual(
        [],
      );
    }
    // Which of the two it is, is decided in one place for all commands.
    for (const args of cases.filter(([name]) => ["run", "run:create", "task:post"].includes(name ?? ""))) {
      const text = await project.run(args);
      expect([args, text.code, text.stdout]).toEqual([args, 2, ""]);
      expect(text.stderr).toMatch(new RegExp(`^error ${codeOf(args)}: .+\n`));
      expect(text.stderr).not.toMatch(/\n[ |]+at /);
    }
    expect((await project.run(["run:status", "missing-run", "--verbose"])).stderr).toMatch(/\n {2}\| +at /);
    expect(project.tree()).toEqual({});
  });

  it("C18: --verbose tells on stderr what was read, which hooks ran and when; stdout stays the same", async () => {
    const project = new Project({ "p.mjs": PROCESS, ".a5c/config.json": "{}" });
    project.write({
      ".a5c/hooks/on-step-dispatch/h.sh": "#!/bin/sh\necho '{}'\n",
      ".a5c/hooks/on-run-start/off.sh": "",
    });
    fs.chmodSync(project.path(".a5c/hooks/on-step-dispatch/h.sh"), 0o755);
    const created = await project.run([
      "run:create",
      "--process-id",
      "p",
      "--entry",
      "p.mjs",
      "--run-id",
      "r",
      "--verbose",
    ]);
    expect(created.stderr).toContain("hook on-run-start/off.sh skipped: not executable\n");
    const iterated = await project.run(["run:iterate", "r", "--json", "--verbose"]);
    expect(iterated.json().status).toBe("waiting");
    const lines = iterated.stderr.trimEnd().split("\n");
    for (const line of lines) expect(line).toMatch(/^ *\d+ ms {2}\S/u);
    for (const part of [
      `project ${project.dir}, runs in ${project.runsDir}`,
      `settings in ${project.path(".a5c/config.json")}`,
      "r: read ",
      `loaded ${project.path("p.mjs")}`,
      "r: wrote EFFECT_REQUESTED",
      "hook on-step-dispatch/h.sh (project): ok, ",
      "exit code 0",
    ])
      expect(lines.some((line) => line.includes(part))).toBe(true);
    const list = ["task:list", "r", "--json"];
    const [plain, verbose] = [await project.run(list), await project.run([...list, "--verbose"])];
    expect([verbose.stdout, plain.stderr]).toEqual([plain.stdout, ""]);
    expect(verbose.stderr).toContain("r: read ");
  });

  it("C18: a wrong setting in the environment is named, not guessed", async () => {
    const project = new Project({ "p.mjs": PROCESS });
    await project.create("p.mjs", "r");
    const durability = await project.refuse(["run:status", "r"], { env: { BABYSITTER_DURABILITY: "half" } });
    expect(durability).toMatchObject({ code: "USAGE", exit: 2 });
    expect(durability.message).toContain("BABYSITTER_DURABILITY");
    const quiet = await project.refuse(["run:iterate", "r"], { env: { BABYSITTER_QUIET_LIMIT_MS: "soon" } });
    expect(quiet).toMatchObject({ code: "USAGE", exit: 2 });
  });

  it("C18: output to a pipe has no colours, with or without NO_COLOR, and a closed pipe does not crash it", async () => {
    const project = new Project({
      "p.mjs":
        "export const process = (inputs, ctx) => { for (let i = 0; i < 60; i++) ctx.log('x'.repeat(5000)); return ctx.task({ kind: 'agent', id: 'a' }); };\n",
    });
    await project.create("p.mjs", "r");
    await project.ask(["run:iterate", "r"]);
    const where = { cwd: project.dir, home: project.home };
    const status = async (env: Record<string, string>): Promise<string> =>
      (await project.run(["run:status", "r"], { env })).stdout.replaceAll(/\d+ s/g, "");
    const [plain, none, forced] = await Promise.all([status({}), status({ NO_COLOR: "1" }), status({ TERM: "xterm" })]);
    expect(plain).not.toContain("\u001b");
    expect([none, forced]).toEqual([plain, plain]);
    const script = '"$0" "$1" run:events r --json | head -1; echo "exit ${PIPESTATUS[0]}"';
    const piped = await execute("bash", ["-c", script, process.execPath, CLI], where);
    expect(piped).toMatchObject({ code: 0, stderr: "", stdout: "{\nexit 0\n" });
    // A document larger than a pipe's buffer arrives whole.
    expect((await project.ask(["run:events", "r"])).events.length).toBeGreaterThan(2);
  });

  it("C18 C27: completion scripts load in bash and complete commands, flags, processes and IDs", async () => {
    const project = new Project({ ".a5c/processes/release.mjs": PROCESS });
    const at = new Date().toISOString();
    await recordRun(project.runsDir, "alpha", { at, events: [requested(at)] });
    const script = `eval "$("$0" "$1" completion bash)"
COMP_WORDS=(babysitter run:it); COMP_CWORD=1; _babysitter; echo "\${COMPREPLY[@]}"
COMP_WORDS=(babysitter task:post --stdo); COMP_CWORD=2; _babysitter; echo "\${COMPREPLY[@]}"
node=$0 cli=$1; babysitter() { "$node" "$cli" "$@"; }
COMP_WORDS=(babysitter run:status al); COMP_CWORD=2; _babysitter; echo "\${COMPREPLY[@]}"
COMP_WORDS=(babysitter task:show alpha effect-); COMP_CWORD=3; _babysitter; echo "\${COMPREPLY[@]}"
COMP_WORDS=(babysitter run rel); COMP_CWORD=2; _babysitter; echo "\${COMPREPLY[@]}"`;
    const done = await execute("bash", ["-c", script, process.execPath, CLI], { cwd: project.dir, home: project.home });
    expect(done.stderr).toBe("");
    expect(done.stdout).toBe("run:iterate\n--stdout-ref --stdout-file\nalpha\neffect-1\nrelease\n");
    const [zsh, fish] = await Promise.all([project.ask(["completion", "zsh"]), project.ask(["completion", "fish"])]);
    expect(zsh.script).toContain("bashcompinit");
    expect(fish.script).toContain("-a 'run:iterate'");
  });
});
