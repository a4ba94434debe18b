/** One bad run directory breaks nothing else: all kinds of them lie beside a good run. */
import fs from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Finished } from "../fixtures/command-line.js";
import { Project } from "../fixtures/project.js";
import { BAD_RUNS, isListed, isUnreadable, makeBadRuns } from "../fixtures/runs/bad-runs.js";
import { makeTempDir, removeTempDir } from "../fixtures/temp-dir.js";

const ASKS = `export async function process(inputs, ctx) { return ctx.breakpoint({ question: "Go on?" }); }\n`;
const UNREADABLE = BAD_RUNS.filter(isUnreadable).map(({ runId }) => runId);
/** Far more than any answer takes; whoever waits for a pipe or reads a device never answers. */
const LIMIT_MS = 60_000;

let root: string;
let project: Project;

beforeAll(async () => {
  root = makeTempDir();
  project = new Project({ "p.mjs": ASKS }, "project", root);
  await project.create("p.mjs", "good");
  await project.ask(["run:iterate", "good"]);
  await makeBadRuns(project, BAD_RUNS);
}, LIMIT_MS);

afterAll(() => removeTempDir(root));

/** The command must answer by itself: one that hangs or spins is killed, and has no exit code then. */
async function answered(args: string[], stdin?: string): Promise<Finished> {
  let timer: NodeJS.Timeout | undefined;
  const done = await project.run(args, {
    stdin,
    onStart: (child) => void (timer = setTimeout(() => child.kill("SIGKILL"), LIMIT_MS / 2)),
  });
  clearTimeout(timer);
  expect({ args, code: done.code, stderr: done.stderr }).toMatchObject({ code: 0 });
  return done;
}

interface WithUnreadable {
  unreadable: { runId: string; why: string }[];
}

const named = (document: unknown): string[] =>
  (document as WithUnreadable).unreadable.map(({ runId }) => runId).toSorted();

describe("beside every kind of bad run", () => {
  it(
    "C21: run:list shows the good run, and each bad one as damaged, with what is wrong",
    async () => {
      const { runs } = (await answered(["run:list", "--json"])).json();
      const states = Object.fromEntries(runs.map(({ runId, state }) => [runId, state]));
      expect(states["good"]).toBe("waiting");
      expect(UNREADABLE.filter((runId) => states[runId] !== "damaged")).toEqual([]);
      const unexplained = runs.filter(({ state, why }) => state === "damaged" && !/ is damaged: /u.test(why));
      expect(unexplained).toEqual([]);
      // What can be made again does not count against a run.
      const sound = BAD_RUNS.filter((bad) => isListed(bad) && !isUnreadable(bad));
      expect(sound.filter(({ runId }) => states[runId] !== "waiting")).toEqual([]);
    },
    LIMIT_MS,
  );

  it(
    "C21: report and breakpoint:list tell of the good run and name the bad ones",
    async () => {
      for (const args of [["report"], ["breakpoint:list"], ["breakpoint:list", "--all-runs"]]) {
        const done = await answered([...args, "--json"]);
        expect(done.stdout).toContain("Go on?");
        expect(named(done.json())).toEqual(expect.arrayContaining(UNREADABLE));
      }
      expect((await answered(["breakpoint:list"])).stdout).toMatch(
        /cannot be read: bad-.* is damaged: .*run:check bad-/u,
      );
    },
    LIMIT_MS,
  );

  it(
    "C21: run:prune goes on, names what it cannot judge, and deletes nothing through a link",
    async () => {
      const outside = path.join(root, "outside");
      const before = fs.readdirSync(outside, { recursive: true }).length;
      const report = (await answered(["run:prune", "--older-than", "1d", "--failed", "--yes", "--json"])).json();
      expect(named(report)).toEqual(expect.arrayContaining(UNREADABLE));
      expect(fs.readdirSync(outside, { recursive: true }).length).toBe(before);
    },
    LIMIT_MS,
  );

  it(
    "C21: without a name the good run is meant, and the bad ones are named on stderr",
    async () => {
      for (const bad of BAD_RUNS) if (!isUnreadable(bad)) fs.rmSync(project.runDir(bad.runId), { recursive: true });
      for (const args of [["run:status"], ["run:iterate"]]) {
        const done = await answered([...args, "--json"]);
        expect(done.json()).toMatchObject(args[0] === "run:status" ? { runId: "good" } : { status: "waiting" });
        expect(done.stderr).toMatch(/^(?:note: bad-\S+ was skipped, because .*\n){5}note: and \d+ more\n$/u);
      }
    },
    LIMIT_MS,
  );
});
