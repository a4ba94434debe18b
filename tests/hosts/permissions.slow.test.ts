/** Which commands of the agent run without a question, and what is run in their place. The hooks are real processes. */
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { CLI, execute, type Finished } from "../fixtures/command-line.js";
import { agentEnvironment, callHook, HOOK_ENVIRONMENTS, HostSession } from "../fixtures/hosts/host-session.js";
import { Project } from "../fixtures/project.js";

const PROCESS = `
import { title } from "./words.mjs";
export async function work(inputs, ctx) {
  const agent = (name) => ctx.task({ kind: "agent", title: name, agent: { prompt: name } });
  await ctx.parallel.all([
    () => agent(title),
    () => ctx.breakpoint({ question: "Ship it?" }),
    () => ctx.sleepUntil("2099-01-01T00:00:00Z"),
  ]);
  return agent("last");
}
`;
const FILES = {
  "p.mjs": PROCESS,
  "words.mjs": 'export const title = "draft";\n',
  "result.json": '{"from":"file"}',
  ".env": '"secret"',
  "other.mjs": "export async function process() { return 1; }\n",
};

interface Decision {
  permissionDecision?: string;
  updatedInput?: { command: string; description?: string };
}

let session: HostSession;
let effects: Record<string, string>;

/** A session with a run of its own that waits for an agent, a person and a time. */
beforeEach(async () => {
  session = new HostSession(new Project(FILES, "my project"));
  await session.createRun("p.mjs#work", "r");
  await session.project.run(["run:iterate", "r"]);
  const { tasks } = await session.project.ask(["task:list", "r"]);
  effects = Object.fromEntries(tasks.map(({ kind, effectId }) => [kind, effectId]));
});

/** What the host is told about a call of Bash. */
async function asked(command: string, more: { fields?: object; input?: object; env?: object } = {}): Promise<Decision> {
  const stdin = JSON.stringify({
    ...session.input("stop"),
    hook_event_name: "PreToolUse",
    tool_name: "Bash",
    tool_use_id: "toolu_1",
    tool_input: { command, description: "Do it", ...more.input },
    ...more.fields,
  });
  // Nothing of ours is there, whatever the tester has installed.
  const env = { ...HOOK_ENVIRONMENTS["2.1.197"], PATH: "/usr/bin:/bin", ...more.env };
  const args = ["--hook-type", "pre-tool-use", "--harness", "claude-code"];
  const answer = await callHook({ project: session.project, args, env }, stdin);
  return (answer.hookSpecificOutput ?? {}) as Decision;
}

/** The command that may run in place of this one; undefined when the host has to ask. */
async function allowed(...given: Parameters<typeof asked>): Promise<string | undefined> {
  const { permissionDecision, updatedInput } = await asked(...given);
  return permissionDecision === "allow" ? updatedInput?.command : undefined;
}

/** The agent's shell: in another folder, and without our program on its PATH. */
async function inShell(command: string): Promise<Finished> {
  const { home, root } = session.project;
  const env = { ...agentEnvironment(session.sessionId), PATH: `${path.dirname(process.execPath)}:/usr/bin:/bin` };
  return execute("/bin/bash", ["-c", command], { cwd: root, home, env });
}

const post = (more: string, effect = effects["agent"]): string =>
  `babysitter task:post ${effect} --status ok ${more}`.trimEnd();

describe("commands about the session's own run", () => {
  it("P6: permission prompts do not stop an unattended run: they are allowed and written for this very program", async () => {
    const runDir = session.runDir("r");
    const start = (verb: string): string => `'${CLI}' '${verb}' '${runDir}'`;
    const code = `'--code-hash' '${String(session.events("r")[0]?.payload["codeHash"])}'`;
    const cases: Record<string, string> = {
      "babysitter run:iterate": `${start("run:iterate")} ${code}`,
      "babysitter run:iterate r --json --iteration 2": `${start("run:iterate")} '--json' '--iteration' '2' ${code}`,
      "babysitter run:status .a5c/runs/r": start("run:status"),
      [`babysitter run:status '${runDir}/'`]: start("run:status"),
      [`'${CLI}' run:status`]: start("run:status"),
      "babysitter run:status r --runs-dir .a5c/runs": start("run:status"),
      "babysitter run:events --limit=3 --reverse": `${start("run:events")} '--limit' '3' '--reverse'`,
      "babysitter task:list r --pending": `${start("task:list")} '--pending'`,
      [`babysitter task:show ${effects["breakpoint"]}`]: `${start("task:show")} '${effects["breakpoint"]}'`,
      "babysitter loop:status": start("loop:status"),
      "babysitter loop:verify --no-wait": `${start("loop:verify")} '--no-wait'`,
      "babysitter loop:check": start("loop:check"),
      "babysitter loop:step": start("loop:step"),
      "babysitter loop:step tests --done --note 'a; b'": `${start("loop:step")} 'tests' '--done' '--note' 'a; b'`,
      [post("")]: `${start("task:post")} '${effects["agent"]}' '--status' 'ok'`,
      [post("--value result.json")]:
        `${start("task:post")} '${effects["agent"]}' '--status' 'ok' '--value' '${session.project.path("result.json")}'`,
      [post("--value missing.json")]:
        `${start("task:post")} '${effects["agent"]}' '--status' 'ok' '--value' '${session.project.path("missing.json")}'`,
      [post("--value - <<'E'\n{}\nE\n")]:
        `${start("task:post")} '${effects["agent"]}' '--status' 'ok' '--value' '-' <<'E'\n{}\nE`,
    };
    const answers = await Promise.all(
      Object.keys(cases).map(async (command) => [command, await allowed(command)] as const),
    );
    expect(Object.fromEntries(answers)).toEqual(cases);
    expect((await asked("babysitter run:status")).updatedInput?.description).toBe("Do it");
  });

  it("P6: what is run in their place does in the agent's shell what was asked for", async () => {
    const posted = await inShell((await allowed(post('--value - <<\'E\'\n{"it\'s":"$HOME"}\nE'))) ?? "");
    expect(posted).toMatchObject({ code: 0, stderr: "" });
    const again = (await allowed(post("--value result.json --json"))) ?? "";
    expect((await inShell(again)).json().error.code).toBe("EFFECT_ALREADY_RESOLVED");
    const shown = (await inShell((await allowed(`babysitter task:show ${effects["agent"]} --json`)) ?? "")).json();
    expect(shown.result).toMatchObject({ value: { "it's": "$HOME" } });
    const iterated = (await inShell((await allowed("babysitter run:iterate --json")) ?? "")).json();
    expect(iterated).toMatchObject({ status: "waiting", metadata: { runId: "r" } });
  });
});

describe("everything else is left to the host", () => {
  it("P6: other runs, other folders, other people's answers, other files", async () => {
    const { project } = session;
    await project.create("other.mjs", "other");
    fs.symlinkSync("/etc/passwd", project.path("link.json"));
    fs.symlinkSync("/nowhere/at/all", project.path("dangling.json"));
    fs.symlinkSync("/etc", project.path("folder"));
    expect(spawnSync("mkfifo", [project.path("pipe")]).status).toBe(0);
    const files = ["/etc/passwd", "../home/x.json", "link.json", "dangling.json", "folder/passwd", "pipe", ".", ".env"];
    const commands = [
      "babysitter run:iterate other",
      "babysitter run:status other",
      "babysitter run:status .a5c/runs/other",
      "babysitter run:status --runs-dir /etc",
      "babysitter run:status r --runs-dir elsewhere",
      post("", effects["breakpoint"]),
      post("--value - <<'E'\n{\"approved\":true}\nE", effects["breakpoint"]),
      post("", effects["sleep"]),
      post("", "eff-unknown"),
      post("", "constructor"),
      `babysitter breakpoint:approve ${effects["breakpoint"]}`,
      "babysitter run:iterate --plugin-root plugin",
      "babysitter loop:pause",
      "babysitter run:status; rm -rf x",
      post("--value - <<E\n$(rm -rf x)\nE"),
      "./babysitter run:status",
      "ls",
      post("--stdout-file /etc/passwd"),
      ...files.map((file) => post(`--value ${file}`)),
    ];
    const answers = await Promise.all(commands.map(async (command) => [command, await asked(command)] as const));
    expect(answers.filter(([, answer]) => Object.keys(answer).length > 0)).toEqual([]);
  });

  it("P6: run:iterate with code that nobody has agreed to; a person who runs it has agreed", async () => {
    const { project } = session;
    const iterate = async (): Promise<boolean> => (await allowed("babysitter run:iterate")) !== undefined;
    expect(await iterate()).toBe(true);
    // A file that the process imports, of the same size and with the same times.
    const file = project.path("words.mjs");
    const { atime, mtime } = fs.statSync(file);
    fs.writeFileSync(file, 'export let   title = "draft";\n');
    fs.utimesSync(file, atime, mtime);
    expect(await iterate()).toBe(false);
    expect(await allowed("babysitter run:status")).toBeDefined();
    fs.rmSync(file);
    expect(await iterate()).toBe(false);
    fs.writeFileSync(file, '// Other code, the same requests.\nexport const title = "draft";\n');
    expect(await iterate()).toBe(false);
    await project.ask(["run:iterate", "r"]);
    expect(await iterate()).toBe(true);
    fs.writeFileSync(file, FILES["words.mjs"]);
    expect(await iterate()).toBe(true);
  });

  it("P6: code that is changed between the permission and the command is not run", async () => {
    const { project } = session;
    const command = (await allowed("babysitter run:iterate --retry --json")) ?? "";
    expect((await inShell(command)).json()).toMatchObject({ status: "waiting" });
    const mark = project.path("changed-code-ran");
    fs.appendFileSync(
      project.path("words.mjs"),
      `import fs from "node:fs"; fs.writeFileSync(${JSON.stringify(mark)}, "");\n`,
    );
    const { code, stdout } = await inShell(command);
    expect([code, (JSON.parse(stdout) as { error: { code: string } }).error.code]).toEqual([7, "ONLY_FOR_PEOPLE"]);
    expect(fs.existsSync(mark)).toBe(false);
    await project.ask(["run:iterate", "r"]);
    expect(fs.existsSync(mark)).toBe(true);
  });

  it("P6: commands that would call lifecycle hooks which were not there when the run was made", async () => {
    const { project } = session;
    const hook = project.path(".a5c", "hooks", "on-iteration-start", "x.sh");
    fs.mkdirSync(path.dirname(hook), { recursive: true });
    expect(await allowed("babysitter run:iterate")).toBeUndefined();
    expect(await allowed(post(""))).toBeUndefined();
    expect(await allowed(post("--no-hooks"))).toBeDefined();
    expect(await allowed("babysitter run:status")).toBeDefined();
    fs.writeFileSync(hook, "#!/bin/sh\necho '{}'\n", { mode: 0o755 });
    session = new HostSession(project);
    await session.createRun("p.mjs#work", "later");
    expect(await allowed("babysitter run:iterate")).toBeDefined();
    fs.appendFileSync(hook, "touch x\n");
    expect(await allowed("babysitter run:iterate")).toBeUndefined();
  });

  it("P6: other sessions, subagents, other tools, and a shell outside its sandbox", async () => {
    const command = "babysitter run:status";
    const nothing = {};
    expect(await asked(command, { fields: { session_id: "another" } })).toEqual(nothing);
    expect(await asked(command, { fields: { agent_id: "a1" } })).toEqual(nothing);
    expect(await asked(command, { fields: { tool_name: "PowerShell" } })).toEqual(nothing);
    expect(await asked(command, { input: { dangerouslyDisableSandbox: true } })).toEqual(nothing);
    expect(await asked(command, { input: { command: ["babysitter", "run:status"] } })).toEqual(nothing);
    expect(await allowed(command, { input: { timeout: 1000, run_in_background: true } })).toBeDefined();
    // A file that anyone can write does not make another session's run one's own.
    const thief = new HostSession(session.project);
    fs.copyFileSync(session.file, thief.file);
    expect(await asked(command, { fields: { session_id: thief.sessionId } })).toEqual(nothing);
    expect(await allowed(command)).toBeDefined();
  });
});

describe("another program of the same name on the PATH", () => {
  it("P6: bundled CLI in the plugin: what runs without a question is ours, and what the host asks about stays as it was written", async () => {
    const bin = path.join(session.project.root, "global", "bin");
    fs.mkdirSync(bin, { recursive: true });
    fs.writeFileSync(path.join(bin, "babysitter"), "#!/bin/sh\necho other\n", { mode: 0o755 });
    const env = { PATH: `${bin}:/usr/bin:/bin` };
    expect(await asked("babysitter run:create --process-id x --entry 'my p.mjs'", { env })).toEqual({});
    expect(await asked("babysitter run:status | cat", { env })).toEqual({});
    expect(await allowed("babysitter run:status", { env })).toBe(`'${CLI}' 'run:status' '${session.runDir("r")}'`);
  });
});
