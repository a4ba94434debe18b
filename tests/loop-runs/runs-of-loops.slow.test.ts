import fs from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { LoopProject, SESSION, told } from "../fixtures/loop-runs/loop-project.js";
import { until } from "../fixtures/processes.js";

const TIDY = ["Tidy the shed", "--run-id", "shed", "--completion-promise", "ALL TIDY"];
const DONE = "<promise>ALL TIDY</promise>";
const PROCESS = `export async function process({ where = "shed" }, ctx) {
  const { swept } = await ctx.task({ kind: "agent", id: "sweep", title: "Sweep " + where }, {});
  return { where, swept };
}
`;

const CREATE = ["run:create", "--process-id", "tidy", "--entry", "p.mjs", "--session-id", SESSION];

async function pendingOf(project: LoopProject, run: string): Promise<string> {
  return (await project.ask(["run:status", run])).pendingEffects[0]?.effectId ?? "";
}

describe("run commands on a loop", () => {
  it("L13: run:list, run:events and run:check know it, and the list says what it is about", async () => {
    const project = new LoopProject();
    await project.start(TIDY);
    await project.stop("one");
    const { runs } = await project.ask(["run:list"]);
    expect(runs).toMatchObject([{ runId: "shed", state: "running", foreign: false, title: "Tidy the shed" }]);
    const { events } = await project.ask(["run:events", "shed"]);
    expect(events.map(({ type }) => type)).toEqual([
      "RUN_CREATED",
      "LOOP_STARTED",
      "SESSION_BOUND",
      "STOP_HOOK_INVOKED",
    ]);
    expect((await project.ask(["run:check", "shed"])).ok).toBe(true);
    expect((await project.ask(["run:events", "shed", "--filter-type", "stop_hook_invoked"])).events).toHaveLength(1);
    const text = await project.run(["run:list"]);
    expect(text.stdout).toMatch(/shed +running .* Tidy the shed$/mu);
  });

  it("L13: run:iterate answers where the loop stands, and does nothing", async () => {
    const project = new LoopProject();
    await project.start(TIDY);
    const before = project.journal("shed");
    expect(await project.ask(["run:iterate", "shed"])).toMatchObject({
      status: "waiting",
      reason: "loop",
      action: "waiting",
      count: 0,
    });
    expect(project.journal("shed")).toEqual(before);
    await project.stop(DONE);
    expect(await project.ask(["run:iterate", "shed"])).toMatchObject({
      status: "completed",
      action: "none",
      reason: "terminal-state",
    });
  });

  it("L13: run:show says what the next command is for: to look, to resume, or to read what happened", async () => {
    const project = new LoopProject();
    await project.start(TIDY);
    const next = async (): Promise<string> =>
      (await project.run(["run:show", "shed"])).stdout.split("next:\n")[1] ?? "";
    expect(await next()).toMatch(/^ {2}where it stands {2}babysitter loop:status shed\n/u);
    await project.ask(["loop:pause", "shed"], { as: "person" });
    expect(await next()).toMatch(/^ {2}continue {2}babysitter loop:resume shed\n/u);
    await project.ask(["loop:resume", "shed", "--session-id", SESSION], { as: "person" });
    await project.stop(DONE);
    expect(await next()).toMatch(/^ {2}what happened in it {2}babysitter loop:report shed\n/u);
  });

  it("L13: what needs a process is refused with the way on", async () => {
    const project = new LoopProject();
    await project.start(TIDY);
    const before = project.journal("shed");
    for (const args of [
      ["run", "shed"],
      ["run:fork", "shed", "--at", "2"],
    ]) {
      const done = await project.run([...args, "--json"]);
      expect([args[0], done.code, done.json().error?.code]).toEqual([args[0], 7, "NO_PROCESS"]);
    }
    expect((await project.refuse(["run", "shed"])).hint).toContain("babysitter run shed --agent claude-code");
    expect(project.journal("shed")).toEqual(before);
    expect(project.runs()).toEqual(["shed"]);
    await project.stop(DONE);
    const over = await project.run(["run", "shed", "--json"]);
    expect(over.json().error).toMatchObject({
      code: "RUN_FINISHED",
      hint: expect.stringContaining("loop:report") as string,
    });
  });

  it("L13: run:replay says that there is nothing to replay, and continues with the others", async () => {
    const project = new LoopProject({ "p.mjs": PROCESS });
    await project.start(TIDY);
    await project.create("p.mjs", "plain");
    await project.ask(["run:iterate", "plain"]);
    const done = await project.run(["run:replay"]);
    expect(done.code).toBe(0);
    expect(done.stdout).toContain("It is a loop without a process: nothing to replay.");
    expect(done.stdout).toContain("2 same, 0 different");
  });

  it("L13: run:cancel ends it and run:archive puts it aside with all that it knows", async () => {
    const project = new LoopProject();
    await project.start(TIDY);
    expect((await project.refuse(["run:archive", "shed"])).exit).not.toBe(0);
    await project.ask(["run:cancel", "shed"], { as: "person" });
    expect(await project.ask(["run:iterate", "shed"]).catch(() => "12")).toBe("12");
    await project.ask(["run:archive", "shed"]);
    expect(project.runs()).toEqual([]);
    expect((await project.ask(["run:list", "--archived"])).runs).toMatchObject([{ runId: "shed", state: "cancelled" }]);
    expect((await project.stop("hm")).message).toContain("the run shed of this session cannot be used");
    expect((await project.stop("hm")).answer).toEqual({});
  });

  it("L13: run:cancel ends the check that is under way", async () => {
    const project = new LoopProject({ "check.sh": "echo $$ > ../pid; exec sleep 300\n" });
    await project.doc(["loop:start", ...TIDY, "--criteria", "slow: sh check.sh"]);
    const file = path.join(project.root, "pid");
    await until(() => fs.existsSync(file) && fs.readFileSync(file, "utf8").endsWith("\n"));
    await project.ask(["run:cancel", "shed"], { as: "person" });
    const pid = Number(fs.readFileSync(file, "utf8"));
    expect(fs.existsSync(`/proc/${pid}`) && !/\) Z /u.test(fs.readFileSync(`/proc/${pid}/stat`, "utf8"))).toBe(false);
    expect((await project.status("shed")).status).toBe("cancelled");
  });

  it("L13: a result cannot be posted to a loop, and a loop has no questions", async () => {
    const project = new LoopProject();
    await project.start(TIDY);
    expect((await project.ask(["task:list", "shed"])).tasks).toEqual([]);
    expect(await project.refuse(["task:post", "shed", "none", "--status", "ok"])).toMatchObject({
      code: "EFFECT_NOT_FOUND",
    });
  });

  it("L13: caches that were deleted are made again", async () => {
    const project = new LoopProject();
    await project.start([...TIDY, "--criteria", "broom: false"]);
    await project.claim(DONE);
    const before = await project.status("shed");
    fs.rmSync(path.join(project.runsDir, "shed", "state"), { recursive: true });
    const { spend: _, ...after } = await project.status("shed");
    expect(before).toMatchObject(after);
    expect(after.iteration).toBe(2);
  });
});

describe("a process for a loop that has only a prompt", () => {
  it("L6: run:create in its session attaches the process to the same run; then only the proof ends it", async () => {
    const project = new LoopProject({ "p.mjs": PROCESS, "inputs.json": '{ "where": "attic" }' });
    await project.start(TIDY);
    const attached = await project.doc([...CREATE, "--inputs", "inputs.json"]);
    expect(attached).toMatchObject({ runId: "shed", attached: true, processId: "tidy" });
    expect(project.runs()).toEqual(["shed"]);
    expect(await project.ask(["run:iterate"])).toMatchObject({ status: "waiting", reason: "agent-pending" });
    const vain = await project.stop(DONE);
    expect([vain.decision, vain.code]).toEqual(["block", "run_incomplete"]);
    await project.post("shed", await pendingOf(project, "shed"), { swept: true });
    const { completionProof, output } = await project.ask(["run:iterate", "shed"]);
    expect(output).toEqual({ where: "attic", swept: true });
    const missing = await project.stop("The run is complete.");
    expect([missing.decision, missing.code]).toEqual(["block", "proof_missing"]);
    expect(missing.reason).toContain("completionProof");
    const wrong = await project.stop(`<promise>${"0".repeat(64)}</promise>`);
    expect(wrong.decision).toBe("block");
    const end = await project.stop(`All done.\n<promise>${completionProof}</promise>`);
    expect([end.decision, end.code]).toEqual([undefined, "completion_proof_matched"]);
    expect((await project.run(["loop:report", "shed"])).code).toBe(0);
    expect(await project.status("shed")).toMatchObject({ ended: { attestation: "proof" } });
  });

  it("L6: criteria that were agreed before still have to be met", async () => {
    const project = new LoopProject({ "p.mjs": PROCESS });
    await project.start([...TIDY, "--criteria", "broom: test -e swept.txt"]);
    await project.doc(CREATE);
    await project.ask(["run:iterate", "shed"]);
    await project.post("shed", await pendingOf(project, "shed"), { swept: true });
    const { completionProof } = await project.ask(["run:iterate", "shed"]);
    const proof = `<promise>${completionProof}</promise>`;
    expect((await project.claim(proof)).code).toBe("claim_rejected");
    project.write({ "swept.txt": "" });
    expect((await project.claim(proof)).code).toBe("completion_proof_matched");
  });

  it("L9: a session whose run has a process gets no second one", async () => {
    const project = new LoopProject({ "p.mjs": PROCESS });
    await project.start(TIDY);
    await project.doc(CREATE);
    expect(told(await project.refuse(CREATE))).toEqual([
      7,
      "SESSION_BOUND",
      "Session already associated with run: shed",
    ]);
    expect((await project.refuse([...CREATE, "--run-id", "other"])).code).toBe("SESSION_BOUND");
    expect(project.runs()).toEqual(["shed"]);
  });

  it("C1: a process that cannot be attached leaves the loop as it was", async () => {
    const project = new LoopProject({ "p.mjs": "export const process = 1;\n" });
    await project.start(TIDY);
    const before = project.journal("shed");
    expect((await project.refuse(CREATE)).code).toBe("EXPORT_NOT_FOUND");
    expect((await project.refuse([...CREATE.slice(0, 3), "--entry", "none.mjs", "--session-id", SESSION])).code).toBe(
      "ENTRY_NOT_FOUND",
    );
    expect(project.journal("shed")).toEqual(before);
    const dry = await project
      .doc([...CREATE.slice(0, 3), "--entry", "p.mjs#other", "--session-id", SESSION, "--dry-run"])
      .catch((error: Error) => error.message);
    expect(dry).toContain("EXPORT_NOT_FOUND");
  });

  it("C13: a run bound to a session is run, replayed and forked like any other", async () => {
    const project = new LoopProject({ "p.mjs": PROCESS });
    await project.start(TIDY);
    await project.doc(CREATE);
    await project.ask(["run:iterate", "shed"]);
    await project.post("shed", await pendingOf(project, "shed"), { swept: 1 });
    expect((await project.ask(["run:iterate", "shed"])).status).toBe("completed");
    expect((await project.run(["run:replay", "shed"])).code).toBe(0);
    expect((await project.ask(["run:check", "shed"])).ok).toBe(true);
  });
});
