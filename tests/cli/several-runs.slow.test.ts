import { describe, expect, it } from "vitest";
import { daysAgo, recordRun, requested } from "../fixtures/cli/recorded-runs.js";
import { Project } from "../fixtures/project.js";

/** A long name, as generated ones are, of a process with a long name of its own. */
const LONG = "run-20260101-101010-release-the-documentation-abc123";

async function someRuns(): Promise<Project> {
  const project = new Project();
  await recordRun(project.runsDir, "old-done", { at: daysAgo(9), end: "completed" });
  await recordRun(project.runsDir, "old-failed", { at: daysAgo(8), end: "failed" });
  await recordRun(project.runsDir, "old-open", { at: daysAgo(7), events: [requested(daysAgo(7))] });
  await recordRun(project.runsDir, "new-done", { at: daysAgo(2), end: "completed" });
  await recordRun(project.runsDir, LONG, { at: daysAgo(1), events: [requested(daysAgo(1))] });
  return project;
}

const listed = async (project: Project, ...args: string[]): Promise<string[]> =>
  (await project.ask(["run:list", ...args])).runs.map(({ runId }) => runId);

describe("many runs", () => {
  it("C27: run:list finds runs by state, process and time; every column has a heading, and 80 columns are enough", async () => {
    const project = await someRuns();
    expect(await listed(project, "--state", "failed,waiting")).toEqual([LONG, "old-open", "old-failed"]);
    expect(await listed(project, "--since", "3d", "--process", "p")).toEqual([LONG, "new-done"]);
    expect(await listed(project, "--process", "other")).toEqual([]);
    const { stdout } = await project.run(["run:list", "--limit", "4"]);
    const [heading, ...lines] = stdout.trimEnd().split("\n");
    expect(heading?.split(/ +/)).toEqual(["#", "RUN", "STATE", "AGE"]);
    expect(lines.filter((line) => line.startsWith("@")).map((line) => line.split(/ +/)[1])).toEqual([
      LONG,
      "new-done",
      "old-open",
      "old-failed",
    ]);
    expect(lines.at(-1)).toBe("(1 older; --limit 0 shows all)");
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(80);
    const short = (await project.run(["run:list", "--state", "failed"])).stdout.split("\n")[0];
    expect(short?.split(/ +/)).toEqual(["#", "RUN", "STATE", "AGE", "PROCESS"]);
    expect(await project.refuse(["run:list", "--state", "broken"])).toMatchObject({ code: "USAGE" });
  });

  it("C27: run:cancel ends the runs that are named at once, and those that a filter finds only with --yes", async () => {
    const project = await someRuns();
    const dry = await project.run(["run:cancel", "--state", "waiting"]);
    expect(dry.stdout).toContain("2 runs would be cancelled. Add --yes to do it.");
    expect(await listed(project, "--state", "cancelled")).toEqual([]);
    const typo = await project.refuse(["run:cancel", "old-open", "no-such-run"]);
    expect([typo.code, await listed(project, "--state", "cancelled")]).toEqual(["RUN_NOT_FOUND", []]);
    const { stdout } = await project.run(["run:cancel", "abc123", "old-fail"]);
    expect(stdout).toContain(`Cancelled ${LONG}.`);
    expect(stdout).toContain("Cancelled old-failed.");
    await project.ask(["run:cancel", "--older-than", "5d", "--yes"]);
    expect((await listed(project, "--state", "cancelled")).toSorted()).toEqual(["old-failed", "old-open", LONG]);
    expect((await project.refuse(["run:cancel", "@1"])).code).toBe("USAGE");
    expect((await project.refuse(["run:cancel", "old-open", "--state", "waiting"])).code).toBe("USAGE");
  });

  it("C27: run:archive and run:prune take names and filters; one run that cannot go does not hold up the others", async () => {
    const project = await someRuns();
    const mixed = await project.run(["run:archive", "old-open", "new-done"]);
    expect(mixed.code).toBe(7);
    expect(mixed.stdout).toContain("Archived new-done");
    expect(mixed.stdout).toContain("error RUN_OPEN: Run old-open has not finished");
    await project.ask(["run:archive", "--state", "failed", "--yes"]);
    expect(await listed(project, "--archived")).toEqual(["new-done", "old-failed"]);
    const pruned = await project.run(["run:prune", "w-done", "--archived"]);
    expect(pruned.stdout).toMatch(/^Deleted new-done, /);
    expect((await project.run(["run:prune", "--state", "completed"])).stdout).toContain("Add --yes to delete them.");
    expect(await listed(project)).toContain("old-done");
    await project.ask(["run:prune", "--state", "completed", "--yes"]);
    expect([await listed(project), await listed(project, "--archived")]).toEqual([[LONG, "old-open"], ["old-failed"]]);
    expect(await project.refuse(["run:prune", "old-open"])).toMatchObject({ code: "RUN_OPEN", exit: 7 });
  });
});
