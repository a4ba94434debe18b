/** A session that works on a run with a process, from its creation to its proof. */
import fs from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { HostSession } from "../fixtures/hosts/host-session.js";
import { Project } from "../fixtures/project.js";

const PROCESS = `
const task = (kind, title) => ({ kind, title, ...(kind === "node" ? { node: { entry: "./x.js" } } : { agent: { prompt: title } }) });
export async function work(inputs, ctx) {
  await ctx.parallel.all([() => ctx.task(task("agent", "draft")), () => ctx.task(task("node", "build"))]);
  return { done: true };
}
export async function failing() { throw new Error("no bricks left"); }
export async function asking(inputs, ctx) { return ctx.breakpoint({ question: "Ship it?" }); }
export async function sleeping(inputs, ctx) { await ctx.sleepUntil("2099-01-01T00:00:00Z"); return 1; }
export async function slept(inputs, ctx) { await ctx.sleepUntil("2020-01-01T00:00:00Z"); return ctx.task(task("agent", "after")); }
`;

/** Answers by a command count too; without it only a person at a terminal of their own can answer. */
const OPEN_TO_ALL = JSON.stringify({ breakpoints: { answers: "open" } });

const PROMPT = "Build the shed.";

async function bound(entry: string, more: string[] = []): Promise<HostSession> {
  const session = new HostSession(new Project({ "p.mjs": PROCESS }));
  await session.createRun(`p.mjs#${entry}`, "r", ["--prompt", PROMPT, ...more]);
  return session;
}

/** Tasks are for the agent: no driver of ours takes them. */
const iterate = async ({ project }: HostSession): Promise<{ status: string; completionProof: string | null }> =>
  (await project.run(["run:iterate", "r", "--json"], { env: { BABYSITTER_HOOKS_ENABLED: "false" } })).json();

const promise = (text: string): string => `All is well.\n\n<promise>${text}</promise>`;

describe("a run that cannot be bound", () => {
  it("is not made: a broken configuration is found before", async () => {
    const project = new Project({ "p.mjs": PROCESS, ".a5c/config.json": '{ "limits": { "budgetUsd": "much" } }' });
    const session = ["--harness", "claude-code", "--session-id", "s1"];
    const create = ["run:create", "--process-id", "x", "--entry", "p.mjs#work", "--run-id", "r", ...session];
    expect(await project.refuse(create)).toMatchObject({ code: "CONFIG_INVALID" });
    expect(fs.existsSync(`${project.runsDir}/r`)).toBe(false);
  });
});

describe("the phases of a run", () => {
  it("L3 L6 L7: Stop decision in the documented phases: created, waiting on kinds, completed, proof", async () => {
    const session = await bound("work");
    const block = (n: number, state: string, context: string, more: string[] = []): object => ({
      decision: "block",
      reason: [`Babysitter iteration ${n} | ${context}`, ...more, PROMPT].join("\n\n"),
      systemMessage: `🔄 Babysitter iteration ${n}/256 [${state}]`,
    });
    expect(await session.stop()).toEqual(block(2, "created", "Continue orchestration (run:iterate)."));

    await iterate(session);
    const waiting = "Waiting on: agent, node. Check if pending effects are resolved, then call run:iterate.";
    expect(await session.stop()).toEqual(block(3, "waiting", waiting));
    const vain = `A promise does not end this loop: the run has not completed. ${waiting} Once it completes, its completion proof ends the loop.`;
    expect(await session.stop(promise("DONE"))).toEqual(block(4, "waiting", waiting, [vain]));

    const { tasks } = await session.project.ask(["task:list", "r", "--pending"]);
    for (const { effectId } of tasks) await session.project.post("r", effectId, { ok: true });
    const { status, completionProof } = await iterate(session);
    expect(status).toBe("completed");
    const proof = completionProof as string;
    const completed =
      "Run completed! To finish: call 'run:status --json', extract 'completionProof', output in <promise>SECRET</promise> tags.";
    expect(await session.stop(promise("DONE"))).toEqual(block(5, "completed", completed));
    expect(await session.stop(promise(`${proof.slice(0, -1)}x`))).toMatchObject({ decision: "block" });
    expect(await session.stop(`The proof is \`<promise>${proof}</promise>\`, I think.`)).toMatchObject({
      decision: "block",
    });

    expect(await session.stop(promise(proof))).toEqual({
      systemMessage: expect.stringMatching(
        /^✅ Babysitter run: completed, the completion proof matches\.\nIterations: 7 of 256, [\d.]+ m?s\.\nReport: babysitter loop:report r$/u,
      ) as string,
    });
    expect(fs.existsSync(session.file)).toBe(false);
    const ended = fs.readdirSync(path.join(path.dirname(session.file), "ended"));
    expect(ended).toEqual([expect.stringMatching(new RegExp(`^${session.sessionId}\\..*\\.md$`, "u"))]);
    expect(await session.stop(promise(proof))).toEqual({});

    const recorded: [number, string, string, string, string, boolean][] = [
      [1, "block", "continue_loop", "created", "", false],
      [2, "block", "continue_loop", "waiting", "agent, node", false],
      [3, "block", "run_incomplete", "waiting", "agent, node", true],
      [4, "block", "proof_missing", "completed", "", true],
      [5, "block", "proof_missing", "completed", "", true],
      [6, "block", "proof_missing", "completed", "", false],
      [7, "approve", "completion_proof_matched", "completed", "", true],
    ];
    const { sessionId } = session;
    const timestamp = expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/u) as string;
    expect(session.stops("r")).toEqual(
      recorded.map(([iteration, decision, reason, runState, pendingKinds, hasPromise]) => {
        const fields = { sessionId, iteration, decision, reason, runState, pendingKinds, hasPromise, timestamp };
        return expect.objectContaining(fields) as object;
      }),
    );
  });

  it("L3: the goal of a run is its request; without one people are not shown how an agent resumes", async () => {
    const session = new HostSession(new Project({ "p.mjs": PROCESS }));
    await session.createRun("p.mjs#work", "r", ["--request", "Ship the shed."]);
    const { project } = session;
    const goalOf = async (run: string): Promise<string> =>
      (JSON.parse((await project.run(["run:status", run, "--json"])).stdout) as { loop: { goal: string } }).loop.goal;
    expect(await goalOf("r")).toBe("Ship the shed.");
    const other = new HostSession(project);
    await other.createRun("p.mjs#work", "bare");
    expect(await goalOf("bare")).toMatch(/^Resume Babysitter run: bare\n/u);
    const told = await other.hook("session-start", { source: "resume" });
    expect(told.systemMessage).toContain("this session is working on the process p.mjs#work (iteration 1");
    expect(told.hookSpecificOutput?.additionalContext).toContain("Spec: the process p.mjs#work\nIteration: 1\n");
    const { stdout } = await project.run(["loop:report", "bare"]);
    expect(stdout).toContain("the process p.mjs#work");
    expect(stdout).not.toContain("Resume Babysitter run");
  });

  it("L3: a failed run blocks with the seed's words", async () => {
    const session = await bound("failing");
    await iterate(session);
    expect(await session.stop()).toEqual({
      decision: "block",
      reason: `Babysitter iteration 2 | Run failed. Fix the run, journal or process and proceed.\n\n${PROMPT}`,
      systemMessage: "🔄 Babysitter iteration 2/256 [failed]",
    });
  });

  it("L6: the proof of another run, or of this one before it has completed, ends nothing", async () => {
    const session = await bound("work");
    const other = new HostSession(session.project);
    await other.createRun("p.mjs#slept", "other");
    const { createHash } = await import("node:crypto");
    const derived = (id: string): string =>
      createHash("sha256").update(`${id}:babysitter-completion-secret-v1`).digest("hex");
    for (const id of ["r", "other"])
      expect(await session.stop(promise(derived(id)))).toMatchObject({ decision: "block" });
    expect(session.codes("r")).toEqual(["run_incomplete", "run_incomplete"]);
  });

  it("L3: up to 10 discovered skills and agents are appended", async () => {
    const skills = Object.fromEntries(
      Array.from({ length: 9 }, (_, n) => [`.claude/skills/skill-${n}/SKILL.md`, "# a skill\n"]),
    );
    const agents = {
      ".claude/agents/reviewer.md": "x",
      ".claude/agents/tester.md": "x",
      ".claude/skills/none/x.md": "",
    };
    const session = new HostSession(new Project({ "p.mjs": PROCESS, ...skills, ...agents }));
    await session.createRun("p.mjs#work", "r", ["--prompt", PROMPT]);
    const names = [...Array.from({ length: 9 }, (_, n) => `skill skill-${n}`), "agent reviewer"].join(", ");
    const { reason } = await session.stop();
    expect(reason).toBe(
      `Babysitter iteration 2 | Continue orchestration (run:iterate).\n\nAvailable skills and agents: ${names}\n\n${PROMPT}`,
    );
  });
});

describe("a run that waits", () => {
  it("L3: a pending breakpoint blocks once, so that the agent asks, then allows", async () => {
    const session = new HostSession(new Project({ "p.mjs": PROCESS, ".a5c/config.json": OPEN_TO_ALL }));
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
      expect(stdout.includes("That comes first: until then an answer to its open question has no effect.")).toBe(asks);
      if (!asks) return;
      const [question] = (await session.project.ask(["task:list", "r", "--pending"])).tasks;
      const shown = await session.project.run(["breakpoint:show", question?.effectId as string]);
      expect(shown.stdout).toMatch(/The run is blocked: .* That comes first;.*\nnext: babysitter run:status r$/mu);

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
