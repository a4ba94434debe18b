/** A run is deleted under programs of ours: whatever they were about to do, nothing of it is made again. */
import fs from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { until } from "../fixtures/processes.js";
import { Project } from "../fixtures/project.js";

/** Loaded before a program: its run goes away just before its so-and-so-manyth look at it, or write to it. */
const VANISHES = `
const fs = require("node:fs");
const { VANISHES_IN, VANISHES_AT, VANISHES_COUNT, VANISHES_RUN: runDir } = process.env;
if (process.argv.includes(VANISHES_IN) && require("node:worker_threads").isMainThread) {
  const { renameSync, writeFileSync } = fs;
  let count = 0;
  for (const name of ["openSync", "mkdirSync", "writeFileSync", "renameSync", "linkSync", "statSync", "lstatSync", "existsSync", "readdirSync", "rmSync", "unlinkSync"]) {
    const real = fs[name];
    fs[name] = (file, ...rest) => {
      if (String(file).startsWith(runDir)) count += 1;
      if (count === Number(VANISHES_AT)) {
        count += 1;
        renameSync(runDir, runDir + "-gone");
      }
      return real(file, ...rest);
    };
  }
  process.on("exit", () => writeFileSync(VANISHES_COUNT, String(count)));
}
`;

const FILES = {
  "p.mjs": `export async function process(inputs, ctx) {
  await ctx.task({ kind: "shell", id: "s", shell: { command: "echo done" } });
  return ctx.task({ kind: "agent", id: "a", agent: { prompt: "Go" } });
}`,
  "v.json": JSON.stringify("x".repeat(100_000)),
  ".a5c/hooks/on-task-complete/h.sh": "#!/bin/sh\ncat > /dev/null; echo said >&2; echo '{}'\n",
};

function prepared(): Project {
  const project = new Project(FILES);
  fs.chmodSync(project.path(".a5c/hooks/on-task-complete/h.sh"), 0o755);
  return project;
}

interface Scene {
  project: Project;
  args: string[];
  program: string;
}

const SCENES: Record<string, () => Promise<Scene>> = {
  "run:iterate": async () => {
    const project = prepared();
    await project.create("p.mjs", "r");
    return { project, args: ["run:iterate", "r"], program: "run:iterate" };
  },
  "the task runner": async () => {
    const project = prepared();
    await project.create("p.mjs", "r");
    return { project, args: ["run:iterate", "r"], program: "internal:task-runner" };
  },
  "task:post": async () => {
    const project = prepared();
    await project.create("p.mjs", "r");
    let [action] = (await project.ask(["run:iterate", "r"])).nextActions;
    while (action?.kind !== "agent") [action] = (await project.ask(["run:iterate", "r"])).nextActions;
    const value = ["--status", "ok", "--value", "v.json", "--stdout-file", "v.json"];
    return { project, args: ["task:post", "r", action.effectId, ...value], program: "task:post" };
  },
  "the verifier": async () => {
    const project = prepared();
    await project.ask([
      "loop:start",
      "Build the shed, so that `true` passes",
      "--run-id",
      "r",
      "--criteria",
      "ok: true",
    ]);
    await until(() => project.events("r", "VERIFICATION_FINISHED").length > 0);
    project.write({ changed: "" });
    return { project, args: ["loop:verify", "r"], program: "internal:verifier" };
  },
};

const POSITIONS = 8;

it.each(Object.keys(SCENES))(
  "C21: %s makes nothing again of a run that is deleted meanwhile",
  async (name) => {
    const { project: original, args, program } = await (SCENES[name] as () => Promise<Scene>)();
    const preload = path.join(original.root, "vanishes.cjs");
    fs.writeFileSync(preload, VANISHES);
    const attempt = async (at: number): Promise<{ project: Project; count: number }> => {
      const project = new Project();
      fs.cpSync(original.dir, project.dir, { recursive: true });
      const counted = path.join(project.root, "count");
      const which = { VANISHES_IN: program, VANISHES_AT: String(at), VANISHES_RUN: project.runDir("r") };
      const env = { NODE_OPTIONS: `--require ${preload}`, VANISHES_COUNT: counted, ...which };
      const done = await project.run([...args, "--json"], { env });
      expect({ at, ...done }).toMatchObject({
        signal: null,
        stdout: expect.not.stringContaining("INTERNAL") as string,
      });
      await until(() => fs.existsSync(counted) && !isAtWork(project.dir));
      return { project, count: Number(fs.readFileSync(counted, "utf8")) };
    };
    const { count } = await attempt(-1);
    const made: string[] = [];
    let reached = 0;
    for (let n = 1; n <= POSITIONS; n += 1) {
      const { project } = await attempt(Math.ceil((count * n) / POSITIONS));
      // Not every time a program does exactly as much.
      if (!fs.existsSync(`${project.runDir("r")}-gone`)) continue;
      reached += 1;
      if (fs.existsSync(project.runDir("r"))) made.push(...Object.keys(project.tree(project.runDir("r"))));
    }
    expect(made).toEqual([]);
    expect(reached).toBeGreaterThanOrEqual(POSITIONS / 2);
  },
  240_000,
);

/** A program of ours still has a run of this project to work on. */
function isAtWork(dir: string): boolean {
  const pids = fs.readdirSync("/proc").filter((pid) => /^\d+$/u.test(pid));
  return pids.some((pid) => {
    try {
      return fs.readFileSync(`/proc/${pid}/environ`, "latin1").includes(`VANISHES_RUN=${dir}/`);
    } catch {
      return false;
    }
  });
}
