/** Sessions of a terminal that rest, and go on with no key pressed. The plugin is the one that users get. */
import { randomUUID } from "node:crypto";
import fs from "node:fs";
import { describe, expect, test } from "vitest";
import type { HostProject } from "./rig/host-run.js";
import { type HostTerminal, openTerminal } from "./rig/host-terminal.js";
import { HOST_VERSIONS, type HostVersion } from "./rig/install-hosts.js";
import { HOST_MS } from "./rig/patience.js";
import { bash, type ModelRequest, type Reply, type Scenario, says } from "./rig/scripted-model.js";
import { newShippedProject } from "./rig/shipped-plugin.js";
import { typedElsewhere } from "./rig/typed-elsewhere.js";

const PROCESSES = `
export async function ask(inputs, ctx) {
  const { approved } = await ctx.breakpoint({ title: "Release", question: "Ship it to everybody?" });
  return { approved };
}
export async function nap(inputs, ctx) {
  await ctx.sleep(8_000);
  return "rested";
}
`;

const ITERATE = bash("babysitter run:iterate r --json");

async function bound(version: HostVersion, entry: string): Promise<{ project: HostProject; sessionId: string }> {
  const project = newShippedProject(version, { "p.mjs": PROCESSES });
  const sessionId = randomUUID();
  await project.create(`p.mjs#${entry}`, "r", [
    "--harness",
    "claude-code",
    "--session-id",
    sessionId,
    "--prompt",
    "Go.",
  ]);
  return { project, sessionId };
}

const prove = ({ news }: ModelRequest): Reply =>
  says(`Complete.\n\n<promise>${/"completionProof": "([^"]+)"/u.exec(news)?.[1] ?? ""}</promise>`);

/** Replies in turn; what comes after them is a defect of the test. */
function agent(...replies: (Reply | ((request: ModelRequest) => Reply))[]): Scenario {
  return (request) => {
    if (request.kind !== "main") return says("fine");
    const reply = replies[request.number - 1] ?? says("THE END.");
    return typeof reply === "function" ? reply(request) : reply;
  };
}

/** Programs that wait for something to do. */
const watches = (project: HostProject): number[] =>
  project.processes().filter((pid) => commandOf(pid).includes("--hook-type\0stop-watch"));

function commandOf(pid: number): string {
  try {
    return fs.readFileSync(`/proc/${pid}/cmdline`, "utf8");
  } catch {
    return "";
  }
}

const told = ({ model }: HostTerminal): string => model.main.map(({ news }) => news).join("\n");

describe.each(HOST_VERSIONS)("a session that rests in a terminal of Claude Code %s", (version) => {
  test("P8: a question answered elsewhere continues the work with no key pressed, also when no dialog is open", async () => {
    const { project, sessionId } = await bound(version, "ask");
    const { nextActions } = await project.ask(["run:iterate", "r"]);
    const scenario = agent(ITERATE, says("There is a question."), says("It waits."), ITERATE, prove);
    const terminal = await openTerminal(project, { sessionId, scenario });
    await terminal.until(() => project.codes().includes("awaiting_human"), "a session that waits");
    expect(
      await typedElsewhere(project, ["breakpoint:reject", String(nextActions[0]?.effectId), "--reason", "not yet"]),
    ).toBe(0);
    await terminal.until(() => project.codes().includes("completion_proof_matched"), "the proof");
    expect(project.codes()).toEqual(["ask_human", "awaiting_human", "completion_proof_matched"]);
    // Two stops in one second have two watches, and only one of them wakes the session.
    expect(
      told(terminal).split("the decision is in the run, not here. Continue: babysitter run:iterate r"),
    ).toHaveLength(2);
    expect(project.submitted().map(({ kind }) => kind)).not.toContain("interruption");
  });

  test("P8: a sleep that is due continues the work with no key pressed, in the terminal", async () => {
    const { project, sessionId } = await bound(version, "nap");
    const scenario = agent(ITERATE, says("It sleeps."), ITERATE, prove);
    const terminal = await openTerminal(project, { sessionId, scenario });
    await terminal.until(() => project.codes().includes("completion_proof_matched"), "the proof");
    expect(project.codes()).toEqual(["awaiting_time", "completion_proof_matched"]);
    expect(told(terminal)).toContain("the run's sleep is over");
  });

  test("P8: the watch of a session that rests ends with its host, however that ends", async () => {
    const { project, sessionId } = await bound(version, "ask");
    const scenario = agent(ITERATE, says("There is a question."), says("It waits."));
    const terminal = await openTerminal(project, { sessionId, scenario });
    await terminal.until(() => project.codes().includes("awaiting_human"), "a session that waits");
    await terminal.until(() => watches(project).length === 1, "one watch");
    await terminal.close();
    await expect.poll(() => project.processes(), { timeout: HOST_MS }).toEqual([]);
  });

  test("P8: a turn that died of an API error is begun again with no key pressed, and the terminal says when", async () => {
    const { project, sessionId } = await bound(version, "nap");
    let isDown = true;
    const error = { status: 400, type: "invalid_request_error", message: "Something odd." };
    const replies = [ITERATE, says("It sleeps."), ITERATE, prove];
    const scenario: Scenario = (request) => {
      if (request.kind !== "main") return says("fine");
      if (isDown) return { error };
      const reply = replies.shift() ?? says("THE END.");
      return typeof reply === "function" ? reply(request) : reply;
    };
    const terminal = await openTerminal(project, { sessionId, scenario });
    await terminal.until(() => project.count("r", "TURN_FAILED") > 0, "the error in the journal");
    await terminal.until(() => terminal.title.startsWith("Babysitter: the turn failed"), "the notice in the title");
    expect(terminal.title).toMatch(/next try at \d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/u);
    expect(terminal.notices).toEqual([terminal.title]);
    isDown = false;
    await terminal.until(() => project.codes().includes("completion_proof_matched"), "the proof");
    expect(told(terminal)).toContain("your last turn ended with a host error");
    expect(project.events("r", "TURN_FAILED")[0]?.payload).toMatchObject({
      sessionId,
      message: "API Error: 400 Something odd.",
    });
  });
});
