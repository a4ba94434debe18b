/** A project with a loop in it, and an agent host that a test plays: what it says goes to `hook:run`. */
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { onTestFinished } from "vitest";
import { type CallOptions, type Doc, type ErrorDoc, Project } from "../cli/command-line.js";

export const SESSION = "session-1";

/** Documents of loop and session commands, as far as these tests look at them. */
export interface LoopDoc extends Omit<Doc, "session" | "next" | "steps" | "status"> {
  contract: ContractDoc;
  session: { harness: string; sessionId: string; by: string } | null;
  next: string | null;
  steps: StepDoc[];
  loop: StatusDoc;
  changes: string[];
  format: string;
  paused: boolean;
  resumed: boolean;
  context: string;
  stateFile: string;
  sessionId: string;
  status: string;
  tree: string | null;
  criteria: VerifiedDoc[];
  attached: boolean;
}

interface ContractDoc {
  mode: string;
  title: string;
  promise: { text: string; issued: boolean };
  criteria: {
    id: string;
    kind: string;
    command: string;
    text: string;
    tier: string;
    role: string;
    timeoutMs: number;
  }[];
  steps: { id: string; title: string }[];
  limits: Record<string, number>;
  shape: string;
  protects: string[];
  protectedThings: { name: string }[];
  origin: { format: string; path: string };
}

interface StepDoc {
  id: string;
  title: string;
  status: string;
  errors: { errorClass: string; note?: string }[];
}

export interface StatusDoc {
  mode: string;
  status: string;
  goal: string;
  iteration: number;
  limits: Record<string, number>;
  promise: { text: string; issued: boolean };
  session: { sessionId: string } | null;
  sessions: string[];
  paused: { code: string; message: string } | null;
  ended: { attestation: string; code: string } | null;
  criteria: { id: string; standing: string; role: string; flaky: boolean; greenBefore: boolean; isStale: boolean }[];
  steps: StepDoc[];
  spend: { usd: number | null; knownUsd: number; totalTokens: number; unpriced: string[] } | null;
}

interface VerifiedDoc {
  id: string;
  standing: string;
  result: CheckDoc | null;
  newest: CheckDoc | null;
}

interface CheckDoc {
  outcome: string;
  exitCode: number | null;
  flaky: boolean;
  tail: string;
  evidence: string;
  before: string;
  after: string;
}

/** What the host was told, and by which rule. */
export interface Stop {
  code: string;
  decision: string | undefined;
  reason: string;
  message: string;
  answer: object;
}

export interface JournalRow {
  seq: number;
  type: string;
  timestamp: string;
  payload: Record<string, unknown>;
}

export class LoopProject extends Project {
  /** A document of a command that is expected to succeed. */
  async doc(args: string[], options: CallOptions = {}): Promise<LoopDoc> {
    return (await this.ask(args, options)) as unknown as LoopDoc;
  }

  /** Begins a loop in the session; the check before any work has ended when this answers. */
  async start(args: string[], options: CallOptions = {}): Promise<LoopDoc> {
    const started = await this.doc(["loop:start", "--session-id", SESSION, ...args], options);
    await this.baseline(started);
    return started;
  }

  /** Waits for the check before any work, where there is one. */
  async baseline({ runId, contract }: Pick<LoopDoc, "runId" | "contract">): Promise<void> {
    const isChecked = contract.criteria.some(({ kind, role }) => kind !== "claim" && role !== "must-not");
    if (isChecked) await this.until(() => this.count(runId, "VERIFICATION_FINISHED") > 0);
  }

  /** Waits until something that another process does is visible. */
  async until(isSo: () => boolean): Promise<void> {
    while (!isSo()) await pause(20);
  }

  /** Ends a turn of the agent, which said this last. */
  async stop(
    message: string | undefined,
    more: Record<string, unknown> = {},
    options: CallOptions = {},
  ): Promise<Stop> {
    const input = {
      hook_event_name: "Stop",
      session_id: SESSION,
      cwd: this.dir,
      ...(message === undefined ? {} : { last_assistant_message: message }),
      ...more,
    };
    const before = this.stops().length;
    const done = await this.run(["hook:run", "--hook-type", "stop", "--harness", "claude-code"], {
      ...options,
      stdin: JSON.stringify(input),
    });
    if (done.code !== 0) throw new Error(`hook:run ended with ${done.code}: ${done.stderr}`);
    const answer = JSON.parse(done.stdout) as Partial<Record<"decision" | "reason" | "systemMessage", string>>;
    const stops = this.stops();
    return {
      code: stops.length > before ? String(stops.at(-1)?.payload["reason"]) : "",
      decision: answer.decision,
      reason: answer.reason ?? "",
      message: answer.systemMessage ?? "",
      answer,
    };
  }

  /** The agent says that it is done. When the check takes longer than a host waits, it does what it is told: wait. */
  async claim(message: string, more: Record<string, unknown> = {}): Promise<Stop> {
    const first = await this.stop(message, more);
    if (first.code !== "verifying") return first;
    await this.run(["loop:verify", "--wait", "--json"]);
    return this.stop(message, more);
  }

  /** Where a loop stands. */
  async status(run?: string): Promise<StatusDoc> {
    return (await this.doc(["run:status", ...(run === undefined ? [] : [run])])).loop;
  }

  runs(): string[] {
    return fs.existsSync(this.runsDir) ? fs.readdirSync(this.runsDir).filter((name) => !name.startsWith(".")) : [];
  }

  /** The events of a run, from its files. */
  events(runId: string, type?: string): JournalRow[] {
    const folder = path.join(this.runsDir, runId, "journal");
    const names = fs.existsSync(folder) ? fs.readdirSync(folder).filter((name) => /^\d+\..*\.json$/u.test(name)) : [];
    return names
      .toSorted()
      .map((name) => JSON.parse(fs.readFileSync(path.join(folder, name), "utf8")) as JournalRow)
      .filter((event) => type === undefined || event.type === type);
  }

  count(runId: string, type: string): number {
    return this.events(runId, type).length;
  }

  /** Decisions at the ends of turns, in all runs. */
  stops(): JournalRow[] {
    return this.runs()
      .flatMap((run) => this.events(run, "STOP_HOOK_INVOKED"))
      .toSorted((a, b) => a.timestamp.localeCompare(b.timestamp) || a.seq - b.seq);
  }

  sessionFile(sessionId = SESSION): string {
    return path.join(this.home, ".a5c", "state", `${sessionId}.md`);
  }

  git(...args: string[]): void {
    const { status, stderr } = spawnSync("git", ["-c", "user.name=t", "-c", "user.email=t@t", ...args], {
      cwd: this.dir,
      env: { PATH: process.env["PATH"] ?? "", HOME: this.home },
      encoding: "utf8",
    });
    if (status !== 0) throw new Error(`git ${args.join(" ")}: ${stderr}`);
  }

  /** Ends checks that a test has left behind, by the groups that their journals name. */
  endChecks(): void {
    for (const run of this.runs()) {
      const finished = this.events(run, "VERIFICATION_FINISHED").map(({ payload }) => payload["verification"]);
      for (const { payload } of this.events(run, "VERIFICATION_STARTED"))
        if (!finished.includes(payload["verification"])) endGroup((payload["group"] as { pid?: number }).pid);
    }
  }
}

function endGroup(pid: number | undefined): void {
  if (pid === undefined || pid <= 1) return;
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // It has ended.
  }
}

/** A git repository that goes away with the test that made it. */
export function newLoopProject(files: Record<string, string> = {}): LoopProject {
  const project = new LoopProject({ "package.json": '{ "type": "commonjs" }\n', ...files });
  onTestFinished(() => {
    project.endChecks();
    project.remove();
  });
  project.git("init", "--quiet");
  return project;
}

/** What an error has to say. */
export function told(error: ErrorDoc & { exit: number | null }): [number | null, string, string] {
  return [error.exit, error.code, error.message];
}
