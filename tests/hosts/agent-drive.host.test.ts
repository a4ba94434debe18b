import { describe, expect, test } from "vitest";
import type { ProgressSample } from "../../packages/sdk/src/model/loop-events.js";
import { until } from "../fixtures/processes.js";

import { driven } from "./rig/driven-host.js";
import { HostProject } from "./rig/host-run.js";
import { NEWEST_HOST } from "./rig/install-hosts.js";
import { printed, proves } from "./rig/process-agent.js";
import { bash, inTurn, type ModelRequest, type Reply, says } from "./rig/scripted-model.js";

const DONE = says("All is done.\n\n<promise>DONE</promise>");

const BYPASS = ["--permission-mode", "bypassPermissions"];

const PROCESS = `
export async function process(inputs, ctx) {
  const text = await ctx.task({ kind: "agent", title: "describe", agent: { prompt: "Describe it." } });
  const answer = await ctx.breakpoint({ question: "Ship it?" });
  return { text, shipped: answer.approved };
}
`;

const iterate = bash("babysitter run:iterate r --json");
const post = (request: ModelRequest): Reply =>
  bash(`echo '"five"' | babysitter task:post r ${printed(request, "effectId")} --status ok --value - --json`);

describe.each(NEWEST_HOST)("run --agent with Claude Code %s", (version) => {
  test("P8: question at 23:00, answered from outside, finished with no key pressed: run --agent claude-code drives a whole run", async () => {
    const project = new HostProject(version, {
      "p.mjs": PROCESS,
      ".a5c/config.json": '{ "breakpoints": { "answers": "open" } }\n',
    });
    const { driver, model } = await driven(project, ["p.mjs", "--run-id", "r", ...BYPASS], {
      plugin: true,
      scenario: inTurn([
        iterate,
        post,
        says("It is posted."),
        iterate,
        says("A question is left."),
        says("I cannot ask it."),
        bash("babysitter run:status r --json"),
        proves,
      ]),
    });
    await until(() => driver.told.includes("Waiting for a person"));
    expect(model.main).toHaveLength(6);
    const [question] = project.events("r", "EFFECT_REQUESTED").slice(-1) as unknown as { effectId: string }[];
    await project.ask(["breakpoint:approve", question?.effectId ?? ""]);
    const { code, doc } = await driver.finished;
    expect(model.problem).toBeUndefined();
    expect([code, doc.state, doc.output]).toEqual([0, "completed", { text: "five", shipped: true }]);
    expect(project.codes()).toEqual(["continue_loop", "ask_human", "awaiting_human", "completion_proof_matched"]);
    expect(new Set(project.payloads("Stop").map(({ session_id: id }) => id)).size).toBe(1);
  });

  test("P8: a prompt loop with a criterion to verified in a host without our plugin: the driver judges each turn", async () => {
    const project = new HostProject(version);
    const task = "/clear is no command here, don't $(touch pwned)";
    const loop = ["--run-id", "r", "--completion-promise", "DONE", "--criteria", "there: test -f done"];
    await project.baseline(await project.doc(["loop:start", ...loop, "--shape", "tool", "--prompt", task]));
    const { driver, model } = await driven(project, ["r", ...BYPASS], {
      plugin: false,
      scenario: inTurn([bash("babysitter loop:status r --json"), DONE, bash("touch done"), DONE]),
    });
    const { code, doc } = await driver.finished;
    expect(model.problem).toBeUndefined();
    expect([code, doc.state, project.codes()]).toEqual([0, "completed", ["claim_rejected", "completed_verified"]]);
    expect(model.main[0]?.news).toContain(task);
    expect(model.main[1]?.news).toContain('"runId": "r"');
    expect(model.main[2]?.news).toContain("Not met: there");
    // Read from the host's transcript, which nobody has named to the driver.
    const samples = project.stops().map(({ payload }) => (payload["sample"] as ProgressSample).tools);
    expect(samples).toEqual([1, 1]);
  });

  test("P8: a limit of the account in the night is waited for until the host says that it ends, and counts as no failure", async () => {
    const project = new HostProject(version);
    await project.doc(["loop:start", "Write x", "--run-id", "r", "--completion-promise", "DONE", "--shape", "tool"]);
    let resetsAt = 0;
    const limited = (): Reply => {
      resetsAt ||= Math.ceil(Date.now() / 1000) + 6;
      const headers = {
        "x-should-retry": "false",
        "anthropic-ratelimit-unified-status": "rejected",
        "anthropic-ratelimit-unified-reset": String(resetsAt),
        "anthropic-ratelimit-unified-representative-claim": "five_hour",
      };
      return { error: { status: 429, type: "rate_limit_error", message: "too much", headers } };
    };
    const { driver, model } = await driven(project, ["r", "--agent-retries", "0", ...BYPASS], {
      plugin: true,
      subscribed: true,
      scenario: ({ kind }) => (kind === "main" && Date.now() >= resetsAt * 1000 && resetsAt > 0 ? DONE : limited()),
    });
    const { code } = await driver.finished;
    expect(model.problem).toBeUndefined();
    expect(driver.told).toMatch(/limit · resets .*Next try in \d+ s \(/u);
    expect([code, project.codes(), model.main.length]).toEqual([6, ["promise_matched"], 2]);
  });

  test("P8: an API error in the middle of a turn: the host is started again in the same session, and nobody is taken for an interruption", async () => {
    const project = new HostProject(version);
    await project.doc(["loop:start", "Write x", "--run-id", "r", "--completion-promise", "DONE", "--shape", "tool"]);
    const error = { status: 400, type: "invalid_request_error", message: "not today" };
    const work = inTurn([bash("touch x"), says("One."), bash("touch y")]);
    const { driver, model } = await driven(project, ["r", ...BYPASS], {
      plugin: true,
      // However often a host tries by itself, the error goes away only when the driver has started it again.
      scenario: (request) => {
        if (request.kind !== "main" || request.number <= 3) return work(request);
        return request.news.includes("Babysitter iteration 2") ? DONE : { error };
      },
    });
    const { code } = await driver.finished;
    expect(model.problem).toBeUndefined();
    expect([code, project.codes()]).toEqual([6, ["continue_loop", "promise_matched"]]);
    expect(driver.told).toContain("not today");
    expect(project.submitted().map(({ kind }) => kind)).toEqual(["turn", "turn"]);
  });
});
