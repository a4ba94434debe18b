/** `run --agent claude-code` through a night with the plugin that users get: sleeps, kills, errors of the host. */
import { describe, expect, test } from "vitest";
import { isRunning, until } from "../fixtures/processes.js";

import { driven, hostPids } from "./rig/driven-host.js";
import type { HostProject } from "./rig/host-run.js";
import { NEWEST_HOST } from "./rig/install-hosts.js";
import { iterates, looks, posts, proves } from "./rig/process-agent.js";
import { bash, inTurn, type Reply, type Scenario, says } from "./rig/scripted-model.js";
import { newShippedProject } from "./rig/shipped-plugin.js";

const DONE = says("All is done.\n\n<promise>DONE</promise>");
const BYPASS = ["--permission-mode", "bypassPermissions"];
const NEVER = new Promise<Reply>(() => undefined);

const processFile = (body: string): Record<string, string> => ({
  "p.mjs": `const agent = (prompt) => ({ kind: "agent", title: prompt, agent: { prompt } });
export async function process(inputs, ctx) {\n${body}\n}\n`,
});

const ASKING = processFile(`const { approved, respondedBy } = await ctx.breakpoint({ question: "Ship it?" });
  return { approved, respondedBy };`);

const sessionsOf = (project: HostProject): number =>
  new Set(project.stops().map(({ payload }) => payload["sessionId"])).size;

describe.each(NEWEST_HOST)("a night with Claude Code %s", (version) => {
  test("P8: a sleep that is due continues the work with no key pressed, headless, in the same session and in default mode", async () => {
    const project = newShippedProject(
      version,
      processFile(`const text = await ctx.task(agent("describe")); await ctx.sleep(2_000); return text;`),
    );
    const { driver, model } = await driven(project, ["p.mjs", "--run-id", "r"], {
      plugin: true,
      scenario: inTurn([iterates, posts('"five"'), iterates, says("It sleeps."), looks, proves]),
    });
    const { code, doc } = await driver.finished;
    expect(model.problem).toBeUndefined();
    expect([code, doc.state, doc.output]).toEqual([0, "completed", "five"]);
    expect(project.codes()).toEqual(["awaiting_time", "completion_proof_matched"]);
    expect([hostPids(project).length, sessionsOf(project)]).toEqual([2, 1]);
  });

  test("P8: `run --agent claude-code` resumed after kill -9 of the driver in the middle of a turn: the orphaned host is ended, the same session goes on", async () => {
    const project = newShippedProject(version);
    await project.doc(["loop:start", "Write x", "--run-id", "r", "--completion-promise", "DONE", "--shape", "tool"]);
    const hangs: Scenario = ({ kind, number }) =>
      kind !== "main" ? says("fine") : number === 1 ? bash("echo 1 > a") : NEVER;
    const first = await driven(project, ["r", ...BYPASS], { plugin: true, scenario: hangs });
    await until(() => first.model.main.length === 2);
    first.driver.child.kill("SIGKILL");
    await first.driver.finished;
    const [orphan = 0] = hostPids(project);
    expect(isRunning(orphan)).toBe(true);

    const second = await driven(project, ["r", ...BYPASS], {
      plugin: true,
      scenario: inTurn([bash("echo 2 > b"), says("Nearly."), DONE]),
    });
    const { code } = await second.driver.finished;
    expect(second.model.problem).toBeUndefined();
    expect([code, isRunning(orphan)]).toEqual([6, false]);
    expect(project.codes()).toEqual(["continue_loop", "promise_matched"]);
    const bound = project.events("r", "SESSION_BOUND").map(({ payload }) => payload["sessionId"]);
    expect([sessionsOf(project), new Set(bound).size]).toEqual([1, 1]);
    // The conversation that was cut is the one that goes on.
    expect(JSON.stringify(second.model.main[0]?.body.messages)).toContain("echo 1 > a");
  });

  test("P8: a turn that failed in the night is in the journal once, in `report` and in `run:status`; without credit nobody tries on", async () => {
    const project = newShippedProject(version);
    await project.doc(["loop:start", "Write x", "--run-id", "r", "--completion-promise", "DONE", "--shape", "tool"]);
    const limit = { status: 429, type: "rate_limit_error", message: "slow", headers: { "x-should-retry": "false" } };
    const first = await driven(project, ["r", ...BYPASS], {
      plugin: true,
      env: { CLAUDE_CODE_MAX_RETRIES: "0" },
      scenario: inTurn([{ error: limit }, bash("touch x"), says("One."), DONE]),
    });
    expect((await first.driver.finished).code).toBe(6);
    expect(project.events("r", "TURN_FAILED").map(({ payload }) => payload)).toMatchObject([
      { error: "rate_limit", by: "driver", message: expect.stringContaining("429") as string },
    ]);
    expect((await project.run(["report"])).stdout).toMatch(/failed turns\s+1\n[^]*rate_limit: API Error/u);
    expect((await project.run(["run:status", "r"])).stdout).toMatch(/failed turns\s+1, the last .* ago: rate_limit/u);

    const poor = newShippedProject(version);
    await poor.doc(["loop:start", "Write x", "--run-id", "r", "--completion-promise", "DONE", "--shape", "tool"]);
    const message = "Your credit balance is too low to access the Anthropic API.";
    const { driver } = await driven(poor, ["r", ...BYPASS], {
      plugin: true,
      scenario: () => ({ error: { status: 400, type: "invalid_request_error", message } }),
    });
    const { code, doc } = await driver.finished;
    expect([code, doc.state, hostPids(poor).length]).toEqual([3, "paused", 2]);
    expect(driver.told.match(/Next try in/gu)).toHaveLength(1);
    expect(poor.count("r", "TURN_FAILED")).toBe(2);
  });

  test("P5: headless follows the explicit policy where `answers: open` was set, and journals it as the policy's; else the question waits", async () => {
    const args = ["p.mjs", "--run-id", "r", "--breakpoint-policy", "approve:nightly"];
    const bound = newShippedProject(version, ASKING);
    const waiting = await driven(bound, [...args, "--no-wait"], { plugin: true, scenario: inTurn([]) });
    const { code: left, doc: asked } = await waiting.driver.finished;
    expect([left, asked.state, bound.count("r", "EFFECT_RESOLVED")]).toEqual([3, "waiting", 0]);
    expect(waiting.driver.told).toContain("breakpoints.answers: open");

    const open = newShippedProject(version, {
      ...ASKING,
      ".a5c/config.json": '{ "breakpoints": { "answers": "open" } }\n',
    });
    const { driver, model } = await driven(open, args, { plugin: true, scenario: inTurn([looks, proves]) });
    const { code, doc } = await driver.finished;
    expect(model.problem).toBeUndefined();
    expect([code, doc.output]).toEqual([0, { approved: true, respondedBy: "policy:nightly" }]);
    const [answer] = open.events("r", "EFFECT_RESOLVED");
    expect(answer?.payload).toMatchObject({
      result: { value: { via: "policy", verified: false, respondedBy: "policy:nightly" } },
    });
  });
});
