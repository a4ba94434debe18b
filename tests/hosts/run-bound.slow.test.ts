/** A session whose run waits for something, is paused or cancelled, and what is recorded of it. */
import fs from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { BOUND_PROCESS, bound, iterate } from "../fixtures/hosts/bound-run.js";
import { HostSession } from "../fixtures/hosts/host-session.js";
import { Project } from "../fixtures/project.js";

/** Answers by a command count too; without it only a person at a terminal of their own can answer. */
const OPEN_TO_ALL = JSON.stringify({ breakpoints: { answers: "open" } });

describe("a run that waits", () => {
  it("L3: a pending breakpoint blocks once, so that the agent asks, then allows", async () => {
    const session = new HostSession(new Project({ "p.mjs": BOUND_PROCESS, ".a5c/config.json": OPEN_TO_ALL }));
    await session.createRun("p.mjs#asking", "r");
    await iterate(session);
    const [question] = (await session.project.ask(["task:list", "r", "--pending"])).tasks;
    const asked = await session.stop();
    expect(asked.decision).toBe("block");
    expect(asked.reason).toContain(`Only a question for a human is left (${question?.effectId}). Ask it with Ask`);
    const waits = `⏸ Babysitter run: waiting for your answer: babysitter breakpoint:show ${question?.effectId}`;
    expect(await session.stop("I have asked.")).toEqual({ systemMessage: waits });
    expect(await session.stop("Still waiting.")).toEqual({ systemMessage: waits });
    expect(session.codes("r")).toEqual(["ask_human", "awaiting_human", "awaiting_human"]);
    expect(session.stops("r").map(({ iteration }) => iteration)).toEqual([1, 1, 1]);
    expect(fs.existsSync(session.file)).toBe(true);
    await session.project.ask(["breakpoint:approve", question?.effectId as string]);
    expect(await session.stop("Answered.")).toMatchObject({ decision: "block" });
  });

  it.each(["asking", "sleeping"])(
    "L3: a blocked run says that the block comes first, before what it waits for: %s",
    async (entry) => {
      const session = await bound(entry);
      await iterate(session);
      const file = path.join(session.project.dir, "p.mjs");
      const code = fs.readFileSync(file, "utf8");
      fs.writeFileSync(
        file,
        code.replaceAll("(inputs, ctx) {", "(inputs, ctx) { await ctx.sleepUntil('2098-01-01T00:00:00Z');"),
      );
      expect(await iterate(session)).toMatchObject({ status: "failed" });

      const asks = entry === "asking";
      const { decision, reason = "" } = await session.stop();
      expect([decision, session.codes("r")]).toEqual(["block", ["continue_loop"]]);
      expect(reason).toContain("Run blocked: its process no longer matches its journal, and nothing continues until");
      expect(reason.includes("not even with an answer to its open question")).toBe(asks);
      const { stdout } = await session.project.run(["run:status", "r"]);
      expect(stdout.includes("Fix that first: until then, an answer to its open question has no effect.")).toBe(asks);
      if (!asks) return;
      const [question] = (await session.project.ask(["task:list", "r", "--pending"])).tasks;
      const shown = await session.project.run(["breakpoint:show", question?.effectId as string]);
      expect(shown.stdout).toMatch(/The run is blocked: .* Fix that first:.*\nnext: babysitter run:status r$/mu);

      fs.writeFileSync(file, code);
      await iterate(session);
      expect((await session.stop()).reason).toContain("Only a question for a human is left");
    },
  );

  it("L3: in `claude -p` the agent is not told to use a tool that it does not have", async () => {
    const session = await bound("asking");
    await iterate(session);
    const env = { CLAUDE_CODE_ENTRYPOINT: "sdk-cli" };
    const asked = await session.hook("stop", { last_assistant_message: "A question." }, { env });
    expect(asked.reason).toContain("Do not answer it yourself, just stop; the person has been notified.");
    expect(asked.reason).not.toContain("AskUserQuestion");
  });

  it("L3: a pending sleep allows until it is due", async () => {
    const session = await bound("sleeping");
    await iterate(session);
    // People read the time where they are; documents have it in UTC.
    const env = { TZ: "Asia/Kolkata" };
    expect(await session.hook("stop", { last_assistant_message: "It sleeps." }, { env })).toEqual({
      systemMessage: "⏸ Babysitter run: sleeping until 2099-01-01 05:30:00.",
    });
    expect(session.codes("r")).toEqual(["awaiting_time"]);
    const { project } = session;
    expect((await project.run(["run:status", "r"], { env })).stdout).toContain("Sleeping until 2099-01-01 05:30:00.");
    expect((await project.run(["report"], { env })).stdout).toContain("sleeping until: 2099-01-01 05:30:00");
    expect((await project.run(["loop:report", "r"], { env })).stdout).toContain("(UTC+5:30, like all times here)");
    const { stdout } = await project.run(["run:status", "r", "--json"], { env });
    expect(stdout).toContain('"until": "2099-01-01T00:00:00.000Z"');
    const due = await bound("slept");
    await iterate(due);
    expect(await due.stop()).toMatchObject({ decision: "block" });
  });

  it("L3: work in the background allows, and what has ended or never ends does not", async () => {
    const session = await bound("work");
    const shell = { id: "b1", type: "shell", status: "running", description: "d", command: "npm test" };
    expect(await session.stop("Waiting.", { background_tasks: [shell] })).toEqual({});
    const idle = {
      background_tasks: [
        { ...shell, status: "completed" },
        { ...shell, type: "monitor" },
      ],
    };
    expect(await session.stop("Waited.", idle)).toMatchObject({ decision: "block" });
    expect(session.codes("r")).toEqual(["awaiting_background", "continue_loop"]);
  });
});

describe("what is recorded", () => {
  it("L7: STOP_HOOK_INVOKED for every decision, none without session, state file or run", async () => {
    const session = await bound("work");
    const before = session.project.tree(session.runDir("r"));
    const stranger = new HostSession(session.project);
    expect(await stranger.stop()).toEqual({});
    expect(await session.stop("x", { session_id: undefined })).toEqual({});
    expect(await session.stop("x", { session_id: "" })).toEqual({});
    expect(await session.stop("x", { session_id: session.sessionId.slice(0, -1) })).toEqual({});
    fs.mkdirSync(path.join(session.project.root, "elsewhere"));
    fs.renameSync(session.file, path.join(session.project.root, "elsewhere", "file.md"));
    expect((await session.stop()).systemMessage).toContain("the session file is gone");
    expect(session.project.tree(session.runDir("r"))).toEqual(before);
  });

  it("L7: a cancelled run lets its session go, and records that once", async () => {
    const session = await bound("work");
    await session.project.ask(["run:cancel", "r"], { as: "person" });
    expect(fs.existsSync(session.file)).toBe(false);
    expect(await session.stop()).toEqual({ systemMessage: expect.stringContaining("r was cancelled") });
    expect(await session.stop()).toEqual({});
    expect(session.codes("r")).toEqual([]);
  });

  it("L7: a paused loop lets its session go until it is resumed", async () => {
    const session = await bound("work");
    await session.project.ask(["loop:pause", "r"], { as: "person" });
    expect(await session.stop()).toEqual({ systemMessage: expect.stringContaining("the loop of r is paused") });
    for (let turn = 0; turn < 2; turn += 1) expect(await session.stop()).toEqual({});
    expect(fs.readFileSync(session.file, "utf8")).toContain("active: false");
    await session.project.ask(["loop:resume", "r"], { as: "person" });
    expect(fs.readFileSync(session.file, "utf8")).toContain("active: true");
    expect(await session.stop()).toMatchObject({ decision: "block" });
    // What a session says after its loop is not worth an event each time.
    expect(session.codes("r")).toEqual(["paused", "continue_loop"]);
  });
});
