/** `babysitter ui`: who gets into the inbox, how the browser learns of it, and what a question starts. */
import fs from "node:fs";
import path from "node:path";
import { describe, it, type TestContext } from "vitest";
import { atTerminal } from "../fixtures/at-terminal.js";
import { PersonInbox, PROGRAM, processesOf } from "../fixtures/breakpoints/person-inbox.js";
import { CLI, type Finished, typed } from "../fixtures/command-line.js";
import { isRunning, until } from "../fixtures/processes.js";
import type { Project } from "../fixtures/project.js";
import { ask, askingProject, GATE } from "../fixtures/runs/asked-project.js";

const PERSON = { as: "person" } as const;
const LINK = /http:\/\/localhost:(\d+)\/sign-in#([\w-]{43})/u;

async function begin(test: TestContext, settings: object = {}): Promise<{ project: Project; inbox: PersonInbox }> {
  const project = askingProject(test, GATE);
  return { project, inbox: await PersonInbox.of(project, test, settings) };
}

const ON_DEMAND = { program: PROGRAM, onDemand: true };

/** What a page does with the link that it was opened with. */
async function signIn({ port }: PersonInbox, link: string): Promise<{ status: number; body: Record<string, unknown> }> {
  const origin = `http://localhost:${port}`;
  const response = await fetch(`${origin}/api/sign-in`, {
    method: "POST",
    headers: { "Content-Type": "application/json", Origin: origin },
    body: JSON.stringify({ link, name: "test" }),
  });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

/** The environment that a process was started with. */
function environmentOf(pid: number): Record<string, string> {
  const entries = fs.readFileSync(`/proc/${pid}/environ`, "utf8").split("\0").filter(Boolean);
  return Object.fromEntries(
    entries.map((entry) => [entry.slice(0, entry.indexOf("=")), entry.slice(entry.indexOf("=") + 1)]),
  );
}

/** A program of this name on PATH, and the environment of a desktop that finds it. */
function desktop({ root }: Project, name: string, script: string): Record<string, string> {
  const dir = path.join(root, "desktop");
  fs.mkdirSync(dir, { recursive: true });
  fs.writeFileSync(path.join(dir, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  return { PATH: `${dir}:${process.env["PATH"] ?? ""}`, DISPLAY: ":9" };
}

describe("a person at a terminal", () => {
  it("B1 B8: gets a link that signs in one browser, once, from a server that outlives the command", async (test) => {
    const { expect } = test;
    const { project, inbox } = await begin(test);
    const { code, stdout, stderr } = await project.run(["ui"], PERSON);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toContain("within 10 minutes");
    expect(stdout).toContain(`ssh -L ${inbox.port}:localhost:${inbox.port} `);
    const [, port, secret = ""] = LINK.exec(stdout) ?? [];
    expect(port).toBe(String(inbox.port));
    const { pid, apiPort } = inbox.record() as { pid: number; apiPort: number };
    expect([isRunning(pid), apiPort]).toEqual([true, inbox.apiPort]);
    expect(fs.readlinkSync(`/proc/${pid}/cwd`)).toBe(project.home);
    const again = (await project.ask(["ui", "--no-open"], PERSON)) as unknown as Record<string, unknown>;
    expect(again).toEqual({
      url: `http://localhost:${inbox.port}`,
      apiUrl: `http://localhost:${inbox.apiPort}`,
      pid,
      opened: false,
      link: expect.stringMatching(LINK) as string,
      expires: expect.stringMatching(/^\d{4}-/u) as string,
    });
    expect(inbox.servers()).toEqual([pid]);
    expect(await signIn(inbox, secret)).toMatchObject({ status: 200, body: { token: expect.any(String) as string } });
    const second = await signIn(inbox, secret);
    expect(second).toMatchObject({ status: 401, body: { error: { code: "SIGN_IN_REFUSED" } } });
  });

  it("B8: the browser is given a file that only this person can read, and never the secret itself", async (test) => {
    const { expect } = test;
    const { project, inbox } = await begin(test);
    const seen = path.join(project.root, "seen");
    const env = desktop(project, "xdg-open", `printf '%s\\n' "$@" > '${seen}'; stat -c %a "$1" >> '${seen}'`);
    const { code, stdout, stderr } = await project.run(["ui"], { ...PERSON, env });
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).not.toMatch(LINK);
    const [file = "", mode, ...others] = fs.readFileSync(seen, "utf8").trim().split("\n");
    expect([path.dirname(file), mode, others]).toEqual([inbox.folder, "600", []]);
    expect(fs.statSync(inbox.folder).mode & 0o777).toBe(0o700);
    const page = fs.readFileSync(file, "utf8");
    const [address = "", , secret = ""] = LINK.exec(page) ?? [];
    expect(page).toContain(`<meta http-equiv="refresh" content="0; url=${address}">`);
    for (const text of [file, inbox.read("server.log"), inbox.read("access.jsonl"), inbox.read("server.json")])
      expect(text).not.toContain(secret);
    expect((await signIn(inbox, secret)).status).toBe(200);
    expect(inbox.files().filter((name) => name.endsWith(".html"))).toEqual([]);
  });

  it("B8: a page that nobody has used goes when its time is over", async (test) => {
    const { expect } = test;
    const { project, inbox } = await begin(test);
    const env = desktop(project, "xdg-open", "exit 0");
    await project.run(["ui"], { ...PERSON, env });
    const pages = (): string[] => inbox.files().filter((name) => name.endsWith(".html"));
    const [first = ""] = pages();
    await project.run(["ui"], { ...PERSON, env });
    expect(pages()).toHaveLength(2);
    const log = path.join(inbox.folder, "access.jsonl");
    const [oldest = "", ...rest] = fs.readFileSync(log, "utf8").trim().split("\n");
    const expired = { ...(JSON.parse(oldest) as object), expires: new Date(0).toISOString() };
    fs.writeFileSync(log, `${[JSON.stringify(expired), ...rest].join("\n")}\n`);
    await project.run(["ui"], { ...PERSON, env });
    expect(pages()).toHaveLength(2);
    expect(pages()).not.toContain(first);
  });

  it("B8: where no browser opens, the link is printed", async (test) => {
    const { expect } = test;
    const { project } = await begin(test);
    const works = (): Record<string, string> => desktop(project, "xdg-open", "exit 0");
    for (const [args, env] of [
      [["ui"], () => desktop(project, "xdg-open", "exit 3")],
      [["ui", "--no-open"], works],
      [["ui"], () => ({ ...works(), SSH_CONNECTION: "192.0.2.1 1 192.0.2.2 22" })],
    ] as const) {
      const { code, stdout } = await project.run([...args], { ...PERSON, env: env() });
      expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringMatching(LINK) as string });
    }
  });

  it("B1: babysitter-breakpoints open does the same", async (test) => {
    const { expect } = test;
    const { project, inbox } = await begin(test);
    const command = (...args: string[]): Promise<Finished> =>
      typed([process.execPath, PROGRAM, "open", ...args], { cwd: project.dir, home: project.home });
    const opened = await command();
    expect(opened).toMatchObject({ code: 0, stdout: expect.stringMatching(LINK) as string });
    expect((await command("--json")).json()).toMatchObject({ pid: inbox.record()?.pid, opened: false });
  });

  it("is told what the server says when it does not start", async (test) => {
    const { expect } = test;
    const { project, inbox } = await begin(test);
    const program = path.join(project.root, "program.mjs");
    fs.writeFileSync(program, 'console.error("Port 3184 is taken by nginx."); process.exitCode = 1;');
    inbox.settle({ program });
    const { code, stderr } = await project.run(["ui"], PERSON);
    expect(code).toBe(1);
    expect(stderr).toContain("INBOX_NOT_STARTED");
    expect(stderr).toContain("Port 3184 is taken by nginx.");
    expect(stderr).toContain(path.join(inbox.folder, "server.log"));
  });

  it("reads of babysitter ui where a question waits; programs and agents do not", async (test) => {
    const { expect } = test;
    const { project } = await begin(test);
    await ask(project, "r");
    const shownAt = async (args: string[], env: Record<string, string> = {}): Promise<string> => {
      // What asks on the terminal would wait here for ever.
      const command = ["/bin/sh", "-c", 'exec "$@" < /dev/null', "sh", process.execPath, CLI, ...args];
      return (await atTerminal(command, { cwd: project.dir, home: project.home, env })).shown;
    };
    for (const args of [["breakpoint:list"], ["run:iterate", "r"]])
      expect([args, await shownAt(args)]).toEqual([args, expect.stringContaining(", or babysitter ui") as string]);
    expect(await shownAt(["breakpoint:list"], { CLAUDECODE: "1" })).not.toContain("babysitter ui");
    expect((await project.run(["breakpoint:list"])).stdout).not.toContain("babysitter ui");
    expect(await shownAt(["run", "r"])).toMatch(/answer in the browser +babysitter ui/u);
    expect((await project.run(["run", "r"])).stdout).not.toContain("babysitter ui");
  });
});

describe("agents, and whoever has no terminal", () => {
  it("B8: get no link, start nothing, and are told why and where the inbox runs", async (test) => {
    const { expect } = test;
    const { project, inbox } = await begin(test);
    const callers = [
      [{ env: { CLAUDECODE: "1" }, ...PERSON }, "agent"],
      [{ env: { CODEX_SANDBOX: "1" }, ...PERSON }, "agent"],
      [{ as: "host" }, "agent"],
      [{}, "terminal"],
    ] as const;
    for (const [how, why] of callers) {
      const refused = await project.refuse(["ui"], how);
      expect(refused).toMatchObject({ exit: 7, code: "ONLY_FOR_PEOPLE", details: { why } });
    }
    expect([inbox.servers(), inbox.files()]).toEqual([[], []]);
    await project.ask(["ui"], PERSON);
    const links = inbox.read("access.jsonl");
    for (const [how] of callers) {
      const refused = await project.refuse(["ui"], how);
      expect(refused.details).toMatchObject({ running: { pid: inbox.record()?.pid } });
      expect(JSON.stringify(refused)).not.toMatch(/sign-in#/u);
    }
    expect(inbox.read("access.jsonl")).toBe(links);
  });

  it("B8: do not settle what questions start", async (test) => {
    const { expect } = test;
    const { project, inbox } = await begin(test);
    const before = inbox.settings();
    for (const flag of ["--enable", "--disable"])
      for (const how of [{ env: { CLAUDECODE: "1" }, ...PERSON }, { as: "host" }, {}] as const)
        expect(await project.refuse(["ui", flag], how)).toMatchObject({ exit: 7, code: "ONLY_FOR_PEOPLE" });
    expect(inbox.settings()).toEqual(before);
  });
});

describe("a question", () => {
  it("B1 B8: starts one server once a person has said so, and it knows nothing of who asked", async (test) => {
    const { expect } = test;
    const { project, inbox } = await begin(test);
    await ask(project, "before");
    expect(inbox.servers()).toEqual([]);
    const enabled = await project.ask(["ui", "--enable"], PERSON);
    expect(enabled).toMatchObject({ enabled: true, program: PROGRAM, config: inbox.config });
    expect(inbox.settings()).toEqual({ inbox: { port: inbox.port, apiPort: inbox.apiPort, ...ON_DEMAND } });
    await project.create("p.mjs", "r");
    const env = {
      ANTHROPIC_API_KEY: "sk-1",
      NODE_OPTIONS: "--no-warnings",
      GITHUB_TOKEN: "t",
      LANG: "C",
      LC_TIME: "C",
    };
    await project.ask(["run:iterate", "r"], { env });
    const { pid } = await inbox.started();
    expect(Object.keys(environmentOf(pid)).toSorted()).toEqual(["HOME", "LANG", "LC_TIME", "PATH"]);
    expect(fs.readlinkSync(`/proc/${pid}/cwd`)).toBe(project.home);
    expect(fs.statSync(path.join(inbox.folder, "server.log")).mode & 0o777).toBe(0o600);
    // Whoever started it is gone, and it has no terminal or group to be ended with.
    const [, parent, group, session] = fs.readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
    expect([group, session]).toEqual([String(pid), String(pid)]);
    expect(Number(parent)).not.toBe(process.pid);
    await ask(project, "another");
    expect(inbox.servers()).toEqual([pid]);
    expect(await project.ask(["ui", "--disable"], PERSON)).toMatchObject({ enabled: false });
    expect(inbox.settings()).toEqual({ inbox: { port: inbox.port, apiPort: inbox.apiPort } });
  });

  it("B1: of several programs that ask at once, one starts it; the others lose nothing", async (test) => {
    const { expect } = test;
    const { project, inbox } = await begin(test, ON_DEMAND);
    const asked = await Promise.all([1, 2, 3, 4].map((n) => project.run(["breakpoint:create", "--question", `${n}?`])));
    expect(asked.map(({ code, stderr }) => ({ code, stderr }))).toEqual(asked.map(() => ({ code: 0, stderr: "" })));
    const { pid } = await inbox.started();
    await until(() => inbox.servers().length === 1);
    expect(inbox.servers()).toEqual([inbox.record()?.pid]);
    expect(isRunning(pid)).toBe(true);
  });

  it("B1: the server outlives a hook that has asked, where other programs of a hook end with it", async (test) => {
    const { expect } = test;
    const { project, inbox } = await begin(test, ON_DEMAND);
    const other = path.join(project.root, "other");
    project.write({
      "quiet.mjs": "export async function process() { return 1; }",
      ".a5c/hooks/on-run-start/ask.sh": `#!/bin/sh
# The question is a run, too.
[ -z "$ASKED" ] || exit 0
export ASKED=1
setsid sh -c 'echo $$ > ${other}; exec sleep 600' > /dev/null 2>&1 < /dev/null &
${process.execPath} ${CLI} breakpoint:create --question "From a hook?" >&2
`,
    });
    fs.chmodSync(project.path(".a5c/hooks/on-run-start/ask.sh"), 0o755);
    const { code } = await project.run(["run", "quiet.mjs", "--json"]);
    expect(code).toBe(0);
    const { pid } = await inbox.started();
    expect(isRunning(Number(fs.readFileSync(other, "utf8")))).toBe(false);
    expect([isRunning(pid), inbox.servers()]).toEqual([true, [pid]]);
  });

  it.for([
    ["run:iterate", "r", "--no-hooks"],
    ["run", "r"],
    ["breakpoint:create", "--question", "Now?"],
  ])("B1: starts it in %s %s", async (words, test) => {
    const { expect } = test;
    const { project, inbox } = await begin(test, ON_DEMAND);
    await project.create("p.mjs", "r");
    await project.run([...words]);
    expect(isRunning((await inbox.started()).pid)).toBe(true);
  });

  it("B8: starts nothing that a project or the variables of an agent name", async (test) => {
    const { expect } = test;
    const { project, inbox } = await begin(test);
    const ran = path.join(project.root, "ran");
    const evil = project.path("evil.mjs");
    project.write({
      "evil.mjs": `import fs from "node:fs"; fs.appendFileSync(${JSON.stringify(ran)}, "x");`,
      ".a5c/config.json": JSON.stringify({ inbox: { program: evil, onDemand: true } }),
    });
    const refused = await project.refuse(["breakpoint:create", "--question", "Now?"]);
    expect(refused).toMatchObject({ exit: 2, code: "CONFIG_INVALID" });
    expect(refused.message).toContain('"inbox.program" cannot be set in the team file.');
    expect(refused.hint).toContain("~/.config/babysitter/config.json");
    expect((await project.run(["ui"], PERSON)).stdout).toMatch(LINK);
    expect(inbox.record()).toBeDefined();
    await inbox.end();
    fs.rmSync(project.path(".a5c/config.json"));
    // An agent can give its commands any home; what the system says about this user counts.
    inbox.settle({ program: evil, onDemand: true });
    const agent = { env: { CLAUDECODE: "1", BABYSITTER_INBOX_PROGRAM: evil } };
    expect((await project.run(["breakpoint:create", "--question", "Now?"], agent)).code).toBe(0);
    expect((await project.run(["breakpoint:create", "--question", "Now?"], { as: "host" })).code).toBe(0);
    // A person's own settings count for the person, in their environment.
    expect((await project.run(["breakpoint:create", "--question", "Now?"])).code).toBe(0);
    await until(() => fs.existsSync(ran) && processesOf(evil).length === 0);
    expect(fs.readFileSync(ran, "utf8")).toBe("x");
  });

  it("B1: is asked also where the recorded program is gone, and the doctor names it", async (test) => {
    const { expect } = test;
    const { project, inbox } = await begin(test);
    const program = path.join(project.root, "gone.mjs");
    inbox.settle({ program, onDemand: true });
    const { code, stderr } = await project.run(["breakpoint:create", "--question", "Now?"]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(inbox.read("server.log")).toMatch(/^\S+ A question did not start the server: .*gone\.mjs is gone\.\n$/u);
    const { findings } = (await project.run(["doctor", "--json"])).json() as unknown as {
      findings: { check: string; level: string; text: string; fix?: string }[];
    };
    const [row] = findings.filter(({ check }) => check === "inbox");
    expect(row).toMatchObject({ level: "warning", text: expect.stringContaining(program) as string });
    expect(row?.fix).toContain("babysitter ui --enable");
    expect(await project.refuse(["ui"], PERSON)).toMatchObject({ exit: 2, code: "INBOX_MISSING" });
    expect(await project.ask(["ui", "--enable"], PERSON)).toMatchObject({ program: PROGRAM });
  });

  it("B1: a log that has grown long begins anew", async (test) => {
    const { expect } = test;
    const { project, inbox } = await begin(test, ON_DEMAND);
    fs.mkdirSync(inbox.folder, { recursive: true, mode: 0o700 });
    fs.writeFileSync(path.join(inbox.folder, "server.log"), "x".repeat(1024 * 1024 + 1));
    await project.run(["breakpoint:create", "--question", "Now?"]);
    await inbox.started();
    expect(inbox.read("server.log").length).toBeLessThan(10_000);
  });
});

describe("settings", () => {
  it("of a person stay as they are but for the inbox, also where their file is a link", async (test) => {
    const { expect } = test;
    const { project, inbox } = await begin(test);
    inbox.settle({ port: inbox.port }, { driver: { concurrency: 2 } });
    const real = path.join(project.root, "dotfiles.json");
    fs.renameSync(inbox.config, real);
    fs.chmodSync(real, 0o640);
    fs.symlinkSync(real, inbox.config);
    await project.ask(["ui", "--enable"], PERSON);
    expect(inbox.settings()).toEqual({ driver: { concurrency: 2 }, inbox: { port: inbox.port, ...ON_DEMAND } });
    expect(fs.lstatSync(inbox.config).isSymbolicLink()).toBe(true);
    expect(fs.statSync(real).mode & 0o777).toBe(0o640);
    await project.ask(["ui", "--disable"], PERSON);
    expect(inbox.settings()).toEqual({ driver: { concurrency: 2 }, inbox: { port: inbox.port } });
    expect(fs.readdirSync(path.dirname(real)).filter((name) => name.includes(".tmp."))).toEqual([]);
  });

  it("of a person that are not valid are told, and not touched", async (test) => {
    const { expect } = test;
    const { project, inbox } = await begin(test);
    fs.writeFileSync(inbox.config, '{ "inbox": { "program": "relative.mjs" } }');
    for (const args of [["ui"], ["ui", "--enable"], ["ui", "--disable"]])
      expect(await project.refuse(args, PERSON)).toMatchObject({ exit: 2, code: "CONFIG_INVALID" });
    expect(fs.readFileSync(inbox.config, "utf8")).toContain("relative.mjs");
    expect(await project.refuse(["ui", "--enable", "--disable"], PERSON)).toMatchObject({ exit: 2, code: "USAGE" });
  });
});
