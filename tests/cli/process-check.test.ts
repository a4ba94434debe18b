import { expect, it } from "vitest";
import type { Doc } from "../fixtures/command-line.js";
import { Project } from "../fixtures/project.js";

const FILES = {
  ".a5c/config.json": "{}",
  "lib/forgetful.mjs": `import { defineTask } from "@a5c-ai/babysitter-sdk";
const work = defineTask("work", ({ n }) => ({ kind: "shell", title: "work " + n, shell: { command: "touch ran" } }));
async function deploy(ctx) {
  await ctx.task(work, { n: 1 });
}
export async function process(inputs, ctx) {
  console.log("printed by the process");
  deploy(ctx);
  [1, 2].forEach(async (n) => {
    await ctx.task(work, { n });
  });
  return inputs.name;
}
`,
  "lib/worldly.mjs": `import { execSync } from "node:child_process";
import fs, { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import http from "node:http";
export default async function release(inputs, ctx) {
  existsSync("lib");
  await readFile("lib/worldly.mjs", "utf8");
  await writeFile("written", "x");
  fs.mkdirSync("made");
  fs.appendFile("written", "y", () => undefined);
  await fetch("http://127.0.0.1:9/").catch(() => undefined);
  await new Promise((resolve) => http.get("http://127.0.0.1:9/").on("error", resolve));
  await ctx.task({ kind: "shell", title: "time " + performance.now(), shell: { command: "true" } });
  execSync("touch started");
}
`,
  "lib/unawaited.mjs":
    'export default async function release(inputs, ctx) {\n  ctx.task({ kind: "agent", title: "Publish" });\n}\n',
  "lib/lazy.cjs": `module.exports = async (inputs, ctx) => {
  await ctx.sleep(require("./more.cjs"));
  return (await import("./last.mjs")).default;
};
`,
  "lib/more.cjs": "module.exports = 1;",
  "lib/last.mjs": 'export default "last";',
  "lib/early.mjs": 'import fs from "node:fs";\nfs.writeFileSync("written", "x");\nexport default () => 1;\n',
  "lib/broken.mjs": "export default async function release(inputs, ctx) {\n  await ctx.task({ kind: );\n}\n",
};

interface Checked {
  plays: unknown[];
  findings: { level: string; code: string; file: string; line: number }[];
}

const found = ({ findings }: Checked): string[] =>
  findings.map(({ level, code, file, line }) => `${level} ${code} ${file}:${line}`);

it("C24: process:check tells of every problem with its line, executes nothing and leaves nothing behind", async () => {
  const project = new Project(FILES);
  const before = project.tree();
  const names = ["forgetful", "worldly", "broken", "early", "unawaited"].map((name) => `lib/${name}.mjs`);
  const done = await project.run(["process:check", ...names, "lib/lazy.cjs", "--inputs", "-", "--json"], {
    stdin: '{"name":"given"}',
  });
  expect(done.code).toBe(1);
  expect(done.stderr).toBe("");
  const { ok, counts, processes } = JSON.parse(done.stdout) as {
    ok: boolean;
    counts: object;
    processes: [Checked, Checked, Checked, Checked, Checked, Checked];
  };
  expect(ok).toBe(false);
  const [forgetful, worldly, broken, early, unawaited, lazy] = processes;
  expect(found(forgetful)).toEqual([
    "error FLOATING_CALL lib/forgetful.mjs:8",
    "error ASYNC_FOR_EACH lib/forgetful.mjs:9",
    "note RUN_WARNING lib/forgetful.mjs:undefined",
  ]);
  expect(forgetful.plays).toMatchObject([{ end: { is: "completed", output: "given" } }]);
  expect(found(worldly)).toEqual([
    "error NOT_DETERMINISTIC lib/worldly.mjs:13",
    ...[6, 7, 8, 9, 10].map((line) => `warning FILE_OUTSIDE_TASK lib/worldly.mjs:${line}`),
    ...[11, 12].map((line) => `warning NETWORK_OUTSIDE_TASK lib/worldly.mjs:${line}`),
    "warning PROGRAM_OUTSIDE_TASK lib/worldly.mjs:14",
    "note PLAY_ENDED_EARLY lib/worldly.mjs:14",
  ]);
  expect(found(broken)).toEqual(["error PROCESS_LOAD_FAILED lib/broken.mjs:2"]);
  expect(found(early)).toEqual(["warning FILE_OUTSIDE_TASK lib/early.mjs:2"]);
  expect(found(unawaited)).toEqual(["error EFFECT_NOT_AWAITED lib/unawaited.mjs:2"]);
  expect(found(lazy)).toEqual([]);
  expect(counts).toEqual({ errors: 5, warnings: 9, notes: 2 });
  expect(project.tree()).toEqual(before);
});

it("C24: the example of init is checked as it is, as a tree of requests; init says how", async () => {
  const project = new Project();
  const { next } = (await project.ask(["init"])) as Doc & { next: string[] };
  const check = next.find((step) => step.includes("check"));
  expect(check).toBe("babysitter process:check .a5c/processes/example.mjs");
  const before = project.tree();
  const done = await project.run((check as string).split(" ").slice(1));
  expect(done.code).toBe(0);
  expect(done.stdout.split("\n").map((line) => line.replace(/ +line \d+$/u, " line"))).toEqual([
    ".a5c/processes/example.mjs#default",
    "",
    "Requests, with invented results:",
    "  parallel",
    "    1 shell  node --version line",
    "    2 shell  ls line",
    "  breakpoint  Continue? line",
    "    if rejected:",
    '      returns {"stopped":"Rejected by process:check"}',
    expect.stringMatching(/^ {2}returns \{"finishedAt"/u),
    "",
    "No problems found.",
    "",
  ]);
  expect(project.tree()).toEqual(before);
});

it("C24: warnings fail only a strict check; wrong calls are usage errors", async () => {
  const project = new Project({
    "own.mjs": 'export default (inputs, ctx) => ctx.task({ kind: "deployment", title: "x" });',
  });
  const strict = ["process:check", "own.mjs", "--strict"];
  expect(await project.run(strict.slice(0, 2))).toMatchObject({
    code: 0,
    stdout: expect.stringContaining("warning UNKNOWN_KIND own.mjs:1"),
  });
  expect(await project.run(strict)).toMatchObject({ code: 1 });
  project.write({ ".a5c/config.json": '{"tasks":{"kinds":["deployment"]}}' });
  expect(await project.run(strict)).toMatchObject({ code: 0 });
  for (const inputs of [
    ["--inputs", '{"a":1}'],
    ["--input", "a=1"],
  ])
    expect((await project.run(["process:check", "own.mjs", ...inputs])).stdout).toContain("deployment  x");
  expect(await project.refuse(["process:check", "none.mjs"])).toMatchObject({ code: "ENTRY_NOT_FOUND", exit: 2 });
  expect(await project.refuse(["process:check"])).toMatchObject({ code: "USAGE", exit: 2 });
});
