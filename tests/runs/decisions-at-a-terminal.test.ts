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
  replies: [prompt: string, text: string][] = [],
): Promise<{ code: number; seen: string }> {
  const child = pty.spawn(process.execPath, [CLI, ...args], {
    cols: 200,
    rows: 50,
    cwd: project.dir,
    env: { ...cleanEnvironment(project.home, env), TERM: "xterm" },
  });
  let seen = "";
  let from = 0;
  child.onData((data) => {
    seen += data;
    const [prompt, text] = replies[0] ?? ["", ""];
    const at = prompt === "" ? -1 : seen.indexOf(prompt, from);
    if (at === -1) return;
    from = at + prompt.length;
    replies.shift();
    child.write(text);
  });
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

  const RISKY = `return (await ctx.breakpoint({ question: "Wipe?", risk: "high" })).approved;`;

  it("C22: high risk is decided by a person who types the run's name, and by nothing else", async ({
    expect,
    onTestFinished,
  }) => {
    const project = askingProject({ onTestFinished }, RISKY);
    const id = await ask(project, "r");
    const wrong = await typed(project, ["breakpoint:approve", id], {}, [["to confirm: ", "y\r"]]);
    expect(wrong).toMatchObject({ code: 7, seen: expect.stringContaining("nothing was decided") as string });
    expect(wrong.seen).toContain("marked as high risk");
    expect(wrong.seen).not.toContain("Recorded");
    const agent = await typed(project, ["breakpoint:approve", id], { CLAUDECODE: "1" });
    expect(agent).toMatchObject({ code: 7, seen: expect.stringContaining("your own terminal") as string });
    expect((await call(project, ["breakpoint:show", id])).doc.state).toBe("open");
    const right = await typed(project, ["breakpoint:approve", id], {}, [["to confirm: ", "r\r"]]);
    expect(right).toMatchObject({ code: 0, seen: expect.stringContaining("Recorded: approved") as string });
    const { events } = await project.ask(["run:events", "r", "--filter-type", "EFFECT_RESOLVED"]);
    expect(events[0]?.payload).toMatchObject({
      result: { value: { approved: true, via: "cli", verified: false } },
      metadata: { source: { via: "cli", terminal: true, agent: false, confirmed: true } },
    });
  });

  it("C22: babysitter run asks for the run's name too, and then goes on", async ({ expect, onTestFinished }) => {
    const project = askingProject({ onTestFinished }, RISKY);
    await ask(project, "r");
    const { code, seen } = await typed(project, ["run", "r", "--plain"], { NO_COLOR: "1" }, [
      ["answer: ", "y\r"],
      ["to confirm: ", "y\r"],
      ["answer: ", "y\r"],
      ["to confirm: ", "r\r"],
    ]);
    expect({ code, seen }).toMatchObject({ code: 0, seen: expect.stringContaining("completed") as string });
    expect(seen).toContain("risk: high");
    expect(seen.match(/^ {2}approved/gm)).toHaveLength(1);
  });
});
