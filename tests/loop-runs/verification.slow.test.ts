import fs from "node:fs";
import path from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { type LoopDoc, LoopProject } from "../fixtures/loop-runs/loop-project.js";
import { isRunning, until } from "../fixtures/processes.js";

const DONE = "<promise>ALL TIDY</promise>";
const TIDY = ["Tidy the shed", "--run-id", "shed", "--completion-promise", "ALL TIDY"];

/** A check that says when it has begun and ends when the test opens the gate, or after a minute. */
const GATED = `echo $$ >> ../begun
mkdir ../busy 2>/dev/null || touch ../overlap
i=0
while [ ! -e ../gate ] && [ $i -lt 1200 ]; do sleep 0.05; i=$((i+1)); done
rmdir ../busy
test -e swept.txt
`;

const begunIn = (project: LoopProject): string[] => {
  const file = path.join(project.root, "begun");
  return fs.existsSync(file) ? fs.readFileSync(file, "utf8").trim().split("\n") : [];
};
const openGate = (project: LoopProject): void => fs.writeFileSync(path.join(project.root, "gate"), "");

/** A loop whose check waits for the gate; the check before any work is over. */
async function gatedLoop(): Promise<LoopProject> {
  const project = new LoopProject({ "check.sh": GATED });
  // A check that a failed test leaves behind must not outlive it by a minute.
  onTestFinished(() => openGate(project));
  openGate(project);
  await project.start([...TIDY, "--criteria", "sweep: sh check.sh"]);
  fs.rmSync(path.join(project.root, "gate"));
  return project;
}

function verifierOf(project: LoopProject): { pid: number; verification: string } {
  const { payload } = project.events("shed", "VERIFICATION_STARTED").at(-1) as { payload: Record<string, unknown> };
  return { pid: (payload["group"] as { pid: number }).pid, verification: String(payload["verification"]) };
}

const verify = async (project: LoopProject, ...args: string[]): Promise<[number | null, LoopDoc]> => {
  const done = await project.run(["loop:verify", "--json", ...args]);
  return [done.code, done.json() as unknown as LoopDoc];
};

it("L10: a long check does not hold the host: the stop answers that it is being checked, loop:verify --wait collects", async () => {
  const project = await gatedLoop();
  project.write({ "swept.txt": "" });
  const stop = await project.stop(DONE);
  expect([stop.decision, stop.code]).toEqual(["block", "verifying"]);
  expect(stop.reason).toContain("babysitter loop:verify shed --wait");
  expect(await project.status("shed")).toMatchObject({ status: "verifying", iteration: 1 });
  const [early, unknown] = await verify(project, "shed", "--no-wait");
  expect([early, unknown.status]).toEqual([9, "verifying"]);
  openGate(project);
  const [code, { status, criteria }] = await verify(project, "shed", "--wait");
  expect([code, status, criteria[0]?.standing]).toEqual([0, "met", "green"]);
  expect(begunIn(project)).toHaveLength(2);
  expect((await project.stop(DONE)).code).toBe("completed_verified");
});

it("L10: a verification whose program was killed is lost, and the next one checks again", async () => {
  const project = await gatedLoop();
  project.write({ "swept.txt": "" });
  await verify(project, "--no-wait");
  await until(() => begunIn(project).length === 2);
  const killed = verifierOf(project);
  process.kill(killed.pid, "SIGKILL");
  expect((await project.stop(DONE)).code).toBe("verifying");
  await until(() => begunIn(project).length === 3);
  openGate(project);
  const [code, { status }] = await verify(project, "--wait");
  expect([code, status]).toEqual([0, "met"]);
  const ends = project.events("shed", "VERIFICATION_FINISHED").map(({ payload }) => payload["outcome"]);
  expect(ends).toEqual(["done", "lost", "done"]);
  expect((await project.claim(DONE)).code).toBe("completed_verified");
});

it("L10: what a killed verification has left running is ended by the next one", async () => {
  const project = new LoopProject({ "check.sh": "echo $$ >> ../begun; test -e ../gate || exec sleep 300\n" });
  await project.doc(["loop:start", "--session-id", "s", ...TIDY, "--criteria", "sweep: sh check.sh"]);
  await until(() => begunIn(project).length === 1);
  const left = Number(begunIn(project)[0]);
  onTestFinished(() => void (isRunning(left) && process.kill(left, "SIGKILL")));
  process.kill(verifierOf(project).pid, "SIGKILL");
  openGate(project);
  expect((await verify(project, "--wait"))[0]).toBe(0);
  expect(isRunning(left)).toBe(false);
});

it("L10: two verifications at once: one after the other checks, and both get an answer", async () => {
  const project = await gatedLoop();
  project.write({ "swept.txt": "" });
  const both = Promise.all([verify(project, "--wait"), verify(project, "--wait")]);
  await until(() => begunIn(project).length === 2);
  openGate(project);
  const answers = (await both).map(([code, { status }]) => [code, status]);
  expect(answers).toEqual([
    [0, "met"],
    [0, "met"],
  ]);
  expect(fs.existsSync(path.join(project.root, "overlap"))).toBe(false);
});

it("L10: after a verification was killed, loop:verify waits for its replacement", async () => {
  const project = await gatedLoop();
  project.write({ "swept.txt": "" });
  await verify(project, "--no-wait");
  await until(() => begunIn(project).length === 2);
  process.kill(verifierOf(project).pid, "SIGKILL");
  const answer = verify(project, "--wait");
  await until(() => begunIn(project).length === 3);
  openGate(project);
  expect([(await answer)[0], (await answer)[1].status]).toEqual([0, "met"]);
});

it("L10: loop:verify is not content with a verification that was begun on other files", async () => {
  const project = new LoopProject({ "check.sh": GATED });
  onTestFinished(() => openGate(project));
  await project.doc(["loop:start", "--session-id", "s", ...TIDY, "--criteria", "sweep: sh check.sh"]);
  await until(() => begunIn(project).length === 1);
  project.write({ "swept.txt": "" });
  const answer = verify(project, "--wait");
  await until(() => isWatchedBy("loop:verify", project));
  openGate(project);
  expect([(await answer)[0], (await answer)[1].status]).toEqual([0, "met"]);
  expect(begunIn(project)).toHaveLength(2);
});

it("L10: a check of these exact files is not repeated, unless asked for", async () => {
  const project = new LoopProject({ "check.sh": "echo x >> ../begun\nexit 1\n" });
  await project.start([...TIDY, "--criteria", "sweep: sh check.sh"]);
  expect((await verify(project))[0]).toBe(1);
  expect(begunIn(project)).toHaveLength(1);
  await verify(project, "--again");
  expect(begunIn(project)).toHaveLength(2);
  project.write({ "new.txt": "" });
  await verify(project);
  expect(begunIn(project)).toHaveLength(3);
});

it("L10: a check that is red and green on the same files is flaky: it must be green twice, and it is marked", async () => {
  // The first look fails, the later ones do not.
  const project = new LoopProject({ "check.sh": "echo x >> ../begun\ntest $(wc -l < ../begun) -gt 1\n" });
  await project.start([...TIDY, "--criteria", "sweep: sh check.sh"]);
  expect((await project.claim(DONE)).code).toBe("claim_rejected");
  expect(begunIn(project)).toHaveLength(1);
  const [code, { criteria }] = await verify(project, "--again");
  expect([code, criteria[0]?.result?.flaky]).toEqual([0, true]);
  expect(begunIn(project)).toHaveLength(3);
  expect((await project.status("shed")).criteria).toMatchObject([{ flaky: true, standing: "met" }]);
  await project.claim(DONE);
  expect((await project.run(["loop:report", "shed"])).stdout).toContain(
    "Flaky: it failed and passed on the same tree.",
  );
});

it("L10: a check that changes the files itself gives no result that counts, and a person is told", async () => {
  const project = new LoopProject({ "check.sh": "date +%N >> report.txt\n" });
  await project.start([...TIDY, "--criteria", "sweep: sh check.sh"]);
  const codes: string[] = [];
  const told: (string | undefined)[] = [];
  for (let turn = 0; turn < 12 && codes.at(-1) !== "verification_unsettled"; turn += 1) {
    const stop = await project.stop(DONE);
    codes.push(stop.code);
    told.push(stop.reason);
  }
  expect(new Set(codes)).toEqual(new Set(["verifying", "verification_unsettled"]));
  expect(told[1]).toContain("the check sweep changes files itself (report.txt)");
  const paused = (await project.status("shed")).paused;
  expect(paused?.message).toContain("no valid result for sweep: the check sweep changes files itself (report.txt).");
  // With nobody at work on the files it is clear what was checked.
  const [code] = await verify(project, "shed");
  expect(code).toBe(0);
});

it("L10: a check that writes only ignored files counts", async () => {
  const project = new LoopProject({ "check.sh": "date +%N >> out/report.txt\n", ".gitignore": "out/\n", "out/x": "" });
  await project.start([...TIDY, "--criteria", "sweep: sh check.sh"]);
  expect((await project.claim(DONE)).code).toBe("completed_verified");
});

it("L10: a check that never ends is ended after its time, with everything that it has started", async () => {
  const project = new LoopProject({ "check.sh": "sleep 300 & echo $! > ../pid; wait\n" });
  await project.start([...TIDY, "--criteria", "sweep: sh check.sh", "--criteria-timeout", "1s"]);
  const [code, { criteria }] = await verify(project);
  expect([code, criteria[0]?.result?.outcome]).toEqual([1, "timed-out"]);
  const pid = Number(fs.readFileSync(path.join(project.root, "pid"), "utf8"));
  expect(isRunning(pid)).toBe(false);
});

it("L10: what a check leaves in the background is ended, and holds nobody", async () => {
  const project = new LoopProject({
    "check.sh": "(setsid sleep 300 >/dev/null 2>&1 & echo $! > ../pid)\nexit 0\n",
  });
  await project.start([...TIDY, "--criteria", "sweep: sh check.sh"]);
  expect((await verify(project))[0]).toBe(0);
  const pid = Number(fs.readFileSync(path.join(project.root, "pid"), "utf8"));
  expect(isRunning(pid)).toBe(false);
});

it("L10: of a hundred megabytes of output the start and the end are kept", async () => {
  const project = new LoopProject({
    "check.sh": "echo first; yes 'all work and no play' | head -c 100000000; echo; echo last; exit 1\n",
  });
  await project.start([...TIDY, "--criteria", "sweep: sh check.sh"]);
  const [code, { criteria }] = await verify(project, "--wait");
  const { result } = criteria[0] ?? {};
  expect([code, result?.exitCode]).toEqual([1, 1]);
  const log = fs.readFileSync(path.join(project.runsDir, "shed", result?.evidence ?? ""), "utf8");
  expect(log.length).toBeLessThan(4 * 1024 * 1024);
  expect([log.startsWith("first\n"), log.endsWith("last\n")]).toEqual([true, true]);
  const stop = await project.claim(DONE);
  expect(stop.code).toBe("claim_rejected");
  expect(stop.reason.length).toBeLessThan(10_000);
});

it("L13: loop:verify of one criterion, of an unknown one, and where there is nothing to check", async () => {
  const project = new LoopProject();
  await project.start([...TIDY, "--criteria", "a: true", "--criteria", "b: false", "--claim", "nice"]);
  expect((await verify(project, "--criterion", "a"))[0]).toBe(0);
  expect((await verify(project, "--criterion", "b"))[0]).toBe(1);
  const { exit, message } = await project.refuse(["loop:verify", "--criterion", "nice"]);
  expect([exit, message]).toEqual([2, expect.stringContaining("available: a, b")]);
  expect((await project.refuse(["loop:verify", "--timeout", "soon"])).exit).toBe(2);
  await project.doc(["loop:start", "Only words", "--run-id", "words", "--shape", "tool"]);
  const done = await project.run(["loop:verify", "words"]);
  expect([done.code, done.stdout]).toEqual([0, "There is nothing for the engine to check.\n"]);
});

it("L13: what is known of the criterion that was asked for is the answer, also while others are being checked", async () => {
  const project = new LoopProject({ "check.sh": GATED });
  onTestFinished(() => openGate(project));
  const criteria = ["--criteria", "known: false", "--criteria", "sweep: sh check.sh"];
  await project.doc(["loop:start", "--session-id", "s", ...TIDY, ...criteria]);
  await until(() => begunIn(project).length === 1 && project.count("shed", "CRITERION_CHECKED") === 1);
  const [code, { status }] = await verify(project, "--criterion", "known", "--no-wait");
  expect([code, status]).toEqual([1, "unmet"]);
  const [early, all] = await verify(project, "--no-wait");
  expect([early, all.status]).toEqual([9, "verifying"]);
});

it("L13: loop:verify says what it found in lines that can be read", async () => {
  const project = new LoopProject({ "check.sh": "echo one line; exit 4\n" });
  await project.start([...TIDY, "--criteria", "sweep: sh check.sh", "--criteria", "mop: true"]);
  const { stdout } = await project.run(["loop:verify"]);
  expect(stdout).toMatch(
    /^✗ sweep: exit code 4 {2}\(evidence\/sweep\/\d+\.log\)\n {2}\| one line\n✓ mop: exit code 0 {2}\(evidence\/mop\/\d+\.log\)\n$/u,
  );
});

it("L13: a loop that has ended can be looked at, not verified again", async () => {
  const project = new LoopProject();
  await project.start([...TIDY, "--criteria", "a: true"]);
  await project.claim(DONE);
  const before = project.journal("shed");
  project.write({ "later.txt": "" });
  const done = await project.run(["loop:verify", "shed", "--again", "--json"]);
  expect([done.code, done.json().error?.code]).toEqual([7, "RUN_FINISHED"]);
  expect(project.journal("shed")).toEqual(before);
});

/** Whether a command that was started in the project watches a folder by now. */
function isWatchedBy(command: string, { dir }: LoopProject): boolean {
  return fs.readdirSync("/proc").some((pid) => {
    try {
      const isIt = fs.readFileSync(`/proc/${pid}/cmdline`, "utf8").includes(`\0${command}\0`);
      if (!isIt || fs.readlinkSync(`/proc/${pid}/cwd`) !== dir) return false;
      const files = fs.readdirSync(`/proc/${pid}/fd`).map((fd) => fs.readlinkSync(`/proc/${pid}/fd/${fd}`));
      return files.includes("anon_inode:inotify");
    } catch {
      return false;
    }
  });
}
