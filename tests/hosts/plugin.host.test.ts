import { randomUUID } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { VERSION } from "../../packages/sdk/src/model/version.js";
import { PLUGIN, REPOSITORY } from "../fixtures/plugin/plugin-copy.js";
import { until } from "../fixtures/processes.js";
import { gitMarket } from "./rig/git-market.js";
import { claude } from "./rig/host-command.js";
import { answers, HostProject, type Row } from "./rig/host-run.js";
import { KEYS, openTerminal } from "./rig/host-terminal.js";
import { HOST_VERSIONS } from "./rig/install-hosts.js";
import { bash, inTurn, says } from "./rig/scripted-model.js";
import { newShippedProject } from "./rig/shipped-plugin.js";

const DONE = says("All is done.\n\n<promise>DONE</promise>");
const COMMANDS = ["babysit", "babysitter:resume", "babysitter:status", "babysitter:pause", "babysitter:cancel"];

/** What the host says of itself at the start of a session. */
function inventory(stream: Row[]): { commands: string[]; agents: string[]; errors: unknown } {
  const start = stream.find(({ subtype }) => subtype === "init") ?? {};
  const lists = [start["slash_commands"], start["skills"]].filter((list) => Array.isArray(list)) as string[][];
  return { commands: [...new Set(lists.flat())], agents: start["agents"] as string[], errors: start["plugin_errors"] };
}

describe.each(HOST_VERSIONS)("the plugin in Claude Code %s", (version) => {
  test("P1: the host's own validator finds nothing, in the plugin and in the marketplace", async () => {
    const project = new HostProject(version);
    for (const place of [PLUGIN, REPOSITORY]) {
      const { code, stdout, stderr } = await claude(project, ["plugin", "validate", "--strict", place]);
      expect([code, stdout + stderr]).toEqual([0, expect.stringContaining("Validation passed")]);
    }
  });

  test("P1: loads with --plugin-dir: hooks run, the skill, the commands and the agent are listed, the command line is on PATH", async () => {
    const project = newShippedProject(version);
    const run = await project.host({
      scenario: inTurn([bash("type -P babysitter; babysitter --version; babysitter doctor --json"), says("Fine.")]),
    });
    const { commands, agents, errors } = inventory(run.stream);
    expect(errors).toBeUndefined();
    expect(commands).toEqual(expect.arrayContaining([...COMMANDS.slice(1), "babysitter:babysitter-score"]));
    expect(commands.some((name) => name === "babysit" || name === "babysitter:babysit")).toBe(true);
    expect(agents).toContain("babysitter:babysitter");
    const said = run.model.main[1]?.news ?? "";
    expect(said).toContain(path.join(project.plugin.dir, "bin/babysitter"));
    expect(said).toContain(`last one at`);
    const recorded = JSON.parse(fs.readFileSync(path.join(project.home, ".a5c/log/last-session.json"), "utf8")) as Row;
    expect(recorded).toMatchObject({
      sessionId: run.sessionId,
      source: "startup",
      pluginRoot: project.plugin.dir,
      host: expect.stringContaining(version.replaceAll(".", "-")),
      blockCap: 8,
    });
    // A session without a loop: the guard has nothing to say, and nothing is written.
    expect(answers(run, "Stop").join("")).toBe("");
    expect(fs.readdirSync(path.join(project.home, ".a5c"))).toEqual(["log"]);
    expect(project.runs()).toEqual([]);
  });

  test("P1: a loop is held by the plugin's own hooks until its promise", async () => {
    const project = newShippedProject(version);
    const sessionId = await project.startLoop();
    const run = await project.host({
      sessionId,
      scenario: inTurn([bash("echo 1 > a"), says("Half."), bash("echo 2 > b"), DONE]),
    });
    expect(project.codes()).toEqual(["continue_loop", "promise_matched"]);
    expect(run.result).toMatchObject({ subtype: "success", is_error: false });
  });

  test("L1: /babysit with awkward characters starts a loop through the plugin's skill, and nothing is executed", async () => {
    const project = newShippedProject(version);
    const goal = `Don't (break) "it" $(touch PWNED); \`touch PWNED\` > PWNED & é`;
    const run = await project.host({
      prompt: `/babysit ${goal} --completion-promise DONE --max-iterations 7`,
      scenario: inTurn([bash("echo 1 > a"), says("Half."), DONE]),
    });
    expect(project.codes()).toEqual(["continue_loop", "promise_matched"]);
    expect(run.model.main[0]?.news).toContain(goal);
    expect(run.model.main[0]?.news).toContain("# Babysit");
    expect(fs.existsSync(project.path("PWNED"))).toBe(false);
    const [runId = ""] = project.runs();
    expect((await project.status(runId)).limits["iterations"]).toBe(7);
  });

  test.each(["status", "pause", "cancel", "doctor"])(
    "L1: /babysitter:%s is answered by the hook, without a model",
    async (name) => {
      const project = newShippedProject(version);
      const sessionId = await project.startLoop();
      const run = await project.host({ sessionId, prompt: `/babysitter:${name}`, scenario: inTurn([]) });
      expect(run.model.main).toEqual([]);
      expect(answers(run, "UserPromptExpansion").join("")).toContain('"decision":"block"');
    },
  );

  test("P2: SessionStart: the session of a loop is told where it stands at startup and at resume", async () => {
    const project = newShippedProject(version);
    const sessionId = await project.startLoop();
    const first = await project.host({
      sessionId,
      scenario: inTurn([bash("echo 1 > a"), DONE]),
      args: ["--max-turns", "1"],
    });
    expect(first.model.main[0]?.news).toContain("[LOOP RESUME] Active loop detected");
    const again = await project.host({ sessionId, resume: true, scenario: inTurn([DONE]) });
    expect(again.model.main[0]?.news).toContain("Task:\nWrite x");
    expect(project.codes()).toEqual(["promise_matched"]);
    const sources = answers(again, "SessionStart");
    expect(sources.join("")).toContain("additionalContext");
  });

  test("P2: SessionStart: after a compaction the session is told its task again", async () => {
    const project = newShippedProject(version);
    const sessionId = await project.startLoop();
    const tooLong = {
      status: 400,
      type: "invalid_request_error",
      message: "prompt is too long: 250000 tokens > 200000 maximum",
    };
    const script = inTurn([
      bash("echo 1 > a"),
      says("One."),
      bash("echo 2 > b"),
      { error: tooLong },
      bash("echo 3 > c"),
      DONE,
    ]);
    const run = await project.host({
      sessionId,
      scenario: (request) => (request.kind === "compaction" ? says("<summary>We write x.</summary>") : script(request)),
    });
    expect(run.model.main[4]?.news).toContain("Task:\nWrite x");
    expect([project.lastSession()["source"], project.codes()]).toEqual([
      "compact",
      ["continue_loop", "promise_matched"],
    ]);
  });

  test("P2: SessionStart: after /clear in a terminal the new session is told of the loop that is not its own", async () => {
    const project = newShippedProject(version);
    const sessionId = await project.startLoop();
    const terminal = await openTerminal(project, {
      sessionId: randomUUID(),
      scenario: inTurn([says("Hello."), says("Again.")]),
    });
    await terminal.shows("Hello.");
    terminal.press("/clear");
    await terminal.shows("/clear");
    await terminal.until(() => {
      terminal.press(KEYS.enter);
      return project.lastSession()["source"] === "clear";
    }, "a session after /clear");
    await terminal.until(() => !terminal.text.includes("Hello."), "an empty screen");
    terminal.press("Next.");
    await terminal.shows("Next.");
    await terminal.pressUntil(KEYS.enter, "Again.");
    const told = terminal.model.main.at(-1)?.news ?? "";
    expect(told).toContain("This loop does not belong to this session");
    expect(told).toContain(`babysitter loop:resume ${project.runs()[0]}`);
    expect(project.lastSession()["sessionId"]).not.toBe(sessionId);
  });

  test("P1: an unusable state folder costs an idle session nothing, and /babysit names the problem", async () => {
    const project = newShippedProject(version);
    const state = path.join(project.home, ".a5c");
    fs.writeFileSync(state, "");
    const idle = await project.host({ scenario: inTurn([says("Hello.")]) });
    expect([idle.code, idle.hookAnswers.map(({ output }) => output.trim())]).toEqual([0, ["{}"]]);
    const asked = await project.host({ prompt: "/babysit Write x", scenario: inTurn([]) });
    expect(asked.model.main).toEqual([]);
    expect(answers(asked, "UserPromptExpansion").join()).toContain(`${state} is not a folder`);
    expect(fs.existsSync(project.path(".a5c"))).toBe(false);
  });

  test("P1: installs from a marketplace in git, updates to a new version while a loop is open, and the loop continues with it", async () => {
    const project = new HostProject(version);
    const market = gitMarket(project);
    const manage = async (...args: string[]): Promise<string> => {
      const { code, stdout, stderr } = await claude(project, ["plugin", ...args]);
      expect([args, code, stderr]).toEqual([args, 0, ""]);
      return stdout;
    };
    const common =
      "--model claude-sonnet-4-5 --permission-mode bypassPermissions --output-format stream-json --verbose";
    const session = (how: string, id: string): string[] => ["-p", "Go.", how, id, ...common.split(" ")];
    await manage("marketplace", "add", market.url);
    await manage("install", "babysitter@a5c");
    const sessionId = await project.startLoop();
    const working = inTurn([bash("echo 1 > a"), says("Half."), bash("echo 2 > b")]);
    const first = await claude(project, [...session("--session-id", sessionId), "--max-turns", "2"], working);
    expect([project.codes(), first.requests.length > 1]).toEqual([["continue_loop"], true]);
    const before = project.lastSession();

    market.publish("99.0.0");
    await manage("marketplace", "update", "a5c");
    await manage("update", "babysitter@a5c");
    expect(await manage("list")).toMatch(/babysitter@a5c[\s\S]*99\.0\.0/u);
    const second = await claude(project, session("--resume", sessionId), inTurn([bash("echo 3 > c"), DONE]));
    expect(second.requests[0]?.news).toContain("[LOOP RESUME] Active loop detected");
    expect(project.codes()).toEqual(["continue_loop", "promise_matched"]);
    const roots = [before, project.lastSession()].map(({ pluginRoot }) => String(pluginRoot));
    const cache = path.join(project.home, ".claude/plugins/cache/a5c/babysitter");
    expect(roots).toEqual([path.join(cache, VERSION), path.join(cache, "99.0.0")]);
    // The host runs npm for plugins that ask for it; ours must not.
    const installed = fs.readdirSync(cache, { recursive: true, encoding: "utf8" });
    expect(installed.filter((name) => name.includes("node_modules"))).toEqual([]);
  }, 60_000);

  test("P1: takes a clone of the repository as a marketplace", async () => {
    const project = new HostProject(version);
    const { dir } = gitMarket(project);
    for (const args of [
      ["marketplace", "add", dir],
      ["install", "babysitter@a5c"],
    ])
      expect([args, (await claude(project, ["plugin", ...args])).code]).toEqual([args, 0]);
    const { code, requests } = await claude(
      project,
      ["-p", "Go.", "--model", "claude-sonnet-4-5"],
      inTurn([says("Hello.")]),
    );
    expect([code, requests.length, project.lastSession()["source"]]).toEqual([0, 1, "startup"]);
  });

  test("P1: an error of the API is kept by the plugin for the next event of the session, and the loop goes on", async () => {
    const project = newShippedProject(version);
    const sessionId = await project.startLoop();
    const error = { status: 400, type: "invalid_request_error", message: "There is nothing to be done." };
    const spool = path.join(project.home, ".a5c/spool");
    const kept = (): string[] =>
      fs.existsSync(spool) ? fs.readdirSync(spool).map((name) => fs.readFileSync(path.join(spool, name), "utf8")) : [];
    const recorded = () => project.runs().flatMap((run) => project.events(run, "TURN_FAILED"));
    await project.host({
      sessionId,
      typed: [{ during: 2, text: "Try again." }],
      scenario: async ({ number, news }) => {
        if (number === 1) return bash("echo 1 > a");
        if (news.includes("babysitter loop:status")) return DONE;
        if (!news.includes("Try again.")) return { error };
        // The host does not wait for this hook, so the prompt may come before it.
        await until(() => recorded().length > 0 || kept().some((line) => line.endsWith("\n")));
        return says("Hello.");
      },
    });
    expect(project.codes()).toEqual(["continue_loop", "promise_matched"]);
    const failures = [...recorded().map(({ payload }) => JSON.stringify(payload)), ...kept()];
    expect(failures).toEqual([expect.stringContaining("API Error: 400 There is nothing to be done.")]);
  });

  test("P6: without node on PATH the user is told once, and the session works as always", async () => {
    const project = newShippedProject(version);
    const bin = path.join(project.root, "bin");
    fs.mkdirSync(bin);
    for (const name of fs.readdirSync("/usr/bin").filter((program) => program !== "node" && program !== "nodejs"))
      fs.symlinkSync(path.join("/usr/bin", name), path.join(bin, name));
    const run = await project.host({ env: { PATH: bin }, scenario: inTurn([says("Hello.")]) });
    expect(run.result).toMatchObject({ subtype: "success", result: "Hello." });
    const told = run.hookAnswers.filter(({ output }) => output !== "");
    expect(told.map(({ event }) => event)).toEqual(["SessionStart"]);
    expect(told[0]?.output).toContain("node is not on PATH");
  });
});
