/** Decisions of someone who sits at a terminal, and of those who only seem to. */
import { describe, it } from "vitest";
import { type AtTerminal, atTerminal } from "../fixtures/at-terminal.js";
import { CLI } from "../fixtures/command-line.js";
import type { Project } from "../fixtures/project.js";
import { ask, askingProject, call, GATE } from "../fixtures/runs/asked-project.js";

/** Runs a command with a controlling terminal. */
function typed(
  project: Project,
  args: string[],
  env: Record<string, string> = {},
  answers: [question: RegExp, keys: string][] = [],
): Promise<AtTerminal> {
  return atTerminal([process.execPath, CLI, ...args], {
    cwd: project.dir,
    home: project.home,
    env,
    answers,
  });
}

const BOUND = ["--harness", "claude-code", "--session-id", "s-1"];

describe.concurrent("at a terminal", () => {
  it("C22: a person decides in a run of an agent's session", async ({ expect, onTestFinished }) => {
    const project = askingProject({ onTestFinished }, GATE);
    const id = await ask(project, "r", BOUND);
    const { code, shown } = await typed(project, ["breakpoint:reject", id, "--reason", "first the tests"]);
    expect({ code, shown }).toMatchObject({
      code: 0,
      shown: expect.stringContaining("babysitter run:iterate r") as string,
    });
    const { events } = await project.ask(["run:events", "r", "--filter-type", "EFFECT_RESOLVED"]);
    expect(events[0]?.payload).toMatchObject({
      result: { value: { approved: false, feedback: "first the tests", via: "cli", verified: false } },
      metadata: { source: { via: "cli", terminal: true, agent: false } },
    });
  });

  it("C22: a terminal with an agent's marker is an agent's, and does not decide there", async ({
    expect,
    onTestFinished,
  }) => {
    const project = askingProject({ onTestFinished }, GATE);
    const id = await ask(project, "r", BOUND);
    for (const marker of ["CLAUDECODE", "AI_AGENT", "CODEX_SANDBOX", "COPILOT_AGENT", "GEMINI_CLI", "CURSOR_AGENT"]) {
      const { code, shown } = await typed(project, ["breakpoint:approve", id], { [marker]: "1" });
      expect({ marker, code, shown }).toMatchObject({
        code: 7,
        shown: expect.stringContaining("DECISION_NOT_ALLOWED") as string,
      });
    }
    expect((await call(project, ["breakpoint:show", id])).doc.state).toBe("open");
  });

  it("C22: the list of questions fits the terminal: each below its row where there is no room beside it", async ({
    expect,
    onTestFinished,
  }) => {
    const project = askingProject(
      { onTestFinished },
      `await ctx.breakpoint({ title: "Ship it?", question: "Version 2" });`,
    );
    const name = "run-20261119-020845-notes-826ca2";
    const id = await ask(project, name);
    const list = async (cols: number): Promise<string[]> => {
      const command = [process.execPath, CLI, "breakpoint:list"];
      const { shown } = await atTerminal(command, { cwd: project.dir, home: project.home, cols });
      return shown.split(/\r?\n/u);
    };
    const [heading, row, question] = await list(80);
    expect(heading).toMatch(/^BREAKPOINT +AGE +RUN$/u);
    expect(row).toMatch(new RegExp(`^${id} .*${name}$`, "u"));
    expect(question).toBe("  Ship it? Version 2");
    expect((await list(120))[1]).toMatch(new RegExp(`${name}  Ship it\\? Version 2$`, "u"));
  });

  it("C22: task:post does not decide there even when a person types it", async ({ expect, onTestFinished }) => {
    const project = askingProject({ onTestFinished }, GATE, { "yes.json": '{"approved": true}' });
    const id = await ask(project, "r", BOUND);
    const refused = await typed(project, ["task:post", "r", id, "--status", "ok", "--value", "yes.json"]);
    expect(refused).toMatchObject({ code: 7, shown: expect.stringContaining("breakpoint:approve") as string });
    expect((await typed(project, ["breakpoint:approve", id])).code).toBe(0);
  });

  const RISKY = `return (await ctx.breakpoint({ question: "Wipe?", risk: "high" })).approved;`;

  it("C22: high risk is decided by a person who types the run's name, and by nothing else", async ({
    expect,
    onTestFinished,
  }) => {
    const project = askingProject({ onTestFinished }, RISKY);
    const id = await ask(project, "r");
    const wrong = await typed(project, ["breakpoint:approve", id], {}, [[/to confirm: /u, "y\r"]]);
    expect(wrong).toMatchObject({ code: 7, shown: expect.stringContaining("nothing was decided") as string });
    expect(wrong.shown).toContain("marked as high risk");
    expect(wrong.shown).not.toContain("Recorded");
    const agent = await typed(project, ["breakpoint:approve", id], { CLAUDECODE: "1" });
    expect(agent).toMatchObject({ code: 7, shown: expect.stringContaining("your own terminal") as string });
    expect((await call(project, ["breakpoint:show", id])).doc.state).toBe("open");
    const right = await typed(project, ["breakpoint:approve", id], {}, [[/to confirm: /u, "r\r"]]);
    expect(right).toMatchObject({ code: 0, shown: expect.stringContaining("Recorded: approved") as string });
    const { events } = await project.ask(["run:events", "r", "--filter-type", "EFFECT_RESOLVED"]);
    expect(events[0]?.payload).toMatchObject({
      result: { value: { approved: true, via: "cli", verified: false } },
      metadata: { source: { via: "cli", terminal: true, agent: false, confirmed: true } },
    });
  });

  it("C22: babysitter run asks for the run's name too, and then goes on", async ({ expect, onTestFinished }) => {
    const project = askingProject({ onTestFinished }, RISKY);
    await ask(project, "r");
    const { code, shown } = await typed(project, ["run", "r", "--plain"], {}, [
      [/answer: /u, "y\r"],
      [/to confirm: /u, "y\r"],
      [/answer: /u, "y\r"],
      [/to confirm: /u, "r\r"],
    ]);
    expect({ code, shown }).toMatchObject({ code: 0, shown: expect.stringContaining("completed") as string });
    expect(shown).toContain("risk: high");
    expect(shown.match(/^ {2}approved/gm)).toHaveLength(1);
  });
});
