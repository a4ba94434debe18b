/** An agent in the real host that changes its process: what it and its person are told, and what it cannot do. */
import fs from "node:fs";
import { describe, expect, test } from "vitest";
import { answers } from "./rig/host-run.js";
import { NEWEST_HOST } from "./rig/install-hosts.js";
import { beginOwnRun, gives, OWN_PROCESS } from "./rig/own-run.js";
import { iterates, looks, posts } from "./rig/process-agent.js";
import { bash, inTurn, says } from "./rig/scripted-model.js";
import { newShippedProject } from "./rig/shipped-plugin.js";

const PROCESS = `export async function process(inputs, ctx) {
  await ctx.task({ kind: "agent", title: "work", agent: { prompt: "work" } });
  await ctx.breakpoint({ question: "Deploy?" });
  return "deployed";
}
`;

describe.each(NEWEST_HOST)("a process that its agent changes in Claude Code %s", (version) => {
  test("L14: an agent that deletes a gate before the run gets there is blocked and told; a person accepts, and the end says so", async () => {
    const project = newShippedProject(version, { "p.mjs": PROCESS });
    const accept = "babysitter run:accept-code --json";
    const first = await project.host({
      prompt: "/babysit --process p.mjs",
      permissionMode: "bypassPermissions",
      args: ["--max-turns", "7"],
      scenario: inTurn([
        iterates,
        posts('"worked"'),
        bash("sed -i /breakpoint/d p.mjs"),
        iterates,
        bash(accept),
        says("It is blocked."),
        ...Array.from({ length: 20 }, () => looks),
      ]),
    });
    const runId = fs.readdirSync(project.runsDir).find((name) => !name.startsWith(".")) ?? "";
    const told = first.model.main.map(({ news }) => news);
    expect(told[4]).toContain('"code": "GATES_CHANGED"');
    expect(told[4]).toContain("missing (p.mjs)");
    expect(told[5]).toContain("ONLY_FOR_PEOPLE");
    expect(told[6]).toContain("no longer has breakpoints that people agreed to");
    const [blockedStop] = answers(first, "Stop");
    expect(JSON.stringify(blockedStop)).toContain(`/babysitter:approve`);
    expect(project.events(runId, "RUN_BLOCKED").map(({ payload }) => payload["code"])).toEqual(["GATES_CHANGED"]);
    expect(project.events(runId, "RUN_COMPLETED")).toEqual([]);

    await project.ask(["run:accept-code", runId], { as: "person" });
    const second = await project.host({
      prompt: "Go on.",
      resume: true,
      sessionId: first.sessionId,
      permissionMode: "bypassPermissions",
      scenario: inTurn([
        bash(`babysitter run:iterate ${runId} --json`),
        () =>
          says(`<promise>${String(project.events(runId, "RUN_COMPLETED")[0]?.payload["completionProof"])}</promise>`),
      ]),
    });
    expect(project.events(runId, "CODE_CHANGED")).toHaveLength(1);
    expect(JSON.stringify(answers(second, "Stop"))).toContain("1 file of the process changed after it began: p.mjs.");
    expect(project.events(runId, "RUN_COMPLETED")).toHaveLength(1);
  });

  test("L14: where run:iterate is withheld because of changed code, model and person are told which file and what to do", async () => {
    const project = newShippedProject(version, { "p.mjs": OWN_PROCESS });
    const { sessionId } = await beginOwnRun(project);
    fs.writeFileSync(project.path("p.mjs"), `import "node:fs";${OWN_PROCESS}`);
    const { run, told, denied } = await gives(project, ["babysitter run:iterate"], {
      sessionId,
      permissionMode: "default",
    });
    expect(denied).toEqual(["babysitter run:iterate"]);
    expect(told[0]).toContain("The process code of own has changed since it last ran: p.mjs.");
    expect(told[0]).toContain("restore the file");
    const person = JSON.stringify(answers(run, "PreToolUse"));
    expect(person).toContain("has changed since it last ran: p.mjs");
    expect(person).toContain("/babysitter:approve own");
  });
});
