import { describe, expect, test } from "vitest";
import type { Spend } from "../../packages/sdk/src/model/loop-events.js";
import { HostProject } from "./rig/host-run.js";
import { HOST_VERSIONS } from "./rig/install-hosts.js";
import { bash, callsTool, inTurn, says } from "./rig/scripted-model.js";

const DONE = says("All is done.\n\n<promise>DONE</promise>");

describe.each(HOST_VERSIONS)("what can happen in a turn of Claude Code %s", (version) => {
  test("P4: a tool that the host keeps denying pauses the loop in the second turn", async () => {
    const project = new HostProject(version);
    const sessionId = await project.startLoop();
    const write = callsTool("Write", { file_path: project.path("w.txt"), content: "x" });
    const script = inTurn([bash("touch x.txt"), says("I may not."), write, says("Nor that.")]);
    await project.host({ sessionId, permissionMode: "default", scenario: script });
    expect(project.stops().map(({ payload }) => [payload["reason"], payload["denied"]])).toEqual([
      ["continue_loop", 1],
      ["stuck_permissions", 1],
    ]);
    expect(project.stops().at(-1)?.payload["paused"]).toContain(
      `denying a tool: Write(${project.path("w.txt")}). To allow it, add it to permissions.allow in .claude/settings.json.`,
    );
  });

  test("P4: a background task lets the agent rest, and its end continues the loop", async () => {
    const project = new HostProject(version);
    const sessionId = await project.startLoop();
    const script = inTurn([bash("sleep 1; echo slept", { run_in_background: true }), says("I wait for it."), DONE]);
    await project.host({ sessionId, scenario: script });
    expect(project.codes()).toEqual(["awaiting_background", "promise_matched"]);
    const prompts = project.submitted();
    expect(prompts.map(({ kind }) => kind)).toEqual(["turn", "notification"]);
  });

  test("L12: budget in money from transcripts: subagents are not looped, and our sum is the host's own", async () => {
    const project = new HostProject(version);
    const sessionId = await project.startLoop();
    const look = { description: "look", prompt: "Look around.", subagent_type: "general-purpose" };
    const usage = {
      input_tokens: 1000,
      output_tokens: 500,
      cache_read_input_tokens: 2000,
      cache_creation_input_tokens: 300,
    };
    // Newer hosts let the agent stop while the subagent works, older ones wait for it: the same replies fit both.
    const script = inTurn([callsTool("Agent", look), says("It looks."), DONE]);
    const run = await project.host({
      sessionId,
      scenario: (request) => {
        if (request.kind !== "subagent") return script(request);
        return request.number === 1 ? bash("echo here") : { ...says("<promise>DONE</promise>"), usage };
      },
    });
    expect(project.payloads("SubagentStop")).toHaveLength(1);
    expect(project.stops()).toHaveLength(2);
    const spend = project.stops().at(-1)?.payload["spend"] as Spend;
    expect(spend.usd).toBeCloseTo(run.result["total_cost_usd"] as number, 9);
    expect(spend.calls).toBe(run.model.requests.length);
  });

  test("P2 P4: compaction in the middle: the context is told again and the loop continues", async () => {
    const project = new HostProject(version);
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
    expect(project.payloads("SessionStart").map(({ source }) => source)).toEqual(["startup", "compact"]);
    expect(run.model.main[4]?.news).toContain("[LOOP RESUME] Active loop detected");
    expect(project.codes()).toEqual(["continue_loop", "promise_matched"]);
    // One before the compaction, one after it: the turn is still the same.
    expect(project.stops().at(-1)?.payload).toMatchObject({ sample: { tools: 2 } });
  });

  test("P4: what is typed while the agent works steers it and does not stop the loop", async () => {
    const project = new HostProject(version);
    const sessionId = await project.startLoop();
    const run = await project.host({
      sessionId,
      typed: [{ during: 1, text: "Use tabs, please." }],
      scenario: inTurn([{ ...bash("echo 1 > a"), delayMs: 300 }, says("One."), DONE]),
    });
    expect(run.model.main.map(({ news }) => news).join("\n")).toContain("Use tabs, please.");
    expect(project.codes()).toEqual(["continue_loop", "promise_matched"]);
    // Older hosts do not tell of it at all.
    const told = version === "2.1.197" ? ["turn"] : ["turn", "steering"];
    expect(project.submitted().map(({ kind }) => kind)).toEqual(told);
  });
});
