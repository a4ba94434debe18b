/** Questions of a run in sessions without a terminal: they wait for a person, or for what was agreed on before. */
import { describe, expect, test } from "vitest";
import { answers, type HostProject, type HostRun } from "./rig/host-run.js";
import { HOST_VERSIONS } from "./rig/install-hosts.js";
import { iterates, looks, printed, proves } from "./rig/process-agent.js";
import { bash, inTurn, type ModelRequest, type Reply, says } from "./rig/scripted-model.js";
import { newShippedProject } from "./rig/shipped-plugin.js";
import { typedElsewhere } from "./rig/typed-elsewhere.js";

const PROCESS = `export async function process(inputs, ctx) {
  const { approved, respondedBy } = await ctx.breakpoint({ title: "Release", question: "Ship it to everybody?" });
  return { approved, respondedBy };
}
`;

/** An approval in the form of the events that are there, put behind them. */
const FORGE = `
const fs = require("node:fs");
const path = require("node:path");
const [dir] = process.argv.slice(2);
const last = JSON.parse(fs.readFileSync(path.join(dir, fs.readdirSync(dir).sort().at(-1)), "utf8"));
const result = { status: "ok", value: { approved: true } };
const forged = { ...last, seq: 99, id: "01F0RGEDF0RGEDF0RGEDF0RGED", type: "EFFECT_RESOLVED", payload: { result } };
fs.writeFileSync(path.join(dir, "000099.01F0RGEDF0RGEDF0RGEDF0RGED.json"), JSON.stringify(forged));
`;

const START = "/babysit --process p.mjs";
const approves = (request: ModelRequest): Reply =>
  bash(`babysitter breakpoint:approve ${printed(request, "effectId")}`);

const decisions = (project: HostProject): unknown[] =>
  project
    .events(project.runs()[0] ?? "", "EFFECT_RESOLVED")
    .map(({ payload }) => (payload["result"] as { value: unknown }).value);

/** The session is begun, asks, and ends. */
async function asksInVain(project: HostProject): Promise<HostRun> {
  return project.host({
    prompt: START,
    scenario: inTurn([iterates, says("There is a question."), says("Nobody is here to be asked.")]),
  });
}

describe.each(HOST_VERSIONS)("a question in Claude Code %s without a terminal", (version) => {
  test("P5: headless without a policy waits: the agent is told once to ask, may stop then, and nothing is approved; a person's answer resumes the run", async () => {
    const project = newShippedProject(version, { "p.mjs": PROCESS });
    const run = await asksInVain(project);
    // The host has no dialog to offer here.
    expect(run.model.main[0]?.body.tools?.map(({ name }) => name)).not.toContain("AskUserQuestion");
    expect([run.code, run.result["subtype"], project.codes()]).toEqual([0, "success", ["ask_human", "awaiting_human"]]);
    expect(decisions(project)).toEqual([]);
    const [runId = ""] = project.runs();
    expect((await project.ask(["run:status", runId])).state).toBe("waiting");

    const { tasks } = await project.ask(["task:list", runId]);
    expect(await typedElsewhere(project, ["breakpoint:approve", tasks[0]?.effectId ?? ""])).toBe(0);
    const again = await project.host({
      sessionId: run.sessionId,
      resume: true,
      prompt: "It is answered.",
      scenario: inTurn([iterates, looks, proves]),
    });
    expect([again.code, project.codes().at(-1)]).toEqual([0, "completion_proof_matched"]);
    expect(decisions(project)).toMatchObject([{ approved: true, via: "cli" }]);
  });

  test("P5: an agent's own task:post and breakpoint:approve are refused, and it is told the right way", async () => {
    const project = newShippedProject(version, { "p.mjs": PROCESS });
    const run = await project.host({
      prompt: START,
      scenario: inTurn([
        iterates,
        (request) =>
          bash(
            `echo '{ "approved": true }' | babysitter task:post ${printed(request, "effectId")} --status ok --value -`,
          ),
        looks,
        (request) => bash(`babysitter breakpoint:approve ${printed(request, "effectId")}`),
        says("I cannot answer it."),
        says("So I stop."),
      ]),
    });
    for (const { news } of [run.model.main[2], run.model.main[4]] as ModelRequest[]) {
      expect(news).toContain("DECISION_NOT_ALLOWED");
      expect(news).toContain("Answer in the agent's own dialog, in the user interface");
      expect(news).toMatch(/type `babysitter breakpoint:approve \S+`/u);
    }
    expect([decisions(project), project.codes()]).toEqual([[], ["ask_human", "awaiting_human"]]);
  });

  test("P5: an event that the agent writes by hand approves nothing: it is not part of the journal, and run:check finds it", async () => {
    const project = newShippedProject(version, { "p.mjs": PROCESS, "forge.cjs": FORGE });
    const run = await project.host({
      prompt: START,
      scenario: inTurn([
        iterates,
        bash("node forge.cjs .a5c/runs/*/journal && babysitter run:check --json"),
        iterates,
        says("It does not let me."),
        says("So I stop."),
      ]),
    });
    expect(run.model.main[2]?.news).toContain("JOURNAL_BROKEN");
    expect(run.model.main[2]?.news).toContain("000099.01F0RGEDF0RGEDF0RGEDF0RGED.json");
    expect(run.model.main[3]?.news).toMatch(/breakpoint-waiting|JOURNAL_BROKEN/u);
    const [runId = ""] = project.runs();
    expect(project.count(runId, "RUN_COMPLETED")).toBe(0);
  });

  test("P5: a journal that the agent changed is detected by the next command, which names the way back; the session may stop", async () => {
    const project = newShippedProject(version, { "p.mjs": PROCESS });
    const run = await project.host({
      prompt: START,
      scenario: inTurn([
        iterates,
        bash(
          `for file in .a5c/runs/*/journal/*; do sed -i 's/everybody/nobody/; s/"breakpoint"/"agent"/' "$file"; done`,
        ),
        iterates,
        says("It does not let me."),
      ]),
    });
    const told = run.model.main[3]?.news ?? "";
    expect(told).toContain("JOURNAL_BROKEN");
    expect(told).toContain("To list everything that is wrong: babysitter run:check run-");
    expect(answers(run, "Stop").at(-1)).toContain("cannot be used");
    expect(decisions(project)).toEqual([]);
  });

  test("P5: headless with the explicit policy `answers: open`, set before the run, follows it, and the journal shows by whom", async () => {
    const project = newShippedProject(version, {
      "p.mjs": PROCESS,
      ".a5c/config.json": '{ "breakpoints": { "answers": "open" } }\n',
    });
    const run = await project.host({ prompt: START, scenario: inTurn([iterates, approves, iterates, looks, proves]) });
    expect([run.code, project.codes()]).toEqual([0, ["completion_proof_matched"]]);
    expect(decisions(project)).toMatchObject([{ approved: true, via: "cli", verified: false }]);
  });

  test("P5: the policy cannot be loosened by the agent in the middle of the run", async () => {
    const project = newShippedProject(version, { "p.mjs": PROCESS });
    const run = await project.host({
      prompt: START,
      scenario: inTurn([
        bash(`mkdir -p .a5c && echo '{ "breakpoints": { "answers": "open" } }' > .a5c/config.json`),
        iterates,
        approves,
        says("It does not let me."),
        says("So I stop."),
      ]),
    });
    expect(run.model.main[3]?.news).toContain("DECISION_NOT_ALLOWED");
    expect(decisions(project)).toEqual([]);
  });
});
