import fs from "node:fs";
import { expect, it } from "vitest";
import { LoopProject, SESSION, told } from "../fixtures/loop-runs/loop-project.js";

const DONE = "<promise>ALL TIDY</promise>";
const TIDY = ["Tidy the shed", "--run-id", "shed", "--completion-promise", "ALL TIDY"];
const AGENT = { CLAUDECODE: "1", CLAUDE_CODE_SESSION_ID: SESSION };

const PACKAGE = (test: string): string => `${JSON.stringify({ type: "commonjs", scripts: { test } }, null, 2)}\n`;

/** Ends the turn with a claim that would be true, were it not for what the agent has changed. */
async function pausedFor(project: LoopProject): Promise<string> {
  const stop = await project.claim(DONE);
  expect([stop.decision, stop.code]).toEqual([undefined, "contract_tampered"]);
  expect((await project.run(["loop:report", "shed"])).code).toBe(3);
  return stop.message;
}

it("L10: a script of a criterion that the agent has edited pauses the loop, whatever it says", async () => {
  const project = new LoopProject({ "check.sh": "test -e swept.txt\n" });
  await project.start([...TIDY, "--criteria", "sweep: sh check.sh"]);
  project.write({ "check.sh": "exit 0\n" });
  const message = await pausedFor(project);
  expect(message).toContain("check.sh");
  expect(message).toContain("babysitter loop:amend");
});

it("L10: so does the script in package.json that a criterion runs", async () => {
  const project = new LoopProject({ "package.json": PACKAGE("test -e swept.txt") });
  await project.start([...TIDY, "--criteria", "tests: npm test"]);
  project.write({ "package.json": PACKAGE("true") });
  expect(await pausedFor(project)).toContain("package.json#scripts.test");
});

it("L10: another part of package.json may change", async () => {
  const project = new LoopProject({ "package.json": PACKAGE("test -e swept.txt") });
  await project.start([...TIDY, "--criteria", "tests: npm test"]);
  const changed = JSON.parse(PACKAGE("test -e swept.txt")) as Record<string, unknown>;
  project.write({ "package.json": JSON.stringify({ ...changed, description: "A shed" }), "swept.txt": "" });
  expect((await project.claim(DONE)).code).toBe("completed_verified");
});

it.each([
  ["changed", (project: LoopProject) => project.write({ "tests/a.txt": "weaker" })],
  ["removed", (project: LoopProject) => fs.rmSync(project.path("tests/a.txt"))],
])("L10: a file under a protected pattern that was %s pauses the loop", async (_, spoil) => {
  const project = new LoopProject({ "tests/a.txt": "strict" });
  await project.start([...TIDY, "--criteria", "sweep: true", "--protect", "tests/**"]);
  spoil(project);
  expect(await pausedFor(project)).toContain("tests/a.txt");
});

it("L13: loop:amend --accept-changes takes the files as they are now, and the loop can continue", async () => {
  const project = new LoopProject({ "check.sh": "test -e swept.txt\n" });
  await project.start([...TIDY, "--criteria", "sweep: sh check.sh"]);
  project.write({ "check.sh": "test -e swept.txt # with a comment\n", "swept.txt": "" });
  await pausedFor(project);
  const { changes } = await project.doc(["loop:amend", "shed", "--accept-changes"], { as: "person" });
  expect(changes).toEqual(["accepted: check.sh"]);
  const { stdout } = await project.run(["loop:resume", "shed"], { env: AGENT });
  expect(stdout).toContain("[LOOP RESUME] Active loop detected");
  expect((await project.claim(DONE)).code).toBe("completed_verified");
  const [amended] = project.events("shed", "LOOP_AMENDED");
  expect(amended?.payload).toMatchObject({ what: "accepted: check.sh", by: "person" });
});

it("L13: resuming without accepting pauses again at the next turn", async () => {
  const project = new LoopProject({ "check.sh": "test -e swept.txt\n" });
  await project.start([...TIDY, "--criteria", "sweep: sh check.sh"]);
  project.write({ "check.sh": "exit 0\n" });
  await pausedFor(project);
  await project.doc(["loop:resume", "shed"]);
  expect(await pausedFor(project)).toContain("check.sh");
});

it("L13: what would let an agent out of its loop is for people: amend, pause, cancel, higher limits", async () => {
  const project = new LoopProject({ "check.sh": "test -e swept.txt\n" });
  await project.start([...TIDY, "--criteria", "sweep: sh check.sh"]);
  const before = project.journal("shed");
  const refused: [string[], hint: RegExp][] = [
    [
      ["loop:amend", "--accept-changes"],
      /here, as \/babysitter:amend shed with the changes, or in their own terminal/u,
    ],
    [["loop:amend", "--drop-criterion", "sweep"], /here, as \/babysitter:amend shed with the changes/u],
    [["loop:pause"], /type it here, as \/babysitter:pause shed, or in their own terminal/u],
    [["loop:cancel"], /type it here, as \/babysitter:cancel shed, or in their own terminal/u],
    [
      ["loop:resume", "--max-iterations", "999"],
      /\/babysitter:resume shed with the new limits, or in their own terminal/u,
    ],
  ];
  for (const [args, hint] of refused) {
    const error = await project.refuse(args, { env: AGENT });
    expect(told(error)).toEqual([7, "ONLY_FOR_PEOPLE", expect.stringContaining("is for people")]);
    expect(error.hint).toMatch(hint);
    expect(error.hint).toContain("in their own terminal: babysitter");
  }
  expect(project.journal("shed")).toEqual(before);
  // What an agent needs for its work is not refused.
  for (const args of [["loop:status"], ["loop:verify"], ["loop:check"], ["loop:report"], ["loop:step"]])
    expect((await project.run(args, { env: AGENT })).code).toBeLessThanOrEqual(1);
});

it("L13: loop:amend adds and drops criteria, steps, limits and the promise, each with an event", async () => {
  const project = new LoopProject();
  await project.start([...TIDY, "--criteria", "sweep: true", "--max-iterations", "3"]);
  const { contract, changes } = await project.doc(
    [
      "loop:amend",
      "shed",
      "--criteria",
      "mop: test -e mopped.txt",
      "--claim",
      "it looks nice",
      "--step",
      "Mop the floor",
      "--drop-criterion",
      "sweep",
      "--max-iterations",
      "9",
      "--budget-usd",
      "2.5",
      "--max-time",
      "2h",
      "--completion-promise",
      "MOPPED",
      "--protect",
      "*.lock",
    ],
    { as: "person" },
  );
  expect(contract.criteria.map(({ id }) => id)).toEqual(["mop", "it-looks-nice"]);
  expect(contract).toMatchObject({
    steps: [{ id: "mop-the-floor", title: "Mop the floor" }],
    limits: { iterations: 9, usd: 2.5, wallMs: 7_200_000 },
    promise: { text: "MOPPED", issued: false },
    protects: ["*.lock"],
  });
  expect(changes.join("; ")).toContain("criterion mop; criterion it-looks-nice; removed criterion sweep");
  expect((await project.status("shed")).steps).toMatchObject([{ id: "mop-the-floor", status: "open" }]);
});

it("L13: loop:amend without anything to change, and with wrong values, changes nothing", async () => {
  const project = new LoopProject();
  await project.start([...TIDY, "--criteria", "sweep: true"]);
  const before = project.journal("shed");
  const refused = async (...args: string[]): Promise<unknown> =>
    (await project.refuse(["loop:amend", "shed", ...args], { as: "person" })).exit;
  expect(await refused()).toBe(2);
  expect(await refused("--drop-criterion", "none")).toBe(2);
  expect(await refused("--criteria", "no name")).toBe(2);
  expect(await refused("--criteria", "lint: no-such-linter")).toBe(2);
  expect(await refused("--max-iterations", "x")).toBe(2);
  expect(await refused("--budget-usd", "x")).toBe(2);
  expect(await refused("--completion-promise", " ")).toBe(2);
  expect(project.journal("shed")).toEqual(before);
});

it("L10: a criterion that replaces another one of the same name is checked again", async () => {
  const project = new LoopProject();
  await project.start([...TIDY, "--criteria", "sweep: true"]);
  await project.doc(["loop:amend", "shed", "--criteria", "sweep: false"], { as: "person" });
  expect((await project.claim(DONE)).code).toBe("claim_rejected");
});
