/** Decisions of someone who sits at a terminal, and of those who only seem to. */
import pty from "@lydell/node-pty";
import { describe, it } from "vitest";
import { CLI, cleanEnvironment } from "../fixtures/command-line.js";
import type { Project } from "../fixtures/project.js";
import { ask, askingProject, call, GATE } from "../fixtures/runs/asked-project.js";

/** Runs a command with a controlling terminal. */
function typed(
  project: Project,
  args: string[],
  env: Record<string, string> = {},
): Promise<{ code: number; seen: string }> {
  const child = pty.spawn(process.execPath, [CLI, ...args], {
    cols: 200,
    rows: 50,
    cwd: project.dir,
    env: { ...cleanEnvironment(project.home, env), TERM: "xterm" },
  });
  let seen = "";
  child.onData((data) => void (seen += data));
  return new Promise((resolve) => child.onExit(({ exitCode }) => resolve({ code: exitCode, seen })));
}

const BOUND = ["--harness", "claude-code", "--session-id", "s-1"];

describe.concurrent("at a terminal", () => {
  it("C22: a person decides in a run of an agent's session", async ({ expect, onTestFinished }) => {
    const project = askingProject({ onTestFinished }, GATE);
    const id = await ask(project, "r", BOUND);
    const { code, seen } = await typed(project, ["breakpoint:reject", id, "--reason", "first the tests"]);
    expect({ code, seen }).toMatchObject({
      code: 0,
      seen: expect.stringContaining("babysitter run:iterate r") as string,
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
      const { code, seen } = await typed(project, ["breakpoint:approve", id], { [marker]: "1" });
      expect({ marker, code, seen }).toMatchObject({
        code: 7,
        seen: expect.stringContaining("DECISION_NOT_ALLOWED") as string,
      });
    }
    expect((await call(project, ["breakpoint:show", id])).doc.state).toBe("open");
  });

  it("C22: task:post does not decide there even when a person types it", async ({ expect, onTestFinished }) => {
    const project = askingProject({ onTestFinished }, GATE, { "yes.json": '{"approved": true}' });
    const id = await ask(project, "r", BOUND);
    const refused = await typed(project, ["task:post", "r", id, "--status", "ok", "--value", "yes.json"]);
    expect(refused).toMatchObject({ code: 7, seen: expect.stringContaining("breakpoint:approve") as string });
    expect((await typed(project, ["breakpoint:approve", id])).code).toBe(0);
  });

  it("C22: high risk is more than a terminal can decide", async ({ expect, onTestFinished }) => {
    const project = askingProject(
      { onTestFinished },
      `return (await ctx.breakpoint({ question: "Wipe?", risk: "high" })).approved;`,
    );
    const id = await ask(project, "r");
    const refused = await typed(project, ["breakpoint:approve", id]);
    expect(refused).toMatchObject({ code: 7, seen: expect.stringContaining("answers: open") as string });
  });
});
