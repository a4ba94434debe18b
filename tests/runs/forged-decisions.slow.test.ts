/** Ways past the rules that need no more than a variable, a link or an empty argument. */
import fs from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { ask, askingProject, call, GATE } from "../fixtures/runs/asked-project.js";

const OPEN = '{"breakpoints":{"answers":"open"}}';
const AGENT = { CLAUDECODE: "1" };

describe.concurrent("an agent that wants to answer itself", () => {
  it("cannot say by a variable where the settings are", async (test) => {
    const project = askingProject(test, GATE, {
      "else/babysitter/config.json": OPEN,
      "home/.config/babysitter/config.json": OPEN,
    });
    const id = await ask(project, "r1", ["--session-id", "s1"]);
    for (const env of [{ XDG_CONFIG_HOME: project.path("else") }, { HOME: project.path("home") }]) {
      const { code, error } = await call(project, ["breakpoint:approve", id], { env: { ...AGENT, ...env } });
      expect([code, error.code]).toEqual([7, "DECISION_NOT_ALLOWED"]);
    }
  });

  it("cannot take the settings of another project by a link to the run", async (test) => {
    const project = askingProject(test, GATE, { "other/.a5c/config.json": OPEN });
    const id = await ask(project, "r1", ["--session-id", "s1"]);
    const runs = project.path("other", ".a5c", "runs");
    fs.mkdirSync(runs);
    fs.symlinkSync(path.join(project.runsDir, "r1"), path.join(runs, "r1"));
    const { code } = await call(project, ["breakpoint:approve", id, "--runs-dir", runs], { env: AGENT });
    expect(code).toBe(7);
  });

  it.for<[how: string, terms: string[]]>([
    ["created in its session", ["--session-id", "s1"]],
    ["bound to it later", []],
  ])("cannot answer in a copy of the run instead: %s", async ([, terms], test) => {
    const project = askingProject(test, GATE);
    await ask(project, "r1", terms);
    if (terms.length === 0) await call(project, ["session:associate", "--session-id", "s1", "--run-id", "r1"]);
    await call(project, ["run:fork", "r1", "--at", "1", "--run-id", "copy"]);
    await call(project, ["run:iterate", "copy"]);
    const { breakpoints } = (await call(project, ["breakpoint:list", "copy"])).doc;
    const { code, error } = await call(project, ["breakpoint:approve", breakpoints[0]?.breakpointId ?? ""]);
    expect([code, error.code]).toEqual([7, "DECISION_NOT_ALLOWED"]);
  });
});

describe.concurrent("answers that are not clear", () => {
  it("high risk is high however it is written", async (test) => {
    const project = askingProject(test, `return ctx.breakpoint({ question: "Ship it?", risk: " High" });`);
    const { code } = await call(project, ["breakpoint:approve", await ask(project, "r1")]);
    expect(code).toBe(7);
  });

  it("a name that two answers have decides nothing", async (test) => {
    const project = askingProject(
      test,
      `return ctx.breakpoint({ question: "Which?", options: [{ id: "a", label: "go" }, { id: "go", label: "stop", reject: true }] });`,
    );
    const id = await ask(project, "r1");
    expect((await call(project, ["breakpoint:approve", id, "--option", "go"])).error.code).toBe(
      "BREAKPOINT_OPTION_UNKNOWN",
    );
    expect((await call(project, ["breakpoint:approve", id, "--option", "a"])).doc.state).toBe("approved");
  });

  it("an empty choice or hash is a mistake, not a yes to whatever it is", async (test) => {
    const project = askingProject(test, GATE);
    const id = await ask(project, "r1");
    for (const flag of ["--option", "--shown"])
      expect((await call(project, ["breakpoint:approve", id, flag, ""])).error.code).toBe("USAGE");
  });

  it("without hooks, too, people decide about what was there when it was asked", async (test) => {
    const project = askingProject(
      test,
      `return ctx.breakpoint({ question: "Ok?", context: { files: ["plan.md"] } });`,
      {
        "plan.md": "good\n",
      },
    );
    await project.create("p.mjs", "r1");
    const { nextActions } = await project.ask(["run:iterate", "r1", "--no-hooks"]);
    project.write({ "plan.md": "evil\n" });
    const { doc } = await call(project, ["breakpoint:show", nextActions[0]?.effectId as string]);
    expect(doc.files).toMatchObject([{ path: "plan.md", text: "good\n", now: "changed" }]);
  });
});
