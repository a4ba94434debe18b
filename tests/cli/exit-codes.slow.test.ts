/** Exit codes of real commands, against the page that documents them. */
import fs from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { ERROR_CODES, EXIT_CODES } from "../../packages/sdk/src/model/error-codes.js";
import { CLI, execute } from "../fixtures/command-line.js";
import { Project } from "../fixtures/project.js";

const PAGE = fs.readFileSync(fileURLToPath(new URL("../../docs/reference/errors.md", import.meta.url)), "utf8");
/** By code: the number of every command, and that of `run` where it has its own. */
const DOCUMENTED = new Map(
  [...PAGE.matchAll(/^\| `([A-Z_]+)` \| (\d+)(?:, `run`: (\d+))? \|/gmu)].map(([, code, exit, ofRun = exit]) => [
    code,
    { exit: Number(exit), ofRun: Number(ofRun) },
  ]),
);

const PROCESSES = `
export const waits = (_, ctx) => ctx.task({ kind: "agent", id: "a" });
export const stalls = () => new Promise(() => {});
export const spins = async () => { for (;;); };
export const exits = async () => globalThis.process.exit(3);
export const throws = async () => { throw Object.assign(new Error("x"), { code: "RUN_BUSY" }); };
export const unrecordable = (_, ctx) => ctx.task({ kind: "agent", id: "a" }, { big: 1n });
export const noTask = (_, ctx) => ctx.task("nonsense");
export async function careless(_, ctx) {
  await ctx.breakpoint({ question: "May I?" });
  return ctx.task({ kind: "agent", id: "a" });
}
`;

/** For processes that never come to an end; the others need not hurry. */
const IMPATIENT: Readonly<Record<string, Record<string, string>>> = {
  PROCESS_SPINS: { BABYSITTER_TURN_LIMIT_MS: "700" },
  PROCESS_STALLED: { BABYSITTER_QUIET_LIMIT_MS: "300" },
};

/** The code that a command names, and its exit code as a shell sees it. */
async function outcome(
  project: Project,
  args: string[],
  env: Record<string, string> = {},
): Promise<{ code: string | undefined; exit: number | null }> {
  const done = await execute("sh", ["-c", '"$@"', "sh", process.execPath, CLI, ...args, "--json"], {
    cwd: project.dir,
    home: project.home,
    env,
  });
  return { code: done.json().error?.code, exit: done.code };
}

async function projectWith(...exports: string[]): Promise<Project> {
  const project = new Project({ "p.mjs": PROCESSES, "bad.mjs": "export const process = ;\n", "no.json": "{" });
  await Promise.all(exports.map((name) => project.create(`p.mjs#${name}`, name)));
  return project;
}

describe("docs/reference/errors.md", () => {
  it("C18: a command that ends with an error has the exit code of the page", async () => {
    const project = await projectWith("waits", "stalls", "spins");
    const commands: [string, string[]][] = [
      ["USAGE", ["run:status", "waits", "--nonsense"]],
      ["INPUT_NOT_JSON", ["task:post", "waits", "x", "--status", "ok", "--value", "no.json"]],
      ["INPUT_NOT_FOUND", ["task:post", "waits", "x", "--status", "ok", "--value", "nowhere.json"]],
      ["INVALID_ID", ["run:create", "--process-id", "x", "--entry", "p.mjs#waits", "--run-id", "a/b"]],
      ["RUN_NOT_FOUND", ["run:iterate", "nowhere"]],
      ["RUN_AMBIGUOUS", ["run:status"]],
      ["RUN_EXISTS", ["run:create", "--process-id", "x", "--entry", "p.mjs#waits", "--run-id", "waits"]],
      ["RUN_OPEN", ["run:archive", "waits"]],
      ["ENTRY_NOT_FOUND", ["run:create", "--process-id", "x", "--entry", "nowhere.mjs"]],
      ["EXPORT_NOT_FOUND", ["run:create", "--process-id", "x", "--entry", "p.mjs#nowhere"]],
      ["PROCESS_LOAD_FAILED", ["run:create", "--process-id", "x", "--entry", "bad.mjs"]],
      ["PROCESS_STALLED", ["run:iterate", "stalls"]],
      ["PROCESS_SPINS", ["run:iterate", "spins"]],
      ["PROCESS_SPINS", ["run", "spins"]],
      ["EFFECT_NOT_FOUND", ["task:show", "waits", "nothing"]],
      ["NOTHING_TO_RETRY", ["run:retry", "waits"]],
      ["BREAKPOINT_NOT_FOUND", ["breakpoint:show", "nothing"]],
      ["NO_LOOP", ["loop:report", "waits"]],
      ["CRITERION_INVALID", ["loop:start", "x", "--criteria", "no name"]],
      ["SESSION_NOT_FOUND", ["session:update", "--session-id", "nobody", "--active", "false"]],
    ];
    const seen = await Promise.all(commands.map(async ([code, args]) => outcome(project, args, IMPATIENT[code])));
    expect(seen).toEqual(
      commands.map(([code, [name]]) => ({ code, exit: DOCUMENTED.get(code)?.[name === "run" ? "ofRun" : "exit"] })),
    );
    expect(DOCUMENTED.get("PROCESS_SPINS")).toEqual({ exit: 137, ofRun: 1 });
    expect([...DOCUMENTED.keys()]).toEqual(Object.keys(ERROR_CODES));
  });

  it("C18: an error that a process throws is a result of run:iterate, and a failure of run", async () => {
    const names = ["exits", "throws", "unrecordable", "noTask"];
    const project = await projectWith(...names, "careless");
    const iterated = await Promise.all(names.map(async (name) => outcome(project, ["run:iterate", name])));
    expect(iterated.map(({ exit }) => exit)).toEqual([0, 0, 0, 0]);
    expect(iterated.map(({ code }) => code)).toEqual([
      "PROCESS_EXIT_CALLED",
      "RUN_BUSY",
      "VALUE_NOT_JSON",
      "TASK_INVALID",
    ]);
    const driven = await Promise.all(names.map(async (name) => outcome(project, ["run", name])));
    expect(driven.map(({ exit }) => exit)).toEqual([1, 1, 1, 1]);
    expect((await outcome(project, ["run", "careless"])).exit).toBe(3);
    const { breakpoints } = (await project.ask(["breakpoint:list"])) as unknown as {
      breakpoints: { breakpointId: string }[];
    };
    await project.ask(["breakpoint:reject", breakpoints[0]?.breakpointId ?? "", "--reason", "no"]);
    expect((await outcome(project, ["run:iterate", "careless"])).exit).toBe(0);
    expect((await outcome(project, ["run", "careless"])).exit).toBe(10);
  });
});

describe("docs/guide/running.md", () => {
  it("C13 C27: its table has every exit code once, with its only meaning", () => {
    const guide = fs.readFileSync(fileURLToPath(new URL("../../docs/guide/running.md", import.meta.url)), "utf8");
    const rows = [...guide.matchAll(/^\| (\d+) \| ([^|]+) \|/gmu)].map(([, exit, meaning]) => ({
      exit: Number(exit),
      meaning,
    }));
    expect(rows).toEqual(Object.values(EXIT_CODES));
    expect(new Set(Object.values(EXIT_CODES).map(({ exit }) => exit)).size).toBe(rows.length);
  });

  it("C13 C27: run:iterate exits with 0 when the run has failed, and with the code of the run on request", async () => {
    const project = new Project({
      "p.mjs": `
export const works = (_, ctx) => ctx.task({ kind: "shell", shell: { command: "true" } });
export const throws = async () => { throw new Error("x"); };
export const waits = (_, ctx) => ctx.task({ kind: "agent", id: "a" });
`,
    });
    const exits = async (name: string, ...args: string[]): Promise<number | null> =>
      (await project.run(["run:iterate", name, ...args])).code;
    for (const name of ["works", "throws", "waits"]) await project.create(`p.mjs#${name}`, name);
    expect(await exits("works", "--exit-code")).toBe(13);
    expect(await exits("works", "--exit-code")).toBe(0);
    expect([await exits("throws"), await exits("throws", "--exit-code")]).toEqual([0, 1]);
    expect([await exits("waits", "--exit-code"), await exits("waits")]).toEqual([3, 0]);
    await project.ask(["run:cancel", "waits"]);
    expect([await exits("waits"), await exits("waits", "--exit-code")]).toEqual([12, 12]);
  });
});
