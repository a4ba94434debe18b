import fs from "node:fs";
import { describe, expect, it } from "vitest";
import { Project } from "../fixtures/project.js";

describe("code of a process cannot harm the command", () => {
  it("C13: what it prints goes to stderr, so that stdout stays one JSON document", async () => {
    const project = new Project({
      "loud.mjs": `import { stdout } from "node:process";
console.log("at import");
export async function process(inputs, ctx) {
  console.log("inside"); console.info("info"); console.table([1]);
  globalThis.process.stdout.write("direct\\n");
  stdout.write("named import\\n");
  await new Promise((resolve) => globalThis.process.stdout.write("with callback\\n", resolve));
  return 1;
}`,
    });
    const created = await project.run([
      "run:create",
      "--process-id",
      "x",
      "--entry",
      "loud.mjs",
      "--run-id",
      "r",
      "--json",
    ]);
    expect(created.json().runId).toBe("r");
    expect(created.stderr).toContain("at import");
    const done = await project.run(["run:iterate", "r", "--json"]);
    expect(done.json()).toMatchObject({ status: "completed", output: 1 });
    for (const text of ["inside", "info", "direct", "named import", "with callback"])
      expect(done.stderr).toContain(text);
  });

  it("C13: what its child processes and file descriptors print stays out of the document too", async () => {
    const project = new Project({
      "loud.mjs": `import { execSync, spawn, spawnSync } from "node:child_process";
export async function process() {
  execSync("echo from execSync", { stdio: "inherit" });
  spawnSync("echo", ["from spawnSync"], { stdio: ["ignore", "inherit", "inherit"] });
  await new Promise((resolve) => spawn("echo", ["from spawn"], { stdio: "inherit" }).on("close", resolve));
  return execSync("echo captured", { encoding: "utf8" });
}`,
    });
    await project.create("loud.mjs", "r");
    const done = await project.run(["run:iterate", "r", "--json"]);
    expect(done.json()).toMatchObject({ status: "completed", output: "captured\n" });
    for (const text of ["from execSync", "from spawnSync", "from spawn\n"]) expect(done.stderr).toContain(text);
  });

  it("C13: process.exit fails the run, or the creation, with a code", async () => {
    const project = new Project({
      "inside.mjs": "export async function process(inputs, ctx) { globalThis.process.exit(0); }\n",
      "caught.mjs":
        "export async function process() { try { globalThis.process.exit(3); } catch {} return 'went on'; }\n",
      "import.mjs": "process.exit(0);\nexport const go = () => 1;\n",
    });
    await Promise.all([project.create("inside.mjs", "a"), project.create("caught.mjs", "b")]);
    for (const runId of ["a", "b"]) {
      const done = await project.run(["run:iterate", runId, "--json"]);
      expect(done.json()).toMatchObject({ status: "failed", error: { code: "PROCESS_EXIT_CALLED" } });
      expect(done.code).toBe(0);
      expect(await project.ask(["run:status", runId])).toMatchObject({ state: "failed" });
    }
    const before = project.tree();
    const refused = await project.refuse(["run:create", "--process-id", "x", "--entry", "import.mjs#go"]);
    expect(refused).toMatchObject({ exit: 1 });
    expect(refused.message).toContain("process.exit");
    expect(project.tree()).toEqual(before);
  });

  it("C13: an error thrown late from a timer fails the run; a rejection nobody handles does not end the command", async () => {
    const project = new Project({
      "timer.mjs": `export async function process(inputs, ctx) {
  setTimeout(() => { throw new Error("late"); }, 5);
  await ctx.task({ kind: "agent", id: "a" });
}`,
      "rejection.mjs": `export async function process(inputs, ctx) {
  void Promise.reject(new Error("nobody looks"));
  return ctx.task({ kind: "agent", id: "a" });
}`,
    });
    await Promise.all([project.create("timer.mjs", "t"), project.create("rejection.mjs", "r")]);
    const [timer, rejection] = await Promise.all(["t", "r"].map((id) => project.ask(["run:iterate", id])));
    expect(timer).toMatchObject({ status: "failed", error: { message: "late" } });
    expect(rejection).toMatchObject({ status: "waiting", reason: "agent-pending" });
  });

  it("C13: an endless loop is ended by the watchdog, which says so in the command's own format", async () => {
    const project = new Project({
      "spin.mjs": "export async function process() { for (;;); }\n",
      "spin-import.mjs": "for (;;);\n",
    });
    await project.create("spin.mjs", "r");
    const env = { BABYSITTER_TURN_LIMIT_MS: "700" };
    const before = project.journal("r");
    const [asJson, asText, create] = await Promise.all([
      project.run(["run:iterate", "r", "--json"], { env }),
      project.run(["run:iterate", "r"], { env }),
      project.run(["run:create", "--process-id", "x", "--entry", "spin-import.mjs#go", "--json"], { env }),
    ]);
    // A loop of shell commands that looks at .status must see that this iteration failed.
    expect(asJson.json()).toMatchObject({ status: "failed", error: { code: "PROCESS_SPINS" } });
    expect(asText.stderr).toContain("PROCESS_SPINS");
    expect(asText.stdout).toBe("");
    expect(create.json()).toMatchObject({ error: { code: "PROCESS_SPINS" } });
    for (const { code } of [asJson, asText, create]) expect(code).not.toBe(0);
    expect(project.journal("r")).toEqual(before);
    expect(fs.readdirSync(project.runsDir)).toEqual(["r"]);
  });

  it("C13: sockets and timers that a process leaves open do not keep the command alive", async () => {
    const project = new Project({
      "open.mjs": `import net from "node:net";
export async function process(inputs, ctx) {
  setInterval(() => {}, 1000);
  setTimeout(() => {}, 3_600_000);
  await new Promise((resolve) => net.createServer().listen(0, "127.0.0.1", resolve));
  if (inputs.end) return "ended";
  return ctx.task({ kind: "agent", id: "a" });
}`,
      "end.json": '{"end":true}',
    });
    await Promise.all([project.create("open.mjs", "w"), project.create("open.mjs", "e", ["--inputs", "end.json"])]);
    const env = { BABYSITTER_QUIET_LIMIT_MS: "300" };
    const [waiting, ended] = await Promise.all(["w", "e"].map((id) => project.ask(["run:iterate", id], { env })));
    expect(waiting).toMatchObject({ status: "waiting", reason: "agent-pending" });
    expect(ended).toMatchObject({ status: "completed", output: "ended" });
  });

  it("C13: a process that awaits something that never happens is reported, and nothing is recorded", async () => {
    const project = new Project({
      "stalled.mjs": "export async function process() { await new Promise(() => {}); }\n",
    });
    await project.create("stalled.mjs", "r");
    const before = project.journal("r");
    const done = await project.run(["run:iterate", "r", "--json"]);
    expect(done.json()).toMatchObject({ status: "failed", error: { code: "PROCESS_STALLED" } });
    expect(done.code).toBe(1);
    expect(project.journal("r")).toEqual(before);
  });
});
