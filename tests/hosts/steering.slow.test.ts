/** Text that people type into a session with a loop. */
import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { HostSession } from "../fixtures/hosts/host-session.js";

async function looped(): Promise<{ session: HostSession; runId: string; prompts: () => unknown[] }> {
  const session = new HostSession();
  const runId = await session.startLoop("Build the shed.");
  const prompts = (): unknown[] =>
    session
      .events(runId)
      .filter(({ type }) => type === "PROMPT_SUBMITTED" || type === "LOOP_PAUSED")
      .map(({ type, payload }) => (type === "LOOP_PAUSED" ? payload["code"] : payload["kind"]));
  return { session, runId, prompts };
}

const types = async (session: HostSession, prompt: string, promptId = session.promptId): Promise<object> => {
  session.promptId = promptId;
  return session.hook("user-prompt-submit", { prompt });
};

describe("a prompt", () => {
  it("while the agent works (the same prompt_id): goes on, and is journaled", async () => {
    const { session, prompts } = await looped();
    await session.stop();
    expect(await types(session, "Use oak, please.")).toEqual({});
    expect(await session.stop()).toMatchObject({ decision: "block" });
    expect(prompts()).toEqual(["steering"]);
  });

  it("of its own after a block (a new prompt_id): the user interrupted; paused, told, resumable", async () => {
    const { session, runId, prompts } = await looped();
    await session.stop();
    expect(await types(session, "Stop that. What is oak?", randomUUID())).toEqual({
      systemMessage: `⏸ Babysitter run: paused, because you interrupted it. To resume: babysitter loop:resume ${runId}`,
      hookSpecificOutput: {
        hookEventName: "UserPromptSubmit",
        additionalContext: `The user interrupted the loop of run ${runId}; it is paused. Do what the user says now. Only if the user wants to resume the loop: babysitter loop:resume ${runId}`,
      },
    });
    expect(await session.stop("Oak is wood.")).toEqual({});
    expect(await types(session, "I see.", randomUUID())).toEqual({});
    expect(await session.stop("Yes.")).toEqual({});
    expect(prompts()).toEqual(["interrupted", "interruption"]);
    await session.project.ask(["loop:resume", runId]);
    expect(await session.stop("On it.")).toMatchObject({ decision: "block" });
    expect(session.codes(runId)).toEqual(["continue_loop", "paused", "continue_loop"]);
  });

  it("of its own after a stop that was allowed: goes on", async () => {
    const { session, runId, prompts } = await looped();
    const running = { background_tasks: [{ id: "b", type: "shell", status: "running" }] };
    expect(await session.stop("Waiting.", running)).toEqual({});
    expect(await types(session, "How is it going?", randomUUID())).toEqual({});
    expect(await session.stop("Fine.")).toMatchObject({ decision: "block" });
    expect([prompts(), session.codes(runId)]).toEqual([["turn"], ["awaiting_background", "continue_loop"]]);
  });

  it("that the host makes when something in the background has ended is neither", async () => {
    const { session, prompts } = await looped();
    await session.stop();
    const notice = "<task-notification>\n<task-id>b1</task-id>\n<status>completed</status>\n</task-notification>";
    expect(await types(session, notice, randomUUID())).toEqual({});
    expect(await session.stop("It has ended.")).toMatchObject({ decision: "block" });
    expect(prompts()).toEqual(["notification"]);
  });

  it("that only mentions a notification is one of the user's", async () => {
    const { session, prompts } = await looped();
    await session.stop();
    expect(await types(session, "Why <task-notification>?", randomUUID())).toHaveProperty("systemMessage");
    expect(prompts()).toEqual(["interrupted", "interruption"]);
  });

  it("without a prompt_id is no reason to pause", async () => {
    const { session, prompts } = await looped();
    await session.stop();
    expect(await session.hook("user-prompt-submit", { prompt: "hi", prompt_id: undefined })).toEqual({});
    expect(await session.stop()).toMatchObject({ decision: "block" });
    expect(prompts()).not.toContain("interrupted");
  });

  it("twice at once, as by a plugin that is installed twice, pauses once", async () => {
    const { session, prompts } = await looped();
    await session.stop();
    session.promptId = randomUUID();
    const answers = await Promise.all([0, 1].map(async () => session.hook("user-prompt-submit", { prompt: "Stop." })));
    expect(answers.filter((answer) => answer.systemMessage !== undefined)).not.toEqual([]);
    expect(prompts().filter((what) => what === "interrupted")).toEqual(["interrupted"]);
  });
});
