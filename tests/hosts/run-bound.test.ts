/** A session that works on a run with a process, from its creation to its proof. */
import fs from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { BOUND_PROCESS, bound, iterate, PROMPT } from "../fixtures/hosts/bound-run.js";
import { HostSession } from "../fixtures/hosts/host-session.js";
import { Project } from "../fixtures/project.js";

const promise = (text: string): string => `All is well.\n\n<promise>${text}</promise>`;

describe("a run that cannot be bound", () => {
  it("is not made: a broken configuration is found before", async () => {
    const project = new Project({
      "p.mjs": BOUND_PROCESS,
      ".a5c/config.json": '{ "limits": { "budgetUsd": "much" } }',
    });
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
    const session = new HostSession(new Project({ "p.mjs": BOUND_PROCESS }));
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
    const session = new HostSession(new Project({ "p.mjs": BOUND_PROCESS, ...skills, ...agents }));
    await session.createRun("p.mjs#work", "r", ["--prompt", PROMPT]);
    const names = [...Array.from({ length: 9 }, (_, n) => `skill skill-${n}`), "agent reviewer"].join(", ");
    const { reason } = await session.stop();
    expect(reason).toBe(
      `Babysitter iteration 2 | Continue orchestration (run:iterate).\n\nAvailable skills and agents: ${names}\n\n${PROMPT}`,
    );
  });
});
