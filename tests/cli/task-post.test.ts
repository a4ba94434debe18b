import fs from "node:fs";
import { describe, expect, it } from "vitest";
import { Project } from "../fixtures/project.js";

const PROCESS = `export async function process(inputs, ctx) {
  const results = await ctx.parallel.settled([
    () => ctx.task({ kind: "agent", id: "a" }),
    () => ctx.task({ kind: "agent", id: "b" }),
    () => ctx.breakpoint({ question: "Go on?" }, { onReject: "return" }),
  ]);
  return results.map(({ status, value, reason }) =>
    status === "fulfilled" ? value : { name: reason.name, message: reason.message, code: reason.code, exitCode: reason.exitCode });
}
`;

async function begin(
  files: Record<string, string> = {},
): Promise<{ project: Project; a: string; b: string; gate: string }> {
  const project = new Project({ "p.mjs": PROCESS, ...files });
  await project.create("p.mjs", "r");
  const { nextActions } = await project.ask(["run:iterate", "r"]);
  const [a = "", b = "", gate = ""] = nextActions.map(({ effectId }) => effectId);
  return { project, a, b, gate };
}

describe("task:post", () => {
  it("C17: records value, logs, times and metadata, and answers the documented document", async () => {
    const { project, a, b } = await begin({
      "value.json": '{"score":85}',
      "meta.json": '{"model":"m-1"}',
      "out.txt": "out\n",
      "err.txt": "err\n",
    });
    const refs = {
      resultRef: `tasks/${a}/result.json`,
      stdoutRef: `tasks/${a}/stdout.log`,
      stderrRef: `tasks/${a}/stderr.log`,
    };
    const posted = await project.ask([
      "task:post",
      "r",
      a,
      "--status",
      "ok",
      "--value",
      "value.json",
      "--metadata",
      "meta.json",
      "--stdout-file",
      "out.txt",
      "--stderr-file",
      "err.txt",
      "--invocation-key",
      "par1[0]/a:1",
      "--attempt",
      "1",
      "--started-at",
      "2026-01-20T10:00:00Z",
      "--finished-at",
      "2026-01-20T11:00:00+01:00",
    ]);
    expect(posted).toEqual({
      status: "ok",
      outcome: "committed",
      effectId: a,
      committed: { ...refs, startedAt: "2026-01-20T10:00:00.000Z", finishedAt: "2026-01-20T10:00:00.000Z" },
      ...refs,
    });
    expect(project.readJson(".a5c/runs/r", refs.resultRef)).toMatchObject({
      status: "ok",
      value: { score: 85 },
      metadata: { model: "m-1" },
      stdoutRef: refs.stdoutRef,
    });
    expect(project.read(".a5c/runs/r", refs.stdoutRef)).toBe("out\n");
    expect(project.read(".a5c/runs/r", refs.stderrRef)).toBe("err\n");
    const [event] = (await project.ask(["run:events", "r", "--reverse", "--limit", "1"])).events;
    expect(event).toMatchObject({
      type: "EFFECT_RESOLVED",
      effectId: a,
      invocationKey: "par1[0]/a:1",
      payload: { status: "ok", result: { value: { score: 85 } }, metadata: { model: "m-1" }, by: "post", attempt: 1 },
    });
    const referred = await project.ask([
      "task:post",
      "r",
      b,
      "--status",
      "ok",
      "--stdout-ref",
      "s3://out",
      "--stderr-ref",
      "s3://err",
    ]);
    expect(referred).toMatchObject({ stdoutRef: "s3://out", committed: { stderrRef: "s3://err" } });
  });

  it("C17: an error is committed with exit 0 and thrown at the call with its data", async () => {
    const { project, a, b, gate } = await begin({
      "error.json": '{"name":"BuildError","message":"exit 2","code":"E_BUILD","exitCode":2}',
    });
    const posted = await project.run(["task:post", "r", a, "--status", "error", "--error", "error.json", "--json"]);
    expect(posted.code).toBe(0);
    expect(posted.json()).toMatchObject({ status: "error", outcome: "committed" });
    await project.ask(["task:post", "r", b, "--status", "error"]);
    await project.post("r", gate, { approved: false, feedback: "not yet" });
    expect((await project.ask(["run:iterate", "r"])).output).toMatchObject([
      { name: "BuildError", message: "exit 2", code: "E_BUILD", exitCode: 2 },
      { name: "Error" },
      { approved: false, feedback: "not yet" },
    ]);
  });

  it("C6 C17: --value is looked for in the current folder, then in the run; - is stdin; large values survive", async () => {
    const { project, a, b, gate } = await begin({ "sub/here.json": '"from the folder"' });
    fs.writeFileSync(project.path(".a5c/runs/r/here.json"), '"from the run"');
    fs.writeFileSync(project.path(".a5c/runs/r/artifacts/there.json"), '{"approved":true,"comment":"artifact"}');
    const cwd = project.path("sub");
    await project.ask(["task:post", "r", a, "--status", "ok", "--value", "here.json"], { cwd });
    await project.ask(["task:post", "r", gate, "--status", "ok", "--value", "artifacts/there.json"], { cwd });
    const large = { text: "ä".repeat(200_000), list: [null, true, 1.5, "", {}] };
    await project.post("r", b, large);
    expect(await project.post("r", b, large)).toMatchObject({ outcome: "duplicate" });
    expect(fs.readdirSync(project.path(".a5c/runs/r/blobs"))).toHaveLength(1);
    const [first, second, third] = (await project.ask(["run:iterate", "r"])).output as unknown[];
    expect(first).toBe("from the folder");
    expect(second).toEqual(large);
    expect(third).toMatchObject({ approved: true, comment: "artifact" });
    expect(await project.ask(["run:check", "r"])).toMatchObject({ ok: true, findings: [] });
  });

  it("C17: the same result again is a duplicate with exit 0 and changes nothing, logs included", async () => {
    const { project, a } = await begin({ "v.json": '{"x":1,"y":2}', "out.txt": "first\n", "later.txt": "later\n" });
    const post = ["task:post", "r", a, "--status", "ok", "--value"];
    await project.ask([...post, "v.json", "--stdout-file", "out.txt"]);
    const journal = project.journal("r");
    const again = await project.ask([...post, "-"], { stdin: '{ "y": 2, "x": 1 }' });
    expect(again).toMatchObject({
      outcome: "duplicate",
      status: "ok",
      recorded: { status: "ok", value: { x: 1, y: 2 } },
    });
    await project.ask([...post, "v.json", "--stdout-file", "later.txt"]);
    expect(project.read(`.a5c/runs/r/tasks/${a}/stdout.log`)).toBe("first\n");
    const other = await project.refuse([...post, "-"], { stdin: '{"x":1}' });
    expect(other).toMatchObject({ code: "EFFECT_ALREADY_RESOLVED", exit: 7 });
    expect(other.message).toContain('{"x":1,"y":2}');
    expect(other.details["recorded"]).toEqual({ status: "ok", value: { x: 1, y: 2 } });
    expect(await project.refuse(["task:post", "r", a, "--status", "error"])).toMatchObject({
      code: "EFFECT_ALREADY_RESOLVED",
    });
    expect(project.journal("r")).toEqual(journal);
  });

  it("C17: mistakes have their codes and exits, and leave the run as it is", async () => {
    const { project, a, gate } = await begin({
      "bad.json": "{",
      "ok.json": "1",
      "out.txt": "out\n",
      "yes.json": '"yes"',
    });
    const before = project.tree();
    const post = ["task:post", "r", a];
    const ok = [...post, "--status", "ok"];
    const cases: [string, number, string[]][] = [
      ["USAGE", 2, ["task:post"]],
      ["USAGE", 2, post],
      ["USAGE", 2, [...post, "--status", "done"]],
      ["USAGE", 2, [...post, "--status", ""]],
      ["USAGE", 2, [...ok, "--error", "ok.json"]],
      ["USAGE", 2, [...ok, "--attempt", "one"]],
      ["USAGE", 2, [...ok, "--started-at", "yesterday"]],
      ["USAGE", 2, [...ok, "--finished-at", "2026-13-45"]],
      ["USAGE", 2, [...ok, "--unknown"]],
      ["USAGE", 2, [...ok, "one-too-many", "--value", "ok.json"]],
      ["INVALID_ID", 2, ["task:post", "r", "../a", "--status", "ok"]],
      ["EFFECT_NOT_FOUND", 2, ["task:post", "r", "effect-unknown", "--status", "ok"]],
      ["EFFECT_NOT_FOUND", 2, ["task:post", "r", "constructor", "--status", "ok"]],
      ["RUN_NOT_FOUND", 2, ["task:post", "nowhere", a, "--status", "ok"]],
      ["INPUT_NOT_JSON", 2, [...ok, "--value", "bad.json"]],
      ["INPUT_NOT_FOUND", 2, [...ok, "--value", "missing.json"]],
      ["INPUT_NOT_JSON", 2, [...post, "--status", "error", "--error", "bad.json"]],
      ["INPUT_NOT_JSON", 2, [...ok, "--metadata", "bad.json"]],
      ["INPUT_NOT_FOUND", 2, [...ok, "--stdout-file", "missing.txt"]],
      ["INPUT_NOT_FOUND", 2, [...ok, "--stdout-file", "out.txt", "--stderr-file", "missing.txt"]],
      ["INVOCATION_KEY_MISMATCH", 7, [...ok, "--invocation-key", "a:1"]],
      ["ATTEMPT_STALE", 7, [...ok, "--attempt", "2"]],
      ["BREAKPOINT_ANSWER_UNCLEAR", 2, ["task:post", "r", gate, "--status", "ok"]],
      ["BREAKPOINT_ANSWER_UNCLEAR", 2, ["task:post", "r", gate, "--status", "ok", "--value", "yes.json"]],
    ];
    const refusals = await Promise.all(cases.map(([, , args]) => project.refuse(args)));
    expect(refusals.map(({ code, exit }, index) => [code, exit, cases[index]?.[2].join(" ")])).toEqual(
      cases.map(([code, exit, args]) => [code, exit, args.join(" ")]),
    );
    expect(project.tree()).toEqual(before);
    // A dry run goes through the same checks and records nothing either.
    expect(await project.ask([...ok, "--value", "ok.json", "--stdout-file", "out.txt", "--dry-run"])).toMatchObject({
      dryRun: true,
      status: "ok",
    });
    expect(await project.refuse([...ok, "--attempt", "2", "--dry-run"])).toMatchObject({ code: "ATTEMPT_STALE" });
    expect(project.tree()).toEqual(before);
  });

  it("C17: a finished run accepts no more results", async () => {
    const project = new Project({
      "p.mjs": `export async function process(inputs, ctx) {
  return Promise.race([ctx.task({ kind: "agent", id: "too late" }), "done"]);
}`,
    });
    await project.create("p.mjs", "r");
    await project.ask(["run:iterate", "r"]);
    const [task] = (await project.ask(["task:list", "r"])).tasks;
    expect(task).toMatchObject({ status: "abandoned" });
    expect((await project.ask(["task:list", "r", "--pending"])).tasks).toEqual([]);
    const journal = project.journal("r");
    const refused = await project.refuse(["task:post", "r", task?.effectId ?? "", "--status", "ok"]);
    expect(refused).toMatchObject({ code: "RUN_FINISHED", exit: 7, details: { outcome: "rejected" } });
    expect(project.journal("r")).toEqual(journal);
  });

  it("C17 C18: a stdin that says nothing is given up when it is needed, and never waited for when it is not", async () => {
    const { project, a } = await begin();
    const env = { BABYSITTER_STDIN_TIMEOUT_MS: "500" };
    const before = project.journal("r");
    const [timedOut, inputs, status, iterate, list] = await Promise.all([
      project.refuse(["task:post", "r", a, "--status", "ok", "--value", "-"], { env, stdin: "open" }),
      project.refuse(["run:create", "--process-id", "x", "--entry", "p.mjs", "--inputs", "-"], { env, stdin: "open" }),
      project.ask(["run:status", "r"], { stdin: "open" }),
      project.ask(["run:iterate", "r"], { stdin: "open" }),
      project.ask(["run:list"], { stdin: "open" }),
    ]);
    expect(timedOut).toMatchObject({ code: "STDIN_TIMEOUT", exit: 2 });
    expect(timedOut.message).toContain("500 ms");
    expect(inputs).toMatchObject({ code: "STDIN_TIMEOUT", exit: 2 });
    expect([status.state, iterate.status, list.runs.length]).toEqual(["waiting", "waiting", 1]);
    const twice = ["task:post", "r", a, "--status", "ok", "--value", "-", "--metadata", "-"];
    expect(await project.refuse(twice, { stdin: "1" })).toMatchObject({ code: "USAGE", exit: 2 });
    expect(project.journal("r")).toEqual(before);
    expect(await project.ask(["task:post", "r", a, "--status", "ok"], { stdin: "open" })).toMatchObject({
      outcome: "committed",
    });
  });

  it("C17: many posters at once: one result is recorded, the others are told", async () => {
    const { project, a } = await begin();
    const posters = await Promise.all(
      [1, 2, 3, 4, 5].map((n) =>
        project.run(["task:post", "r", a, "--status", "ok", "--value", "-", "--json"], { stdin: String(n % 2) }),
      ),
    );
    const outcomes = posters.map((done) => `${done.code} ${done.json().outcome ?? done.json().error.code}`);
    expect(outcomes.filter((outcome) => outcome === "0 committed")).toHaveLength(1);
    for (const outcome of outcomes)
      expect(["0 committed", "0 duplicate", "7 EFFECT_ALREADY_RESOLVED"]).toContain(outcome);
    const resolved = await project.ask(["run:events", "r", "--filter-type", "EFFECT_RESOLVED"]);
    expect(resolved.events).toHaveLength(1);
  });
});
