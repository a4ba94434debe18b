import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { isRunArgument } from "../../packages/sdk/src/cli/grammar/command-spec.js";
import { COMMANDS } from "../../packages/sdk/src/cli/grammar/command-table.js";
import type { EventDraft } from "../../packages/sdk/src/model/events.js";
import type { EffectId } from "../../packages/sdk/src/model/ids.js";
import { idsMeant } from "../../packages/sdk/src/model/short-names.js";
import { daysAgo, recordRun, requested } from "../fixtures/cli/recorded-runs.js";
import { execute } from "../fixtures/command-line.js";
import { Project } from "../fixtures/project.js";

const ALPHA = "run-20260101-101010-alpha-aaa111";
const BETA = "run-20260101-202020-beta-bbb222";

function asked(effectId: string, kind: string, title?: string): EventDraft {
  const event = requested(daysAgo(1)) as EventDraft & { type: "EFFECT_REQUESTED" };
  const definition = { value: { kind, ...(kind === "breakpoint" ? { question: "Ship it?" } : {}) } };
  const key = `${kind}-${effectId}:1`;
  return {
    ...event,
    effectId: effectId as EffectId,
    invocationKey: key,
    taskId: key,
    payload: { ...event.payload, kind, definition, ...(title === undefined ? {} : { title }) },
  };
}

/** Two open runs that begin alike, and in the first one two tasks and two questions that do. */
async function twoRuns(): Promise<Project> {
  const project = new Project();
  const events = [
    asked("effect-abc0001", "agent"),
    asked("effect-abc0002", "agent"),
    asked("effect-fed0001", "breakpoint"),
    asked("effect-fed0002", "breakpoint"),
  ];
  await recordRun(project.runsDir, ALPHA, { at: daysAgo(1), events });
  await recordRun(project.runsDir, BETA, { at: daysAgo(2) });
  return project;
}

interface Refusal {
  code?: string;
  hint?: string;
  meant?: string[];
}

const REFUSALS = fileURLToPath(new URL("../fixtures/cli/refusals.mjs", import.meta.url));

/** What commands are refused with, without a program of its own for each of them. */
async function refusalsOf(project: Project, commands: Record<string, string[]>): Promise<Record<string, Refusal>> {
  const done = await execute(process.execPath, [REFUSALS, JSON.stringify(Object.values(commands))], {
    cwd: project.dir,
    home: project.home,
  });
  const refusals = done.json() as unknown as Refusal[];
  return Object.fromEntries(Object.keys(commands).map((name, at) => [name, refusals[at] ?? {}]));
}

/** What some commands insist on before they look at the run. */
const NEEDED: Record<string, string[]> = {
  "task:post": ["--status", "ok"],
  "run:fork": ["--at", "1"],
  "breakpoint:reject": ["--reason", "no"],
  "breakpoint:comment": ["--text", "hm"],
  "session:associate": ["--session-id", "s"],
  "session:iteration-message": ["--iteration", "1"],
  "session:resume": ["--session-id", "s"],
};

describe("short names", () => {
  it("C27: every command that takes a run takes a short name of it, and lists the runs that it can mean", async () => {
    const project = await twoRuns();
    const commands: Record<string, string[]> = {};
    for (const { name, positionals, options } of COMMANDS) {
      const isArgument = positionals.some(isRunArgument);
      if (!isArgument && options["run"] === undefined) continue;
      const others = positionals.filter((one) => !isRunArgument(one) && one.optional !== true).map(() => "fed0001");
      commands[name] = [name, ...(isArgument ? [] : ["--run"]), "run-2026", ...others, ...(NEEDED[name] ?? [])];
    }
    const refusals = await refusalsOf(project, commands);
    expect(Object.entries(refusals).filter(([, { code }]) => code !== "RUN_AMBIGUOUS")).toEqual([]);
    for (const { meant } of Object.values(refusals)) expect(meant).toEqual([ALPHA, BETA]);
    expect(Object.keys(commands).length).toBeGreaterThan(25);
  });

  it("C27: an effect is meant by the name of its task too, if no other has it", async () => {
    const project = new Project();
    const events = [
      asked("effect-abc0001", "agent", "Build"),
      asked("effect-abc0002", "agent", "Test"),
      asked("effect-fed0001", "agent", "Test"),
    ];
    await recordRun(project.runsDir, ALPHA, { at: daysAgo(1), events });
    expect(await project.ask(["task:show", ALPHA, "Build"])).toMatchObject({ effect: { effectId: "effect-abc0001" } });
    expect(await project.refuse(["task:show", ALPHA, "Test"])).toMatchObject({
      code: "EFFECT_AMBIGUOUS",
      details: { meant: ["effect-abc0002", "effect-fed0001"] },
    });
  });

  it("C27: every command that takes an effect takes a short name of it, and lists the effects that it can mean", async () => {
    const project = await twoRuns();
    const effects: Record<string, string[]> = {};
    const questions: Record<string, string[]> = {};
    for (const { name, positionals, options } of COMMANDS) {
      const needed = NEEDED[name] ?? [];
      const takes = (what: string): boolean => positionals.some((one) => one.name === what);
      if (takes("effect")) effects[name] = [name, ALPHA, "abc", ...needed];
      else if (options["effect"] !== undefined) effects[name] = [name, ALPHA, "--effect", "abc", ...needed];
      else if (takes("breakpoint")) questions[name] = [name, "fed", ...needed];
    }
    const refusals = await refusalsOf(project, { ...effects, ...questions });
    for (const name of Object.keys(effects))
      expect([name, refusals[name]]).toMatchObject([
        name,
        { code: "EFFECT_AMBIGUOUS", meant: ["effect-abc0001", "effect-abc0002"] },
      ]);
    const found = `effect-fed0001 (${ALPHA})  effect-fed0002 (${ALPHA})`;
    for (const name of Object.keys(questions))
      expect([name, refusals[name]]).toMatchObject([name, { code: "BREAKPOINT_NOT_FOUND", hint: found }]);
    expect(Object.keys(refusals).length).toBeGreaterThan(6);
  });

  it("C27: any unique beginning or end of three letters names a run or an effect; an ID always means itself", () => {
    const ids = ["run-1-alpha-aaa", "run-1-alpha-aaa-2", "build", "effect-0abc"];
    expect(idsMeant(ids, "run-1-alpha-aaa")).toEqual(["run-1-alpha-aaa"]);
    expect(idsMeant(ids, "1-alpha")).toEqual(["run-1-alpha-aaa", "run-1-alpha-aaa-2"]);
    expect(idsMeant(ids, "-2")).toEqual([]);
    expect(idsMeant(ids, "a-2")).toEqual(["run-1-alpha-aaa-2"]);
    expect(idsMeant(ids, "0ab")).toEqual(["effect-0abc"]);
    expect(idsMeant(ids, "run-1")).toEqual([]);
    expect(idsMeant(ids, "bu")).toEqual([]);
    expect(idsMeant(ids, "uil")).toEqual([]);
  });
});

describe("naming runs on the command line", () => {
  it("C27: a person names runs by an end, a beginning, their place in the list, or as the last one", async () => {
    const project = await twoRuns();
    const runOf = async (...args: string[]): Promise<string> => (await project.ask(["run:status", ...args])).runId;
    expect(await runOf("bbb222")).toBe(BETA);
    expect(await runOf("20260101-10")).toBe(ALPHA);
    expect(await runOf("@2")).toBe(BETA);
    expect(await runOf("--last")).toBe(ALPHA);
    expect((await project.ask(["task:show", "--last", "c0002"])).effect.effectId).toBe("effect-abc0002");
    const { code, stderr } = await project.run(["run:status", "run-2026"]);
    expect(code).toBe(2);
    expect(stderr).toContain(
      `name one:\n  | ${ALPHA}\n  | ${BETA}\n  To see what each of them is: babysitter run:list\n`,
    );
    expect((await project.refuse(["run:status", "@3"])).message).toContain("holds 2 runs");
    expect((await project.refuse(["run:status", "--last", ALPHA])).code).toBe("USAGE");
    for (const args of [
      ["run:status", "11"],
      ["run", "al"],
      ["run:cancel", "run-2"],
    ]) {
      const refused = await project.refuse(args);
      expect(refused).toMatchObject({ code: "RUN_NOT_FOUND", exit: 2 });
      expect([args, refused.hint.includes("at least 3 characters")]).toEqual([args, args[1] !== "al"]);
    }
    await recordRun(project.runsDir, "bbb222", { at: daysAgo(3), end: "completed" });
    expect(await runOf("bbb222")).toBe("bbb222");
  });

  it("C27: decisions by a short name say in full what was decided", async () => {
    const project = await twoRuns();
    const { stdout } = await project.run(["breakpoint:reject", "fed0002", "--reason", "not yet"]);
    expect(stdout).toContain("effect-fed0002");
    expect(stdout).toContain(ALPHA);
  });

  it("C27: a failed run is what commands without a name mean only while nothing newer has happened", async () => {
    const project = new Project();
    await recordRun(project.runsDir, "older", { at: daysAgo(3), end: "failed" });
    expect((await project.ask(["run:check"])).runId).toBe("older");
    await recordRun(project.runsDir, "open", { at: daysAgo(2), events: [requested(daysAgo(2))] });
    expect((await project.ask(["run:check"])).runId).toBe("open");
    await recordRun(project.runsDir, "newest", { at: daysAgo(1), end: "failed" });
    expect((await project.refuse(["run:check"])).details["open"]).toEqual(["newest", "open"]);
  });

  it("C27: loop commands without a name mean the open loop, whatever runs are open beside it", async () => {
    const project = await twoRuns();
    await project.ask(["loop:start", "Make the tests pass", "--criteria", "tests: true", "--run-id", "greeting"]);
    for (const command of ["loop:status", "loop:verify", "loop:pause", "loop:cancel", "loop:report"]) {
      const done = await project.run([command, "--json"]);
      expect({ command, runId: done.json().runId }).toEqual({ command, runId: "greeting" });
    }
    expect((await project.refuse(["run:status"])).code).toBe("RUN_AMBIGUOUS");
  });
});
