import { randomUUID } from "node:crypto";
import fs from "node:fs";
import { describe, expect, test } from "vitest";
import { answers, HostProject } from "./rig/host-run.js";
import { HOST_VERSIONS } from "./rig/install-hosts.js";
import { bash, callsTool, inTurn, type ModelRequest, says } from "./rig/scripted-model.js";

const TASK = `Fix the (auth) bug, don't break "it" $(touch PWNED)`;

/** Ends the turn with the promise that the agent was told of. */
function keepsPromise({ body }: ModelRequest) {
  const told = JSON.stringify(body.messages).match(/<promise>(DONE-[0-9a-f]+)<\/promise>/u)?.[1];
  return says(`All is done.\n\n<promise>${told}</promise>`);
}

describe.each(HOST_VERSIONS)("slash commands in Claude Code %s", (version) => {
  test("P3 L1: `/babysit` with any characters in the prompt → loop begun by the hook, nothing executed → Stop blocks → promise → exit", async () => {
    const project = new HostProject(version);
    const run = await project.host({
      prompt: `/babysit ${TASK} --max-iterations 3`,
      scenario: inTurn([bash("echo 1 > a"), says("Some of it."), bash("echo 2 > b"), keepsPromise]),
    });
    expect([run.code, run.result["subtype"], run.model.strays]).toEqual([0, "success", []]);
    expect(project.codes()).toEqual(["continue_loop", "promise_matched"]);
    const [runId = "", ...others] = project.runs();
    expect(others).toEqual([]);
    const { goal, limits } = await project.status(runId);
    expect([goal, limits["iterations"]]).toEqual([TASK, 3]);
    expect(fs.existsSync(project.path("PWNED"))).toBe(false);
    // Told once, with the user's own words beside it.
    const news = run.model.main[0]?.news ?? "";
    expect(news.match(/The user has started a Babysitter loop/gu)).toHaveLength(1);
    expect(news).toContain(`ARGUMENTS: ${TASK} --max-iterations 3`);
    expect(answers(run, "UserPromptExpansion")[0]).toContain(`🔄 Babysitter loop ${runId}`);
    // One prompt, one turn, in whichever order the host tells of it.
    const [typed] = project.payloads("UserPromptExpansion");
    expect(project.submitted()).toEqual([{ sessionId: run.sessionId, kind: "turn", promptId: typed?.["prompt_id"] }]);
  });

  test("L1: strict flags, `--help`: neither help nor a wrong flag nor a status costs a model call, and nothing is begun", async () => {
    const project = new HostProject(version);
    const sessionId = randomUUID();
    const typed: [string, string][] = [
      ["/babysit --help", "/babysit PROMPT [flags]"],
      [`/babysit ${TASK} --max-iteration 3`, "Did you mean --max-iterations?"],
      ["/babysitter:status", "/babysit PROMPT starts a loop"],
    ];
    for (const [index, [prompt, text]] of typed.entries()) {
      const run = await project.host({ prompt, sessionId, resume: index > 0, scenario: inTurn([]) });
      expect([prompt, run.code, run.model.requests.length]).toEqual([prompt, 0, 0]);
      const [answer] = answers(run, "UserPromptExpansion");
      expect(JSON.parse(answer ?? "{}")).toMatchObject({ decision: "block", reason: expect.stringContaining(text) });
    }
    expect(project.runs()).toEqual([]);
    expect(fs.existsSync(project.path("PWNED"))).toBe(false);
  });

  test("P4: resume, cancel in the real host: obeyed by the hook, but only a person in front of it pauses, cancels or changes", async () => {
    const project = new HostProject(version);
    const sessionId = await project.startLoop();
    const [runId = ""] = project.runs();
    const nobody = async (prompt: string, resume: boolean): Promise<string> => {
      const run = await project.host({ sessionId, resume, prompt, scenario: inTurn([]) });
      expect(run.model.requests).toEqual([]);
      return answers(run, "UserPromptExpansion").join("");
    };
    expect(await nobody("/babysitter:pause", false)).toContain("this session is unattended");
    expect((await project.status(runId)).paused).toBeNull();
    await project.doc(["loop:pause", runId], { as: "person" });
    for (const resume of [`/babysitter:resume ${runId} --max-iterations 9`, `/babysitter:resume ${runId}`])
      expect(await nobody(resume, true)).toContain("this session is unattended");
    await project.doc(["loop:resume", runId], { as: "person" });
    await project.pauseByFile(sessionId);
    const error = { error: { status: 400, type: "invalid_request_error", message: "no" } };
    const resumed = await project.host({
      sessionId,
      resume: true,
      prompt: `/babysitter:resume ${runId}`,
      scenario: ({ kind, number }) =>
        [bash("echo 1 > a"), says("Some of it.")][kind === "main" ? number - 1 : 2] ?? error,
    });
    expect(resumed.model.main[0]?.news).toContain("The user has resumed this Babysitter loop in this session");
    expect(project.codes()).toEqual(["continue_loop"]);
    expect(await nobody("/babysitter:cancel", true)).toContain("this session is unattended");
    await project.doc(["loop:cancel", runId], { as: "person" });
    expect(fs.existsSync(project.sessionFile(sessionId))).toBe(false);
  });

  test("a model that calls the command as a skill has typed nothing: the loop continues", async () => {
    const project = new HostProject(version);
    const sessionId = await project.startLoop();
    const run = await project.host({
      sessionId,
      scenario: inTurn([
        callsTool("Skill", { skill: "babysitter:cancel" }),
        says("I have cancelled it."),
        says("<promise>DONE</promise>"),
      ]),
    });
    expect(run.model.main[1]?.news).toContain("Launching skill: babysitter:cancel");
    expect(project.payloads("UserPromptExpansion")).toEqual([]);
    expect(project.codes()).toEqual(["continue_loop", "promise_matched"]);
  });
});
