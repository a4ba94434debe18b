import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { beforeEach, describe, expect, it } from "vitest";
import { tempDir } from "../fixtures/temp-dir.js";

const DIST = fileURLToPath(new URL("../../packages/sdk/dist/", import.meta.url));

describe("in a program of its own", () => {
  let folder: string;

  beforeEach(() => {
    folder = tempDir();
  });

  function write(name: string, text: string): string {
    const file = path.join(folder, name);
    fs.writeFileSync(file, text);
    return file;
  }

  function node(...args: string[]): { status: number | null; stdout: string; stderr: string } {
    const { HOME, PATH } = process.env;
    return spawnSync(process.execPath, args, { cwd: folder, encoding: "utf8", env: { HOME, PATH } });
  }

  it("C20: rejections in floating branches of a process do not end the program around it", () => {
    const testing = pathToFileURL(path.join(DIST, "testing/index.js")).href;
    const program = write(
      "host.mjs",
      `import { createTestRun } from ${JSON.stringify(testing)};
const run = await createTestRun({
  process: async (_inputs, ctx) => {
    void (async () => { throw new Error("at once"); })();
    void (async () => { await ctx.task({ kind: "node", id: "floating" }); })();
    void (async () => { await ctx.task("nonsense"); })();
    void (async () => { await ctx.sleepUntil("nonsense"); })();
    const late = (async () => { throw new Error("awaited late"); })();
    await ctx.task({ kind: "node", id: "work" });
    return late.catch((error) => error.message);
  },
});
await run.iterate();
await run.post("floating:1", { status: "error", error: "of the floating task" });
await run.iterate();
await run.restart();
await run.iterate();
await run.post("work:1", { status: "ok", value: 1 });
const end = await run.iterate();
await run.restart();
await new Promise((resolve) => setTimeout(resolve, 5));
console.log(JSON.stringify([end.status, end.output]));
`,
    );
    const { status, stdout, stderr } = node(program);
    expect({ status, stdout: stdout.trim(), died: stderr.includes("Error:") }).toEqual({
      status: 0,
      stdout: '["completed","awaited late"]',
      died: false,
    });
  });

  it("C20: rejections of the program itself still end it while a run is open", () => {
    const testing = pathToFileURL(path.join(DIST, "testing/index.js")).href;
    const program = write(
      "host.mjs",
      `import { createTestRun } from ${JSON.stringify(testing)};
const run = await createTestRun({ process: (_inputs, ctx) => ctx.task({ kind: "node", id: "work" }) });
await run.iterate();
void Promise.reject(new Error("the program's own"));
await new Promise((resolve) => setTimeout(resolve, 50));
console.log("still here");
`,
    );
    const { status, stdout, stderr } = node(program);
    expect(status).not.toBe(0);
    expect(stdout).toBe("");
    expect(stderr).toContain("the program's own");
  });

  it.each(["mjs", "ts", "cjs"])("C5 R5: a .%s module imported between two calls is waited for", (extension) => {
    const cli = path.join(DIST, "cli/babysitter.cjs");
    const type = extension === "ts" ? ": number" : "";
    // A chain of modules, so that loading takes a while.
    for (let link = 0; link < 12; link += 1) {
      const next = link === 11 ? "42" : "next";
      const file = `./link${link + 1}.${extension}`;
      if (extension === "cjs")
        write(
          `link${link}.cjs`,
          `${next === "42" ? "" : `const next = require("${file}").answer;\n`}exports.answer = ${next};\n`,
        );
      else
        write(
          `link${link}.${extension}`,
          `${next === "42" ? "" : `import { answer as next } from "${file}";\n`}export const answer${type} = ${next};\n`,
        );
    }
    write(
      "process.mjs",
      `export async function process(_inputs, ctx) {
  const { answer } = await import("./link0.${extension}");
  const first = await ctx.task({ kind: "agent", id: "first" }, { answer });
  return ctx.task({ kind: "agent", id: "second" }, { first });
}
`,
    );
    const babysitter = (...args: string[]) => {
      const { stdout, stderr } = node(cli, ...args, "--runs-dir", "runs", "--json");
      return stdout === "" ? { stderr } : (JSON.parse(stdout) as Record<string, unknown>);
    };
    expect(babysitter("run:create", "--process-id", "p", "--entry", "process.mjs", "--run-id", "r")).toMatchObject({
      runId: "r",
    });
    for (const key of ["first:1", "second:1"]) {
      const iteration = babysitter("run:iterate", "r") as {
        nextActions?: { invocationKey: string; effectId: string }[];
      };
      expect(iteration).toMatchObject({ status: "waiting", nextActions: [{ invocationKey: key }] });
      write("value.json", JSON.stringify(key));
      babysitter(
        "task:post",
        "r",
        iteration.nextActions?.[0]?.effectId as string,
        "--status",
        "ok",
        "--value",
        "value.json",
      );
    }
    expect(babysitter("run:iterate", "r")).toMatchObject({ status: "completed", output: "second:1" });
  });
});
