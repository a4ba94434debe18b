import { spawn } from "node:child_process";
import { once } from "node:events";
import fs from "node:fs";
import { describe, it } from "vitest";
import { CLI, cleanEnvironment } from "../fixtures/command-line.js";
import type { Project } from "../fixtures/project.js";
import { ask, askingProject, type BreakpointDoc, call, GATE } from "../fixtures/runs/asked-project.js";

/** A command that is waiting; answers how it ends. */
function begin(project: Project, args: string[]): Promise<{ code: number; doc: BreakpointDoc }> {
  const child = spawn(process.execPath, [CLI, ...args, "--json"], {
    cwd: project.dir,
    env: cleanEnvironment(project.home),
    stdio: ["ignore", "pipe", "inherit"],
  });
  let stdout = "";
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => void (stdout += chunk));
  return once(child, "close").then(([code]) => ({ code: code as number, doc: JSON.parse(stdout) as BreakpointDoc }));
}

describe.concurrent("waiting for a decision", () => {
  for (const { what, decide, code, state } of [
    { what: "approved", decide: (id: string) => ["breakpoint:approve", id], code: 0, state: "approved" },
    {
      what: "rejected",
      decide: (id: string) => ["breakpoint:reject", id, "--reason", "no"],
      code: 10,
      state: "rejected",
    },
    { what: "cancelled with its run", decide: () => ["run:cancel", "r"], code: 12, state: "abandoned" },
  ])
    it(`C22: breakpoint:wait ends with ${code} when the question is ${what}`, async ({ expect, onTestFinished }) => {
      const project = askingProject({ onTestFinished }, GATE);
      const id = await ask(project, "r");
      const waiting = begin(project, ["breakpoint:wait", id, "--timeout", "10m"]);
      await project.ask(decide(id));
      expect(await waiting).toMatchObject({ code, doc: { breakpointId: id, state } });
      // Whoever comes later gets the same answer at once.
      expect(await call(project, ["breakpoint:wait", id])).toMatchObject({ code, doc: { state } });
    });

  it("C22: breakpoint:wait gives up in time and leaves the question open", async ({ expect, onTestFinished }) => {
    const project = askingProject({ onTestFinished }, GATE);
    const id = await ask(project, "r");
    expect(await call(project, ["breakpoint:wait", id, "--timeout", "1s"])).toMatchObject({
      code: 11,
      doc: { state: "open", next: `babysitter breakpoint:show ${id}` },
    });
    for (const timeout of ["soon", "-5m", "1e300", "5"])
      expect((await project.run(["breakpoint:wait", id, `--timeout=${timeout}`])).code).toBe(2);
    expect((await call(project, ["breakpoint:approve", id])).code).toBe(0);
  });

  it("C22: a standalone question is a run that ends with its answer and replays", async ({
    expect,
    onTestFinished,
  }) => {
    const project = askingProject({ onTestFinished }, GATE, {
      "docs/change.md": "# Change\n",
      ".a5c/processes/.keep": "",
    });
    fs.mkdirSync(project.path("sub"));
    const created = await call(
      project,
      [
        "breakpoint:create",
        "--question",
        "Deploy?",
        "--title",
        "Release",
        "--file",
        "../docs/change.md",
        "--file",
        "gone.md",
        "--option",
        "today",
        "--option",
        "no",
        "--run-id",
        "q1",
      ],
      { cwd: project.path("sub") },
    );
    const id = created.doc.breakpointId;
    expect(created).toMatchObject({
      code: 0,
      doc: { runId: "q1", state: "open", next: `babysitter breakpoint:wait ${id}` },
    });
    expect((await call(project, ["breakpoint:show", id])).doc).toMatchObject({
      question: "Deploy?",
      title: "Release",
      options: [
        { label: "today", rejects: false },
        { label: "no", rejects: true },
      ],
      files: [
        { path: "docs/change.md", text: "# Change\n" },
        { path: "sub/gone.md", refused: "missing" },
      ],
    });
    expect(await call(project, ["breakpoint:approve", id, "--option", "today"])).toMatchObject({
      code: 0,
      doc: { next: null },
    });
    expect(await project.ask(["run:status", "q1"])).toMatchObject({ state: "completed" });
    const { events } = await project.ask(["run:events", "q1", "--filter-type", "RUN_COMPLETED"]);
    expect(events[0]?.payload["output"]).toMatchObject({ value: { approved: true, option: "today" } });
    expect((await project.run(["run:replay", "q1"])).code).toBe(0);
    expect((await project.run(["run:check", "q1"])).code).toBe(0);
  });

  it("C22: create --wait ends as the decision does, and so does its run", async ({ expect, onTestFinished }) => {
    const project = askingProject({ onTestFinished }, GATE);
    const waiting = begin(project, ["breakpoint:create", "--question", "Deploy?", "--run-id", "q2", "--wait"]);
    const asked = async (): Promise<string> => {
      for (;;) {
        const [row] = (await call(project, ["breakpoint:list"])).doc.breakpoints;
        if (row !== undefined) return row.breakpointId;
      }
    };
    await project.ask(["breakpoint:reject", await asked(), "--reason", "freeze"]);
    expect(await waiting).toMatchObject({
      code: 10,
      doc: { runId: "q2", state: "rejected", result: { feedback: "freeze" } },
    });
    expect(await project.ask(["run:status", "q2"])).toMatchObject({ state: "completed" });
  });

  it("C22: what an agent asks is not for itself to answer", async ({ expect, onTestFinished }) => {
    const project = askingProject({ onTestFinished }, GATE);
    const env = { CLAUDECODE: "1", CLAUDE_CODE_SESSION_ID: "s-9" };
    const { doc } = await call(project, ["breakpoint:create", "--question", "May I?"], { env });
    expect(await call(project, ["breakpoint:approve", doc.breakpointId], { env })).toMatchObject({
      code: 7,
      error: { code: "DECISION_NOT_ALLOWED" },
    });
  });

  it("C22: create says what is missing or wrong", async ({ expect, onTestFinished }) => {
    const project = askingProject({ onTestFinished }, GATE);
    for (const args of [
      [],
      ["--question", ""],
      ["--question", "x", "--risk", "huge"],
      ["--question", "x", "--timeout", "x"],
    ])
      expect({ args, code: (await project.run(["breakpoint:create", ...args])).code }).toEqual({ args, code: 2 });
    expect(fs.existsSync(project.runsDir)).toBe(false);
  });
});
