/** Processes in sessions without a terminal, with the plugin that users get: from what is typed to the proof. */
import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { answers, type HostProject } from "./rig/host-run.js";
import { NEWEST_HOST } from "./rig/install-hosts.js";
import { iterates, posts, proves } from "./rig/process-agent.js";
import { bash, callsTool, inTurn, type ModelRequest, type Reply, says } from "./rig/scripted-model.js";
import { changePlugin, newShippedProject } from "./rig/shipped-plugin.js";

const PROCESS = `
export async function process(inputs, ctx) {
  const sum = await ctx.task({ kind: "node", title: "add", node: { entry: "./add.cjs" } });
  const text = await ctx.task({ kind: "agent", title: "describe", agent: { prompt: "Describe " + JSON.stringify(sum) } });
  return { sum, text };
}
`;
const FILES = { "p.mjs": PROCESS, "add.cjs": "module.exports = () => ({ sum: 5 });\n" };

/** Types of events without those that only tell that someone has typed. */
const traceOf = (project: HostProject, runId: string): string[] =>
  project
    .events(runId)
    .map(({ type }) => type)
    .filter((type) => type !== "PROMPT_SUBMITTED");

/** The host says where a skill lies. */
const readsReferences = ({ news }: ModelRequest): Reply => {
  const folder = /Base directory for this skill: (\S+)/u.exec(news)?.[1];
  return bash(`cd '${folder}/reference' && head -n 1 HOOKS.md ORCHESTRATION_GUIDE.md ADVANCED_PATTERNS.md`);
};

describe.each(NEWEST_HOST)("a process in Claude Code %s without a terminal", (version) => {
  test("P3 P6: `/babysit` → run created → iterate → effects executed → posted → Stop blocks → … → proof → exit; permission prompts do not stop an unattended run", async () => {
    const project = newShippedProject(version, FILES);
    const run = await project.host({
      prompt: "/babysit --process p.mjs",
      // Nobody is there to be asked, and nothing is allowed but what our hook lets through.
      permissionMode: "default",
      scenario: inTurn([says("I have a run."), iterates, iterates, posts('"five"'), says("Posted."), iterates, proves]),
    });
    const [runId = "", ...others] = project.runs();
    expect([run.code, run.result["subtype"], others, run.model.strays]).toEqual([0, "success", [], []]);
    expect(run.result["permission_denials"]).toEqual([]);
    expect(answers(run, "UserPromptExpansion").join("")).toContain(`🔄 Babysitter loop ${runId}`);
    expect(project.codes()).toEqual(["continue_loop", "continue_loop", "completion_proof_matched"]);
    expect(traceOf(project, runId)).toEqual([
      "RUN_CREATED",
      "LOOP_STARTED",
      "SESSION_BOUND",
      "STOP_HOOK_INVOKED",
      "EFFECT_REQUESTED",
      "EFFECT_STARTED",
      "EFFECT_RESOLVED",
      "EFFECT_REQUESTED",
      "EFFECT_RESOLVED",
      "STOP_HOOK_INVOKED",
      "RUN_COMPLETED",
      "STOP_HOOK_INVOKED",
    ]);
    const { status, output } = await project.ask(["run:iterate", runId]);
    expect([status, output]).toEqual(["completed", { sum: { sum: 5 }, text: "five" }]);
  });

  test("P7: babysit in plain words: the model takes the skill, SKILL.md and references tell it how, and the loop ends verified; instructions under 8 kB", async () => {
    const project = newShippedProject(version);
    const start =
      "babysitter loop:start --prompt-file - --criteria 'there: test -f done' --completion-promise DONE <<'TASK'\nMake the file done.\nTASK";
    const claim = says("All is done.\n\n<promise>DONE</promise>");
    const run = await project.host({
      prompt: "Please babysit this: make the file done, until `test -f done` passes.",
      scenario: inTurn([
        callsTool("Skill", { skill: "babysitter:babysit" }),
        readsReferences,
        bash(start),
        claim,
        bash("touch done"),
        claim,
      ]),
    });
    const { news: told = "" } = run.model.main[1] ?? {};
    expect(told).toContain("# Babysit");
    expect(told).toContain("reference/ORCHESTRATION_GUIDE.md");
    expect(Buffer.byteLength(told)).toBeLessThan(8_000);
    for (const heading of ["# Hooks", "# Following a run", "# Writing processes"])
      expect(run.model.main[2]?.news).toContain(heading);
    expect(project.codes()).toEqual(["claim_rejected", "completed_verified"]);
    const [runId = ""] = project.runs();
    const { goal, ended, sessions } = await project.status(runId);
    expect([goal.trim(), ended?.attestation, sessions]).toEqual(["Make the file done.", "verified", [run.sessionId]]);
  });

  test("P4 L1: `/babysitter:resume RUN …` in another session: what is at work is taken only on request, and continues to its proof there", async () => {
    const project = newShippedProject(version, FILES);
    const first = await project.host({
      prompt: "/babysit --process p.mjs",
      args: ["--max-turns", "3"],
      scenario: inTurn([iterates, iterates, bash("echo 1 > a")]),
    });
    const [runId = ""] = project.runs();
    const sessionId = randomUUID();
    const refused = await project.host({ sessionId, prompt: `/babysitter:resume ${runId}`, scenario: inTurn([]) });
    expect(refused.model.requests).toEqual([]);
    const why = answers(refused, "UserPromptExpansion").join("");
    expect(why).toContain(`Session ${first.sessionId} is working on`);
    expect(why).toContain(`/babysitter:resume ${runId} --take`);
    expect((await project.status(runId)).session?.sessionId).toBe(first.sessionId);

    const take = { sessionId, resume: true, prompt: `/babysitter:resume ${runId} --take`, scenario: inTurn([]) };
    expect(JSON.stringify((await project.host(take)).stream)).toContain("this session is unattended");
    const here = ["--take", "--session-id", sessionId, "--harness", "claude-code"];
    await project.doc(["loop:resume", runId, ...here], { as: "person" });

    const taken = await project.host({
      sessionId,
      resume: true,
      prompt: `/babysitter:resume ${runId}`,
      permissionMode: "default",
      scenario: inTurn([iterates, posts('"five"'), iterates, proves]),
    });
    expect(taken.model.main[0]?.news).toContain("The user has resumed this Babysitter loop in this session");
    expect([taken.result["permission_denials"], project.codes()]).toEqual([[], ["completion_proof_matched"]]);
    expect((await project.status(runId)).sessions).toEqual([first.sessionId, sessionId]);
    expect((await project.ask(["run:iterate", runId])).output).toEqual({ sum: { sum: 5 }, text: "five" });

    // Whose it was comes back, and is a session like any other.
    const back = await project.host({
      sessionId: first.sessionId,
      resume: true,
      scenario: inTurn([says("Hello again.")]),
    });
    expect(back.result["result"]).toBe("Hello again.");
  });

  test("A1: auto-detection: hooks without --harness find out by themselves which host has called them, and so does the agent's shell", async () => {
    const project = newShippedProject(version);
    changePlugin(project, "hooks/guard.sh", (text) => text.replaceAll(" --harness claude-code", ""));
    const run = await project.host({
      scenario: inTurn([
        bash("babysitter loop:start 'Write x' --completion-promise DONE"),
        says("I begin."),
        says("<promise>DONE</promise>"),
      ]),
    });
    const [runId = ""] = project.runs();
    const [bound] = project.events(runId, "SESSION_BOUND");
    expect(bound?.payload).toMatchObject({ harness: "claude-code", sessionId: run.sessionId });
    // In the form of this very host and version: context, which is told once and is no error.
    const [first = ""] = answers(run, "Stop");
    expect(JSON.parse(first)).toMatchObject({
      hookSpecificOutput: { hookEventName: "Stop", additionalContext: expect.stringContaining("iteration 2/50") },
    });
    expect(project.codes()).toEqual(["continue_loop", "promise_matched"]);
  });

  test("A1: claude-code and null adapters: with --harness null the hooks have nothing to say, and hold nobody", async () => {
    const project = newShippedProject(version);
    changePlugin(project, "hooks/guard.sh", (text) => text.replaceAll("--harness claude-code", "--harness null"));
    const sessionId = await project.startLoop();
    const run = await project.host({ sessionId, scenario: inTurn([says("I am not held.")]) });
    expect(run.result["result"]).toBe("I am not held.");
    expect(run.hookAnswers.map(({ output }) => output.trim())).toEqual(run.hookAnswers.map(() => "{}"));
    expect([project.codes(), (await project.status()).paused]).toEqual([[], null]);
  });
});
