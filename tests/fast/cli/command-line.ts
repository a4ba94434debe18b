/** The built command line as a user meets it: a child process, a clean environment, a project of its own. */
import { type ChildProcess, spawn } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";

export const CLI = fileURLToPath(new URL("../../../packages/sdk/dist/cli/babysitter.cjs", import.meta.url));

/** What a command left behind. */
export interface Finished {
  code: number | null;
  signal: NodeJS.Signals | null;
  stdout: string;
  stderr: string;
  /** The one JSON document on stdout; throws when there is anything else. */
  json(): Doc;
}

/** The fields of all documents that these tests look at. */
export interface Doc {
  runId: string;
  runDir: string;
  runsDir: string;
  entry: string;
  dryRun: boolean;
  processId: string;
  session: { harness: string | null; sessionId: string };
  help: string;
  version: string;
  error: ErrorDoc;
  iteration: number;
  iterationCount: number;
  status: string;
  action: string;
  reason: string;
  count: number;
  nextActions: ActionDoc[];
  output: unknown;
  completionProof: string | null;
  warnings: string[];
  state: string;
  why: string;
  next: string;
  needsMoreIterations: boolean;
  pendingEffects: { effectId: string; kind: string; invocationKey: string }[];
  metadata: {
    runId: string;
    processId: string;
    hookStatus: string;
    stateVersion: number;
    pendingEffectsByKind: Record<string, number>;
    total: number;
    returned: number;
  };
  events: EventDoc[];
  tasks: TaskDoc[];
  runs: {
    runId: string;
    runDir: string;
    state: string;
    foreign: boolean;
    why: string;
    createdAt: string;
    processId: string;
  }[];
  outcome: string;
  effectId: string;
  committed: Record<string, string | null>;
  resultRef: string;
  stdoutRef: string;
  stderrRef: string;
  recorded: unknown;
  effect: TaskDoc & { location: string };
  task: Record<string, unknown>;
  inputs: unknown;
  result: Record<string, unknown> | null;
  stdout: string | null;
  stderr: string | null;
  ok: boolean;
  findings: { file: string; problem: string; harmless: boolean }[];
  moved: { file: string; problem: string }[];
  backup: string | null;
  forkedFrom: { runId: string; at: number };
  reopened: { effectId: string; invocationKey: string; attempt: number }[];
  shell: string;
  script: string;
}

export interface ErrorDoc {
  code: string;
  name: string;
  message: string;
  hint: string;
  details: Record<string, unknown>;
  data: unknown;
}

export interface ActionDoc {
  effectId: string;
  invocationKey: string;
  kind: string;
  taskId: string;
  stepId: string;
  label: string;
  taskDef: Record<string, unknown>;
  requestedAt: string;
  attempt: number;
  until: string;
}

interface EventDoc {
  seq: number;
  id: string;
  type: string;
  timestamp: string;
  effectId: string;
  invocationKey: string;
  taskId: string;
  payload: Record<string, unknown>;
  prev: string | null;
  checksum: string;
  filename: string;
  path: string;
}

interface TaskDoc {
  effectId: string;
  taskId: string;
  invocationKey: string;
  kind: string;
  label: string;
  status: string;
  attempt: number;
  resultRef: string;
  resolvedAt: string;
}

export interface CallOptions {
  cwd?: string;
  env?: Record<string, string>;
  /** Text for stdin, or "open" for a pipe that stays open and silent. */
  stdin?: string | undefined;
}

/** Runs the command line once. */
async function babysitter(args: string[], where: { cwd: string; home: string } & CallOptions): Promise<Finished> {
  return execute(process.execPath, [CLI, ...args], where);
}

/** Runs any program in the same clean environment. */
export async function execute(
  program: string,
  args: string[],
  where: { cwd: string; home: string } & CallOptions,
): Promise<Finished> {
  const silent = where.stdin === "open";
  const child = spawn(program, args, {
    cwd: where.cwd,
    env: cleanEnvironment(where.home, where.env),
    stdio: [silent || where.stdin !== undefined ? "pipe" : "ignore", "pipe", "pipe"],
  });
  if (!silent && where.stdin !== undefined) child.stdin?.end(where.stdin);
  return finished(child);
}

/** Nothing of the tester's own environment may decide how a test ends. */
export function cleanEnvironment(home: string, more: Record<string, string> = {}): Record<string, string> {
  return { PATH: process.env["PATH"] ?? "", HOME: home, BABYSITTER_DURABILITY: "relaxed", ...more };
}

function finished(child: ChildProcess): Promise<Finished> {
  return new Promise((resolve, reject) => {
    const texts = { stdout: "", stderr: "" };
    for (const name of ["stdout", "stderr"] as const)
      child[name]?.setEncoding("utf8").on("data", (chunk: string) => void (texts[name] += chunk));
    child.on("error", reject);
    child.stdin?.on("error", () => undefined);
    child.on("close", (code, signal) => {
      child.stdin?.destroy();
      resolve({ code, signal, ...texts, json: () => parseOnly(texts.stdout, texts.stderr) });
    });
  });
}

function parseOnly(stdout: string, stderr: string): Doc {
  try {
    return JSON.parse(stdout) as Doc;
  } catch (cause) {
    throw new Error(`stdout is not exactly one JSON document:\n${stdout}\nstderr:\n${stderr}`, { cause });
  }
}

/** A folder with files of a user's, and an empty home folder beside it. */
export class Project {
  readonly root: string;
  readonly dir: string;
  readonly home: string;

  constructor(files: Record<string, string> = {}, name = "project") {
    this.root = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "babysitter-")));
    this.dir = path.join(this.root, name);
    this.home = path.join(this.root, "home");
    fs.mkdirSync(this.dir, { recursive: true });
    fs.mkdirSync(this.home);
    this.write(files);
  }

  get runsDir(): string {
    return path.join(this.dir, ".a5c", "runs");
  }

  path(...parts: string[]): string {
    return path.join(this.dir, ...parts);
  }

  write(files: Record<string, string>): void {
    for (const [name, text] of Object.entries(files)) {
      fs.mkdirSync(path.dirname(this.path(name)), { recursive: true });
      fs.writeFileSync(this.path(name), text);
    }
  }

  read(...parts: string[]): string {
    return fs.readFileSync(this.path(...parts), "utf8");
  }

  readJson(...parts: string[]): unknown {
    return JSON.parse(this.read(...parts)) as unknown;
  }

  /** A command, as typed. */
  async run(args: string[], options: CallOptions = {}): Promise<Finished> {
    return babysitter(args, { cwd: this.dir, home: this.home, ...options });
  }

  /** A command with --json that is expected to succeed; answers its document. */
  async ask(args: string[], options: CallOptions = {}): Promise<Doc> {
    const done = await this.run([...args, "--json"], options);
    if (done.code !== 0) throw new Error(`${args.join(" ")} ended with ${done.code}:\n${done.stdout}${done.stderr}`);
    return done.json();
  }

  /** A command with --json that is expected to fail; answers its error and exit code. */
  async refuse(args: string[], options: CallOptions = {}): Promise<ErrorDoc & { exit: number | null }> {
    const done = await this.run([...args, "--json"], options);
    return { ...done.json().error, exit: done.code };
  }

  async create(entry: string, runId: string, more: string[] = [], options: CallOptions = {}): Promise<Doc> {
    return this.ask(["run:create", "--process-id", "test/p", "--entry", entry, "--run-id", runId, ...more], options);
  }

  async post(runId: string, effectId: string, value: unknown): Promise<Doc> {
    return this.ask(["task:post", runId, effectId, "--status", "ok", "--value", "-"], {
      stdin: JSON.stringify(value),
    });
  }

  /** Every file below a folder with its content; folders end with a slash. */
  tree(below = this.dir): Record<string, string> {
    const found: Record<string, string> = {};
    for (const entry of fs.readdirSync(below, { recursive: true, withFileTypes: true })) {
      const file = path.join(entry.parentPath, entry.name);
      if (entry.isDirectory()) found[`${path.relative(below, file)}/`] = "";
      else found[path.relative(below, file)] = fs.readFileSync(file, "base64");
    }
    return found;
  }

  journal(runId: string): Record<string, string> {
    return this.tree(path.join(this.runsDir, runId, "journal"));
  }

  remove(): void {
    // A command that a failed test left behind may still be writing.
    fs.rmSync(this.root, { recursive: true, force: true, maxRetries: 15, retryDelay: 100 });
  }
}

/** A project that goes away with the test that made it. */
export function newProject(files: Record<string, string> = {}, name?: string): Project {
  const project = new Project(files, name);
  onTestFinished(() => project.remove());
  return project;
}
