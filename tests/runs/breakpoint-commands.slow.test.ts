import fs from "node:fs";
import path from "node:path";
import { describe, it } from "vitest";
import { ask, askingProject, call, GATE } from "../fixtures/runs/asked-project.js";

describe.concurrent("breakpoint commands", () => {
  it("C22: list, show, comment and approve lead from the question to the end of the run", async ({
    expect,
    onTestFinished,
  }) => {
    const project = askingProject({ onTestFinished }, GATE);
    const id = await ask(project, "r1");
    const list = await project.run(["breakpoint:list"]);
    expect(list.stdout).toContain(id);
    expect(list.stdout).toContain("Ship it?");
    expect(list.stdout).toContain(`next: babysitter breakpoint:show ${id}`);
    const shown = await call(project, ["breakpoint:show", id.slice(0, 14)]);
    expect(shown).toMatchObject({
      code: 0,
      doc: { breakpointId: id, runId: "r1", state: "open", question: "Ship it?" },
    });
    const comment = await project.run(["breakpoint:comment", id, "--text", "after lunch?"]);
    expect(comment.stdout).toContain(`next: babysitter breakpoint:approve ${id}`);
    const done = await project.run(["breakpoint:approve", id.slice("effect-".length, 15), "--option", "later"]);
    expect(done).toMatchObject({ code: 0, stdout: expect.stringContaining("next: babysitter run r1") as string });
    const { output } = await project.ask(["run:iterate", "r1"]);
    expect(output).toEqual({ approved: true, option: "later", comments: 1 });
    const { doc } = await call(project, ["breakpoint:show", id]);
    expect(doc).toMatchObject({
      state: "approved",
      comments: [{ text: "after lunch?" }],
      result: { approved: true, via: "cli", verified: false, shown: shown.doc.shown },
    });
    expect((await project.run(["breakpoint:list"])).stdout).toBe("Nothing in this project is waiting for you.\n");
    expect((await call(project, ["breakpoint:list", "--all-runs"])).doc.breakpoints).toMatchObject([
      { state: "approved" },
    ]);
  });

  it("C22: the list covers all runs, the oldest question first, and shows the risk", async ({
    expect,
    onTestFinished,
  }) => {
    const body = `return (await ctx.breakpoint({ question: "Question " + inputs.n, risk: inputs.risk })).approved;`;
    const project = askingProject({ onTestFinished }, body);
    const ids: string[] = [];
    for (const [n, risk] of [
      [1, "high"],
      [2, "low"],
      [3, undefined],
    ] as const) {
      project.write({ "in.json": JSON.stringify({ n, risk }) });
      ids.push(await ask(project, `r${4 - n}`, ["--inputs", "in.json"]));
    }
    await project.ask(["run:cancel", "r2"]);
    const { doc } = await call(project, ["breakpoint:list"]);
    expect(doc.breakpoints.map(({ breakpointId, runId, risk }) => [breakpointId, runId, risk])).toEqual([
      [ids[0], "r3", "high"],
      [ids[2], "r1", undefined],
    ]);
    expect((await call(project, ["breakpoint:list", "r1"])).doc.breakpoints).toHaveLength(1);
    const all = await call(project, ["breakpoint:list", "--all-runs"]);
    expect(all.doc.breakpoints.map(({ state }) => state)).toEqual(["open", "abandoned", "open"]);
  });

  it("C22: lists the questions of all projects, by name, with commands that work from anywhere", async ({
    expect,
    onTestFinished,
  }) => {
    const project = askingProject({ onTestFinished }, GATE);
    const other = path.join(project.root, "other project");
    fs.cpSync(project.dir, other, { recursive: true });
    const there = { cwd: other };
    const first = await ask(project, "r1");
    expect((await project.run(["breakpoint:list"], there)).stdout).toBe(
      "Nothing in this project is waiting for you. For all of yours: babysitter breakpoint:list --all-projects\n",
    );
    await project.ask(["run:create", "--process-id", "q", "--entry", "p.mjs", "--run-id", "r2"], there);
    await project.ask(["run:iterate", "r2"], there);
    await project.ask(["run:create", "--process-id", "q", "--entry", "p.mjs", "--run-id", "torn"], there);
    const damaged = path.join(other, ".a5c", "runs", "torn");
    const [event = ""] = fs.readdirSync(path.join(damaged, "journal"));
    fs.writeFileSync(path.join(damaged, "journal", event), "{");
    const listed = ["breakpoint:list", "--all-projects"];
    const { doc } = await call(project, listed);
    expect(doc.breakpoints).toMatchObject([
      { breakpointId: first, runId: "r1", project: project.dir },
      { runId: "r2", project: other },
    ]);
    const { stdout } = await project.run(listed, { cwd: project.root });
    expect(stdout).toMatch(/ project\/r1 [^]* other project\/r2 /u);
    expect(stdout).toContain(`See: babysitter run:check '${damaged}'`);
    await project.ask(["run:cancel", "r1"]);
    const second = doc.breakpoints[1]?.breakpointId ?? "";
    const runs = path.join(other, ".a5c", "runs");
    expect((await call(project, listed)).doc.next).toBe(`babysitter breakpoint:show ${second} --runs-dir '${runs}'`);
    const shown = await project.run(["breakpoint:show", second, "--runs-dir", runs], { cwd: project.root });
    expect([shown.code, shown.stdout]).toEqual([0, expect.stringContaining("Ship it?") as string]);
    expect((await project.refuse([...listed, "r1"])).code).toBe("USAGE");
  });

  it("C22: a question is named by its ID or a unique prefix of it", async ({ expect, onTestFinished }) => {
    const project = askingProject(
      { onTestFinished },
      `await Promise.all(Array.from({ length: 40 }, (_, n) => ctx.breakpoint("Question " + n)));`,
    );
    const id = await ask(project, "r");
    const ids = (await call(project, ["breakpoint:list"])).doc.breakpoints.map(({ breakpointId }) => breakpointId);
    expect(ids).toHaveLength(40);
    expect(await call(project, ["breakpoint:show", "effect-"])).toMatchObject({
      code: 2,
      error: { code: "BREAKPOINT_NOT_FOUND" },
    });
    expect(await call(project, ["breakpoint:show", "effect-zzzz"])).toMatchObject({
      code: 2,
      error: { code: "BREAKPOINT_NOT_FOUND", hint: expect.stringContaining("breakpoint:list") as string },
    });
    expect(await call(project, ["breakpoint:show", id.slice(0, 17), "--run", "r"])).toMatchObject({ code: 0 });
    expect(await call(project, ["breakpoint:show", id, "--run", "other"])).toMatchObject({ code: 2 });
    expect(await call(project, ["breakpoint:show"])).toMatchObject({ code: 2, error: { code: "USAGE" } });
  });

  it("C22: whoever names a run instead reads which question it has", async ({ expect, onTestFinished }) => {
    const body = `await ctx.parallel.all([...Array(inputs.n ?? 1)].map((_, n) => () => ctx.breakpoint({ question: "Ship " + n + "?" })));`;
    const project = askingProject({ onTestFinished }, body);
    const id = await ask(project, "one");
    project.write({ "in.json": '{ "n": 2 }' });
    await ask(project, "two", ["--inputs", "in.json"]);
    const hintFor = async (run: string): Promise<string> => (await project.run(["breakpoint:approve", run])).stderr;
    expect(await hintFor("one")).toContain("BREAKPOINT_NOT_FOUND");
    expect(await hintFor("one")).toContain(`Run one has one open question: babysitter breakpoint:show ${id}`);
    expect(await hintFor("two")).toContain("Run two has 2 open questions: babysitter breakpoint:list two");
    await project.ask(["run:cancel", "one"]);
    expect(await hintFor("one")).toContain("To see where it stands: babysitter run:status one");
  });

  it("C22: an answer that was given before does not continue a run that has ended", async ({
    expect,
    onTestFinished,
  }) => {
    const project = askingProject({ onTestFinished }, GATE);
    const id = await ask(project, "r1");
    const approve = ["breakpoint:approve", id, "--option", "later"];
    expect((await project.run(approve)).stdout).toContain("next: babysitter run r1");
    await project.ask(["run:iterate", "r1"]);
    const again = await project.run(approve);
    expect([again.code, again.stdout]).toEqual([0, expect.stringMatching(/^Already decided the same way/u)]);
    expect(again.stdout).not.toContain("next:");
  });

  it("C22: a rejection needs a reason, an option must be offered, a comment must say something", async ({
    expect,
    onTestFinished,
  }) => {
    const project = askingProject({ onTestFinished }, GATE);
    const id = await ask(project, "r");
    for (const args of [
      ["breakpoint:reject", id],
      ["breakpoint:reject", id, "--reason", ""],
      ["breakpoint:reject", id, "--reason", "  "],
      ["breakpoint:approve", id, "--option", "never"],
      ["breakpoint:comment", id],
      ["breakpoint:comment", id, "--text", " "],
    ])
      expect({ args, code: (await project.run(args)).code }).toEqual({ args, code: 2 });
    expect((await call(project, ["breakpoint:show", id])).doc.state).toBe("open");
    expect(await call(project, ["breakpoint:reject", id, "--reason", "too early"])).toMatchObject({
      code: 0,
      doc: { outcome: "committed", state: "rejected", next: "babysitter run r" },
    });
    expect((await project.ask(["run:iterate", "r"])).output).toMatchObject({ approved: false, feedback: "too early" });
  });

  it("C22: whoever answers second is told what was decided, and by whom", async ({ expect, onTestFinished }) => {
    const project = askingProject({ onTestFinished }, GATE);
    const id = await ask(project, "r");
    expect(await call(project, ["breakpoint:reject", id, "--reason", "no budget"])).toMatchObject({ code: 0 });
    expect(await call(project, ["breakpoint:reject", id, "--reason", "no budget"])).toMatchObject({
      code: 0,
      doc: { outcome: "duplicate" },
    });
    const late = await call(project, ["breakpoint:approve", id]);
    expect(late).toMatchObject({ code: 7, error: { code: "EFFECT_ALREADY_RESOLVED" } });
    expect(late.error.message).toMatch(/rejected by .+, cli, .+: no budget/u);
    expect((await call(project, ["breakpoint:comment", id, "--text", "hm"])).code).toBe(7);
  });

  it("C22: ten contradictory commands at once have one winner", async ({ expect, onTestFinished }) => {
    const project = askingProject({ onTestFinished }, GATE);
    const id = await ask(project, "r");
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        call(
          project,
          index % 2 === 0
            ? ["breakpoint:reject", id, "--reason", `reason ${index}`]
            : ["breakpoint:approve", id, "--response", `go ${index}`],
        ),
      ),
    );
    expect(answers.filter(({ code }) => code === 0)).toHaveLength(1);
    expect(answers.filter(({ code, error }) => code === 7 && error.code === "EFFECT_ALREADY_RESOLVED")).toHaveLength(9);
    const { events } = await project.ask(["run:events", "r", "--filter-type", "EFFECT_RESOLVED"]);
    expect(events).toHaveLength(1);
    const value = events.map(({ payload }) => (payload["result"] as { value: { comment: string } }).value)[0];
    for (const { error } of answers.filter(({ code }) => code !== 0))
      expect(error.message).toContain(`: ${value?.comment}`);
  }, 120_000);

  it("C22: in a run of an agent's session neither a command without a terminal nor task:post decides", async ({
    expect,
    onTestFinished,
  }) => {
    const project = askingProject({ onTestFinished }, GATE);
    const id = await ask(project, "r", ["--harness", "claude-code", "--session-id", "s-1"]);
    const post = ["task:post", "r", id, "--status", "ok", "--value", "-"];
    const stdin = JSON.stringify({ approved: true, via: "telegram", verified: true });
    for (const env of [{}, { CLAUDECODE: "1" }, { CLAUDECODE: "1", BABYSITTER_BREAKPOINT_ANSWERS: "open" }] as Record<
      string,
      string
    >[]) {
      for (const refused of [
        await call(project, ["breakpoint:approve", id], { env }),
        await call(project, ["breakpoint:reject", id, "--reason", "no"], { env }),
        await call(project, post, { env, stdin }),
        await call(project, [...post, "--dry-run"], { env, stdin }),
        await call(project, ["task:post", "r", id, "--status", "ok"], { env }),
        await call(project, ["task:post", "r", id, "--status", "error"], { env }),
      ]) {
        expect(refused).toMatchObject({ code: 7, error: { code: "DECISION_NOT_ALLOWED" } });
        expect(refused.error.hint).toContain(`breakpoint:approve ${id}`);
      }
      expect(await call(project, ["breakpoint:comment", id, "--text", "please look"], { env })).toMatchObject({
        code: 0,
      });
    }
    expect((await call(project, ["breakpoint:show", id])).doc).toMatchObject({ state: "open", result: null });
    // A loop keeps the rule that it was begun with, whoever edits the settings; the next one has the new rule.
    project.write({ ".a5c/config.json": JSON.stringify({ breakpoints: { answers: "open" } }) });
    expect(await call(project, post, { stdin })).toMatchObject({ code: 7, error: { code: "DECISION_NOT_ALLOWED" } });
    const other = await ask(project, "later", ["--harness", "claude-code", "--session-id", "s-2"]);
    const again = ["task:post", "later", other, "--status", "ok", "--value", "-"];
    expect(await call(project, again, { stdin })).toMatchObject({ code: 0, doc: { outcome: "committed" } });
    expect((await call(project, ["breakpoint:show", other])).doc.result).toMatchObject({
      via: "task:post",
      verified: false,
    });
  });

  it("C22: in a run of nobody's session an agent's answer counts and is recorded as unverified", async ({
    expect,
    onTestFinished,
  }) => {
    const project = askingProject({ onTestFinished }, GATE);
    const id = await ask(project, "r");
    const env = { CLAUDECODE: "1" };
    expect(await call(project, ["breakpoint:approve", id], { env })).toMatchObject({ code: 0 });
    const { events } = await project.ask(["run:events", "r", "--filter-type", "EFFECT_RESOLVED"]);
    expect(events[0]?.payload).toMatchObject({
      result: { value: { approved: true, via: "cli", verified: false } },
      metadata: { source: { via: "cli", terminal: false, agent: true } },
    });
  });

  it("C22: a question of high risk waits for an identified person", async ({ expect, onTestFinished }) => {
    const project = askingProject(
      { onTestFinished },
      `return (await ctx.breakpoint({ question: "Drop the table?", risk: "high" })).approved;`,
    );
    const id = await ask(project, "r");
    for (const refused of [
      await call(project, ["breakpoint:approve", id]),
      await call(project, ["task:post", "r", id, "--status", "ok", "--value", "-"], { stdin: '{"approved":true}' }),
    ]) {
      expect(refused).toMatchObject({ code: 7, error: { code: "DECISION_NOT_ALLOWED" } });
      expect(refused.error.hint).toContain("answers: open");
    }
    expect(
      await call(project, ["breakpoint:approve", id], { env: { BABYSITTER_BREAKPOINT_ANSWERS: "open" } }),
    ).toMatchObject({ code: 0 });
  });

  it("C22: hidden characters in a question, a comment or a file are made visible", async ({
    expect,
    onTestFinished,
  }) => {
    const evil = "ok\u001b[2J\u001b[31mred\u001b]0;title\u0007\u202egnp.exe\u200b\u009b1m";
    const project = askingProject(
      { onTestFinished },
      `return (await ctx.breakpoint({ question: ${JSON.stringify(evil)}, title: "T\\u001b[8mhidden", context: { files: ["evil.txt"], ${JSON.stringify(evil)}: 1 } })).approved;`,
      { "evil.txt": `first\n${evil}\r\nlast\n` },
    );
    const id = await ask(project, "r");
    await project.run(["breakpoint:comment", id, "--text", evil]);
    for (const args of [["breakpoint:list"], ["breakpoint:show", id], ["report"]]) {
      const { stdout, code } = await project.run(args);
      expect({ args, code }).toEqual({ args, code: 0 });
      expect(stdout).toContain(String.raw`\x1b[2J`);
      expect(stdout).toContain(String.raw`\u{202e}`);
      expect(stdout.match(/(?!\n)[\p{Cc}\p{Cf}]/gu)).toBeNull();
    }
    expect((await project.run(["breakpoint:show", id])).stdout).toContain("  | last");
  });

  it("C22: a decision for something else than what is shown is refused", async ({ expect, onTestFinished }) => {
    const project = askingProject({ onTestFinished }, GATE);
    const id = await ask(project, "r");
    const { shown } = (await call(project, ["breakpoint:show", id])).doc;
    expect(await call(project, ["breakpoint:approve", id, "--shown", "0".repeat(64)])).toMatchObject({
      code: 7,
      error: { code: "BREAKPOINT_CHANGED", message: expect.stringContaining("does not have the hash 000") as string },
    });
    expect(await call(project, ["breakpoint:approve", id, "--shown", shown])).toMatchObject({ code: 0 });
  });
});
