/** Projects whose runs are driven by `babysitter run`, and tasks that do what a test tells them to. */
import { type ChildProcess, spawn } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { onTestFinished } from "vitest";
import { CLI, cleanEnvironment, newProject, type Project } from "../cli/command-line.js";

/** What `babysitter run --json` answers. */
interface RunDoc {
  runId: string;
  runDir: string;
  state: string;
  exit: string;
  why: string;
  next: { command: string; about: string }[];
  output?: unknown;
  completionProof?: string;
  error?: { code?: string; name?: string; message: string; hint?: string; details?: Record<string, unknown> };
  waitingFor: { effectId: string; kind: string; title: string }[];
}

export interface Driven {
  code: number | null;
  signal: NodeJS.Signals | null;
  stdout: string;
  stderr: string;
  doc: RunDoc;
}

export interface StoredEvent {
  seq: number;
  type: string;
  effectId?: string;
  invocationKey?: string;
  taskId?: string;
  timestamp: string;
  payload: Record<string, never> & Record<string, unknown>;
}

/** A task that says that it runs, then does what the test asks for: `<name>.go` ends it. */
const GATE = `
const fs = require("node:fs");
const [name] = process.argv.slice(2);
fs.appendFileSync(name + ".starts", process.pid + "\\n");
const timer = setInterval(() => {
  if (!fs.existsSync(name + ".go")) return;
  clearInterval(timer);
  fs.appendFileSync(name + ".ends", process.pid + "\\n");
  console.log(JSON.stringify({ name }));
}, 10);
`;

const GATES = `
const gate = (name, more = {}) => ({ kind: "node", title: name, node: { entry: "gate.cjs", args: [name] }, ...more });
const shell = (command, more = {}) => ({ kind: "shell", title: command, shell: { command, ...more.shell }, ...more, ...(more.shell ? { shell: { command, ...more.shell } } : {}) });
`;

/** A project with a process file `p.mjs`, whose text may use `gate(name)` and `shell(command)`. */
export function drivenProject(body: string, files: Record<string, string> = {}): Project {
  return newProject({ "p.mjs": processText(body), "gate.cjs": GATE, ...files });
}

export function processText(body: string): string {
  return `${GATES}\nexport async function process(inputs, ctx) {\n${body}\n}\n`;
}

/** A driver under way. */
export class RunningDriver {
  readonly child: ChildProcess;
  readonly finished: Promise<Driven>;
  /** What it has told so far. */
  told = "";

  constructor(project: Project, args: string[], env: Record<string, string> = {}) {
    this.child = spawn(process.execPath, [CLI, "run", ...args, "--json"], {
      cwd: project.dir,
      env: cleanEnvironment(project.home, env),
      stdio: ["ignore", "pipe", "pipe"],
    });
    this.finished = collect(this.child);
    this.child.stderr?.on("data", (chunk: string) => void (this.told += chunk));
    onTestFinished(() => void this.child.kill("SIGKILL"));
  }

  get pid(): number {
    return this.child.pid as number;
  }
}

function collect(child: ChildProcess): Promise<Driven> {
  const texts = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const)
    child[name]?.setEncoding("utf8").on("data", (chunk: string) => void (texts[name] += chunk));
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code, signal) => {
      const answer = { code, signal, ...texts };
      resolve({
        ...answer,
        get doc(): RunDoc {
          try {
            return JSON.parse(texts.stdout) as RunDoc;
          } catch (cause) {
            throw new Error(`no document (exit ${code}):\n${texts.stdout}\n${texts.stderr}`, { cause });
          }
        },
      });
    });
  });
}

/** Drives to the end. */
export function drive(project: Project, args: string[], env: Record<string, string> = {}): Promise<Driven> {
  return new RunningDriver(project, args, env).finished;
}

/** Waits until something is true; the test's own time limit ends it. */
export async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await delay(5);
}

/** The lines that are complete: whoever writes the file may be in the middle of one. */
export function linesOf(project: Project, name: string): string[] {
  const file = project.path(name);
  return fs.existsSync(file) ? fs.readFileSync(file, "utf8").split("\n").slice(0, -1) : [];
}

export function open(project: Project, ...gates: string[]): void {
  for (const gate of gates) project.write({ [`${gate}.go`]: "" });
}

/** Waits until each gate has been reached so many times. */
export async function reached(project: Project, gates: string[], times = 1): Promise<void> {
  await until(() => gates.every((gate) => linesOf(project, `${gate}.starts`).length >= times));
}

export function eventsOf(runDir: string): StoredEvent[] {
  const dir = path.join(runDir, "journal");
  return fs
    .readdirSync(dir)
    .toSorted()
    .map((name) => JSON.parse(fs.readFileSync(path.join(dir, name), "utf8")) as StoredEvent);
}

export function typesOf(runDir: string): string[] {
  return eventsOf(runDir).map(({ type }) => type);
}

export function runDirOf(project: Project, runId: string): string {
  return path.join(project.runsDir, runId);
}

/** True while a process with this pid runs; a zombie does not. */
export function isRunning(pid: number): boolean {
  try {
    return !/^State:\s+[ZX]/m.test(fs.readFileSync(`/proc/${pid}/status`, "utf8"));
  } catch {
    return false;
  }
}
