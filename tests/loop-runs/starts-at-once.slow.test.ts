/** Commands that bind sessions, several at the same moment: a session gets one run, a run one session. */
import fs from "node:fs";
import { describe, expect, it } from "vitest";
import type { CallOptions, Finished } from "../fixtures/command-line.js";
import { StartLine } from "../fixtures/journal/durable-project.js";
import { LoopProject, SESSION } from "../fixtures/loop-runs/loop-project.js";
import { until } from "../fixtures/processes.js";

const ROUNDS = 5;
const AT_ONCE = 4;
const PROCESS = "export async function process(inputs, ctx) { await ctx.task({ id: 'work', kind: 'agent' }); }\n";
const ENV = { CLAUDE_CODE_SESSION_ID: SESSION };

/** Those that read something wait for it, and get it together. */
async function atOnce(
  project: LoopProject,
  commands: readonly { args: string[]; env: Record<string, string> }[],
  stdin?: string,
): Promise<Finished[]> {
  const line = new StartLine(commands.length);
  return Promise.all(
    commands.map(({ args, env }): Promise<Finished> => {
      const options: CallOptions = { ...(stdin === undefined ? {} : line.feeds(stdin)), env };
      return project.run([...args, "--json"], options);
    }),
  );
}

/** The document of the one that has won; all others were refused with a code, and name it. */
function onlyWinner(ends: readonly Finished[], name: (winner: Finished) => string): Finished {
  const [winner, ...more] = ends.filter(({ code }) => code === 0);
  expect([more.length, ends.map(({ stderr }) => stderr)]).toEqual([0, expect.any(Array)]);
  if (winner === undefined) throw new Error(ends.map(({ stdout, stderr }) => stdout + stderr).join("\n"));
  for (const { code, json } of ends.filter((one) => one !== winner)) {
    const { error } = json();
    // A session of which nothing was ever seen hears so when it comes too late.
    expect(["7 SESSION_BOUND", "2 SESSION_NOT_FOUND"]).toContain(`${code} ${error.code}`);
    expect(error.message + error.hint).toContain(name(winner));
  }
  return winner;
}

/** Of the answer to loop:resume. */
const sessionOf = (end: Finished): string => end.json().session as unknown as string;
const runIdOf = (end: Finished): string => end.json().runId;

describe("L9: four at once in one session", () => {
  it.each<[string, (project: LoopProject) => string[]]>([
    ["loop:start", () => ["loop:start", "--prompt-file", "-"]],
    ["loop:start --state-dir", (project) => ["loop:start", "--prompt-file", "-", "--state-dir", project.path("files")]],
    ["run:create", () => ["run:create", "--entry", "p.mjs#process", "--process-id", "p", "--inputs", "-"]],
  ])("%s: one gets it, the others hear of its run and leave nothing behind", async (_, args) => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const project = new LoopProject({ "p.mjs": PROCESS });
      fs.mkdirSync(project.path("files"));
      const command = { args: args(project), env: ENV };
      const ends = await atOnce(
        project,
        Array.from({ length: AT_ONCE }, () => command),
        '{ "task": "Tidy the shed" }',
      );
      const { runId } = onlyWinner(ends, runIdOf).json();
      expect(project.runs()).toEqual([runId]);
      expect((await project.status(runId)).session?.sessionId).toBe(SESSION);
      expect(fs.readdirSync(project.path("files"))).toEqual(
        command.args.includes("--state-dir") ? [`${SESSION}.md`] : [],
      );
    }
  });
});

it("L9: four sessions that take up one loop at once: one works on it, the others hear which", async () => {
  for (let round = 0; round < ROUNDS; round += 1) {
    const project = new LoopProject({ "p.mjs": PROCESS });
    await project.doc(["loop:start", "Tidy the shed", "--shape", "tool", "--run-id", "shed"]);
    const commands = Array.from({ length: AT_ONCE }, (_, n) => ({
      args: ["loop:resume", "shed"],
      env: { CLAUDE_CODE_SESSION_ID: `session-${n}` },
    }));
    const winner = onlyWinner(await atOnce(project, commands), sessionOf);
    expect(project.events("shed", "SESSION_BOUND").map(({ payload }) => payload["sessionId"])).toEqual([
      sessionOf(winner),
    ]);
  }
});

it("a command that is killed while it binds a session keeps nobody else from it", async () => {
  const project = new LoopProject({
    "p.mjs": `import fs from "node:fs"; fs.writeFileSync("loading", ""); await new Promise((r) => setTimeout(r, 1e9));`,
  });
  const create = ["run:create", "--entry", "p.mjs#process", "--process-id", "p"];
  const killed = project.run(create, {
    env: ENV,
    onStart: (child) => void until(() => fs.existsSync(project.path("loading"))).then(() => child.kill("SIGKILL")),
  });
  expect((await killed).signal).toBe("SIGKILL");
  expect((await project.doc(["loop:start", "Tidy the shed"], { env: ENV })).session?.sessionId).toBe(SESSION);
});
