/** The layer inside a process of its own, for what cannot be done to the process that runs the tests. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { transform } from "sucrase";
import { beforeAll, describe, expect, it } from "vitest";
import { makeTempDir, removeTempDir } from "../../../../tests/fixtures/temp-dir.js";
import { HAS_PROC } from "./process-group-ref.js";
import type { SpawnRequest } from "./spawn-request.js";
import { startChild } from "./start-child.js";

let dir = "";
let counter = 0;

beforeAll(() => {
  dir = makeTempDir();
  compileLayer();
  return () => removeTempDir(dir);
});

/** This layer as plain JavaScript. */
function compileLayer(): void {
  for (const layer of ["spawn", "files", "model"]) {
    const source = join(import.meta.dirname, "..", layer);
    mkdirSync(join(dir, layer), { recursive: true });
    for (const name of readdirSync(source).filter((file) => /(?<!\.test)\.ts$/u.test(file))) {
      const { code } = transform(readFileSync(join(source, name), "utf8"), { transforms: ["typescript"] });
      writeFileSync(join(dir, layer, name.replace(/\.ts$/u, ".js")), code);
    }
  }
  writeFileSync(join(dir, "package.json"), '{"type":"module"}');
}

/** Runs a module that can use `startInner(commandLine, more)`; returns the JSON that it prints. */
async function runModule(text: string, before = "", env: Record<string, string> = {}): Promise<unknown> {
  counter += 1;
  const at = (ending: string): string => join(dir, `${counter}.${ending}`);
  const inner: Omit<SpawnRequest, "argv"> = {
    cwd: dir,
    env: { PATH: process.env["PATH"] ?? "/usr/bin:/bin" },
    stdoutFile: at("inner.out"),
    stderrFile: at("inner.err"),
    marker: `inner-${process.pid}-${counter}`,
    graceMs: 300,
  };
  const head = `
    import { startChild } from "./spawn/start-child.js";
    const startInner = (commandLine, more) =>
      startChild({ ...${JSON.stringify(inner)}, argv: ["/bin/sh", "-c", commandLine], ...more });`;
  writeFileSync(at("mjs"), head + text);
  const outer = startChild({
    argv: { commandLine: `${before} exec '${process.execPath}' '${at("mjs")}'` },
    cwd: dir,
    env: { ...inner.env, ...env },
    stdoutFile: at("out"),
    stderrFile: at("err"),
    marker: `layer-${process.pid}-${counter}`,
    timeoutMs: 30_000,
  });
  const { outcome, exitCode } = await outer.result;
  expect({ outcome, exitCode, err: readFileSync(at("err"), "utf8") }).toEqual({
    outcome: "exited",
    exitCode: 0,
    err: "",
  });
  return JSON.parse(readFileSync(at("out"), "utf8"));
}

describe.runIf(HAS_PROC)("a process that runs children", () => {
  it("is not ended by itself when it cleans up from inside the group", async () => {
    const report = await runModule(`
      import { spawn } from "node:child_process";
      import { endProcessGroup } from "./spawn/end-process-group.js";
      import { refOf } from "./spawn/process-group-ref.js";
      spawn("sleep", ["1000"], { stdio: "ignore" });
      console.log(JSON.stringify(await endProcessGroup(refOf(process.pid, process.env.BABYSITTER_SPAWN_ID), 1000)));`);
    expect(report).toEqual({ ended: 1, escapees: 0, survivors: 0 });
  });

  it("uses Node's sockets where there is no mkfifo", async () => {
    const text = `
      const kinds = [];
      for (let round = 0; round < 2; round += 1) {
        const started = startInner("readlink /proc/$$/fd/1");
        const { exitCode } = await started.result;
        kinds.push([exitCode, started.tail().replace(/[^a-z].*/su, "")]);
      }
      console.log(JSON.stringify(kinds));`;
    const sockets = [0, "socket"];
    expect(await runModule(text, "", { PATH: "/nowhere" })).toEqual([sockets, sockets]);
  });

  it("leaves no names of pipes on the disk", async () => {
    const tmp = mkdtempSync(join(dir, "tmp-"));
    const text = `
      import { readdirSync } from "node:fs";
      const started = startInner("readlink /proc/$$/fd/1");
      await started.result;
      console.log(JSON.stringify([started.tail(), readdirSync(process.env.TMPDIR)]));`;
    expect(await runModule(text, "", { TMPDIR: tmp })).toEqual([expect.stringContaining(tmp), []]);
  });

  it("stops a child although no descriptor is free", async () => {
    const text = `
      import { closeSync, openSync } from "node:fs";
      const started = startInner("trap '' TERM; echo up; while :; do sleep 1000; done");
      await new Promise((resolve) => started.onOutput(resolve));
      const taken = [];
      try {
        for (;;) taken.push(openSync("/dev/null"));
      } catch {}
      let rescued = false;
      const patience = setTimeout(() => {
        rescued = true;
        process.kill(-started.pid, "SIGKILL");
      }, 10_000);
      await started.stop("enough");
      clearTimeout(patience);
      for (const fd of taken) closeSync(fd);
      const { outcome, signal, survivors } = await started.result;
      console.log(JSON.stringify({ outcome, signal, survivors, rescued }));`;
    expect(await runModule(text, "ulimit -n 64;")).toEqual({
      outcome: "stopped",
      signal: "SIGKILL",
      survivors: 0,
      rescued: false,
    });
  });

  it("keeps no descriptor of a child for which there were too few, however few there were", async () => {
    const text = `
      import { closeSync, openSync, readdirSync } from "node:fs";
      import { dropKeptPipes } from "./spawn/output-pipe.js";
      const open = () => { dropKeptPipes(); return readdirSync("/proc/self/fd").length; };
      await startInner("true").result;
      const outcomes = new Set();
      const before = open();
      for (let free = 0; free < 16; free += 1) {
        const taken = [];
        try {
          for (;;) taken.push(openSync("/dev/null"));
        } catch {}
        for (const fd of taken.splice(0, free)) closeSync(fd);
        const { outcome, startError } = await startInner("true").result;
        for (const fd of taken) closeSync(fd);
        outcomes.add(startError?.code ?? outcome);
      }
      // The streams of those that could be started close by and by.
      for (let round = 0; round < 500 && open() > before; round += 1) await new Promise((resolve) => setTimeout(resolve, 10));
      console.log(JSON.stringify([[...outcomes], Math.max(open() - before, 0)]));`;
    expect(await runModule(text, "ulimit -n 64;")).toEqual([["EMFILE", "exited"], 0]);
  });

  it("gets the result although a log cannot even be closed", async () => {
    const text = `
      import { closeSync, readdirSync, readlinkSync } from "node:fs";
      const targetOf = (fd) => { try { return readlinkSync("/proc/self/fd/" + fd); } catch { return ""; } };
      const started = startInner("read go; echo late; exit 5", { stdin: "go" });
      for (const fd of readdirSync("/proc/self/fd")) if (targetOf(fd).endsWith(".inner.out")) closeSync(Number(fd));
      const { exitCode, stdout, stderr } = await started.result;
      console.log(JSON.stringify({ exitCode, code: stdout.writeError?.code, stderr }));`;
    expect(await runModule(text)).toEqual({ exitCode: 5, code: "EBADF", stderr: { bytes: 0, truncated: false } });
  });
});
