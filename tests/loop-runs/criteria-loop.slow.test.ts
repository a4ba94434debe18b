import fs from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { LoopProject, SESSION, told } from "../fixtures/loop-runs/loop-project.js";
import { until } from "../fixtures/processes.js";

const DONE = "<promise>ALL TIDY</promise>";
const TIDY = ["Tidy the shed", "--run-id", "shed", "--completion-promise", "ALL TIDY"];
const BROOM = ["--criteria", "broom: grep -q swept floor.txt"];

describe("a loop with criteria", () => {
  it("L10: false claims are answered with what the engine saw, a true one ends it as verified", async () => {
    const project = new LoopProject({ "floor.txt": "dust\n" });
    await project.start([...TIDY, ...BROOM]);
    const first = await project.claim(`It is clean.\n${DONE}`);
    expect([first.decision, first.code]).toEqual(["block", "claim_rejected"]);
    expect(first.reason).toContain("Not met: broom (grep -q swept floor.txt): exit code 1");
    expect(first.reason).toContain("Tidy the shed");
    project.write({ "floor.txt": "less dust\n" });
    expect((await project.claim(DONE)).code).toBe("claim_rejected");
    expect(await project.status()).toMatchObject({ iteration: 3, status: "active" });
    project.write({ "floor.txt": "swept\n" });
    const last = await project.claim(DONE);
    expect([last.decision, last.code]).toEqual([undefined, "completed_verified"]);
    expect(last.message).toMatch(
      /^✅ Babysitter run: done and verified: broom\.\nIterations: 3 of 50, [\d.]+ m?s\.\nReport: babysitter loop:report shed$/u,
    );
    expect(await project.status("shed")).toMatchObject({
      status: "completed",
      ended: { attestation: "verified", code: "completed_verified" },
      criteria: [{ id: "broom", standing: "met", role: "required", greenBefore: false }],
    });
    const report = await project.run(["loop:report", "shed"]);
    expect(report.code).toBe(0);
    expect(report.stdout).toContain("Done, verified by the engine");
    expect(fs.existsSync(project.sessionFile())).toBe(false);
  });

  it("L10: two conditions: if the criteria are met without the agent's claim, the agent is asked twice, then a person must check", async () => {
    const project = new LoopProject({ "floor.txt": "dust\n" });
    await project.start([...TIDY, "--fast-criteria", "broom: grep -q swept floor.txt"]);
    project.write({ "floor.txt": "swept\n" });
    await project.doc(["loop:verify", "--wait"]);
    const asked = [await project.stop("I swept."), await project.stop("I said that I swept.")];
    expect(asked.map(({ code, decision }) => [decision, code])).toEqual([
      ["block", "criteria_met_confirm"],
      ["block", "criteria_met_confirm"],
    ]);
    expect(asked[0]?.reason).toContain("<promise>ALL TIDY</promise>");
    const third = await project.stop("Swept!");
    expect([third.decision, third.code]).toEqual([undefined, "confirm_missing"]);
    expect(await project.status("shed")).toMatchObject({ status: "paused", paused: { code: "confirm_missing" } });
    expect((await project.run(["loop:report", "shed"])).code).toBe(3);
  });

  it("L10: an agent that changes files turn after turn before it claims anything is not stuck in the failures of an old check", async () => {
    const project = new LoopProject({ "floor.txt": "dust\n" });
    await project.start([...TIDY, ...BROOM]);
    const turns = [];
    for (let turn = 1; turn <= 5; turn += 1) {
      project.write({ "shelf.txt": `${turn}\n` });
      turns.push(await project.stop(`Shelf ${turn} is tidy.`));
    }
    expect(turns.map(({ code }) => code)).toEqual([...Array<string>(4).fill("continue_loop"), "breaker_half_open"]);
    expect(turns[4]?.reason).toContain("For five turns no check has shown an improvement");
    expect(turns[4]?.reason).toContain(
      "Unmet criteria: broom (not checked on these files)\nTo check these files: babysitter loop:verify shed --wait",
    );
  });

  it("L10: the same failure, found again after each of three turns, is a reason to warn", async () => {
    const project = new LoopProject({ "floor.txt": "dust\n" });
    await project.start([...TIDY, ...BROOM]);
    const codes = [];
    for (let turn = 1; turn <= 4; turn += 1) {
      project.write({ "floor.txt": `dust ${turn}\n` });
      codes.push((await project.stop("Nearly.")).code);
      await project.run(["loop:verify", "--wait"]);
    }
    expect(codes).toEqual([...Array<string>(3).fill("continue_loop"), "breaker_half_open"]);
    expect(project.stops().at(-1)?.payload).toMatchObject({ warned: "same_failure" });
  });

  it("L4: the promise of another loop does not count, and the agent is told which one does", async () => {
    const project = new LoopProject({ "floor.txt": "swept\n" });
    await project.start([...TIDY, ...BROOM]);
    const other = await project.stop("All done.\n\n<promise>DONE-b6067d</promise>");
    expect(other.reason).toContain(
      `The promise that you gave is not the one of this loop. If everything is really done, output this line: ${DONE}`,
    );
    expect((await project.claim(DONE)).code).toBe("completed_verified");
  });

  it("L10: <loop-complete> is a claim like the promise, and trusted no more than it", async () => {
    const project = new LoopProject({ "floor.txt": "dust\n" });
    await project.start([...TIDY, ...BROOM]);
    const words = "<loop-complete>\nAll success criteria satisfied:\n- broom: ✓\n</loop-complete>";
    expect((await project.claim(words)).code).toBe("claim_rejected");
    project.write({ "floor.txt": "swept\n" });
    expect((await project.claim(words)).code).toBe("completed_verified");
  });

  it("L10: a loop whose criteria are words ends by claim, and says so with its exit code", async () => {
    const project = new LoopProject();
    await project.start([...TIDY, "--claim", "it looks nice"]);
    const end = await project.stop(DONE);
    expect(end.code).toBe("promise_matched");
    expect(end.message).toContain("Ended by the agent's claim");
    const report = await project.run(["loop:report", "shed"]);
    expect(report.code).toBe(6);
    expect(report.stdout).toContain("Ended by claim only, not verified");
  });

  it("L10: a criterion that was met before any work is marked as no proof of work", async () => {
    const project = new LoopProject({ "floor.txt": "swept\n" });
    await project.start([...TIDY, ...BROOM, "--criteria", "mop: test -f mopped.txt"]);
    const { criteria } = await project.status("shed");
    expect(criteria.map(({ id, greenBefore }) => [id, greenBefore])).toEqual([
      ["broom", true],
      ["mop", false],
    ]);
    expect((await project.run(["loop:report", "shed"])).stdout).toContain(
      "Already passed before any work: proves nothing.",
    );
  });

  it("L10: a must-not violation pauses the loop as soon as it is seen, whatever the agent says", async () => {
    const project = new LoopProject({ "floor.txt": "dust\n" });
    await project.start([...TIDY, ...BROOM, "--must-not", "fire: test -e smoke.txt"]);
    const fires = (): unknown[] =>
      project
        .events("shed", "CRITERION_CHECKED")
        .flatMap(({ payload }) => (payload["criterion"] === "fire" ? [payload["ok"]] : []));
    expect((await project.stop("sweeping")).code).toBe("continue_loop");
    await until(() => fires().includes(false));
    project.write({ "smoke.txt": "", "floor.txt": "swept\n" });
    expect((await project.stop("It is warm.")).code).toBe("continue_loop");
    await until(() => fires().includes(true));
    expect((await project.claim(DONE)).code).toBe("must_not_violated");
    const text = (await project.run(["run:status", "shed"])).stdout;
    expect(text).toContain("Must not:\n  ✗ fire: test -e smoke.txt");
  });

  it("L10: loop:verify shows what must not happen, and fails when it has", async () => {
    const project = new LoopProject({ "floor.txt": "swept\n" });
    await project.start([...TIDY, ...BROOM, "--must-not", "fire: test -e smoke.txt"]);
    const kept = await project.run(["loop:verify", "--wait"]);
    expect([kept.code, kept.stdout]).toEqual([
      0,
      expect.stringMatching(/^✓ broom: exit code 0 .*\n✓ must not: fire: exit code 1 .*\n$/u),
    ]);
    project.write({ "smoke.txt": "" });
    const violated = await project.run(["loop:verify", "--wait", "--json"]);
    expect([violated.code, violated.json()]).toMatchObject([
      1,
      {
        status: "unmet",
        criteria: [
          { id: "broom", role: "required", standing: "green" },
          { id: "fire", role: "must-not", standing: "red" },
        ],
      },
    ]);
    const named = await project.run(["loop:verify", "--criterion", "fire"]);
    expect([named.code, named.stdout]).toEqual([1, expect.stringMatching(/^✗ must not: fire: exit code 0/u)]);
  });

  it("L10: a claim does not end a loop whose must-not check was not run on these files", async () => {
    const project = new LoopProject({ "floor.txt": "dust\n" });
    await project.start([...TIDY, ...BROOM, "--must-not", "fire: test -e smoke.txt"]);
    project.write({ "smoke.txt": "", "floor.txt": "swept\n" });
    expect((await project.claim(DONE)).code).toBe("must_not_violated");
  });

  it("L10: .loop/state.json is written in the known form, and never believed", async () => {
    const project = new LoopProject({ "floor.txt": "dust\n", ".loop/keep": "" });
    await project.start([
      ...TIDY,
      ...BROOM,
      "--claim",
      "it looks nice",
      "--step",
      "Sweep",
      "--step",
      "Mop",
      "--shape",
      "tool",
    ]);
    await project.stop("sweeping");
    expect(project.readJson(".loop", "state.json")).toEqual({
      spec: "Tidy the shed",
      criteria: ["broom: grep -q swept floor.txt", "it looks nice"],
      criteriaStatus: { "broom: grep -q swept floor.txt": false, "it looks nice": false },
      exit_signal: false,
      steps: ["Sweep", "Mop"],
      completedSteps: [],
      remainingSteps: ["Sweep", "Mop"],
      iteration: 2,
      status: "in_progress",
      circuitBreaker: { stuckCount: 0, lastUnmet: "broom: grep -q swept floor.txt" },
    });
    const forged = project.read(".loop", "state.json").replaceAll("false", "true");
    project.write({ ".loop/state.json": forged });
    expect((await project.claim(DONE)).code).toBe("claim_rejected");
    expect(project.readJson(".loop", "state.json")).toMatchObject({ exit_signal: false });
    const before = project.read(".loop", "state.json");
    await project.doc(["loop:step", "shed", "sweep", "--done"]);
    expect(project.readJson(".loop", "state.json")).toMatchObject({
      completedSteps: ["Sweep"],
      remainingSteps: ["Mop"],
    });
    expect(before).not.toBe(project.read(".loop", "state.json"));
  });

  it("L10: cancelling keeps the progress, frees the session and says how far it was", async () => {
    const project = new LoopProject({ "floor.txt": "dust\n", ".loop/keep": "" });
    await project.start([...TIDY, ...BROOM, "--step", "Sweep", "--step", "Mop", "--shape", "tool"]);
    await project.doc(["loop:step", "shed", "sweep", "--done"]);
    const { stdout, code } = await project.run(["loop:cancel", "shed", "--reason", "visitors"], { as: "person" });
    expect([code, stdout]).toEqual([
      0,
      "Cancelled shed.\nDone: Sweep\nRemaining: Mop\nCriteria not met when last checked: broom (exit code 1)\n",
    ]);
    expect(project.readJson(".loop", "state.json")).toMatchObject({
      status: "cancelled",
      completedSteps: ["Sweep"],
      remainingSteps: ["Mop"],
    });
    const report = await project.run(["loop:report", "shed"]);
    expect(report.code).toBe(12);
    expect(report.stdout).toContain("**Cancelled.** The work done so far is kept.");
    expect(report.stdout).toContain("- [x] `Sweep`\n- [ ] `Mop`");
    expect((await project.stop("What now?")).answer).toEqual({
      systemMessage: expect.stringContaining("shed was cancelled: visitors, so this session may stop."),
    });
    expect(fs.existsSync(project.sessionFile())).toBe(false);
    expect((await project.doc(["loop:start", "Another", "--session-id", SESSION])).session?.sessionId).toBe(SESSION);
    expect(told(await project.refuse(["loop:resume", "shed"]))).toEqual([7, "RUN_FINISHED", expect.any(String)]);
  });

  it("L10: what the file of another tool says is met counts as a claim after loop:import", async () => {
    const state = {
      spec: "Tidy the shed",
      criteria: ["tests pass", "floor swept"],
      criteriaStatus: { "tests pass": true, "floor swept": true },
      exit_signal: true,
      steps: ["Sweep", "Mop"],
      completedSteps: ["Sweep"],
      remainingSteps: ["Mop"],
      iteration: 4,
      status: "in_progress",
      circuitBreaker: { stuckCount: 0, lastUnmet: "" },
    };
    const project = new LoopProject({ ".loop/state.json": JSON.stringify(state), "floor.txt": "dust\n" });
    const { format, contract } = await project.doc([
      "loop:import",
      "--run-id",
      "shed",
      "--session-id",
      SESSION,
      "--completion-promise",
      "ALL TIDY",
      ...BROOM,
    ]);
    await project.baseline({ runId: "shed", contract });
    expect([format, contract.origin.path]).toEqual(["loop-state", ".loop/state.json"]);
    expect(contract.criteria.map(({ id, kind }) => [id, kind])).toEqual([
      ["broom", "command"],
      ["tests-pass", "claim"],
      ["floor-swept", "claim"],
    ]);
    expect(await project.status("shed")).toMatchObject({ iteration: 4, mode: "criteria" });
    expect((await project.claim(DONE)).code).toBe("claim_rejected");
    project.write({ "floor.txt": "swept\n" });
    expect((await project.claim(DONE)).code).toBe("steps_remaining");
    await project.doc(["loop:step", "mop", "--done"]);
    expect((await project.claim(DONE)).code).toBe("completed_verified");
    expect(project.readJson(".loop", "state.json")).toMatchObject({ status: "completed", exit_signal: true });
  });

  it.each([
    ["no JSON", "{", "INPUT_NOT_JSON"],
    ["an array", "[]", "INPUT_NOT_JSON"],
    ["without a spec", '{ "criteria": [] }', "INPUT_NOT_JSON"],
    ["a loop that is over", '{ "spec": "x", "status": "completed" }', "INPUT_NOT_JSON"],
    ["a session file without an end", "---\nactive: true\n", "INPUT_NOT_JSON"],
  ])("L13: loop:import of %s is refused and nothing is made", async (_, text, code) => {
    const project = new LoopProject({ ".loop/state.json": text });
    expect((await project.refuse(["loop:import"])).code).toBe(code);
    expect(project.runs()).toEqual([]);
    expect(project.read(".loop", "state.json")).toBe(text);
  });

  it("L13: loop:import of a file that is not there, and of a session file", async () => {
    const project = new LoopProject();
    expect(told(await project.refuse(["loop:import"]))).toEqual([2, "INPUT_NOT_FOUND", expect.any(String)]);
    project.write({
      "old.md": '---\nactive: true\niteration: 7\nmax_iterations: 9\ncompletion_promise: "BYE"\n---\n\nTidy\n',
    });
    const { format, contract } = await project.doc(["loop:import", "old.md", "--run-id", "shed"]);
    expect(format).toBe("session-file");
    project.write({ "empty.md": "---\nactive: true\niteration: 7\nmax_iterations: 9\n---\n" });
    expect((await project.refuse(["loop:import", "empty.md"])).exit).toBe(2);
    expect(contract).toMatchObject({ mode: "prompt", limits: { iterations: 9 }, promise: { text: "BYE" } });
    expect(await project.status("shed")).toMatchObject({ goal: "Tidy", iteration: 7 });
  });

  it("L10: loop:check answers in the words that scripts know", async () => {
    const project = new LoopProject({ "floor.txt": "dust\n" });
    const check = async (): Promise<unknown> => JSON.parse((await project.run(["loop:check"])).stdout);
    expect(await check()).toEqual({ ok: true });
    await project.start([...TIDY, ...BROOM]);
    expect(await check()).toEqual({ ok: false, reason: "unmet criteria: broom: grep -q swept floor.txt" });
    const journal = project.journal("shed");
    project.write({ "floor.txt": "swept\n" });
    expect(await check()).toMatchObject({ ok: false });
    expect(project.journal("shed")).toEqual(journal);
    await project.claim(DONE);
    expect(await check()).toEqual({ ok: true });
    expect(told(await project.refuse(["loop:check", "no-such-run"]))).toEqual([2, "RUN_NOT_FOUND", expect.any(String)]);
  });
});

it("L10: evidence of every check is in the run directory", async () => {
  const project = new LoopProject({
    "floor.txt": "dust\n",
    "sweep.sh": "echo looking; echo 'still dust' >&2; exit 3\n",
  });
  await project.start([...TIDY, "--criteria", "broom: sh sweep.sh"]);
  const done = await project.run(["loop:verify", "--again", "--json"]);
  const [broom] = (done.json() as unknown as { criteria: { result: { evidence: string; exitCode: number } }[] })
    .criteria;
  expect(done.code).toBe(1);
  expect(broom?.result.exitCode).toBe(3);
  const log = path.join(project.runsDir, "shed", broom?.result.evidence ?? "");
  expect(fs.readFileSync(log, "utf8")).toBe("looking\nstill dust\n");
});
