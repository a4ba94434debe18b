/** What the verify.mjs of every example needs: the command line, a fresh folder for runs, and a plain result. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdtemp, readdir, readFile, realpath, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";

const CLI =
  process.env.BABYSITTER_CLI ?? fileURLToPath(new URL("../packages/sdk/dist/cli/babysitter.cjs", import.meta.url));

/** Settings of whoever runs this must not decide how an example ends. */
const FOREIGN = ["RUNS_DIR", "REPO_ROOT", "CLAUDE_PROJECT_DIR", "BABYSITTER_AGENT_COMMAND"];

/** Calls `check` with an {@link Example}; prints `ok <name>`, or what differs, and sets the exit code. */
export async function verify(folder, check) {
  const name = path.basename(folder);
  const runsDir = await realpath(await mkdtemp(path.join(os.tmpdir(), "babysitter example ")));
  try {
    await check(new Example(folder, runsDir));
    console.log(`ok ${name}`);
  } catch (error) {
    console.error(`not ok ${name}\n${error instanceof assert.AssertionError ? error.message : error.stack}`);
    process.exitCode = 1;
  } finally {
    await rm(runsDir, { recursive: true, force: true });
  }
}

class Example {
  constructor(folder, runsDir) {
    this.folder = folder;
    this.runsDir = runsDir;
  }

  /** Starts a command; `ended` resolves to its outcome. */
  start(args, { stdin } = {}) {
    const env = Object.fromEntries(Object.entries(process.env).filter(([key]) => !FOREIGN.includes(key)));
    const child = spawn(process.execPath, [CLI, ...args, "--runs-dir", this.runsDir, "--json"], {
      cwd: this.folder,
      env,
      stdio: ["pipe", "pipe", "pipe"],
    });
    child.stdin.end(stdin ?? "");
    const texts = { stdout: "", stderr: "" };
    for (const stream of ["stdout", "stderr"])
      child[stream].setEncoding("utf8").on("data", (text) => (texts[stream] += text));
    const ended = new Promise((resolve, reject) => {
      child.once("error", reject);
      child.once("close", (code) => resolve({ code, ...texts, args }));
    });
    return { child, ended };
  }

  /** Runs a command and answers its JSON document; any other exit code than the expected one is an error. */
  async ask(args, { exit = 0, stdin } = {}) {
    return documentOf(await this.start(args, { stdin }).ended, exit);
  }

  /** `babysitter run`, of the example's own process unless something else is named. */
  run(args = ["process.mjs"], options = {}) {
    return this.ask(["run", ...args], options);
  }

  /** Posts the answer to the one thing that a run waits for. */
  answer({ runId, waitingFor }, value) {
    assert.equal(waitingFor.length, 1, "the run waits for exactly one thing");
    const [{ effectId }] = waitingFor;
    return this.ask(["task:post", runId, effectId, "--status", "ok", "--value", "-"], { stdin: JSON.stringify(value) });
  }

  async events({ runId }) {
    return (await this.ask(["run:events", runId])).events;
  }

  /** Starts a run and interrupts it, as Ctrl-C does, once its journal has an event that `isDue` accepts. */
  async interrupt(args, isDue) {
    const { child, ended } = this.start(["run", ...args]);
    while (isRunning(child) && !(await this.#events()).some(isDue)) await pause(20);
    child.kill("SIGINT");
    return documentOf(await ended, 130);
  }

  /** What is in the journals so far; a run that is just being made has none yet. */
  async #events() {
    // What begins with a dot is still being made.
    const runs = (await readdir(this.runsDir)).filter((name) => !name.startsWith("."));
    const journals = runs.map((run) => path.join(this.runsDir, run, "journal"));
    const files = await Promise.all(journals.map((folder) => readdir(folder).then(jsonFilesIn(folder), () => [])));
    return Promise.all(files.flat().map(async (file) => JSON.parse(await readFile(file, "utf8"))));
  }
}

function jsonFilesIn(folder) {
  return (names) => names.filter((name) => name.endsWith(".json")).map((name) => path.join(folder, name));
}

function isRunning({ exitCode, signalCode }) {
  return exitCode === null && signalCode === null;
}

function documentOf({ code, stdout, stderr, args }, exit) {
  assert.equal(code, exit, `exit code of babysitter ${args.join(" ")}: ${code}, not ${exit}\n${stdout}${stderr}`);
  return JSON.parse(stdout);
}

/** Like Promise.all, but fails only when all have ended: nothing may still be running when the folder is removed. */
export async function allEnded(promises) {
  const ends = await Promise.allSettled(promises);
  for (const { status, reason } of ends) if (status === "rejected") throw reason;
}

/** The types of events in their order; with a pattern, only those of requests whose key it matches. */
export function typesOf(events, pattern = /(?:)/u) {
  return events.filter(({ invocationKey = "" }) => pattern.test(invocationKey)).map(({ type }) => type);
}

/** Sequence numbers of the events of one type for requests whose key matches. */
export function seqsOf(events, type, pattern) {
  return events.filter((event) => event.type === type && pattern.test(event.invocationKey)).map(({ seq }) => seq);
}
