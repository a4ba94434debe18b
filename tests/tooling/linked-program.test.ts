/** The program as `npx babysitter` finds it in a clone. */
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { execute, type Finished } from "../fixtures/command-line.js";
import { Project } from "../fixtures/project.js";
import { linkProgram } from "../fixtures/tooling/linked-program.js";

const SDK = fileURLToPath(new URL("../../packages/sdk", import.meta.url));
const PROCESS = `
export async function process(inputs, ctx) {
  const { stdout } = await ctx.task({ id: "say", kind: "shell", shell: { command: "echo $((6 * 7))" } });
  return stdout.trim();
}
`;

interface Linked {
  clone: string;
  dir: string;
  linked: (...args: string[]) => Promise<Finished>;
}

function newLinked(parts: string[]): Linked {
  const project = new Project({ "p.mjs": PROCESS });
  const clone = path.join(project.root, "clone");
  for (const part of parts)
    fs.cpSync(path.join(SDK, part), path.join(clone, "packages/sdk", part), { recursive: true });
  const link = linkProgram(clone);
  const env = { PATH: `${path.dirname(link)}${path.delimiter}${process.env["PATH"]}` };
  const where = { cwd: project.dir, home: project.home, env };
  return { clone, dir: project.dir, linked: (...args) => execute(link, args, where) };
}

describe("the program that npm links", () => {
  it("drives a run, in all the programs that it starts itself as", async () => {
    const { linked } = newLinked(["bin", "dist/cli"]);
    const done = await linked("run", "p.mjs", "--run-id", "r", "--json");
    expect([done.code, done.json().output]).toEqual([0, "42"]);
    expect((await linked("run:replay", "r", "--json")).code).toBe(0);
  });

  it("knows its own place", async () => {
    const { linked, clone, dir } = newLinked(["bin", "dist/cli", "dist/index.d.ts"]);
    const program = path.join(fs.realpathSync(clone), "packages/sdk/dist/cli/babysitter.cjs");
    expect((await linked("paths", "--json")).json()).toMatchObject({ cli: { path: program, realPath: program } });
    const { stdout } = await linked("doctor");
    expect(stdout).toContain(program);
    expect(stdout).not.toContain("another babysitter");
    expect((await linked("init", "--json")).code).toBe(0);
    const settings = fs.readFileSync(path.join(dir, ".a5c/jsconfig.json"), "utf8");
    expect(settings).toContain(path.join(fs.realpathSync(clone), "packages/sdk/dist"));
  });

  it("says what to do when nothing is built", async () => {
    const { linked } = newLinked(["bin"]);
    expect(await linked("--version")).toMatchObject({
      code: 1,
      stdout: "",
      stderr: "babysitter is not built yet: run `npm run build` in the repository, then try again.\n",
    });
  });
});
