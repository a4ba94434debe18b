/** What a new author sees of typical mistakes, and that the printed way on works. */
import { expect, it } from "vitest";
import { Project } from "../fixtures/project.js";

const process = (body: string): string => `export default async function release(inputs, ctx) {\n  ${body}\n}\n`;

it("C25 C6: a forgotten await fails with its place; with the await in place the same run ends", async () => {
  const call = `ctx.task({ id: "mark", kind: "shell", shell: "echo done > mark.txt" });`;
  const project = new Project({ "release.mjs": process(call) });
  const failed = await project.run(["run", "release.mjs", "--run-id", "first", "--plain"]);
  expect([failed.code, failed.stdout]).toEqual([1, expect.stringContaining("EFFECT_NOT_AWAITED")]);
  expect(failed.stdout).toContain('ctx.task("mark") (release.mjs:2:7)');
  expect(failed.stdout).toMatch(/hint +Write `await`/);
  project.write({ "release.mjs": process(`await ${call}`) });
  const fixed = await project.run(["run", "first", "--plain"]);
  expect([fixed.code, project.read("mark.txt")]).toEqual([0, "done\n"]);
});

it("C25: a misspelt kind is an error with the nearest word; a kind of one's own is declared in the settings", async () => {
  const task = (kind: string): string => process(`await ctx.task({ id: "open", kind: "${kind}" });`);
  const project = new Project({ "release.mjs": task("shel"), "other.mjs": task("ticket") });
  const failed = await project.run(["run", "release.mjs", "--plain"]);
  expect([failed.code, failed.stdout]).toEqual([1, expect.stringContaining('Did you mean "shell"?')]);
  const [, declaration = ""] = /config\.json: (\{.*\})\./.exec(failed.stdout) ?? [];
  const waiting = await project.run(["run", "other.mjs", "--plain"]);
  expect([waiting.code, waiting.stdout]).toEqual([3, expect.stringContaining('Unknown: kind "ticket"')]);
  project.write({ ".a5c/config.json": declaration.replace("shel", "ticket") });
  expect((await project.run(["run", "other.mjs", "--plain"])).stdout).not.toContain("Unknown:");
});

it("C25: a process called `process` is told why process.env is not there", async () => {
  const project = new Project({ "p.mjs": "export async function process() {\n  return process.env.HOME;\n}\n" });
  const { code, stdout } = await project.run(["run", "p.mjs", "--plain"]);
  expect([code, stdout]).toEqual([1, expect.stringContaining("`process` is the process function itself")]);
});

it("C25: what JSON cannot hold is named with its place, in arguments, output and a node task's result", async () => {
  const project = new Project({
    "maps.mjs": "export default () => ({ found: new Map([[1, 2]]), when: Number.NaN });\n",
    "release.mjs": process(
      'const found = await ctx.task({ id: "look", kind: "node", node: { entry: "maps.mjs" } }, { seen: new Set([1]) });\n  return { found, check: () => 1 };',
    ),
  });
  const { code, stdout } = await project.run(["run", "release.mjs", "--run-id", "r", "--plain"]);
  expect(code).toBe(0);
  expect(stdout).toMatch(/arguments of ctx\.task\("look"\).*seen.*Set/);
  expect(stdout).toMatch(/returned.*check.*function/);
  const { stderr } = await project.run(["task:logs", "r", "look"]);
  expect(stderr).toMatch(/found.*Map/);
});

it("C25: detached work is waited for, and a failure of it is told", async () => {
  const project = new Project({
    "release.mjs": process(
      'ctx.detach(ctx.task({ id: "note", kind: "shell", shell: "echo noted > note.txt" }));\n  ctx.detach(ctx.task({ id: "send", kind: "shell", shell: "exit 4" }));\n  return "released";',
    ),
  });
  const { code, stdout } = await project.run(["run", "release.mjs", "--run-id", "r", "--plain"]);
  expect([code, project.read("note.txt")]).toEqual([0, "noted\n"]);
  expect(stdout).toMatch(/ctx\.task\("send"\).*failed|detached.*send/i);
  expect((await project.run(["run:output", "r"])).stdout).toBe("released\n");
});

it("C25: a file outside the project and the process's folder finds the SDK by its name, and a builder its agent", async () => {
  const project = new Project({
    "shared/tasks.mjs":
      'import { defineTask } from "@a5c-ai/babysitter-sdk";\nexport const review = defineTask("review", (args, ctx) => ctx.agent({ title: "Review", prompt: "Look at it" }));\n',
    "app/.a5c/.keep": "",
    "app/release.mjs": `import { review } from "../shared/tasks.mjs";\n${process('ctx.checkpoint({ title: "Built", message: "all green" });\n  return ctx.task(review, {});')}`,
  });
  const { code, stdout } = await project.run(["run", "release.mjs", "--run-id", "r", "--plain"], {
    cwd: `${project.dir}/app`,
  });
  expect([code, stdout]).toEqual([3, expect.stringContaining("Review")]);
  expect(stdout).toContain("Built");
});
