import fs from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { PluginProject } from "../fixtures/plugin/plugin-copy.js";

/** Says that it is a good one, and keeps what it was called with. */
const NODE = `[ "$1" = --version ] && { echo v20.19.0; exit; }\nprintf '%s\\n' "$@" > "$HOME/called"; cat > "$HOME/stdin"; echo '{"from":"node"}'`;
const GUARDED = ["stop", "user-prompt-submit", "pre-tool-use", "post-tool-use", "session-end", "permission-request"];
const WATCHES = ["stop-watch", "stop-failure-watch"];

function called(project: PluginProject): string[] | undefined {
  const file = path.join(project.home, "called");
  return fs.existsSync(file) ? fs.readFileSync(file, "utf8").trimEnd().split("\n") : undefined;
}

/** A session that someone sits at; its pauses take no time. */
function inTerminal(project: PluginProject, sleeping = 'printf "%s\\n" "$1" > "$HOME/slept"'): Record<string, string> {
  return { PATH: project.pathWith({ node: NODE, sleep: sleeping }), CLAUDE_CODE_ENTRYPOINT: "cli" };
}

describe("the guard of the plugin's hooks", () => {
  it.each([...GUARDED, "stop-failure", ...WATCHES])(
    "P6: starts nothing at %s in a session without a loop",
    async (event) => {
      const project = new PluginProject();
      // Not even the programs of a POSIX system: the shell alone must be enough.
      const env = { PATH: project.pathWith({ node: 'echo no >> "$HOME/called"', cat: 'echo no >> "$HOME/called"' }) };
      project.sessionFile("another");
      const { code, stdout, stderr } = await project.guard(event, { session_id: "me" }, { env });
      expect([code, stdout, stderr, called(project)]).toEqual([0, "", "", undefined]);
      expect(fs.readdirSync(path.join(project.home, ".a5c"))).toEqual(["state"]);
    },
  );

  it.each(GUARDED)("hands %s of a session with a file to the bundled command line, byte for byte", async (event) => {
    const project = new PluginProject();
    project.sessionFile("me");
    const env = { PATH: project.pathWith({ node: NODE }) };
    const input = { session_id: "me", prompt: "$(touch PWNED) 'x' \\n \"y\"\n\té" };
    const { code, stdout } = await project.guard(event, input, { env });
    expect([code, stdout]).toEqual([0, '{"from":"node"}\n']);
    const [program, ...args] = called(project) ?? [];
    expect(program).toBe(path.join(project.plugin, "dist/babysitter.cjs"));
    expect(args.slice(0, 5)).toEqual(["hook:run", "--hook-type", event, "--harness", "claude-code"]);
    expect(fs.readFileSync(path.join(project.home, "stdin"), "utf8")).toBe(`${JSON.stringify(input)}\n`);
    expect(fs.existsSync(project.path("PWNED"))).toBe(false);
  });

  it("finds the file where BABYSITTER_HOME says, and in the project", async () => {
    const project = new PluginProject();
    const env = { PATH: project.pathWith({ node: NODE }) };
    project.sessionFile("moved", path.join(project.root, "my home/state"));
    project.sessionFile("of-project", project.path(".a5c/state"));
    const moved = { ...env, BABYSITTER_HOME: path.join(project.root, "my home") };
    expect((await project.guard("stop", { session_id: "moved" }, { env })).stdout).toBe("");
    expect((await project.guard("stop", { session_id: "moved" }, { env: moved })).stdout).toContain("node");
    expect((await project.guard("stop", { session_id: "of-project" }, { env })).stdout).toContain("node");
  });

  it("finds the file of a session whose program was started without HOME, as services are", async () => {
    const project = new PluginProject();
    const asked = `[ "$1" = -p ] && { echo '${project.home}'; exit; }\n`;
    const env = { PATH: project.pathWith({ node: `HOME='${project.home}'\n${asked}${NODE}` }), HOME: "" };
    project.sessionFile("me");
    expect((await project.guard("stop", { session_id: "another" }, { env })).stdout).toBe("");
    expect((await project.guard("stop", { session_id: "me" }, { env })).stdout).toContain("node");
  });

  it("leaves it to the command line when the host does not say which session it is", async () => {
    const project = new PluginProject();
    const env = { PATH: project.pathWith({ node: NODE }) };
    expect((await project.guard("stop", {}, { env })).stdout).toContain("node");
  });

  it("always hands over the start of a session, and of the slash commands only ours", async () => {
    const project = new PluginProject();
    const env = { PATH: project.pathWith({ node: NODE }) };
    const expansion = async (command: string, args = ""): Promise<string> => {
      const input = { session_id: "me", command_name: command, command_args: args };
      return (await project.guard("user-prompt-expansion", input, { env })).stdout;
    };
    expect((await project.guard("session-start", { session_id: "me" }, { env })).stdout).toContain("node");
    expect(await expansion("babysit", "Fix $(it)")).toContain("node");
    expect(await expansion("babysitter:babysit")).toContain("node");
    expect(await expansion("babysitter:status")).toContain("node");
    expect(JSON.parse(fs.readFileSync(path.join(project.home, "stdin"), "utf8"))).toMatchObject({
      command_name: "babysitter:status",
    });
    expect(await expansion("review")).toBe("");
    expect(await expansion("review", '"command_name":"babysit"')).toBe("");
  });

  it.each(WATCHES)("P8: %s goes on in a terminal, a little after the stop, and knows when that was", async (event) => {
    const project = new PluginProject();
    project.sessionFile("me");
    const env = inTerminal(project);
    const since = Math.floor(Date.now() / 1_000);
    const { code, stdout } = await project.guard(event, { session_id: "me" }, { env });
    expect([code, stdout]).toEqual([0, '{"from":"node"}\n']);
    const args = called(project) ?? [];
    expect(args.slice(1, 6)).toEqual(["hook:run", "--hook-type", event, "--harness", "claude-code"]);
    expect(Number(args[args.indexOf("--since") + 1])).toBeGreaterThanOrEqual(since);
    expect(fs.readFileSync(path.join(project.home, "slept"), "utf8")).toBe("3\n");
  });

  it.each(WATCHES)("%s is nothing where the host would wait for it", async (event) => {
    const project = new PluginProject();
    project.sessionFile("me");
    const terminal = inTerminal(project);
    for (const entry of ["sdk-cli", ""]) {
      const env = { ...terminal, CLAUDE_CODE_ENTRYPOINT: entry };
      expect((await project.guard(event, { session_id: "me" }, { env })).stdout).toBe("");
    }
    expect(called(project)).toBeUndefined();
  });

  it("a failed turn is told to the command line in a terminal only, where the host stays", async () => {
    const project = new PluginProject();
    project.sessionFile("me");
    const terminal = inTerminal(project);
    const input = { session_id: "me", hook_event_name: "StopFailure", error: "rate_limit" };
    await project.guard("stop-failure", input, { env: { ...terminal, CLAUDE_CODE_ENTRYPOINT: "sdk-cli" } });
    expect(called(project)).toBeUndefined();
    await project.guard("stop-failure", input, { env: terminal });
    expect(called(project)).toContain("stop-failure");
    expect(JSON.parse(fs.readFileSync(path.join(project.home, "stdin"), "utf8"))).toEqual(input);
    expect(fs.readdirSync(path.join(project.home, ".a5c/spool"))).toHaveLength(2);
  });

  it("watches nothing when the loop has ended with the stop", async () => {
    const project = new PluginProject();
    const file = project.sessionFile("me");
    const env = inTerminal(project, `rm "${file}"`);
    expect((await project.guard("stop-watch", { session_id: "me" }, { env })).stdout).toBe("");
    expect(called(project)).toBeUndefined();
  });

  it("gives each event less time than the host does", async () => {
    const project = new PluginProject();
    project.sessionFile("me");
    const env = inTerminal(project);
    for (const file of ["hooks.json", "modern.json"]) {
      for (const { command, timeout } of hooksIn(project, file)) {
        const event = /^set -- ([a-z-]+);/u.exec(command)?.[1] ?? "";
        await project.hook(command, { session_id: "me", command_name: "babysit" }, { env });
        const args = called(project) ?? [];
        const deadline = Number(args[args.indexOf("--deadline-ms") + 1]);
        expect([event, deadline > 0 && deadline < timeout * 1000]).toEqual([event, true]);
      }
    }
  });

  it.each([...GUARDED, ...WATCHES])(
    "says nothing at %s when the plugin is gone by now, and forbids nothing",
    async (event) => {
      const project = new PluginProject();
      project.sessionFile("me");
      const env = inTerminal(project);
      fs.rmSync(project.plugin, { recursive: true });
      const { code, stdout, stderr } = await project.guard(event, { session_id: "me" }, { env });
      expect([code, stdout, stderr]).toEqual([0, "", ""]);
    },
  );

  it("says once, at the start of a session, that there is no node, and refuses our commands with the reason", async () => {
    const project = new PluginProject();
    project.sessionFile("me");
    const env = { PATH: project.pathWith({}) };
    const start = await project.guard("session-start", { session_id: "me" }, { env });
    expect([start.code, start.stderr]).toEqual([0, ""]);
    expect((JSON.parse(start.stdout) as { systemMessage: string }).systemMessage).toMatch(
      /Babysitter is off in this session: node is not on PATH; install Node 20\.19 or newer/u,
    );
    const typed = await project.guard("user-prompt-expansion", { session_id: "me", command_name: "babysit" }, { env });
    expect(JSON.parse(typed.stdout)).toMatchObject({
      decision: "block",
      reason: expect.stringContaining("node is not on PATH"),
    });
    for (const event of GUARDED) {
      const { code, stdout, stderr } = await project.guard(event, { session_id: "me" }, { env });
      expect([event, code, stdout, stderr]).toEqual([event, 0, "", ""]);
    }
  });

  it.each([
    ["v20.18.3", "20.18.3"],
    ["v18.20.8", "18.20.8"],
    ["v9.99.99", "9.99.99"],
    ["", "broken"],
    ["nonsense", "nonsense"],
    [`'a "word" of \\a wrapper'; echo v18.0.0`, "broken"],
  ])("names a node that cannot run it (%s)", async (version, shown) => {
    const project = new PluginProject();
    const env = { PATH: project.pathWith({ node: `echo ${version}` }) };
    const start = await project.guard("session-start", { session_id: "me" }, { env });
    expect((JSON.parse(start.stdout) as { systemMessage: string }).systemMessage).toContain(
      `the node on PATH is ${shown};`,
    );
    const typed = await project.bundled(["--version"], { env });
    expect([typed.code, typed.stdout]).toEqual([1, ""]);
    expect(typed.stderr).toContain(`babysitter: the node on PATH is ${shown};`);
  });

  it.each(["v20.19.0", "v22.0.0", "v100.1.2"])("takes node %s", async (version) => {
    const project = new PluginProject();
    const env = { PATH: project.pathWith({ node: NODE.replace("v20.19.0", version) }) };
    expect((await project.guard("session-start", { session_id: "me" }, { env })).stdout).toContain("node");
  });

  it("keeps an error of the API for the next event, without node, each in a file of its own", async () => {
    const project = new PluginProject();
    project.sessionFile("me");
    const env = { PATH: project.pathWith({}) };
    const input = { session_id: "me", hook_event_name: "StopFailure", error: 'API "Error" 400 é' };
    await Promise.all([1, 2].map(async () => project.guard("stop-failure", input, { env })));
    const spool = path.join(project.home, ".a5c/spool");
    const names = fs.readdirSync(spool);
    expect(names).toHaveLength(2);
    for (const name of names) {
      expect(name).toMatch(/^me\.\d+\.stop-failure\.json$/u);
      expect(JSON.parse(fs.readFileSync(path.join(spool, name), "utf8"))).toEqual(input);
      expect(fs.statSync(path.join(spool, name)).mode & 0o077).toBe(0);
    }
  });
});

function hooksIn(project: PluginProject, file: string): { command: string; timeout: number }[] {
  const { hooks } = JSON.parse(fs.readFileSync(path.join(project.plugin, "hooks", file), "utf8")) as {
    hooks: Record<string, { hooks: { command: string; timeout: number }[] }[]>;
  };
  return Object.values(hooks).flatMap((entries) => entries.flatMap((entry) => entry.hooks));
}
