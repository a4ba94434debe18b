import { spawnSync } from "node:child_process";
import fs from "node:fs";
import { describe, expect, it } from "vitest";
import { LoopProject, SESSION } from "../fixtures/loop-runs/loop-project.js";

const CRITERIA = ["--criteria", "floor swept: grep -q swept floor.txt", "--criteria", "no smoke: test ! -e smoke.txt"];
const TIDY = ["Tidy the shed", "--run-id", "shed", "--completion-promise", "ALL TIDY"];

const shown = (project: LoopProject): Record<string, unknown> =>
  project.readJson(".loop", "state.json") as Record<string, unknown>;

function untracked(project: LoopProject): string {
  return spawnSync("git", ["status", "--short", "--", ".loop"], { cwd: project.dir, encoding: "utf8" }).stdout;
}

describe("L10: .loop/state.json", () => {
  it("L10: a criteria loop keeps it without being asked, out of git, and fresh after every verification", async () => {
    const project = new LoopProject({ "floor.txt": "dust\n" });
    await project.start([...TIDY, ...CRITERIA]);
    const [floor, smoke] = ["floor swept: grep -q swept floor.txt", "no smoke: test ! -e smoke.txt"];
    expect(shown(project)).toMatchObject({
      spec: "Tidy the shed",
      criteriaStatus: { [floor]: false, [smoke]: true },
      exit_signal: false,
      iteration: 1,
      status: "in_progress",
    });
    expect([project.read(".loop", ".gitignore"), untracked(project)]).toEqual(["*\n", ""]);
    project.write({ "floor.txt": "swept\n" });
    await project.doc(["loop:verify", "--wait", "--criterion", "floor swept"]);
    expect(shown(project)).toMatchObject({ criteriaStatus: { [floor]: true }, iteration: 1 });
    const { stdout } = await project.run(["loop:cancel", "shed"], { as: "person" });
    expect(stdout).toBe("Cancelled shed.\nCriteria met when last checked: floor swept, no smoke\n");
    expect(shown(project)).toMatchObject({ status: "cancelled" });
  });

  it("L10: shows what loop:verify has answered, also from results that were there", async () => {
    const project = new LoopProject({ "floor.txt": "dust\n" });
    await project.start([...TIDY, ...CRITERIA]);
    const floor = "floor swept: grep -q swept floor.txt";
    const isSwept = async (text: string): Promise<unknown[]> => {
      project.write({ "floor.txt": text });
      const { code } = await project.run(["loop:verify", "--wait"]);
      return [code, (shown(project)["criteriaStatus"] as Record<string, boolean>)[floor]];
    };
    expect(await isSwept("swept\n")).toEqual([0, true]);
    expect(await isSwept("dust\n")).toEqual([1, false]);
    expect(project.count("shed", "VERIFICATION_FINISHED")).toBe(2);
  });

  it("L10: a setting turns it off; a loop without criteria makes no folder", async () => {
    const off = new LoopProject({ ".a5c/config.json": '{ "loops": { "stateFile": false } }', "floor.txt": "" });
    await off.start([...TIDY, ...CRITERIA]);
    const prompt = new LoopProject();
    await prompt.start(TIDY);
    await Promise.all([off, prompt].map(async (project) => project.stop("sweeping")));
    expect([off, prompt].map((project) => fs.existsSync(project.path(".loop")))).toEqual([false, false]);
  });

  it("L10: loop:import without a file says to name one where there is none", async () => {
    const project = new LoopProject();
    const [usual, named] = [await project.refuse(["loop:import"]), await project.refuse(["loop:import", "x.json"])];
    expect(usual).toMatchObject({
      code: "INPUT_NOT_FOUND",
      message: expect.stringMatching(/^"\.loop\/state\.json" cannot be read /u) as string,
      hint: "Name the file to import: babysitter loop:import <file>",
    });
    expect(named.message).toMatch(/^"x\.json" cannot be read /u);
  });

  it("L10: of several open loops it shows the one that was started last", async () => {
    const project = new LoopProject({ "floor.txt": "dust\n" });
    await project.start([...TIDY, "--claim", "it looks nice"]);
    await project.doc(["loop:start", "Paint it", "--run-id", "fence", "--session-id", "other", "--claim", "it is red"]);
    expect(shown(project)).toMatchObject({ spec: "Paint it" });
    await project.stop("sweeping");
    expect(shown(project)).toMatchObject({ spec: "Paint it", status: "in_progress" });
    fs.rmSync(project.path(".loop", "state.json"));
    await project.stop("sweeping");
    expect(shown(project)).toMatchObject({ spec: "Paint it" });
    await project.doc(["loop:cancel", "fence"], { as: "person" });
    expect(shown(project)).toMatchObject({ spec: "Tidy the shed", status: "in_progress", iteration: 3 });
    await project.doc(["loop:cancel", "shed"], { as: "person" });
    expect(shown(project)).toMatchObject({ spec: "Tidy the shed", status: "cancelled" });
  });

  it("L10: what another tool wrote there is never overwritten, which is said once, and loop:import takes it over", async () => {
    const own = '{"spec": "Tidy the shed", "notes": "the only copy"}\n';
    const project = new LoopProject({ ".loop/state.json": own });
    const { warnings } = await project.start([...TIDY, "--claim", "it looks nice"]);
    expect(warnings).toEqual([expect.stringMatching(/not written by Babysitter .* babysitter loop:import$/u)]);
    const { message } = await project.stop("sweeping");
    expect(message).not.toContain("loop:import");
    expect(project.read(".loop", "state.json")).toBe(own);
    await project.doc(["loop:cancel", "shed"], { as: "person" });
    expect(project.read(".loop", "state.json")).toBe(own);
    await project.doc(["loop:import", "--run-id", "again", "--session-id", SESSION]);
    expect(shown(project)).toMatchObject({ spec: "Tidy the shed", status: "in_progress" });
    // Someone puts another file in its place while the loop is open.
    project.write({ ".loop/state.json": '{"spec": "Another task"}\n' });
    const told = [await project.stop("sweeping"), await project.stop("sweeping")];
    expect(told.map((stop) => stop.message.includes("loop:import"))).toEqual([true, false]);
    expect(shown(project)).toEqual({ spec: "Another task" });
  });
});

describe("L12: how clear a task is", () => {
  it("L12: is judged at every start, and a vague one is refused where there is neither a session nor a terminal", async () => {
    const project = new LoopProject();
    const refused = await project.refuse(["loop:start", "Tidy the shed"]);
    expect([refused.exit, refused.code]).toEqual([7, "LOOP_SPEC_WEAK"]);
    expect(refused.hint).toContain("When is it done?");
    expect(refused.hint).toContain("--shape tool");
    expect(refused.details).toMatchObject({
      score: 1,
      questions: expect.arrayContaining([expect.stringContaining("Where?")]) as string[],
    });
    expect(project.runs()).toEqual([]);
    expect(await project.doc(["loop:start", "Tidy the shed", "--shape", "tool"])).toMatchObject({ spec: null });
    const clear =
      "Add pagination to src/api/list.ts. It must not change the public types. Done when `npm test` passes.";
    expect(await project.doc(["loop:start", clear])).toMatchObject({ spec: { score: 10, questions: [] } });
  });

  it("L12: is only shown in a session", async () => {
    const project = new LoopProject();
    const { stdout } = await project.run(["loop:start", "Tidy the shed", "--session-id", SESSION]);
    expect(stdout).toMatch(/^clarity: 1 of 10, for your info only; open: Where\? /mu);
    expect(await project.status()).toMatchObject({ status: "active", limits: { iterations: 50 } });
  });

  it("L12: decides whether steps are reviewed, and says so", async () => {
    const started = async (...args: string[]): Promise<string> => {
      const { stdout } = await new LoopProject().run(["loop:start", ...args, "--session-id", SESSION]);
      expect(stdout).toContain("🔄 Babysitter loop");
      return stdout;
    };
    expect(await started("Tidy the shed", "--step", "Sweep")).toMatch(
      /^clarity: 1 of 10, so you are asked to review every 5 turns \(--shape tool skips that\); open: Where\? /mu,
    );
    expect(await started("Tidy the shed", "--step", "Sweep", "--shape", "tool")).not.toContain("clarity:");
    const clear = "Add pagination to src/api/list.ts. Done when `npm test` passes.";
    expect(await started(clear, "--step", "Sweep")).toMatch(
      /^clarity: \d+ of 10, enough to work without your reviews; open: /mu,
    );
  });
});
