import { describe, expect, it } from "vitest";
import { createRun } from "../../packages/sdk/src/index.js";
import type { Doc, Finished } from "../fixtures/command-line.js";
import { Project } from "../fixtures/project.js";

const RELEASE = `export const inputSchema = {
  type: "object",
  properties: {
    count: { type: "integer", minimum: 1, description: "How many copies." },
    mode: { enum: ["fast", "slow"], default: "fast" },
  },
  required: ["count"],
};
export default async function release(inputs, ctx) {
  await ctx.parallel.map(Array.from({ length: inputs.count }), (_, n) =>
    ctx.task({ kind: "shell", title: "copy " + n, shell: { command: "touch done" } }));
  return inputs;
}
`;

const ECHO = "export default async function echo(inputs) { return inputs; }\n";

interface PreviewDoc extends Omit<Doc, "task"> {
  requests: { kind: string; title: string; location: string }[];
  inputSchema: unknown;
}

const preview = (done: Finished): PreviewDoc => done.json() as unknown as PreviewDoc;

function project(): Project {
  return new Project({ ".a5c/processes/release.mjs": RELEASE, "echo.mjs": ECHO, "in.json": '{"a": 1, "b": 2}' });
}

describe("inputs of a run", () => {
  it("C27: come from the command line as JSON or field by field, from a file, or from stdin", async () => {
    const own = project();
    const inputsOf = async (args: string[], stdin?: string): Promise<unknown> =>
      preview(await own.run(["run", "echo.mjs", "--dry-run", "--json", ...args], { stdin })).inputs;
    expect(await inputsOf(["--inputs", '{"count":3}'])).toEqual({ count: 3 });
    expect(await inputsOf(["--inputs", "in.json", "--input", "b=x=y", "--input", "c="])).toEqual({
      a: 1,
      b: "x=y",
      c: "",
    });
    expect(await inputsOf(["--inputs", "-"], '{"from":"stdin"}')).toEqual({ from: "stdin" });
    const values = ["n=3", "no=007", "v=1.0", "big=12345678901234567890", "t=true", 'l=["x"]', 'q="3"', "text=a b"];
    expect(await inputsOf(values.flatMap((pair) => ["--input", pair]))).toEqual({
      n: 3,
      no: "007",
      v: "1.0",
      big: "12345678901234567890",
      t: true,
      l: ["x"],
      q: "3",
      text: "a b",
    });
    expect(await own.refuse(["run", "echo.mjs", "--inputs", "{count:3}"])).toMatchObject({ code: "INPUT_NOT_JSON" });
    expect((await own.refuse(["run", "echo.mjs", "--inputs", "count=3"])).message).toContain("--input count=3");
    expect(await own.refuse(["run", "echo.mjs", "--input", "count"])).toMatchObject({ code: "USAGE" });
  });

  it("C27: a process is named by its file name in .a5c/processes, and its inputSchema is checked before anything runs", async () => {
    const own = project();
    const wrong = await own.run(["run", "release", "--input", "count=none"]);
    expect(wrong).toMatchObject({ code: 2, stdout: "" });
    expect(wrong.stderr).toContain('/count: Instance type "string" is invalid. Expected "integer"');
    const [hint] = /babysitter run --help \S+/.exec(wrong.stderr) ?? [""];
    const help = await own.run(hint.split(" ").slice(1));
    expect(help.stdout).toMatch(/^ {2}count +integer +required +How many copies\.$/m);
    expect(help.stdout).toContain('"fast" | "slow", default "fast"');
    expect(
      await own.refuse(["run:create", "--process-id", "r", "--entry", ".a5c/processes/release.mjs"]),
    ).toMatchObject({
      code: "INPUTS_INVALID",
      exit: 2,
    });
    const file = own.path(".a5c/processes/release.mjs");
    const target = { processId: "r", importPath: file };
    await expect(createRun({ runsDir: own.runsDir, process: target, inputs: { count: 0 } })).rejects.toMatchObject({
      code: "INPUTS_INVALID",
      message: expect.stringContaining("/count") as string,
    });
    expect((await own.ask(["run:list"])).runs).toEqual([]);
    const done = await own.run(["run", "release", "--input", "count=1"]);
    expect(done.code).toBe(0);
    expect((await own.ask(["run:list"])).runs).toMatchObject([{ processId: "release", state: "completed" }]);
  });

  it.each([
    ["ecko", "", "echo.mjs"],
    ["ehco.mjs", "", "echo.mjs"],
    ["echo", "", "echo.mjs"],
    ["relase", "", ".a5c/processes/release.mjs"],
    ["echo.mjs", ".a5c", "../echo.mjs"],
  ])("C27: a process that is misspelt or sought in the wrong folder is named: run %s", async (typed, folder, meant) => {
    const own = project();
    const wrong = await own.run(["run", typed], { cwd: own.path(folder) });
    expect(wrong.code).toBe(2);
    const [, hint = ""] = /Did you mean babysitter (run \S+)\?/.exec(wrong.stderr) ?? [];
    expect(hint).toBe(`run ${meant}`);
    const done = await own.run([...hint.split(" "), "--input", "count=1"], { cwd: own.path(folder) });
    expect(done).toMatchObject({ code: 0, stderr: "" });
  });

  it("C27: run --dry-run shows what the process asks for first, and creates and executes nothing", async () => {
    const own = project();
    const before = own.tree();
    const args = ["run", "release", "--input", "count=2", "--dry-run"];
    const { stdout, code } = await own.run(args);
    expect(code).toBe(0);
    expect(stdout).toContain("copy 0");
    expect(stdout).toContain("copy 1");
    expect(preview(await own.run([...args, "--json"])).requests).toMatchObject([
      { kind: "shell", title: "copy 0", location: expect.stringMatching(/release\.mjs:\d+:\d+$/) as string },
      { kind: "shell", title: "copy 1" },
    ]);
    expect(own.tree()).toEqual(before);
    expect(await own.refuse(["run", "--dry-run"])).toMatchObject({ code: "USAGE" });
  });

  it("C27: a name that is both a run and a process is not guessed", async () => {
    const own = project();
    await own.create("echo.mjs", "release");
    const { code, hint } = await own.refuse(["run", "release"]);
    expect(code).toBe("RUN_AMBIGUOUS");
    const [resume] = /babysitter run \S+(?=\. )/.exec(hint) ?? [""];
    const resumed = await own.run([...resume.split(" ").slice(1), "--json"]);
    expect(resumed.json()).toMatchObject({ runId: "release", state: "completed" });
  });
});
