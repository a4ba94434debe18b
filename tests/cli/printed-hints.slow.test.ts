/** Wherever a run stands, whoever types what is printed, and nothing else, gets it to its end. */
import fs from "node:fs";
import { describe, it } from "vitest";
import { SHELL, steps } from "../fixtures/cli/failing-project.js";
import { printedCommands } from "../fixtures/cli/printed-hints.js";
import type { Finished } from "../fixtures/command-line.js";
import { Project } from "../fixtures/project.js";
import { shiftedClock } from "../fixtures/shifted-clock.js";
import { tempDir } from "../fixtures/temp-dir.js";

const CLEAN = 'await ctx.task(shell("Clean", "true"));';
const GATE = 'await ctx.breakpoint({ title: "Ship", question: "Ship it?", onReject: "throw" });';
const body = (text: string): string => `${SHELL}\nexport async function process(inputs, ctx) { ${text} }\n`;
const built = 'await ctx.task(shell("Build", "true"));';

interface Standing {
  process: string;
  /** What people do to the run before it stands there. */
  before?: (project: Project) => Promise<unknown>;
  /** What the author writes before the command is typed. */
  corrected?: (command: string) => string | undefined;
  config?: object;
  env?: () => Record<string, string>;
  /** Not driven: a driver would begin it, and stay until a sleep is over. */
  iterated?: "created" | "asleep";
  state: string;
}

const questionOf = async (project: Project): Promise<string> =>
  (await project.ask(["task:list", "r", "--pending"])).tasks[0]?.effectId ?? "";
const reject = async (project: Project): Promise<unknown> => {
  await project.run(["breakpoint:reject", await questionOf(project), "--reason", "no"], { as: "person" });
  return project.run(["run", "r"]);
};
const edit =
  (process: string): NonNullable<Standing["before"]> =>
  async (project) => {
    project.write({ "p.mjs": process });
    return project.run(["run", "r"]);
  };

const STANDINGS: Record<string, Standing> = {
  "failed in a step": { state: "failed", process: steps("exit 3"), corrected: () => steps("echo built") },
  "failed in a step whose failure was used": {
    state: "failed",
    process: steps("exit 3", CLEAN),
    corrected: () => steps("echo built", CLEAN),
  },
  "failed by itself": {
    state: "failed",
    process: body('throw new Error("boom");'),
    corrected: () => body("return 1;"),
  },
  rejected: { state: "failed", process: body(`${GATE} return 1;`), before: reject },
  "rejected, and the rejection was used": {
    state: "failed",
    process: body(`try { ${GATE} } catch (error) { ${CLEAN} throw error; } return 1;`),
    before: reject,
  },
  asking: { state: "waiting", process: body(`${GATE} return 1;`) },
  "waiting for an agent": { state: "waiting", process: body('return ctx.task({ kind: "agent", title: "Think" });') },
  sleeping: {
    state: "waiting",
    iterated: "asleep",
    process: body("await ctx.sleep(3_600_000); return 1;"),
    env: () => shiftedClock(1),
  },
  diverged: {
    state: "blocked",
    process: body(`${CLEAN} ${GATE} return 1;`),
    before: edit(body(`${built} ${GATE} return 1;`)),
    corrected: (command) => (command.includes("fork") ? undefined : body(`${CLEAN} ${GATE} return 1;`)),
  },
  "blocked for a breakpoint that is gone": {
    state: "blocked",
    config: { breakpoints: { gates: "pinned" } },
    process: body(`await ctx.task({ kind: "agent", title: "Think" }); ${GATE} return 1;`),
    before: edit(body('await ctx.task({ kind: "agent", title: "Think" }); return 1;')),
    corrected: (command) =>
      command.startsWith("run:accept-code")
        ? undefined
        : body(`await ctx.task({ kind: "agent", title: "Think" }); ${GATE} return 1;`),
  },
  "created, and not begun": { state: "created", iterated: "created", process: body("return 1;") },
  cancelled: {
    state: "cancelled",
    process: body(`${GATE} return 1;`),
    before: (project) => project.run(["run:cancel", "r"], { as: "person" }),
  },
};

/** Looks only, and needs no more than to succeed. */
const LOOKS = /^(run:(events|output|show|status|watch)|task:(show|logs|list)|breakpoint:(show|list)) /;
const AGENT = "#!/bin/sh\ncat > /dev/null\necho '{\"ok\":true}'\n";

function copyOf(project: Project, test: Parameters<typeof tempDir>[0]): Project {
  const copy = new Project({}, "project", tempDir(test));
  fs.cpSync(project.dir, copy.dir, { recursive: true });
  return copy;
}

describe.each(Object.entries(STANDINGS))("a run that is %s", (_, standing) => {
  it("C25 C27: is finished by every command that is printed about it", { timeout: 240_000 }, async (test) => {
    const { expect } = test;
    const project = new Project(
      { "p.mjs": standing.process, "result.json": "1", agent: AGENT },
      "project",
      tempDir(test),
    );
    fs.chmodSync(project.path("agent"), 0o755);
    if (standing.config !== undefined) project.write({ ".a5c/config.json": JSON.stringify(standing.config) });
    const drive = [["run", "p.mjs", "--run-id", "r"]];
    const iterate = [
      ["run:create", "--process-id", "p", "--entry", "p.mjs", "--run-id", "r"],
      ["run:iterate", "r"],
    ];
    let first: Finished = { code: 0, stdout: "", stderr: "" } as Finished;
    const commands = standing.iterated === undefined ? drive : iterate;
    for (const command of commands.slice(0, standing.iterated === "created" ? 1 : 2))
      first = await project.run(command);
    const then = (await standing.before?.(project)) as Finished | undefined;
    expect((await project.ask(["run:status", "r"])).state).toBe(standing.state);
    const texts = [then ?? first, await project.run(["run:status", "r"]), await project.run(["run:show", "r"])];
    const printed = new Map(texts.flatMap(printedCommands).map((words) => [words.join(" "), words]));
    const moving = [...printed.keys()].filter((text) => !LOOKS.test(text));
    expect(moving).not.toEqual([]);
    const env = standing.env?.() ?? {};
    const typed = (place: Project, words: string[]): Promise<Finished> =>
      place.run(
        words.map((word) => (word === "<command>" ? place.path("agent") : word)),
        { as: "person", env },
      );
    const ends: Record<string, string> = {};
    for (const [text, words] of printed) {
      const place = copyOf(project, test);
      const corrected = standing.corrected?.(text);
      if (corrected !== undefined) place.write({ "p.mjs": corrected });
      if (LOOKS.test(text)) expect((await typed(place, words)).stderr, text).toBe("");
      else ends[text] = await walk(place, words, typed);
    }
    expect(ends).toEqual(Object.fromEntries(moving.map((text) => [text, "completed"])));
  });
});

/** Types a command, and then again and again what the run is said to need next. */
async function walk(
  place: Project,
  first: string[],
  typed: (place: Project, words: string[]) => Promise<Finished>,
): Promise<string> {
  const said: string[] = [];
  let [run, words] = ["r", first];
  for (let count = 0; count < 8; count += 1) {
    const { stdout, stderr, code } = await typed(place, words);
    said.push(`$ ${words.join(" ")}  -> ${code}\n${stdout}${stderr}`);
    // Nobody is told to type what is not understood, or what cannot be done.
    if (code === 2) break;
    run = /(?:Forked .* as|in a copy, before .*:) ([\w-]+)/.exec(stdout)?.[1] ?? run;
    const { state, next } = await place.ask(["run:status", run]);
    if (state === "completed") return state;
    const [command] = printedCommands({ stdout: next ?? "", stderr: "" });
    if (command === undefined) break;
    words = command;
  }
  return said.join("\n");
}
