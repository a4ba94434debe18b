/** What happens around a loop while nobody looks: other people's files, other programs, an agent that is in the way. */
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { LoopProject, SESSION } from "../fixtures/loop-runs/loop-project.js";
import { until } from "../fixtures/processes.js";

const DONE = "<promise>ALL TIDY</promise>";
const TIDY = ["Tidy the shed", "--run-id", "shed", "--completion-promise", "ALL TIDY"];
const AGENT = { CLAUDECODE: "1", CLAUDE_CODE_SESSION_ID: SESSION };

const flagFile = (project: LoopProject, name: string): string => path.join(project.root, name);
const raise = (project: LoopProject, ...names: string[]): void => {
  for (const name of names) fs.writeFileSync(flagFile(project, name), "");
};
const lower = (project: LoopProject, ...names: string[]): void => {
  for (const name of names) fs.rmSync(flagFile(project, name), { force: true });
};
const raised = async (project: LoopProject, name: string): Promise<void> =>
  until(() => fs.existsSync(flagFile(project, name)));

/** Looks at the floor between two gates, and says when it has begun and when it has looked. */
const GATED = `wait_for() { i=0; while [ ! -e "../$1" ] && [ $i -lt 1200 ]; do sleep 0.05; i=$((i+1)); done; }
touch ../begun
wait_for gate-1
grep -q swept floor.txt
result=$?
touch ../looked
wait_for gate-2
exit $result
`;

it("an agent that comes while the check before any work is running makes its result one about no tree", async () => {
  const project = new LoopProject({ "check.sh": GATED, "floor.txt": "swept" });
  raise(project, "gate-1");
  await project.doc(["loop:start", ...TIDY, "--criteria", "sweep: sh check.sh"]);
  await raised(project, "looked");
  await project.doc(["loop:resume", "shed"], { env: AGENT });
  project.write({ "floor.txt": "dust" });
  raise(project, "gate-2");
  await until(() => project.count("shed", "VERIFICATION_FINISHED") > 0);
  expect(project.events("shed", "CRITERION_CHECKED")[0]?.payload).toMatchObject({ alone: false });
  expect((await project.claim(DONE)).code).toBe("claim_rejected");
});

it("nor does a check count for the tree on which a paused loop goes on while it runs", async () => {
  const project = new LoopProject({ "check.sh": GATED, "floor.txt": "dust" });
  raise(project, "gate-1", "gate-2");
  await project.start([...TIDY, "--criteria", "sweep: sh check.sh"]);
  await project.doc(["loop:pause", "shed"], { as: "person" });
  project.write({ "floor.txt": "swept" });
  lower(project, "gate-2", "looked");
  await project.run(["loop:verify", "shed", "--no-wait"]);
  await raised(project, "looked");
  await project.doc(["loop:resume", "shed"], { as: "person" });
  project.write({ "floor.txt": "more dust" });
  raise(project, "gate-2");
  await until(() => project.count("shed", "VERIFICATION_FINISHED") > 1);
  expect(project.events("shed", "CRITERION_CHECKED").at(-1)?.payload).toMatchObject({ alone: false });
  expect((await project.claim(DONE)).code).toBe("claim_rejected");
});

it("a check that saw other files than those before and after it is made again", async () => {
  const project = new LoopProject({ "check.sh": GATED, "floor.txt": "dust" });
  raise(project, "gate-1", "gate-2");
  await project.start([...TIDY, "--criteria", "sweep: sh check.sh"]);
  project.write({ "notes.txt": "A tree on which nothing was checked." });
  lower(project, "gate-1", "gate-2", "begun", "looked");
  const verified = project.run(["loop:verify", "shed", "--wait", "--json"], { env: AGENT });
  await raised(project, "begun");
  project.write({ "floor.txt": "swept" });
  raise(project, "gate-1");
  await raised(project, "looked");
  project.write({ "floor.txt": "dust" });
  raise(project, "gate-2");
  expect((await verified).json()).toMatchObject({ status: "unmet" });
  expect((await project.claim(DONE)).code).toBe("claim_rejected");
});

it("a file that git was told to skip counts like all others", async () => {
  const project = new LoopProject({ "floor.txt": "dust" });
  project.git("init", "-q");
  project.git("add", ".");
  project.git("commit", "-qm", "one");
  await project.start([...TIDY, "--criteria", "sweep: grep -q swept floor.txt"]);
  project.git("update-index", "--skip-worktree", "floor.txt");
  project.write({ "floor.txt": "swept" });
  await project.doc(["loop:verify", "shed", "--wait"], { env: AGENT });
  project.write({ "floor.txt": "dust" });
  expect((await project.claim(DONE)).code).toBe("claim_rejected");
});

it("variables of the agent's own shell do not decide what a check finds", async () => {
  const project = new LoopProject();
  await project.start([...TIDY, "--criteria", "sweep: env | grep -q of-the-agent"]);
  const names = [
    "MAKEFLAGS",
    "MAKEFILES",
    "SHELLOPTS",
    "BASH_FUNC_test%%",
    "PYTEST_ADDOPTS",
    "PYTHONOPTIMIZE",
    "GOFLAGS",
  ];
  const others = ["LD_LIBRARY_PATH", "XDG_CONFIG_HOME", "npm_config_userconfig", "NPM_CONFIG_GLOBALCONFIG"];
  const env = Object.fromEntries([...names, ...others].map((name) => [name, "/of-the-agent"]));
  const { code } = await project.run(["loop:verify", "shed", "--wait", "--again", "--json"], {
    env: { ...AGENT, ...env },
  });
  expect(code).toBe(1);
  expect((await project.claim(DONE)).code).toBe("claim_rejected");
});

it("nor does another git, or another home, decide which tree it is about", async () => {
  const project = new LoopProject({ "floor.txt": "dust", "home-of-agent/git/ignore": "broom.txt\n" });
  project.git("init", "-q");
  await project.start([...TIDY, "--criteria", "sweep: test -e broom.txt"]);
  project.write({ "broom.txt": "", "notes.txt": "A tree on which nothing was checked." });
  const env = { ...AGENT, XDG_CONFIG_HOME: project.path("home-of-agent") };
  await project.run(["loop:verify", "shed", "--wait"], { env });
  fs.rmSync(project.path("broom.txt"));
  expect((await project.claim(DONE)).code).toBe("claim_rejected");
});

it("the installed program that a script runs must stay as it is", async () => {
  const project = new LoopProject({
    "package.json": JSON.stringify({ type: "commonjs", scripts: { test: "sweep-test --all" } }),
    "node_modules/.bin/sweep-test": "#!/bin/sh\nexit 1\n",
    ".gitignore": "node_modules\n",
  });
  fs.chmodSync(project.path("node_modules/.bin/sweep-test"), 0o755);
  project.git("init", "-q");
  await project.start([...TIDY, "--criteria", "tests: npm test"]);
  fs.writeFileSync(project.path("node_modules/.bin/sweep-test"), "#!/bin/sh\nexit 0\n");
  const stop = await project.claim(DONE);
  expect([stop.code, stop.message]).toEqual([
    "contract_tampered",
    expect.stringContaining("node_modules/.bin/sweep-test"),
  ]);
});

it("a .loop/state.json about another task is someone's own, and stays as it is", async () => {
  const own = '{"spec": "Paint the fence", "notes": "the only copy"}\n';
  const project = new LoopProject({ ".loop/state.json": own });
  await project.start(TIDY);
  await project.stop("sweeping");
  expect(project.read(".loop", "state.json")).toBe(own);
});

it("one that an earlier loop has written is replaced, unless someone has written into it since", async () => {
  const project = new LoopProject({ ".loop/keep": "" });
  await project.start(TIDY);
  await project.doc(["loop:cancel", "shed"], { as: "person" });
  await project.start(["Paint the fence"]);
  expect(project.readJson(".loop", "state.json")).toMatchObject({ spec: "Paint the fence" });
  const edited = project.read(".loop", "state.json").replace("Paint the fence", "Paint it black");
  project.write({ ".loop/state.json": edited });
  await project.stop("painting");
  expect(project.read(".loop", "state.json")).toBe(edited);
});

it("a pipe in the place of package.json, or of the hooks' log, holds no host", async () => {
  const project = new LoopProject({ "package.json": JSON.stringify({ type: "commonjs", scripts: { test: "true" } }) });
  await project.start([...TIDY, "--criteria", "tests: npm test"]);
  fs.rmSync(project.path("package.json"));
  const log = path.join(project.home, ".a5c", "log");
  fs.mkdirSync(log, { recursive: true });
  for (const pipe of [project.path("package.json"), path.join(log, "hooks.jsonl")]) spawnSync("mkfifo", [pipe]);
  expect((await project.stop(DONE)).code).toBe("contract_tampered");
  const broken = await project.run(["hook:run", "--hook-type", "stop", "--harness", "claude-code"], {
    stdin: "no JSON",
  });
  expect([broken.code, broken.stdout.trim()]).toEqual([0, "{}"]);
});

it("of a hook that fails the user is told, also when another problem of the session was only written down", async () => {
  const project = new LoopProject();
  await project.start(TIDY);
  const log = path.join(project.home, ".a5c", "log");
  fs.mkdirSync(log, { recursive: true });
  const earlier = { at: new Date().toISOString(), hookType: "stop", sessionId: SESSION, code: "SESSION_UNREACHABLE" };
  fs.writeFileSync(path.join(log, "hooks.jsonl"), `${JSON.stringify({ ...earlier, message: "a view" })}\n`);
  const late = ["hook:run", "--hook-type", "stop", "--harness", "claude-code", "--deadline-ms", "1"];
  const stdin = JSON.stringify({ hook_event_name: "Stop", session_id: SESSION, cwd: project.dir });
  const first = await project.run(late, { stdin });
  expect(first.stdout).toContain("The agent may stop");
  expect((await project.run(late, { stdin })).stdout.trim()).toBe("{}");
});

it("what several people change in a contract at the same time is all in it afterwards", async () => {
  const project = new LoopProject();
  await project.start(TIDY);
  const names = Array.from({ length: 8 }, (_, n) => `check-${n}`);
  await Promise.all(
    names.map(async (name) => project.doc(["loop:amend", "shed", "--criteria", `${name}: true`], { as: "person" })),
  );
  const { criteria } = await project.status("shed");
  expect(criteria.map(({ id }) => id).toSorted()).toEqual(names);
});
