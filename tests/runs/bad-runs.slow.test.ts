/** Every kind of bad run directory, and every command about that very run: an answer, in time, with a code. */
import fs from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import type { Finished } from "../fixtures/command-line.js";
import { HostSession } from "../fixtures/hosts/host-session.js";
import { Project } from "../fixtures/project.js";
import { BAD_RUNS, type BadRun, isListed, isUnreadable, makeBadRuns, spoil } from "../fixtures/runs/bad-runs.js";

const LIMIT_MS = 120_000;
const COMMANDS = [
  ["run:status"],
  ["run:events"],
  ["task:list"],
  ["run:check"],
  ["run:repair", "--dry-run"],
  ["run:archive"],
  ["run:iterate"],
  ["run"],
];

/** The command must answer by itself: one that hangs or spins is killed. */
async function answer(project: Project, args: string[]): Promise<Finished> {
  let timer: NodeJS.Timeout | undefined;
  const done = await project.run([...args, "--json"], {
    onStart: (child) => void (timer = setTimeout(() => child.kill("SIGKILL"), LIMIT_MS / 8)),
  });
  clearTimeout(timer);
  return done;
}

/** What the answer may say. */
function allowed(bad: BadRun, command: string): string {
  const isAboutDamage = command === "run:check" || command === "run:repair";
  const mustFail = isListed(bad) && isUnreadable(bad) && !isAboutDamage;
  const noBug = '(?![^]*"INTERNAL")';
  return expect.stringMatching(
    new RegExp(`^${noBug}${mustFail ? '[^]*"(?:JOURNAL_BROKEN|RUN_NOT_FOUND)"' : ""}`, "u"),
  ) as string;
}

/** Enough to keep the cores busy: what takes the time is starting programs. */
const AT_ONCE = 4;

async function several<T>(all: readonly T[], act: (one: T) => Promise<void>): Promise<void> {
  const rest = [...all];
  const work = async (): Promise<void> => {
    for (let one = rest.shift(); one !== undefined; one = rest.shift()) await act(one);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
}

it.each([...new Set(BAD_RUNS.map(({ target }) => target))])(
  "C21: %s in a run is replaced by anything: every command about the run answers, with a code when it cannot",
  async (target) => {
    const kinds = BAD_RUNS.filter((bad) => bad.target === target);
    const projects = kinds.map(() => new Project({ "p.mjs": "export const process = async (inputs, ctx) => 1;\n" }));
    await several([...kinds.entries()], async ([index, bad]) => {
      const project = projects[index] as Project;
      await makeBadRuns(project, [bad]);
      for (const [command = "", ...more] of COMMANDS) {
        const { signal, stdout, stderr } = await answer(project, [command, bad.runId, ...more]);
        const seen = { kind: bad.kind, command, signal, stdout, stderr };
        expect(seen).toMatchObject({ signal: null, stdout: allowed(bad, command) });
      }
    });
  },
  LIMIT_MS * 8,
);

describe("the run of a session is bad", () => {
  const bad = BAD_RUNS.filter(({ target }) => target === "journal:1" || target === "journal" || target === "state");
  it.each(bad)(
    "L8: $target is $kind: the session is freed, and its hooks name the run",
    async ({ target, kind }) => {
      const session = new HostSession(new Project());
      await session.startLoop("Build the shed.", ["--run-id", "r"]);
      spoil(session.project, { runId: "r", target, kind });
      const stopped = await session.stop();
      expect(stopped.decision).toBeUndefined();
      expect(JSON.stringify(stopped)).toMatch(/r\b.*(?:damaged|symbolic link|not a)/u);
      const started = await new HostSession(session.project).hook("session-start", { source: "startup" });
      expect(JSON.stringify(started)).toContain("Babysitter cannot read r");
    },
    LIMIT_MS,
  );
});

it("C21: the folder of all runs, and a run's own directory, may be links", async () => {
  const project = new Project({ "p.mjs": "export const process = async (inputs, ctx) => 1;\n" });
  fs.mkdirSync(project.path(".a5c"));
  fs.mkdirSync(path.join(project.root, "disk"));
  fs.symlinkSync(path.join(project.root, "disk"), project.runsDir);
  await project.create("p.mjs", "r");
  fs.renameSync(project.runDir("r"), path.join(project.root, "moved"));
  fs.symlinkSync(path.join(project.root, "moved"), project.runDir("r"));
  expect(await project.ask(["run:iterate", "r"])).toMatchObject({ status: "completed" });
  expect((await project.ask(["run:list"])).runs).toMatchObject([{ runId: "r", state: "completed" }]);
});
