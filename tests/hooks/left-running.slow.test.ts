/** Nothing is left running, and nobody waits for someone who is gone. */
import { spawn } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { CLI, cleanEnvironment } from "../fixtures/command-line.js";
import { linesOf } from "../fixtures/drive/driven-project.js";
import { isRunning, until } from "../fixtures/processes.js";
import { Project } from "../fixtures/project.js";
import { eventsOf } from "../fixtures/stored-events.js";

const ONE_TASK = `export async function process(inputs, ctx) {
  await ctx.task({ kind: "shell", title: "t", shell: { command: "echo $$ >> pids; test -e go || exec sleep 1000" } });
  return {};
}
`;
/** A hook that does not end by itself, and does not want to. */
const STUBBORN = `#!/bin/sh
trap '' TERM INT
echo $$ >> hook.pids
while :; do sleep 0.1; done
`;

function withHook(type: string, text: string): Project {
  const project = new Project({ "p.mjs": ONE_TASK, go: "", [`.a5c/hooks/${type}/h.sh`]: text });
  fs.chmodSync(project.path(".a5c", "hooks", type, "h.sh"), 0o755);
  return project;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

function begin(project: Project, args: string[], env: Record<string, string> = {}) {
  const child = spawn(process.execPath, [CLI, ...args], {
    cwd: project.dir,
    env: cleanEnvironment(project.home, env),
    stdio: ["ignore", "pipe", "ignore"],
  });
  let told = "";
  child.stdout.on("data", (text: Buffer) => (told += text));
  const over = new Promise<{ code: number | null; signal: string | null; told: string }>((resolve) =>
    child.on("close", (code, signal) => resolve({ code, signal, told })),
  );
  return { child, over };
}

describe("Ctrl-C while a hook runs", () => {
  it("ends the hook with run:iterate", async () => {
    const project = withHook("on-step-dispatch", STUBBORN);
    await project.create("p.mjs", "r1");
    const { child, over } = begin(project, ["run:iterate", "r1"]);
    await until(() => linesOf(project, "hook.pids").length > 0);
    child.kill("SIGINT");
    expect((await over).signal).toBe("SIGINT");
    expect(isAlive(Number(linesOf(project, "hook.pids")[0]))).toBe(false);
  });

  it("ends the hook with the driver, which does not wait for its time limit", async () => {
    const project = withHook("on-task-complete", STUBBORN);
    const { child, over } = begin(project, ["run", "p.mjs", "--json"]);
    await until(() => linesOf(project, "hook.pids").length > 0);
    child.kill("SIGINT");
    await over;
    expect(isAlive(Number(linesOf(project, "hook.pids")[0]))).toBe(false);
  });
});

/** The same with a process that has left its group. */
const SPREAD = STUBBORN.replace("while", "setsid sh -c 'echo $$ >> hook.pids; exec sleep 1000' &\nwhile");

describe("kill -9 while a hook runs", () => {
  const survivors = async (project: Project): Promise<number> => {
    const pids = linesOf(project, "hook.pids").map(Number);
    await until(() => !pids.some(isRunning));
    return pids.filter(isRunning).length;
  };
  const reached = async (project: Project): Promise<void> => until(() => linesOf(project, "hook.pids").length > 1);

  it("ends the hook of run:iterate with everything that it has started", async () => {
    const project = withHook("on-step-dispatch", SPREAD);
    await project.create("p.mjs", "r1");
    const { child, over } = begin(project, ["run:iterate", "r1"]);
    await reached(project);
    child.kill("SIGKILL");
    await over;
    expect(await survivors(project)).toBe(0);
  });

  it("ends the hook of a driver", async () => {
    const project = withHook("on-task-complete", SPREAD);
    const { child, over } = begin(project, ["run", "p.mjs", "--json"]);
    await reached(project);
    child.kill("SIGKILL");
    await over;
    expect(await survivors(project)).toBe(0);
  });

  it("ends the hook that a process has called", async () => {
    const project = withHook("custom", SPREAD);
    project.write({ "p.mjs": 'export const process = (inputs, ctx) => ctx.hook("custom", {});\n' });
    const { child, over } = begin(project, ["run", "p.mjs", "--json"]);
    await reached(project);
    child.kill("SIGKILL");
    await over;
    expect(await survivors(project)).toBe(0);
  });

  it("does not end the tasks that a plugin's own orchestrator waits for", async () => {
    const project = new Project({
      "p.mjs": ONE_TASK.replace("sleep 1000", "sh -c 'while [ ! -e go ]; do sleep 0.05; done'"),
    });
    project.write({
      ".a5c/hooks/on-iteration-start/h.sh":
        '#!/bin/sh\nexec "$BABYSITTER_CLI" run:execute "$RUN_DIR" --payload - --json\n',
    });
    fs.chmodSync(project.path(".a5c/hooks/on-iteration-start/h.sh"), 0o755);
    const { runDir } = await project.create("p.mjs", "r1");
    const { child, over } = begin(project, ["run:iterate", "r1"]);
    await until(() => linesOf(project, "pids").length > 0);
    child.kill("SIGKILL");
    await over;
    // The program that has waited is gone.
    await until(() => hookRunners(project).length === 0);
    project.write({ go: "" });
    await until(() => eventsOf(runDir).some(({ type }) => type === "EFFECT_RESOLVED"));
    expect(linesOf(project, "pids")).toHaveLength(1);
  });
});

/** Pids of `run:execute` in a project. */
function hookRunners(project: Project): string[] {
  return fs.readdirSync("/proc").filter((pid) => {
    try {
      const words = fs.readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0");
      return words.includes("run:execute") && words.some((word) => word.startsWith(project.dir));
    } catch {
      return false;
    }
  });
}

/** Who works on the run. */
function leaseOf(runDir: string): { pid: number } | undefined {
  const state = path.join(runDir, "state");
  const name = fs.readdirSync(state).find((one) => one.startsWith("driver-"));
  return name === undefined
    ? undefined
    : (JSON.parse(fs.readFileSync(path.join(state, name), "utf8")) as { pid: number });
}

describe("run:iterate", () => {
  it("begins the task runner again when that was killed, instead of waiting for it", async () => {
    const project = new Project({ "p.mjs": ONE_TASK });
    const { runDir } = await project.create("p.mjs", "r1");
    const { over } = begin(project, ["run:iterate", "r1", "--json"], { BABYSITTER_ITERATE_WAIT_MS: "100000000" });
    await until(() => eventsOf(runDir).some(({ type }) => type === "EFFECT_STARTED"));
    await until(() => linesOf(project, "pids").length > 0);
    process.kill(leaseOf(runDir)?.pid as number, "SIGKILL");
    project.write({ go: "" });
    expect(JSON.parse((await over).told)).toMatchObject({ status: "executed", count: 1 });
    await until(() => !isAlive(Number(linesOf(project, "pids")[0])));
  });

  it("begins it again although it came and went unseen", async () => {
    const project = new Project({ "p.mjs": ONE_TASK });
    const { runDir } = await project.create("p.mjs", "r1");
    const { child, over } = begin(project, ["run:iterate", "r1", "--json"], {
      BABYSITTER_ITERATE_WAIT_MS: "100000000",
    });
    await until(() => leaseOf(runDir) !== undefined);
    child.kill("SIGSTOP");
    await until(() => eventsOf(runDir).some(({ type }) => type === "EFFECT_STARTED"));
    process.kill(leaseOf(runDir)?.pid as number, "SIGKILL");
    project.write({ go: "" });
    child.kill("SIGCONT");
    expect(JSON.parse((await over).told)).toMatchObject({ status: "executed", count: 1 });
  });

  it("says so when a hook has cancelled the run", async () => {
    const project = withHook(
      "on-step-dispatch",
      `#!/bin/sh\n"$BABYSITTER_CLI" run:cancel "$RUN_ID" --reason enough >&2\n`,
    );
    await project.create("p.mjs", "r1");
    const done = await project.run(["run:iterate", "r1", "--json"]);
    expect([done.code, done.json().status, done.json().reason]).toEqual([12, "failed", "cancelled"]);
  });

  it("counts what a hook has posted before the tasks are executed", async () => {
    const project = withHook(
      "on-step-dispatch",
      `#!/bin/sh
id=$(sed 's/.*"effectId":"\\([^"]*\\).*/\\1/')
echo '{}' | "$BABYSITTER_CLI" task:post "$RUN_ID" "$id" --status ok --value - >&2
`,
    );
    await project.create("p.mjs", "r1");
    expect(await project.ask(["run:iterate", "r1"])).toMatchObject({ status: "executed", count: 1 });
  });
});
