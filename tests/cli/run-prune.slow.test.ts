import { spawn } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { type JournalFs, nodeFs } from "../../packages/sdk/src/journal/files/journal-fs.js";
import { parseRunId } from "../../packages/sdk/src/model/ids.js";
import { daysAgo, headOfRun, recordRun, relaxedStorage, requested } from "../fixtures/cli/recorded-runs.js";
import { CLI, cleanEnvironment } from "../fixtures/command-line.js";
import { Project } from "../fixtures/project.js";

interface PruneDoc {
  removed: { runId: string; runDir: string; state: string; bytes: number; archived: boolean }[];
  leftovers: { path: string; what: string; bytes: number }[];
  bytes: number;
  dryRun: boolean;
}

const prune = async (project: Project, ...args: string[]): Promise<PruneDoc> =>
  (await project.ask(["run:prune", ...args, ...(args.includes("--dry-run") ? [] : ["--yes"])])) as unknown as PruneDoc;

const idsOf = ({ removed }: PruneDoc): string[] => removed.map(({ runId }) => runId).toSorted();

const left = async (project: Project, ...more: string[]): Promise<string[]> =>
  (await project.ask(["run:list", ...more])).runs.map(({ runId }) => runId).toSorted();

/** Runs of every state, old and young; the number is their age in days. */
async function manyRuns(): Promise<Project> {
  const project = new Project();
  for (const end of ["completed", "cancelled", "failed"] as const)
    for (const days of [1, 40, 50]) await recordRun(project.runsDir, `${end}-${days}`, { at: daysAgo(days), end });
  await recordRun(project.runsDir, "open-50", { at: daysAgo(50), events: [requested(daysAgo(50))] });
  return project;
}

function makeOld(file: string): void {
  const then = new Date(daysAgo(2));
  fs.utimesSync(file, then, then);
}

describe("run:prune", () => {
  it("deletes old completed and cancelled runs, and tells which and how many bytes", async () => {
    const project = await manyRuns();
    const doc = await prune(project, "--older-than", "30d");
    expect(idsOf(doc)).toEqual(["cancelled-40", "cancelled-50", "completed-40", "completed-50"]);
    expect(await left(project)).toEqual([
      "cancelled-1",
      "completed-1",
      "failed-1",
      "failed-40",
      "failed-50",
      "open-50",
    ]);
    expect(doc.removed.every(({ bytes, runDir }) => bytes > 0 && !fs.existsSync(runDir))).toBe(true);
    expect(doc.bytes).toBe(doc.removed.reduce((sum, { bytes }) => sum + bytes, 0));
    expect(fs.readdirSync(project.runsDir).filter((name) => name.startsWith("."))).toEqual([]);
    const again = await project.run(["run:prune", "--older-than", "30d"]);
    expect([again.code, again.stdout]).toEqual([0, "Nothing to remove.\n"]);
  });

  it("knows hours and weeks, takes failed runs with --failed, and keeps the newest with --keep", async () => {
    const project = await manyRuns();
    expect(idsOf(await prune(project, "--older-than", "6w", "--dry-run"))).toEqual(["cancelled-50", "completed-50"]);
    expect(idsOf(await prune(project, "--older-than", "12h", "--dry-run"))).toHaveLength(6);
    expect(idsOf(await prune(project, "--older-than", "12h", "--keep", "2", "--dry-run"))).toEqual([
      "cancelled-40",
      "cancelled-50",
      "completed-40",
      "completed-50",
    ]);
    expect(idsOf(await prune(project, "--older-than", "12h", "--keep", "99"))).toEqual([]);
    expect(idsOf(await prune(project, "--older-than", "45d", "--failed"))).toEqual([
      "cancelled-50",
      "completed-50",
      "failed-50",
    ]);
    expect(await left(project)).toContain("open-50");
  });

  it("changes nothing with --dry-run, and says what would go", async () => {
    const project = await manyRuns();
    await project.ask(["run:list"]);
    const before = project.tree();
    const done = await project.run(["run:prune", "--older-than", "30d", "--dry-run"]);
    expect(done.stdout).toMatch(/completed-40 .*\n(.*\n)*Would remove 4 runs, \S+ (B|KiB|MiB)\.\n$/);
    expect((await prune(project, "--older-than", "30d", "--dry-run")).dryRun).toBe(true);
    expect(project.tree()).toEqual(before);
  });

  it("deletes archived runs with --archived only", async () => {
    const project = await manyRuns();
    for (const runId of ["completed-40", "completed-1"]) await project.ask(["run:archive", runId]);
    expect(idsOf(await prune(project, "--older-than", "30d"))).not.toContain("completed-40");
    expect((await prune(project, "--older-than", "30d", "--archived")).removed).toMatchObject([
      { runId: "completed-40", archived: true, runDir: project.path(".a5c/archive/completed-40") },
    ]);
    expect(await left(project, "--archived")).toEqual(["completed-1"]);
  });

  it("never deletes foreign or damaged runs, even when a cache says that they have completed", async () => {
    const project = new Project({
      ".a5c/runs/foreign/run.json": '{"runId":"foreign"}',
      ".a5c/runs/foreign/journal/000001.01JABCDEFGHJKMNPQRSTVWXYZ0.json": '{"type":"RUN_CREATED","data":{}}',
    });
    await recordRun(project.runsDir, "damaged", {
      at: daysAgo(50),
      events: [requested(daysAgo(50))],
      end: "completed",
    });
    await project.ask(["run:status", "damaged"]);
    const [, second = ""] = fs.readdirSync(path.join(project.runsDir, "damaged", "journal")).toSorted();
    fs.writeFileSync(path.join(project.runsDir, "damaged", "journal", second), "{}");
    expect((await project.ask(["run:status", "damaged"])).state).toBe("completed");
    expect(idsOf(await prune(project, "--older-than", "1d", "--failed", "--archived"))).toEqual([]);
    expect(await left(project)).toEqual(["damaged", "foreign"]);
  });

  it("refuses to guess an age", async () => {
    const project = await manyRuns();
    for (const args of [
      [],
      ["--older-than", ""],
      ...["30", "1m", "-1d", "1.5d", "d", "1d ", "∞d"].map((age) => [`--older-than=${age}`]),
    ])
      expect([args, await project.refuse(["run:prune", ...args])]).toMatchObject([args, { code: "USAGE", exit: 2 }]);
    expect(await project.refuse(["run:prune", "--older-than", "1d", "--keep", "few"])).toMatchObject({ code: "USAGE" });
    expect(await project.refuse(["run:prune", "completed-50", "--older-than", "1d"])).toMatchObject({ code: "USAGE" });
    expect(await left(project)).toHaveLength(10);
  });

  it("deletes each run once when many prune at once", async () => {
    const project = await manyRuns();
    const docs = await Promise.all(Array.from({ length: 5 }, () => prune(project, "--older-than", "30d")));
    expect(docs.flatMap(idsOf).toSorted()).toEqual(["cancelled-40", "cancelled-50", "completed-40", "completed-50"]);
    expect(await left(project)).toHaveLength(6);
  });

  it("leaves no half run in sight when it dies in the middle, and the next one sweeps the rest", async () => {
    const project = await manyRuns();
    const dies: JournalFs = {
      ...nodeFs,
      rmSync: (dir) => {
        fs.rmSync(path.join(dir, "run.json"));
        throw new Error("killed");
      },
    };
    const store = relaxedStorage({ runsDir: project.runsDir, fs: dies });
    const head = await headOfRun(store, "completed-50");
    await expect(store.upkeep.remove(parseRunId("completed-50"), head)).rejects.toThrow("killed");
    expect(await left(project)).not.toContain("completed-50");
    expect(await project.refuse(["run:status", "completed-50"])).toMatchObject({ code: "RUN_NOT_FOUND" });
    const doc = await prune(project, "--older-than", "100w");
    expect(doc.leftovers).toMatchObject([{ what: "half-removed run" }]);
    expect(doc.bytes).toBeGreaterThan(0);
    expect(fs.readdirSync(project.runsDir).filter((name) => name.startsWith("."))).toEqual([]);
  });

  it("shows only whole runs after it was killed", async () => {
    const project = new Project();
    for (const runId of ["a", "b", "c", "d"]) {
      await recordRun(project.runsDir, runId, { at: daysAgo(50), end: "completed" });
      for (let file = 0; file < 100; file += 1) project.write({ [`.a5c/runs/${runId}/tasks/${file}`]: "x" });
    }
    const child = spawn(process.execPath, [CLI, "run:prune", "--older-than", "1d", "--yes"], {
      cwd: project.dir,
      env: cleanEnvironment(project.home),
      stdio: "ignore",
    });
    const watcher = fs.watch(project.runsDir, (_event, name) => {
      if (name?.startsWith(".removing-")) child.kill("SIGKILL");
    });
    await new Promise((resolve) => child.once("close", resolve));
    watcher.close();
    for (const runId of await left(project)) {
      expect((await project.ask(["run:check", runId])).ok).toBe(true);
      expect(fs.readdirSync(path.join(project.runsDir, runId, "tasks"))).toHaveLength(100);
    }
    await prune(project, "--older-than", "1d");
    expect(fs.readdirSync(project.runsDir)).toEqual([]);
  });

  it("sweeps old leftovers of crashes and leaves young ones, other people's files and caches alone", async () => {
    const project = await manyRuns();
    const runs = project.runsDir;
    await project.ask(["run:status", "open-50"]);
    for (const name of ["old", "young"]) {
      project.write({
        [`.a5c/runs/.creating-${name}/journal/000001.json`]: "{}",
        [`.a5c/runs/${name}-shell/state/head.json`]: "{}",
        [`.a5c/runs/open-50/state/tmp/${name}`]: "half",
        [`.a5c/runs/${name}-notes/todo.txt`]: "mine",
        [`.a5c/runs/${name}-state/state/mine.txt`]: "mine",
        [`.a5c/runs/.${name}`]: "mine",
      });
    }
    for (const name of [".creating-old", "old-shell", "open-50/state/tmp/old", "old-notes", "old-state", ".old"])
      makeOld(path.join(runs, name));
    const doc = await prune(project, "--older-than", "100w");
    expect(doc.removed).toEqual([]);
    expect(doc.leftovers.map(({ path: file, what }) => `${what}: ${path.relative(runs, file)}`).toSorted()).toEqual([
      "empty shell of a run: old-shell",
      "temporary file: open-50/state/tmp/old",
      "unfinished creation: .creating-old",
    ]);
    for (const name of [".creating-young", "young-shell", "open-50/state/tmp/young", "open-50/state/head.json"])
      expect([name, fs.existsSync(path.join(runs, name))]).toEqual([name, true]);
    for (const name of ["old-notes/todo.txt", "old-state/state/mine.txt", ".old"])
      expect([name, fs.existsSync(path.join(runs, name))]).toEqual([name, true]);
    expect(doc.leftovers.some(({ path: file }) => fs.existsSync(file))).toBe(false);
  });

  it("deletes a link to a run, not what it leads to", async () => {
    const project = new Project();
    await recordRun(project.path("elsewhere"), "linked", { at: daysAgo(50), end: "completed" });
    fs.mkdirSync(project.runsDir, { recursive: true });
    fs.symlinkSync(project.path("elsewhere/linked"), path.join(project.runsDir, "linked"));
    expect(idsOf(await prune(project, "--older-than", "1d"))).toEqual(["linked"]);
    expect(fs.existsSync(project.path("elsewhere/linked/journal"))).toBe(true);
    expect(await left(project)).toEqual([]);
  });
});
