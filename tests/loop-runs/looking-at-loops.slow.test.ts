import fs from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { LoopProject, SESSION, told } from "../fixtures/loop-runs/loop-project.js";

const TIDY = ["Tidy the shed", "--run-id", "shed", "--completion-promise", "ALL TIDY"];
const AGENT = { CLAUDECODE: "1", CLAUDE_CODE_SESSION_ID: SESSION };

describe("pause and resume", () => {
  it("L13: a paused loop lets the agent stop, a resumed one holds it again", async () => {
    const project = new LoopProject();
    await project.start(TIDY);
    const paused = await project.run(["loop:pause", "shed", "--reason", "lunch"], { as: "person" });
    expect([paused.code, paused.stdout]).toEqual([
      0,
      "Paused shed\nIts agent is free to stop now; a turn that is still running continues to its end. To resume: babysitter loop:resume shed\n",
    ]);
    expect((await project.stop("hm")).answer).toEqual({
      systemMessage: expect.stringContaining("is paused (by_request: lunch), so this session may stop."),
    });
    expect(await project.status("shed")).toMatchObject({
      status: "paused",
      paused: { code: "by_request", message: "lunch", by: "person" },
    });
    expect((await project.doc(["loop:pause", "shed"], { as: "person" })).paused).toBe(false);
    expect((await project.run(["loop:report", "shed"])).code).toBe(3);
    const resumed = await project.doc(["loop:resume", "shed"], { as: "person" });
    expect(resumed.resumed).toBe(true);
    expect(resumed.context).toContain("<promise>ALL TIDY</promise>");
    expect((await project.stop("hm")).decision).toBe("block");
    expect((await project.doc(["loop:resume", "shed"])).resumed).toBe(false);
  });

  it("L13: whoever resumes it outside its session reads who continues it; an agent reads its task", async () => {
    const project = new LoopProject();
    await project.start([...TIDY, "--harness", "claude-code"]);
    await project.doc(["loop:pause", "shed"], { as: "person" });
    const ways = `Session ${SESSION} (claude-code) continues it with its next prompt, or when you type /babysitter:resume shed there.
Or without a session, run: babysitter run shed --agent claude-code --permission-mode acceptEdits
`;
    const resume = async (how: object): Promise<string> => (await project.run(["loop:resume", "shed"], how)).stdout;
    expect(await resume({ as: "person" })).toBe(`shed is resumed. ${ways}`);
    expect(await resume({ as: "person" })).toBe(`shed was not paused. ${ways}`);
    for (const env of [AGENT, { CLAUDECODE: "1" }]) expect(await resume({ env })).toMatch(/^\[LOOP RESUME\] Active/u);
  });

  it("C27: a pause without a reason is told as that of a person, once and without codes", async () => {
    const project = new LoopProject();
    await project.start(TIDY);
    await project.doc(["loop:pause", "shed"], { as: "person" });
    const { stdout } = await project.run(["run:status", "shed"]);
    expect(stdout).toMatch(/^why {4}\S.* paused it\.$/mu);
    expect(stdout).not.toMatch(/No reason|by_request|^(?:Loop|Status|Resume|Next): /mu);
    expect(stdout).toContain("\nnext: babysitter loop:resume shed\n");
    expect((await project.doc(["run:status", "shed"])).loop.paused?.code).toBe("by_request");
    expect((await project.run(["report"])).stdout).not.toContain("No reason");
  });

  it("L13: an unbound loop is taken up by the session in whose shell loop:resume runs", async () => {
    const project = new LoopProject();
    await project.doc(["loop:start", "--shape", "tool", ...TIDY]);
    const nobody = await project.run(["loop:resume", "shed"]);
    expect(nobody.stdout).toBe(
      "shed is active, but no agent is working on it. In an agent's session, run: babysitter loop:resume shed\n" +
        "Or without a session, run: babysitter run shed --agent claude-code --permission-mode acceptEdits\n",
    );
    const { stdout } = await project.run(["loop:resume", "shed"], { env: AGENT });
    expect(stdout).toContain("[LOOP RESUME] Active loop detected\nSpec: Tidy the shed\n");
    expect(stdout).toContain("Task:\nTidy the shed\n");
    expect((await project.stop("hm")).decision).toBe("block");
  });

  it("L9: a loop that another session works on is taken only on demand, and that session is free then", async () => {
    const project = new LoopProject();
    await project.start(TIDY);
    const take = ["loop:resume", "shed", "--session-id", "second"];
    expect(told(await project.refuse(take))).toEqual([
      7,
      "SESSION_BOUND",
      `Session ${SESSION} is working on run shed.`,
    ]);
    await project.doc([...take, "--take"], { as: "person" });
    expect(await project.status("shed")).toMatchObject({
      session: { sessionId: "second" },
      sessions: [SESSION, "second"],
    });
    const free = await project.stop("hm");
    expect([free.decision, free.message]).toEqual([undefined, expect.stringContaining("belongs to session second")]);
    expect(fs.existsSync(project.sessionFile())).toBe(false);
    expect((await project.stop("hm", { session_id: "second" })).decision).toBe("block");
  });

  it("L9 L14: a person without a session takes it from the session that works on it, for whoever comes next", async () => {
    const project = new LoopProject();
    await project.start(TIDY);
    const taken = await project.run(["loop:resume", "shed", "--take"], { as: "person" });
    expect(taken.stdout).toMatch(/^shed is active, but no agent is working on it\./u);
    const source = { by: expect.any(String) as string, via: "cli", verified: false };
    const [released] = project.events("shed", "SESSION_RELEASED");
    expect(released?.payload).toMatchObject({ sessionId: SESSION, source });
    const free = await project.stop("hm");
    expect([free.decision, free.message]).toEqual([undefined, expect.stringContaining("belongs to no session")]);
    await project.doc(["loop:resume", "shed", "--session-id", "second"]);
    expect((await project.stop("hm", { session_id: "second" })).decision).toBe("block");
  });

  it("L13: commands about a run without a loop say so", async () => {
    const project = new LoopProject({ "p.mjs": "export const process = async (i, ctx) => ctx.sleep(9e9);\n" });
    await project.create("p.mjs", "plain");
    for (const command of ["loop:pause", "loop:report", "loop:verify", "loop:step", "loop:amend", "loop:check"])
      expect(told(await project.refuse([command, "plain"]))).toEqual([2, "NO_LOOP", "Run plain has no loop."]);
    for (const command of ["loop:pause", "loop:status", "loop:report"])
      expect(told(await project.refuse([command, "nowhere"]))).toEqual([2, "RUN_NOT_FOUND", expect.any(String)]);
  });

  it("L13: exit codes of loop:report tell a limit, being stuck, and waiting for a person apart", async () => {
    const project = new LoopProject();
    await project.start(TIDY);
    expect((await project.run(["loop:report", "shed"])).code).toBe(0);
    const codes: string[] = [];
    for (let turn = 0; turn < 6 && !codes.at(-1)?.startsWith("stuck"); turn += 1)
      codes.push((await project.stop(`Thinking ${turn}.`)).code);
    expect(codes).toEqual(["continue_loop", "continue_loop", "breaker_half_open", "stuck_no_progress"]);
    const report = await project.run(["loop:report", "shed"]);
    expect(report.code).toBe(5);
    expect(report.stdout).toContain("Circuit breaker `no_progress` warned (iteration 3");
  });

  it("L13: an agent that says three times that it is blocked may stop, and its reason is shown", async () => {
    const project = new LoopProject();
    await project.start(TIDY);
    const codes: string[] = [];
    for (const turn of [1, 2, 3]) {
      project.write({ [`note-${turn}`]: "" });
      codes.push((await project.stop("<loop-blocked>the shed is locked</loop-blocked>")).code);
    }
    expect(codes).toEqual(["continue_loop", "continue_loop", "blocked_confirmed"]);
    expect((await project.status("shed")).paused?.message).toContain("the shed is locked");
    expect((await project.run(["loop:report", "shed"])).code).toBe(5);
  });
});

describe("status", () => {
  it("L13: run:status shows the loop below the run, and all of it as a document", async () => {
    const project = new LoopProject();
    await project.start([
      ...TIDY,
      "--criteria",
      "broom: test -e swept.txt",
      "--claim",
      "it looks nice",
      "--step",
      "Sweep",
      "--shape",
      "tool",
    ]);
    const { stdout } = await project.run(["loop:status"]);
    expect(stdout).toMatch(
      /^run {4}shed\nstate {2}running\nwhy {4}It belongs to an agent's session, at iteration 1\.\nage {4}\d+ s, last event \d+ s ago\n\n/u,
    );
    expect(stdout.split("\n\n")[1]).toBe(`Goal:      Tidy the shed
Iteration: 1/50
Criteria:
  ✗ broom: test -e swept.txt (exit code 1)
  ? it looks nice (only the agent can say)
Steps:     0/1
  · Sweep
Spend:     not measured
Next:      Sweep
`);
    expect(await project.status()).toMatchObject({
      mode: "tasks",
      status: "active",
      goal: "Tidy the shed",
      iteration: 1,
      limits: { iterations: 50 },
      promise: { text: "ALL TIDY", issued: false },
      session: { sessionId: SESSION },
      paused: null,
      ended: null,
      criteria: [
        { id: "broom", standing: "unmet", role: "required" },
        { id: "it-looks-nice", standing: "unchecked" },
      ],
      steps: [{ id: "sweep", status: "open" }],
      spend: null,
    });
    project.write({ "swept.txt": "" });
    expect((await project.status()).criteria[0]).toMatchObject({ standing: "unchecked", isStale: true });
    expect((await project.run(["loop:status"])).stdout).toContain(
      "? broom: test -e swept.txt (the files have changed since the last check)",
    );
  });

  it("L13: without a name the session's own run is meant, else the only open one", async () => {
    const project = new LoopProject();
    await project.start(TIDY);
    await project.doc(["loop:start", "--shape", "tool", "Other", "--run-id", "attic"]);
    expect((await project.refuse(["run:status"])).code).toBe("RUN_AMBIGUOUS");
    expect((await project.doc(["run:status"], { env: AGENT })).runId).toBe("shed");
    expect((await project.doc(["run:status", "attic"], { env: AGENT })).runId).toBe("attic");
    // Also from elsewhere: the session file says where its run is.
    expect((await project.doc(["run:status"], { env: AGENT, cwd: project.home })).runId).toBe("shed");
  });

  it("L13: a status only looks", async () => {
    const project = new LoopProject();
    await project.start([...TIDY, "--criteria", "broom: true"]);
    const before = project.journal("shed");
    for (const command of ["run:status", "loop:report", "loop:check", "run:list", "run:events", "run:check"])
      await project.run([command]);
    expect(project.journal("shed")).toEqual(before);
  });

  it("L13: nothing in a goal moves the cursor or passes for lines of ours", async () => {
    const project = new LoopProject();
    const goal = "Tidy\u001b[2J\rStatus:    completed, verified by the engine\u202e";
    await project.start([`--prompt=${goal}`, "--run-id", "shed"]);
    for (const command of ["loop:status", "loop:report", "run:list"]) {
      const { stdout } = await project.run([command]);
      expect([stdout.includes("\u001b"), stdout.includes("\r")]).toEqual([false, false]);
      expect(stdout).not.toMatch(/^Status: +completed/mu);
    }
  });
});

describe("the announcement to a new session", () => {
  const announce = async (project: LoopProject, source: string, sessionId: string): Promise<string> => {
    const input = { hook_event_name: "SessionStart", session_id: sessionId, source, cwd: project.dir };
    const done = await project.run(["hook:run", "--hook-type", "session-start", "--harness", "claude-code"], {
      stdin: JSON.stringify(input),
    });
    const answer = JSON.parse(done.stdout) as { hookSpecificOutput?: { additionalContext: string } };
    return answer.hookSpecificOutput?.additionalContext ?? "";
  };
  const RESUME = `[LOOP RESUME] Active loop detected
Spec: Tidy the shed
Progress: 1/2 steps | Iteration: 2
Unmet criteria: broom: test -e swept.txt, it looks nice
Next: Mop`;

  it("L11: has the documented format, in the session of the loop and in others", async () => {
    const project = new LoopProject();
    await project.start([
      ...TIDY,
      "--criteria",
      "broom: test -e swept.txt",
      "--claim",
      "it looks nice",
      "--step",
      "Sweep",
      "--step",
      "Mop",
      "--shape",
      "tool",
    ]);
    await project.doc(["loop:step", "sweep", "--done"]);
    await project.stop("one");
    const own = await announce(project, "resume", SESSION);
    expect(own.startsWith(`${RESUME}\nRun: shed\n`)).toBe(true);
    expect(own).toContain("<promise>ALL TIDY</promise>");
    const other = await announce(project, "startup", "somebody-else");
    expect(other).toBe(
      `${RESUME}\nThis loop does not belong to this session. Leave it alone unless the user asks for it; to work on it here: babysitter loop:resume shed`,
    );
  });

  it("L11: says nothing where there is no loop, or none that is open", async () => {
    const project = new LoopProject();
    expect(await announce(project, "startup", "fresh")).toBe("");
    await project.start(TIDY);
    await project.stop("<promise>ALL TIDY</promise>");
    expect(await announce(project, "startup", "fresh")).toBe("");
  });

  it("L11: of a paused loop says why, and that only the user can resume it", async () => {
    const project = new LoopProject();
    await project.start(TIDY);
    await project.doc(["loop:pause", "--reason", "lunch"], { as: "person" });
    const text = await announce(project, "compact", SESSION);
    expect(text).toContain("[LOOP RESUME] Paused loop detected\n");
    expect(text).toContain(
      "The loop is paused (by_request): lunch\nOnly the user may resume it, by typing: babysitter loop:resume shed",
    );
  });

  it("L11: a session file that was deleted is made again from the journal", async () => {
    const project = new LoopProject();
    await project.start(TIDY);
    const text = fs.readFileSync(project.sessionFile(), "utf8");
    fs.rmSync(project.sessionFile());
    await announce(project, "resume", SESSION);
    expect(fs.readFileSync(project.sessionFile(), "utf8")).toBe(text);
    expect(path.dirname(project.sessionFile())).toBe(path.join(project.home, ".a5c", "state"));
  });
});
