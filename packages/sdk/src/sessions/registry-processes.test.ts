/** Session files under several real processes, and under a disk that takes no more. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import fs from "node:fs";
import path from "node:path";
import { text } from "node:stream/consumers";
import { transform } from "sucrase";
import { afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { makeTempDir, removeTempDir, tempDir } from "../../../../tests/fixtures/temp-dir.js";
import type { SessionFile } from "../loop/formats/session-file.js";
import { SessionRegistry } from "./session-registry.js";

const SOURCES = path.resolve(import.meta.dirname, "..");
let compiled: string;
let state: string;
const children: ChildProcess[] = [];

const plain: SessionFile = {
  active: true,
  iteration: 1,
  maxIterations: 0,
  iterationTimes: [],
  prompt: "",
  unknown: [],
};

beforeAll(() => {
  compiled = makeTempDir();
  fs.writeFileSync(path.join(compiled, "package.json"), '{"type":"module"}');
  compile("sessions/session-registry.ts");
  return () => removeTempDir(compiled);
});
beforeEach(() => void (state = tempDir()));
afterEach(async () => {
  for (const child of children.splice(0)) {
    if (child.exitCode !== null || child.signalCode !== null) continue;
    const closed = once(child, "close");
    child.kill("SIGKILL");
    await closed;
  }
});

/** A source file and all that it imports, as plain JavaScript. */
function compile(name: string): void {
  const target = path.join(compiled, name.replace(/\.ts$/u, ".js"));
  if (fs.existsSync(target)) return;
  const { code } = transform(fs.readFileSync(path.join(SOURCES, name), "utf8"), { transforms: ["typescript"] });
  fs.mkdirSync(path.dirname(target), { recursive: true });
  fs.writeFileSync(target, code);
  for (const [, imported = ""] of code.matchAll(/from ["'](\.[^"']+)\.js["']/gu))
    compile(path.join(path.dirname(name), `${imported}.ts`));
}

/**
 * Starts a module that has a `registry`, a function `session(iteration, prompt)`, and `await together()`, which
 * waits until all are there.
 */
function start(body: string, before = ""): ChildProcess {
  const places = { write: state, read: [state], home: state };
  const file = path.join(compiled, `child-${children.length}-${body.length}.mjs`);
  fs.writeFileSync(
    file,
    `import { SessionRegistry } from "./sessions/session-registry.js";
     const registry = new SessionRegistry(${JSON.stringify(places)}, () => new Date(0));
     const session = (iteration, prompt) =>
       ({ active: true, iteration, maxIterations: 0, iterationTimes: [], prompt, unknown: [] });
     const together = () => new Promise((resolve) => {
       process.stdin.once("data", () => { process.stdin.destroy(); resolve(); });
       process.stderr.write("ready");
     });
     ${body}`,
  );
  const child = spawn("/bin/sh", ["-c", `${before} exec "$0" "$1"`, process.execPath, file], {
    stdio: ["pipe", "pipe", "pipe"],
  });
  children.push(child);
  return child;
}

/** Lets all of them go on when each has come to `together()`. */
async function startTogether(bodies: readonly string[]): Promise<ChildProcess[]> {
  const started = bodies.map((body) => start(body));
  await Promise.all(started.map(({ stderr }) => once(stderr as NodeJS.ReadableStream, "data")));
  for (const { stdin } of started) stdin?.end("go");
  return started;
}

async function outputOf(child: ChildProcess): Promise<string> {
  const streams = [child.stdout, child.stderr].map((stream) => text(stream as NodeJS.ReadableStream));
  const [[code], out = "", err = ""] = await Promise.all([once(child, "close"), ...streams]);
  expect({ code, err }).toEqual({ code: 0, err: "" });
  return out;
}

const registry = (): SessionRegistry =>
  new SessionRegistry({ write: state, read: [state], home: state }, () => new Date(0));

/** A writer's text says who wrote it in every line, so that a mixture of two shows. */
const lines = (writer: number): string => `writer ${writer}\n`.repeat(2000 + writer * 500);

test("L2: atomic writes: two writers at once never leave a torn file, whoever looks", async () => {
  const writer = (n: number): string => `
    const prompt = ${JSON.stringify(lines(n))};
    await together();
    for (let i = 1; i <= 150; i += 1) registry.write("s1", session(i, prompt));
    console.log("done");`;
  const writers = await startTogether([1, 2].map(writer));
  const all = Promise.all(writers.map(outputOf));
  const wrong: unknown[] = [];
  const seen = new Set<string>();
  while (writers.some(({ exitCode, signalCode }) => exitCode === null && signalCode === null)) {
    const found = registry().find("s1");
    if (found.kind === "found") {
      const writerOf = /^writer (\d)/u.exec(found.session.prompt)?.[1] ?? "?";
      seen.add(writerOf);
      if (found.session.prompt !== lines(Number(writerOf))) wrong.push(found.session.prompt.slice(-50));
    } else if (found.kind === "corrupt") wrong.push(found.problem);
    await new Promise((resolve) => void setImmediate(resolve));
  }
  expect(await all).toEqual(["done\n", "done\n"]);
  expect(wrong).toEqual([]);
  expect(seen.size).toBeGreaterThan(0);
  expect(registry().find("s1")).toMatchObject({ kind: "found", session: { iteration: 150 } });
  expect(fs.readdirSync(state)).toEqual(["s1.md"]);
});

test("L2: atomic writes: a writer that is killed in the middle leaves the old file or the new one", async () => {
  registry().write("s1", { ...plain, prompt: lines(1) });
  for (let round = 0; round < 5; round += 1) {
    const child = start(`
      const prompt = ${JSON.stringify(lines(2))};
      for (let i = 1; ; i += 1) { registry.write("s1", session(i, prompt)); if (i === 1) console.log("up"); }`);
    await once(child.stdout as NodeJS.ReadableStream, "data");
    const closed = once(child, "close");
    child.kill("SIGKILL");
    await closed;
    expect(registry().find("s1")).toMatchObject({ kind: "found", session: { prompt: lines(2) } });
    expect(registry().list()).toHaveLength(1);
  }
});

test("of many that end the same sessions exactly one moves each, and no file gets lost", async () => {
  const ids = Array.from({ length: 100 }, (_, n) => `s${n}`);
  for (const id of ids) registry().write(id, { ...plain, prompt: `that of ${id}` });
  const body = `
    await together();
    const moved = ${JSON.stringify(ids)}.map((id) => registry.end(id)).filter((file) => file !== undefined);
    console.log(JSON.stringify(moved));`;
  const enders = await startTogether([body, body, body]);
  const answers = await Promise.all(enders.map(outputOf));
  const moved = answers.flatMap((answer) => JSON.parse(answer) as string[]).toSorted();
  const ended = fs.readdirSync(path.join(state, "ended")).map((name) => path.join(state, "ended", name));
  expect(ended.toSorted()).toEqual(moved);
  expect(moved.map((file) => path.basename(file).split(".")[0])).toEqual(ids.toSorted());
  for (const file of moved)
    expect(fs.readFileSync(file, "utf8")).toContain(`that of ${path.basename(file).split(".")[0]}\n`);
});

test("L2: atomic writes: a full disk leaves the old file and no other, and is reported", async () => {
  registry().write("s1", { ...plain, prompt: "before" });
  const child = start(
    `try {
       registry.write("s1", session(2, "x".repeat(100_000)));
       console.log("written");
     } catch (error) {
       console.log(JSON.stringify({ code: error.code, message: error.message }));
     }`,
    // Writing stops after a few kilobytes, as it does on a full disk.
    "trap '' XFSZ; ulimit -f 8;",
  );
  expect(JSON.parse(await outputOf(child))).toEqual({
    code: "SESSION_UNREACHABLE",
    message: expect.stringContaining("the file would be too large (EFBIG)"),
  });
  expect(fs.readdirSync(state)).toEqual(["s1.md"]);
  expect(registry().find("s1")).toMatchObject({ session: { prompt: "before" } });
});
