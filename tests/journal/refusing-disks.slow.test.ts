/** Disks that refuse, for real: read-only and full mounts, limits, places that take no folders, runs that vanish. */
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { CLI, execute, type Finished } from "../fixtures/command-line.js";
import { Project } from "../fixtures/project.js";

const ASKS = `export async function process(inputs, ctx) { return ctx.task({ kind: "agent", id: "a" }); }\n`;
const LIMIT_MS = 120_000;

/** The command after a line of sh, in mounts of its own where that is allowed. */
async function after(project: Project, line: string, args: string[], program: string[] = []): Promise<Finished> {
  const command = [...program, "sh", "-c", `${line} && exec "$@"`, "sh", process.execPath, CLI, ...args, "--json"];
  return execute(command[0] as string, command.slice(1), { cwd: project.dir, home: project.home });
}

const OWN_MOUNTS = ["unshare", "--mount"];
const mayMount = spawnSync("unshare", ["--mount", "true"]).status === 0;

/** Never a bug of ours, never a signal: an answer, or one of these codes. */
function expectCoded(done: Finished, ...codes: string[]): void {
  expect({ ...done, code: done.json().error?.code ?? "none" }).toMatchObject({
    signal: null,
    code: expect.stringMatching(new RegExp(`^(?:${codes.join("|")})$`, "u")) as string,
  });
}

async function waiting(): Promise<{ project: Project; effectId: string }> {
  const project = new Project({ "p.mjs": ASKS, "v.json": JSON.stringify("x".repeat(300_000)), "small.json": "1" });
  await project.create("p.mjs", "r");
  const { nextActions } = await project.ask(["run:iterate", "r"]);
  return { project, effectId: nextActions[0]?.effectId ?? "" };
}

const CREATE = ["run:create", "--process-id", "p", "--entry", "p.mjs"];

describe("places that take no runs", () => {
  it.each([
    ["/proc, which has no room for folders", "true", ["--runs-dir", "/proc/babysitter/runs"]],
    ["a device", "true", ["--runs-dir", "/dev/null/runs"]],
    ["a file", "mkdir .a5c && echo > .a5c/runs", []],
    ["a link to nowhere", "mkdir .a5c && ln -s /nowhere/at/all .a5c/runs", []],
    ["a link to itself", "mkdir .a5c && ln -s runs .a5c/runs", []],
    ["a path that is too long", "true", ["--runs-dir", "x/".repeat(2_100)]],
    ["a file in the place of .a5c", "echo > .a5c", []],
  ])(
    "C21: %s: run:create says so, and lists are empty",
    async (_, line, more) => {
      const project = new Project({ "p.mjs": ASKS });
      expectCoded(await after(project, line, [...CREATE, ...more]), "JOURNAL_UNWRITABLE");
      for (const args of [["run:list"], ["report"], ["breakpoint:list"], ["run:prune", "--older-than", "1d", "--yes"]])
        expectCoded(await after(project, "true", [...args, ...more]), "none");
      const done = await after(project, "true", ["run:status", ...more]);
      expect(done.json().error.code).toBe("NO_OPEN_RUN");
    },
    LIMIT_MS,
  );
});

describe.skipIf(!mayMount)("mounts", () => {
  it(
    "C21: a read-only file system: commands that look answer, the others say why they cannot",
    async () => {
      const { project, effectId } = await waiting();
      const line = `mount --bind '${project.root}' '${project.root}' && mount -o remount,ro,bind '${project.root}' && cd .`;
      for (const args of [["run:list"], ["run:status", "r"], ["run:iterate", "r"], ["report"], ["task:list", "r"]])
        expectCoded(await after(project, line, args, OWN_MOUNTS), "none");
      const post = ["task:post", "r", effectId, "--status", "ok", "--value"];
      const refused = [
        CREATE,
        [...post, "v.json"],
        [...post, "small.json"],
        ["run:cancel", "r"],
        ["run", "r"],
        ["breakpoint:create", "--question", "Go on?"],
        ["run:fork", "r", "--at", "1"],
      ];
      for (const args of refused) {
        const done = await after(project, line, args, OWN_MOUNTS);
        expectCoded(done, "JOURNAL_UNWRITABLE");
        expect(done.stdout).toContain("read-only");
      }
    },
    LIMIT_MS,
  );

  it(
    "C21: a full disk: nothing is half made, and what was acknowledged stays",
    async () => {
      const { project, effectId } = await waiting();
      const disk = path.join(project.root, "disk");
      fs.mkdirSync(disk);
      const mounted = `mount -t tmpfs -o size=1m tmpfs '${disk}' && cp -r .a5c/runs '${disk}'`;
      const full = `${mounted} && { head -c 2000000 /dev/zero > '${disk}/fill' 2>&1 || true; } 2>/dev/null`;
      const runsDir = ["--runs-dir", path.join(disk, "runs")];
      const post = ["task:post", "r", effectId, "--status", "ok", "--value", "v.json"];
      for (const args of [CREATE, post, ["run:cancel", "r"]]) {
        const done = await after(project, full, [...args, ...runsDir], OWN_MOUNTS);
        expectCoded(done, "JOURNAL_UNWRITABLE");
        expect(done.stdout).toContain("the disk is full");
      }
      expectCoded(await after(project, full, ["run:status", "r", ...runsDir], OWN_MOUNTS), "none");
    },
    LIMIT_MS,
  );
});

it(
  "C21: a limit on the size of files",
  async () => {
    const { project, effectId } = await waiting();
    const post = ["task:post", "r", effectId, "--status", "ok", "--value", "v.json"];
    const done = await after(project, "ulimit -f 100", post);
    expectCoded(done, "JOURNAL_UNWRITABLE");
    expect(done.stdout).toContain("EFBIG");
    expectCoded(await after(project, "ulimit -f 0", CREATE), "JOURNAL_UNWRITABLE");
    expectCoded(await after(project, "ulimit -f 0", ["run:status", "r"]), "none");
    await project.ask(post);
  },
  LIMIT_MS,
);

/** Loaded before a command: its run goes away just before the first file of an event, or of a large value, is written. */
const VANISHES = `
const fs = require("node:fs");
const real = fs.openSync;
fs.openSync = (file, flags, ...rest) => {
  if (flags === "wx" && new RegExp("/tmp/" + process.env.VANISHES_AT + "-").test(file)) eval(process.env.VANISHES_BY);
  return real(file, flags, ...rest);
};
`;

it.each([
  ["archived", "an event", "event", "small.json"],
  ["archived", "a large value", "blob", "v.json"],
  ["deleted", "an event", "event", "small.json"],
  ["deleted", "a large value", "blob", "v.json"],
])(
  "C21: a run that is %s while a post writes %s is not there, and is not half made again",
  async (how, _, at, value) => {
    const { project, effectId } = await waiting();
    const preload = path.join(project.root, "vanishes.cjs");
    fs.writeFileSync(preload, VANISHES);
    const [from, to] = [project.runDir("r"), path.join(project.root, "archived")].map((dir) => JSON.stringify(dir));
    const by = how === "archived" ? `fs.renameSync(${from}, ${to})` : `fs.rmSync(${from}, { recursive: true })`;
    const env = { NODE_OPTIONS: `--require ${preload}`, VANISHES_AT: at, VANISHES_BY: by };
    const done = await project.run(["task:post", "r", effectId, "--status", "ok", "--value", value, "--json"], { env });
    expectCoded(done, "RUN_NOT_FOUND");
    expect(fs.existsSync(project.runDir("r"))).toBe(false);
  },
  LIMIT_MS,
);
