/** Removing what runs at the time, and what npm has installed. */
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { PersonInbox } from "../fixtures/breakpoints/person-inbox.js";
import { UsedMachine } from "../fixtures/cli/used-machine.js";
import { cleanEnvironment, execute, typed } from "../fixtures/command-line.js";
import { isRunning, until } from "../fixtures/processes.js";

const SDK = fileURLToPath(new URL("../../packages/sdk", import.meta.url));

/** The command, as npm puts it on the PATH, for a person there. */
async function installedBy(machine: UsedMachine) {
  const prefix = path.join(machine.root, "prefix");
  const PATH = `${path.join(prefix, "bin")}:${cleanEnvironment("")["PATH"] ?? ""}`;
  const where = { cwd: machine.dir, home: machine.home, env: { PATH, npm_config_offline: "true" } };
  const npm = ["install", "--global", "--prefix", prefix, "--no-audit", "--no-fund", SDK];
  expect(await execute("npm", npm, where)).toMatchObject({ code: 0 });
  return { prefix, where };
}

describe("uninstall", () => {
  it("D3: a run that is being driven is not taken from under its driver", async () => {
    const machine = new UsedMachine();
    machine.write({
      "wait.mjs": `export default (_, ctx) => ctx.task({ id: "w", kind: "shell", shell: "touch started; until [ -e go ]; do sleep 0.05; done" });\n`,
    });
    const driving = machine.run(["run", "wait.mjs", "--run-id", "busy"]);
    await until(() => fs.existsSync(machine.path("started")));
    const refused = await machine.remove("all,runs");
    machine.write({ go: "" });
    expect([refused.code, refused.stderr]).toEqual([expect.any(Number), expect.stringContaining("error RUN_BUSY")]);
    expect(await driving).toMatchObject({ code: 0 });
    expect(await machine.parts()).toEqual(["runs", "inbox", "cache", "state", "config"]);
  });

  it("D3: a server that runs must be named, and ends", async (test) => {
    const machine = await UsedMachine.withRun();
    fs.rmSync(path.join(machine.home, ".a5c/inbox"), { recursive: true });
    const inbox = await PersonInbox.of(machine, test);
    void machine.run(["ui", "--no-open"], { as: "person" });
    const { pid } = await inbox.started();
    await until(() => inbox.files().includes("index.db"));
    const refused = await machine.remove("inbox");
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining("--remove servers,inbox")]);
    const ended = await machine.remove("servers,inbox");
    expect([ended.code, ended.stderr]).toEqual([0, ""]);
    expect([isRunning(pid), inbox.files()]).toEqual([false, []]);
  });

  it("D3: the command goes with npm, from where npm has put it, and the clone stays", async () => {
    const machine = new UsedMachine();
    const { prefix, where } = await installedBy(machine);
    const listed = await execute("babysitter", ["uninstall"], where);
    const link = path.join(prefix, "bin", "babysitter");
    expect(listed.stdout).toContain(`${link}, which links to ${SDK}`);
    expect(listed.stdout).toContain(`or: npm uninstall --global --prefix ${prefix} @a5c-ai/babysitter-sdk`);
    const done = await typed(["babysitter", "uninstall", "--remove", "command"], where);
    expect([done.code, done.stderr, fs.existsSync(link)]).toEqual([0, "", false]);
    expect(fs.existsSync(path.join(SDK, "package.json"))).toBe(true);
    expect(await machine.parts()).not.toContain("command");
  });

  it("D3: after the command has gone, what is still there is removed by the lines that were printed", async () => {
    const machine = await UsedMachine.withRun();
    const { where } = await installedBy(machine);
    const { code, stdout } = await typed(["babysitter", "uninstall", "--remove", "all"], where);
    expect([code, stdout]).toEqual([0, expect.not.stringContaining("babysitter uninstall")]);
    const [, lines = ""] = /The command has gone too\..*\n((?: {2}\S.*\n)+)/u.exec(stdout) ?? [];
    expect(lines).toBe(`  rm -r ${machine.runsDir}\n`);
    expect(await execute("sh", ["-c", lines], where)).toMatchObject({ code: 0, stderr: "" });
    expect(await machine.parts()).toEqual([]);
    expect(fs.existsSync(machine.path(".a5c/processes/p.mjs"))).toBe(true);
  });

  it("D3: what the program of a host refuses is told, and stays", async () => {
    const machine = new UsedMachine();
    const plugins = ".claude/plugins";
    machine.put(
      `${plugins}/installed_plugins.json`,
      '{"version":2,"plugins":{"babysitter@a5c":[{"scope":"user"}],"x@y":[]}}',
    );
    const bin = path.join(machine.root, "bin");
    fs.mkdirSync(bin);
    fs.writeFileSync(path.join(bin, "claude"), "#!/bin/sh\necho no >&2\nexit 1\n", { mode: 0o755 });
    const env = { PATH: `${bin}:${cleanEnvironment("")["PATH"] ?? ""}` };
    const done = await machine.run(["uninstall", "--remove", "plugin"], { as: "person", env });
    expect([done.code, done.stdout]).toEqual([1, expect.stringContaining("Not removed: Claude Code, babysitter@a5c.")]);
    expect(done.stdout).toContain("`claude plugin uninstall babysitter@a5c` failed: no");
    expect(await machine.parts()).toContain("plugin");
  });
});
