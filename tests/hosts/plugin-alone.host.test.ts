/** People who have nothing but the plugin: what they can type, and what they are told. */
import { randomUUID } from "node:crypto";
import fs from "node:fs";
import { describe, expect, test } from "vitest";
import { answers, HostProject } from "./rig/host-run.js";
import { KEYS, openTerminal } from "./rig/host-terminal.js";
import { NEWEST_HOST } from "./rig/install-hosts.js";
import { bash, inTurn, never, type Scenario, says } from "./rig/scripted-model.js";

const ASKING = `export const process = async (inputs, ctx) => ctx.breakpoint({ question: "Ship it?", options: ["now", "later"] });\n`;

interface AskedDoc {
  breakpoints: { breakpointId: string }[];
}

describe.each(NEWEST_HOST)("the plugin alone in Claude Code %s", (version) => {
  test("P9: /babysitter:amend, :verify and :report are obeyed in the session, without a model", async () => {
    const project = new HostProject(version, {}, { shipped: true });
    const scenario = inTurn([bash("echo 1 > a"), never]);
    const terminal = await openTerminal(project, { sessionId: randomUUID(), prompt: "", scenario });
    await terminal.enter("/babysit Write x", "🔄 Babysitter loop");
    await terminal.until(() => terminal.model.main.length === 2, "the agent at work");
    await terminal.pressUntil(KEYS.escape, "Interrupted");
    const [run = ""] = project.runs();
    await terminal.enter("/babysitter:amend --criteria 'x: test -f x && true'", `Amended ${run}: criterion x`);
    await terminal.enter("/babysitter:verify", "✗ x: ");
    await terminal.enter("/babysitter:report", "Write x");
    expect((await project.status(run)).criteria.map(({ id }) => id)).toEqual(["x"]);
    expect(terminal.model.main).toHaveLength(2);
  });

  test("P9: a question is answered by /babysitter:approve; `!babysitter` is no person to the host, and is told so", async () => {
    const project = new HostProject(version, { "asks.mjs": ASKING }, { shipped: true });
    const scenario = inTurn([bash("babysitter run:iterate --json"), never, never]);
    const terminal = await openTerminal(project, { sessionId: randomUUID(), prompt: "", scenario });
    await terminal.enter("/babysit --process asks.mjs", "🔄 Babysitter loop");
    await terminal.until(() => terminal.model.main.length === 2, "the question");
    await terminal.pressUntil(KEYS.escape, "Interrupted");
    const [run = ""] = project.runs();
    const { breakpoints } = (await project.ask(["breakpoint:list"])) as unknown as AskedDoc;
    const id = breakpoints[0]?.breakpointId ?? "";
    await terminal.enter("/babysitter:approve", `/babysitter:status ${id}`);
    terminal.press("!");
    await terminal.shows("! for shell mode");
    terminal.press(`babysitter breakpoint:approve ${id}`);
    const hint = "In the agent's session, type /babysitter:approve";
    await terminal.pressUntil(KEYS.enter, () => terminal.words.includes(hint));
    expect(project.count(run, "EFFECT_RESOLVED")).toBe(0);
    // The host gives what was printed to its agent.
    await terminal.until(() => terminal.model.main.length === 3, "the agent at work again");
    await terminal.pressUntil(KEYS.escape, () => terminal.words.split("Interrupted").length > 2);
    await terminal.enter(`/babysitter:approve ${id} --option later`, "Recorded: ");
    expect(project.count(run, "EFFECT_RESOLVED")).toBe(1);
  });

  test("L14: no silent end: a loop that was cancelled elsewhere, or whose session file the agent has deleted, is told to its session", async () => {
    const project = new HostProject(version, {}, { shipped: true });
    const first = await project.startLoop();
    const cancels: Scenario = async () => {
      await project.ask(["loop:cancel", project.runs()[0] ?? ""], { as: "person" });
      return says("Half.");
    };
    const cancelled = await project.host({ sessionId: first, scenario: inTurn([cancels]) });
    expect(answers(cancelled, "Stop").join("\n")).toMatch(
      /was cancelled, so this session may stop\. Report: \/babysitter:report /u,
    );
    const second = await project.startLoop();
    const scenario = inTurn([bash("rm -f ~/.a5c/state/*.md"), says("I am free.")]);
    const deleted = await project.host({ sessionId: second, scenario });
    expect(answers(deleted, "Stop").join("\n")).toMatch(
      /the session file is gone[^]*To continue: \/babysitter:resume /u,
    );
  });

  test.each([
    ["--settings", ["--settings", JSON.stringify({ disableAllHooks: true })]],
    ["--safe-mode", ["--safe-mode"]],
    ["--bare", ["--bare"]],
  ])("L14: hooks switched off by %s: the agent can start no loop that would hold nobody", async (name, args) => {
    const project = new HostProject(version, {}, { shipped: true });
    const scenario = inTurn([bash("babysitter loop:start 'Write x'"), says("It cannot be done.")]);
    const run = await project.host({ args, scenario });
    expect(run.model.main[1]?.news).toContain("HOOKS_DISABLED");
    expect(run.model.main[1]?.news).toContain(name);
    expect([run.code, project.runs()]).toEqual([0, []]);
  });

  test("L14: a host whose hooks run starts it, whatever settings are overridden", async () => {
    const off = JSON.stringify({ disableAllHooks: true });
    const project = new HostProject(version, { ".claude/settings.json": off }, { shipped: true });
    const run = await project.host({
      args: ["--settings", JSON.stringify({ disableAllHooks: false })],
      scenario: inTurn([
        bash("babysitter loop:start 'Write x' --completion-promise DONE"),
        says("Half."),
        says("<promise>DONE</promise>"),
      ]),
    });
    expect(run.model.main[1]?.news).not.toContain("HOOKS_DISABLED");
    expect(project.codes()).toEqual(["continue_loop", "promise_matched"]);
    expect(fs.existsSync(project.sessionFile(run.sessionId))).toBe(false);
  });
});
