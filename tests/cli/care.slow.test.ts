import fs from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { Project } from "../fixtures/project.js";

const STEPS = `export async function process(inputs, ctx) {
  const seen = [];
  for (const id of ["a", "b", "c"]) seen.push(await ctx.task({ kind: "agent", id }, { seen }));
  return { seen, run: ctx.runId };
}
`;

/** A run with results for a and b, waiting for c: seven events. */
async function begin(): Promise<Project> {
  const project = new Project({ "p.mjs": STEPS });
  await project.create("p.mjs", "r");
  for (const value of ["A", "B", undefined]) {
    const { nextActions } = await project.ask(["run:iterate", "r"]);
    if (value !== undefined) await project.post("r", nextActions[0]?.effectId ?? "", value);
  }
  return project;
}

const journalFile = (project: Project, seq: number): string => {
  const name = fs
    .readdirSync(path.join(project.runsDir, "r", "journal"))
    .find((file) => file.startsWith(String(seq).padStart(6, "0")));
  return path.join(project.runsDir, "r", "journal", name ?? "");
};

describe("caches", () => {
  it("C4: deleted, stale, corrupt or foreign caches are rebuilt, and every command answers the same", async () => {
    const project = await begin();
    const state = project.path(".a5c/runs/r/state");
    const commands = [
      ["run:status", "r"],
      ["task:list", "r"],
      ["task:list", "r", "--pending"],
      ["run:iterate", "r"],
    ];
    const answers = async (): Promise<unknown[]> => Promise.all(commands.map((args) => project.ask(args)));
    const expected = await answers();
    const journal = project.journal("r");
    const cached = project.tree(state);
    const names = Object.keys(cached).filter((name) => name.endsWith(".json"));
    expect(names).toContain("state.json");
    const damages: (() => void)[] = [
      () => fs.rmSync(state, { recursive: true }),
      () => fs.rmSync(path.join(state, "state.json")),
      ...["", "{", "null", "[]", '{"schemaVersion":1}'].map(
        (text) => () => names.forEach((name) => fs.writeFileSync(path.join(state, name), text)),
      ),
    ];
    for (const damage of damages) {
      damage();
      expect(await answers()).toEqual(expected);
      expect(fs.existsSync(path.join(state, "state.json"))).toBe(true);
    }
    // A cache from the future of this run, as after restoring the journal from a backup.
    const { nextActions } = await project.ask(["run:iterate", "r"]);
    await project.post("r", nextActions[0]?.effectId ?? "", "C");
    await project.ask(["run:iterate", "r"]);
    for (const name of Object.keys(project.journal("r")))
      if (!(name in journal)) fs.rmSync(project.path(".a5c/runs/r/journal", name));
    expect(await answers()).toEqual(expected);
    expect(project.journal("r")).toEqual(journal);
  });

  it("C2 C4: deleted copies of tasks are made again from the journal", async () => {
    const project = await begin();
    fs.rmSync(project.path(".a5c/runs/r/tasks"), { recursive: true });
    const { nextActions } = await project.ask(["run:iterate", "r"]);
    const effectId = nextActions[0]?.effectId ?? "";
    expect(project.readJson(`.a5c/runs/r/tasks/${effectId}/task.json`)).toMatchObject({ effectId, kind: "agent" });
    expect(project.readJson(`.a5c/runs/r/tasks/${effectId}/inputs.json`)).toEqual({ seen: ["A", "B"] });
    await project.post("r", effectId, "C");
    expect(project.readJson(`.a5c/runs/r/tasks/${effectId}/result.json`)).toMatchObject({ status: "ok", value: "C" });
    expect(await project.ask(["run:iterate", "r"])).toMatchObject({ output: { seen: ["A", "B", "C"] } });
  });
});

describe("run:check and run:repair", () => {
  it("C3 C21: a healthy run is ok and has nothing to repair", async () => {
    const project = await begin();
    const checked = await project.ask(["run:check", "r"]);
    expect(checked).toMatchObject({ runId: "r", ok: true, events: 6, findings: [] });
    const before = project.tree();
    expect(await project.ask(["run:repair", "r"])).toEqual({
      runId: "r",
      dryRun: false,
      moved: [],
      backup: null,
      events: 6,
      lost: [],
    });
    expect(project.tree()).toEqual(before);
    expect((await project.run(["run:check", "r"])).stdout).toContain("6 events");
  });

  it("C3 C21: an edited event is found, named and, on request, moved aside with what builds on it", async () => {
    const project = await begin();
    const file = journalFile(project, 5);
    const relative = path.relative(path.join(project.runsDir, "r"), file);
    const original = fs.readFileSync(file, "utf8");
    fs.writeFileSync(file, original.replace('"B"', '"X"'));
    const checked = await project.refuse(["run:check", "r"]);
    expect(checked).toMatchObject({ code: "JOURNAL_BROKEN", exit: 8, details: { events: 4 } });
    expect(checked.message).toContain(relative);
    // Nothing but the caches may be needed to see it.
    fs.rmSync(project.path(".a5c/runs/r/state"), { recursive: true });
    for (const args of [
      ["run:iterate", "r"],
      ["run:status", "r"],
    ])
      expect(await project.refuse(args)).toMatchObject({ code: "JOURNAL_BROKEN", exit: 8 });
    const damaged = project.journal("r");
    const dry = await project.ask(["run:repair", "r", "--dry-run"]);
    expect(dry.moved.map((finding) => finding.file)).toEqual([relative, expect.stringContaining("journal/000006.")]);
    expect(project.journal("r")).toEqual(damaged);
    const repaired = await project.ask(["run:repair", "r"]);
    expect(repaired).toMatchObject({ dryRun: false, events: 4, moved: dry.moved });
    expect(project.tree(project.path(".a5c/runs/r", repaired.backup ?? "", "journal"))).toEqual(damaged);
    expect(await project.ask(["run:check", "r"])).toMatchObject({ ok: true, events: 4, findings: [] });
    const { nextActions } = await project.ask(["run:iterate", "r"]);
    expect(nextActions).toMatchObject([{ taskId: "b" }]);
    await project.post("r", nextActions[0]?.effectId ?? "", "B2");
    expect(await project.ask(["run:iterate", "r"])).toMatchObject({ nextActions: [{ taskId: "c" }] });
  });

  it("C6 C21: values that are lost are named by both; nobody says that there is nothing to repair", async () => {
    const project = new Project({
      "p.mjs": `export async function process(_, ctx) {
  const { stdout } = await ctx.task({ kind: "shell", shell: { command: "head -c 300000 /dev/zero | tr '\\\\0' x" } });
  await ctx.task({ kind: "agent", id: "a" });
}`,
    });
    await project.create("p.mjs", "r");
    await project.run(["run", "r"]);
    const blobs = project.path(".a5c/runs/r/blobs");
    const [blob = ""] = fs.readdirSync(blobs);
    fs.rmSync(path.join(blobs, blob));
    const before = project.journal("r");
    for (const args of [["run:check"], ["run:repair", "--dry-run"], ["run:repair"]]) {
      const refused = await project.refuse([...args, "r"]);
      expect(refused).toMatchObject({ code: "JOURNAL_BROKEN", exit: 8 });
      expect(refused.message).toContain(blob);
      expect(refused.hint).toContain("from a backup");
    }
    expect(project.journal("r")).toEqual(before);
    fs.appendFileSync(journalFile(project, Object.keys(before).length), "x");
    const { moved, lost } = await project.ask(["run:repair", "r"]);
    expect(moved).toHaveLength(1);
    expect(lost).toMatchObject([{ file: `blobs/${blob}` }]);
  });

  it("C3 C21: a lost event, a lost start and foreign files are told apart", async () => {
    const project = await begin();
    fs.writeFileSync(project.path(".a5c/runs/r/journal/notes.txt"), "mine");
    const strange = await project.ask(["run:check", "r"]);
    expect(strange).toMatchObject({ ok: true, findings: [{ file: "journal/notes.txt", harmless: true }] });
    expect(await project.ask(["run:iterate", "r"])).toMatchObject({ status: "waiting" });
    const middle = journalFile(project, 3);
    const text = fs.readFileSync(middle);
    fs.rmSync(middle);
    expect(await project.refuse(["run:check", "r"])).toMatchObject({ code: "JOURNAL_BROKEN", exit: 8 });
    fs.writeFileSync(middle, text);
    expect(await project.ask(["run:check", "r"])).toMatchObject({ ok: true });
    fs.rmSync(journalFile(project, 1));
    const beheaded = project.journal("r");
    expect(await project.refuse(["run:check", "r"])).toMatchObject({ code: "JOURNAL_BROKEN", exit: 8 });
    expect(await project.refuse(["run:repair", "r"])).toMatchObject({ code: "JOURNAL_BROKEN", exit: 8 });
    expect(project.journal("r")).toEqual(beheaded);
  });
});

describe("run:fork", () => {
  it("C21: continues from an event in a copy, with today's code, and leaves the original alone", async () => {
    const project = await begin();
    const original = project.tree(path.join(project.runsDir, "r"));
    // Event 3 is the result of a; b was asked for after it.
    const forked = await project.ask(["run:fork", "r", "--at", "3", "--run-id", "copy"]);
    expect(forked).toMatchObject({
      runId: "copy",
      runDir: path.join(project.runsDir, "copy"),
      forkedFrom: { runId: "r", at: 3 },
    });
    expect(project.tree(path.join(project.runsDir, "r"))).toEqual(original);
    expect(await project.ask(["run:check", "copy"])).toMatchObject({ ok: true, events: 3 });
    project.write({ "p.mjs": STEPS.replace('"b", "c"', '"other"') });
    const { nextActions } = await project.ask(["run:iterate", "copy"]);
    expect(nextActions).toMatchObject([{ taskId: "other" }]);
    expect(nextActions[0]?.effectId).not.toBe("");
    await project.post("copy", nextActions[0]?.effectId ?? "", "O");
    expect(await project.ask(["run:iterate", "copy"])).toMatchObject({
      status: "completed",
      output: { seen: ["A", "O"], run: "copy" },
    });
    expect(project.readJson(".a5c/runs/copy/run.json")).toMatchObject({
      runId: "copy",
      forkedFrom: { runId: "r", at: 3 },
    });
  });

  it("C21: a finished run can be forked; mistakes create nothing", async () => {
    const project = await begin();
    const { nextActions } = await project.ask(["run:iterate", "r"]);
    await project.post("r", nextActions[0]?.effectId ?? "", "C");
    await project.ask(["run:iterate", "r"]);
    const total = Object.keys(project.journal("r")).length;
    const copy = await project.ask(["run:fork", "r", "--at", String(total)]);
    expect(copy.runId).not.toBe("r");
    expect(await project.ask(["run:iterate", copy.runId])).toMatchObject({
      status: "completed",
      output: { seen: ["A", "B", "C"], run: copy.runId },
    });
    const before = project.tree();
    const cases: [string[], string, number][] = [
      [["r"], "USAGE", 2],
      [["r", "--at", "0"], "USAGE", 2],
      [["r", "--at", String(total + 1)], "USAGE", 2],
      [["r", "--at", "x"], "USAGE", 2],
      [["r", "--at", "1", "--run-id", "../x"], "INVALID_ID", 2],
      [["r", "--at", "1", "--run-id", "r"], "RUN_EXISTS", 7],
      [["none", "--at", "1"], "RUN_NOT_FOUND", 2],
    ];
    const refusals = await Promise.all(cases.map(([args]) => project.refuse(["run:fork", ...args])));
    expect(refusals.map(({ code, exit }) => [code, exit])).toEqual(cases.map(([, code, exit]) => [code, exit]));
    expect(project.tree()).toEqual(before);
  });
});
