import fs from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { type JournalFs, nodeFs } from "../../packages/sdk/src/journal/files/journal-fs.js";
import { parseRunId } from "../../packages/sdk/src/model/ids.js";
import { append, daysAgo, headOfRun, recordRun, relaxedStorage } from "../fixtures/cli/recorded-runs.js";
import { Project } from "../fixtures/project.js";

async function projectWith(...ends: ("completed" | "failed" | "cancelled" | "open")[]): Promise<Project> {
  const project = new Project();
  for (const end of ends) await recordRun(project.runsDir, end, { at: daysAgo(1), ...(end === "open" ? {} : { end }) });
  return project;
}

const states = async (project: Project, more: string[] = []): Promise<string[]> =>
  (await project.ask(["run:list", ...more])).runs.map(({ runId, state }) => `${runId} ${state}`).toSorted();

describe("run:archive", () => {
  it("puts a finished run aside and brings it back as it was", async () => {
    const project = await projectWith("completed", "cancelled");
    await project.ask(["run:status", "completed"]);
    const before = project.tree(path.join(project.runsDir, "completed"));
    const moved = await project.ask(["run:archive", "completed"]);
    expect(moved).toMatchObject({
      runId: "completed",
      state: "completed",
      archived: true,
      runDir: project.path(".a5c/archive/completed"),
    });
    expect(await states(project)).toEqual(["cancelled cancelled"]);
    expect(await states(project, ["--archived"])).toEqual(["completed completed"]);
    expect(project.tree(moved.runDir)).toEqual(before);
    expect(project.read(".a5c/archive/.gitignore")).toBe("*\n");
    expect(await project.ask(["run:status", moved.runDir])).toMatchObject({ state: "completed" });
    expect(await project.ask(["run:archive", "completed", "--restore"])).toMatchObject({
      archived: false,
      runDir: path.join(project.runsDir, "completed"),
    });
    expect(await states(project)).toEqual(["cancelled cancelled", "completed completed"]);
    expect(await states(project, ["--archived"])).toEqual([]);
    expect(project.tree(path.join(project.runsDir, "completed"))).toEqual(before);
  });

  it("every command that is asked about an archived run names the one that restores it", async () => {
    const project = await projectWith("completed");
    await project.ask(["run:archive", "completed"]);
    for (const args of [["run:status"], ["run:cancel"], ["run:show"], ["run:events"], ["run"]])
      expect([args, await project.refuse([...args, "completed"])]).toMatchObject([
        args,
        { code: "RUN_NOT_FOUND", hint: expect.stringContaining("run:archive completed --restore") as string },
      ]);
  });

  it("takes run directories, and without a name the only one there can be", async () => {
    const project = await projectWith("cancelled");
    expect((await project.ask(["run:archive"])).runId).toBe("cancelled");
    expect(await project.refuse(["run:archive", ".a5c/archive/cancelled"])).toMatchObject({
      code: "RUN_EXISTS",
      exit: 7,
    });
    expect((await project.ask(["run:archive", "--restore"])).runId).toBe("cancelled");
    expect((await project.ask(["run:archive", ".a5c/runs/cancelled"])).runId).toBe("cancelled");
    expect((await project.ask(["run:archive", ".a5c/archive/cancelled", "--restore"])).runId).toBe("cancelled");
    expect(await project.refuse(["run:archive", "--restore"])).toMatchObject({ code: "RUN_NOT_FOUND", exit: 2 });
    expect(await states(project)).toEqual(["cancelled cancelled"]);
  });

  it("takes without a name the run that ended last, whatever is open", async () => {
    const project = new Project();
    await recordRun(project.runsDir, "old", { at: daysAgo(3), end: "completed" });
    await recordRun(project.runsDir, "last", { at: daysAgo(2), end: "cancelled" });
    await recordRun(project.runsDir, "open", { at: daysAgo(1) });
    expect((await project.ask(["run:archive"])).runId).toBe("last");
    expect((await project.ask(["run:archive"])).runId).toBe("old");
    expect(await project.refuse(["run:archive"])).toMatchObject({ code: "RUN_OPEN" });
  });

  it("refuses an open run and names run:cancel; a failed one takes --failed", async () => {
    const project = await projectWith("open", "failed");
    const refusal = await project.refuse(["run:archive", "open"]);
    expect(refusal).toMatchObject({ code: "RUN_OPEN", exit: 7 });
    expect(refusal.hint).toContain("babysitter run:cancel open");
    expect(await project.refuse(["run:archive", "open", "--failed"])).toMatchObject({ code: "RUN_OPEN" });
    expect(await project.refuse(["run:archive", "failed"])).toMatchObject({ code: "RUN_OPEN", exit: 7 });
    expect(await states(project)).toEqual(["failed failed", "open created"]);
    expect((await project.ask(["run:archive", "failed", "--failed"])).state).toBe("failed");
    expect(await states(project)).toEqual(["open created"]);
  });

  it("refuses when the target exists, in both directions, and leaves both runs alone", async () => {
    const project = await projectWith("completed");
    await project.ask(["run:archive", "completed"]);
    await recordRun(project.runsDir, "completed", { at: daysAgo(2), end: "completed" });
    const before = project.tree();
    expect(await project.refuse(["run:archive", "completed"])).toMatchObject({ code: "RUN_EXISTS", exit: 7 });
    expect(await project.refuse(["run:archive", "completed", "--restore"])).toMatchObject({
      code: "RUN_EXISTS",
      exit: 7,
    });
    const after = project.tree();
    for (const [file, content] of Object.entries(before)) expect([file, after[file]]).toEqual([file, content]);
  });

  it("refuses unknown, hostile, foreign and damaged runs", async () => {
    const project = await projectWith("completed");
    project.write({ ".a5c/runs/foreign/run.json": "{}", "secret/run.json": "{}" });
    const journal = project.path(".a5c/runs/completed/journal");
    fs.rmSync(path.join(journal, fs.readdirSync(journal).toSorted()[0] as string));
    const refusal = async (...args: string[]): Promise<string> => {
      const { code, exit } = await project.refuse(["run:archive", ...args]);
      return `${code} ${exit}`;
    };
    expect(await refusal("gone")).toBe("RUN_NOT_FOUND 2");
    expect(await refusal("gone", "--restore")).toBe("RUN_NOT_FOUND 2");
    expect(await refusal("a..b")).toBe("INVALID_ID 2");
    expect(await refusal("-x/../..", "--restore")).toMatch(/ 2$/);
    expect(await refusal("../../secret", "--restore")).toBe("RUN_NOT_FOUND 2");
    expect(await refusal("foreign")).toBe("FOREIGN_RUN 7");
    expect(await refusal("completed")).toBe("JOURNAL_BROKEN 8");
    expect(fs.existsSync(project.path(".a5c/archive"))).toBe(false);
  });

  it("moves a run once when many archive it at once", async () => {
    const project = await projectWith("completed");
    const before = project.journal("completed");
    const done = await Promise.all(
      Array.from({ length: 6 }, () => project.run(["run:archive", "completed", "--json"])),
    );
    expect(done.filter(({ code }) => code === 0)).toHaveLength(1);
    const refusals = done.filter(({ code }) => code !== 0).map((one) => one.json().error.code);
    expect(refusals.filter((code) => code !== "RUN_NOT_FOUND" && code !== "RUN_EXISTS")).toEqual([]);
    expect(await states(project)).toEqual([]);
    expect(project.tree(project.path(".a5c/archive/completed/journal"))).toEqual(before);
    expect(await project.ask(["run:archive", "completed", "--restore"])).toMatchObject({ archived: false });
    expect(project.journal("completed")).toEqual(before);
  });

  it("says so when the archive is on another file system, and moves nothing", async () => {
    const project = await projectWith("completed");
    const across = relaxedStorage({
      runsDir: project.runsDir,
      fs: {
        ...nodeFs,
        renameSync: () => {
          throw Object.assign(new Error("cross-device link not permitted"), { code: "EXDEV", syscall: "rename" });
        },
      },
    });
    const head = await headOfRun(across, "completed");
    await expect(across.upkeep.archive(parseRunId("completed"), head)).rejects.toMatchObject({
      code: "ARCHIVE_OTHER_FILE_SYSTEM",
    });
    expect(await states(project)).toEqual(["completed completed"]);
  });

  it("leaves a run where it is when someone opens it again between the look and the move", async () => {
    const project = await projectWith("failed");
    const other = relaxedStorage({ runsDir: project.runsDir });
    const head = await headOfRun(other, "failed");
    await append(other, "failed", [
      { type: "RUN_REOPENED", timestamp: daysAgo(0), payload: { reason: "retry", codeHash: "code" } },
    ]);
    const store = relaxedStorage({ runsDir: project.runsDir });
    expect(await store.upkeep.archive(parseRunId("failed"), head)).toBeUndefined();
    expect(await store.upkeep.remove(parseRunId("failed"), head)).toBe(false);
    expect(await states(project)).toEqual(["failed created"]);
    expect(await states(project, ["--archived"])).toEqual([]);
  });

  it("is gone for whoever looks at it while it is moved, never foreign or damaged", async () => {
    const project = await projectWith("completed");
    const runDir = path.join(project.runsDir, "completed");
    const aside = project.path("aside");
    const runId = parseRunId("completed");
    const looks = [
      async (storage: ReturnType<typeof relaxedStorage>) => (await storage.store.list()).some(({ foreign }) => foreign),
      async (storage: ReturnType<typeof relaxedStorage>) => (await storage.store.read(runId, undefined)) === undefined,
    ];
    for (const look of looks) {
      for (let step = 1; ; step += 1) {
        let calls = 0;
        // Sees the run for so many calls, and then finds that someone has moved it.
        const moving = Object.fromEntries(
          Object.entries(nodeFs).map(([name, call]) => [
            name,
            (...args: never[]) => {
              calls += 1;
              if (calls === step) fs.renameSync(runDir, aside);
              return (call as (...args: never[]) => unknown)(...args);
            },
          ]),
        ) as unknown as JournalFs;
        const seen = await look(relaxedStorage({ runsDir: project.runsDir, fs: moving })).catch(({ code }) => code);
        expect([step, seen]).toEqual([step, expect.toSatisfy((one) => one === false || one === "RUN_NOT_FOUND")]);
        if (calls < step) break;
        fs.renameSync(aside, runDir);
      }
    }
  });
});
