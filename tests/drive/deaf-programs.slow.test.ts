/** Programs of ours that spin, or have lost whoever needs them. */
import fs from "node:fs";
import path from "node:path";
import { describe, expect, it, vi } from "vitest";
import { drivenProject, open, RunningDriver, reached } from "../fixtures/drive/driven-project.js";
import { HostSession } from "../fixtures/hosts/host-session.js";
import { isRunning, until } from "../fixtures/processes.js";
import { Project } from "../fixtures/project.js";

const LIMIT_MS = 180_000;

/** Loaded before one of our programs: it spins from the moment on that it lists such a folder. */
const BROKEN = `
const fs = require("node:fs");
const { isMainThread } = require("node:worker_threads");
const { BROKEN_PROGRAM, BROKEN_AT, BROKEN_PID } = process.env;
if (isMainThread && process.argv.includes(BROKEN_PROGRAM)) {
  const real = fs.readdirSync;
  fs.readdirSync = (dir, ...rest) => {
    if (new RegExp(BROKEN_AT).test(String(dir))) {
      fs.writeFileSync(BROKEN_PID, String(process.pid));
      for (;;);
    }
    return real(dir, ...rest);
  };
}
`;

interface Broken {
  program: string;
  at: string;
}

function spinning(project: Project, { program, at }: Broken): { env: Record<string, string>; pid: () => number } {
  const [preload, pidFile] = [path.join(project.root, "broken.cjs"), path.join(project.root, "broken.pid")];
  fs.writeFileSync(preload, BROKEN);
  return {
    env: {
      NODE_OPTIONS: `--require ${preload}`,
      BROKEN_PROGRAM: program,
      BROKEN_AT: at,
      BROKEN_PID: pidFile,
      BABYSITTER_TURN_LIMIT_MS: "3000",
    },
    pid: () => Number(fs.existsSync(pidFile) ? fs.readFileSync(pidFile, "utf8") : 0),
  };
}

/** Gone in one step: in the middle of a slow deletion a run looks damaged, and rightly so. */
function remove(runDir: string): void {
  const hidden = `${runDir}-removed`;
  fs.renameSync(runDir, hidden);
  fs.rmSync(hidden, { recursive: true, force: true });
}

const WAITS = `return ctx.task({ kind: "shell", title: "wait", shell: { command: "exec sleep 600" } });`;

describe("a program of ours that spins ends by itself", () => {
  it(
    "C21: the driver, with its last words, and the run goes on",
    async () => {
      const project = drivenProject("return ctx.task(shell(`echo done`)).then(() => 1);");
      const { env, pid } = spinning(project, { program: "run", at: "/r/state$" });
      const driven = await project.run(["run", "p.mjs", "--run-id", "r"], { env });
      expect(driven).toMatchObject({ code: null, signal: "SIGKILL" });
      expect(driven.stderr).toContain("error INTERNAL: This program was busy for more than 3000 ms without a pause");
      expect(isRunning(pid())).toBe(false);
      expect(await project.ask(["run", "r"])).toMatchObject({ state: "completed" });
    },
    LIMIT_MS,
  );

  it(
    "C21: the task runner, although nobody waits for it",
    async () => {
      const project = drivenProject("return ctx.task(shell(`echo done`)).then(() => 1);");
      await project.create("p.mjs", "r");
      const { env, pid } = spinning(project, { program: "internal:task-runner", at: "/r/state$" });
      await project.run(["run:iterate", "r", "--wait", "0s"], { env });
      await until(() => pid() > 1 && !isRunning(pid()));
      expect(fs.readFileSync(path.join(project.runDir("r"), "state/task-runner.log"), "utf8")).toContain(
        "was busy for",
      );
    },
    LIMIT_MS,
  );

  it(
    "C21: the verifier, although nobody waits for it",
    async () => {
      const project = new Project();
      const session = new HostSession(project);
      const { env, pid } = spinning(project, { program: "internal:verifier", at: "/r/evidence/" });
      const args = ["--prompt-file", "-", "--session-id", session.sessionId, "--harness", "claude-code"];
      // What holds already is checked when the loop starts.
      await project.ask(["loop:start", ...args, "--run-id", "r", "--criteria", "ok: true"], {
        stdin: "Build the shed.",
        env,
      });
      await until(() => pid() > 1 && !isRunning(pid()));
      expect(isRunning(pid())).toBe(false);
    },
    LIMIT_MS,
  );
});

/** Computes for half a second with every folder that it lists. */
const SLOW = `
const fs = require("node:fs");
const real = fs.readdirSync;
fs.readdirSync = (dir, ...rest) => {
  const end = performance.now() + (/busy/.test(String(dir)) ? 500 : 0);
  while (performance.now() < end);
  return real(dir, ...rest);
};
`;

it(
  "C21: the verifier does not end itself while a long look at the files gets on",
  async () => {
    const folders = Array.from({ length: 9 }, (_, n) => [`busy/${n}/file`, "x"]);
    const project = new Project(Object.fromEntries(folders));
    const session = new HostSession(project);
    const preload = path.join(project.root, "slow.cjs");
    fs.writeFileSync(preload, SLOW);
    const args = ["--prompt-file", "-", "--session-id", session.sessionId, "--harness", "claude-code"];
    await project.ask(["loop:start", ...args, "--run-id", "r", "--criteria", "ok: true"], {
      stdin: "Build the shed.",
      env: { NODE_OPTIONS: `--require ${preload}`, BABYSITTER_TURN_LIMIT_MS: "3000" },
    });
    const checked = (): unknown[] => project.events("r", "CRITERION_CHECKED");
    await vi.waitFor(() => expect(checked()).toHaveLength(1), { timeout: 90_000, interval: 50 });
    expect(checked()).toMatchObject([{ payload: { ok: true } }]);
  },
  LIMIT_MS,
);

describe("a program of ours that has lost its purpose ends by itself", () => {
  it(
    "J4: the program of a process, when its driver is killed",
    async () => {
      // Something that keeps a program alive whose driver is gone.
      const heart = "const heart = setInterval(() => {}, 1000);";
      const project = drivenProject(`${heart} await ctx.task(gate("a")); clearInterval(heart); return 1;`);
      const driver = new RunningDriver(project, ["p.mjs", "--run-id", "r"]);
      await reached(project, ["a"]);
      const children = fs.readFileSync(`/proc/${driver.pid}/task/${driver.pid}/children`, "utf8").trim().split(" ");
      const isHost = (pid: string): boolean =>
        fs.readFileSync(`/proc/${pid}/cmdline`, "utf8").includes("process-worker");
      const host = Number(children.find(isHost));
      driver.child.kill("SIGKILL");
      await until(() => !isRunning(host));
      open(project, "a");
      await driver.finished.catch(() => undefined);
      expect(await project.ask(["run", "r"])).toMatchObject({ state: "completed" });
    },
    LIMIT_MS,
  );

  it(
    "C21: driver and task runner, when the directory of their run is deleted: what they started is stopped",
    async () => {
      const project = drivenProject(WAITS);
      const driver = new RunningDriver(project, ["p.mjs", "--run-id", "driven"]);
      const started = (runId: string): number => {
        const event = project.events(runId, "EFFECT_STARTED")[0]?.payload as { group?: { pid?: number } } | undefined;
        return event?.group?.pid ?? 0;
      };
      await until(() => fs.existsSync(project.runDir("driven")) && started("driven") > 1);
      const [task] = [started("driven")];
      remove(project.runDir("driven"));
      const { doc, code } = await driver.finished;
      expect({ code, error: doc.error?.code, next: doc.next }).toEqual({ code: 2, error: "RUN_NOT_FOUND", next: [] });
      expect(isRunning(task)).toBe(false);
      await project.create("p.mjs", "r");
      await project.ask(["run:iterate", "r", "--wait", "0s"]);
      await until(() => started("r") > 1);
      const left = started("r");
      remove(project.runDir("r"));
      await until(() => !isRunning(left));
      expect(fs.existsSync(path.join(project.runDir("r"), "journal"))).toBe(false);
    },
    LIMIT_MS,
  );
});
