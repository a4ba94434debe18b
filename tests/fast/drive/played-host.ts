/** A program that behaves like `claude -p`, as far as a driver can see, and does in each turn what a test has written down. */
import fs from "node:fs";
import path from "node:path";
import { onTestFinished } from "vitest";
import { CLI } from "../cli/command-line.js";
import { LoopProject } from "../loops/loop-project.js";

/** What the agent does in a turn, in this order. */
export interface PlayedTurn {
  /** Run as the agent's tool; `%field%` in its last words stands for a field of the JSON that this prints. */
  shell?: string;
  /** The host fails, as when its API does. */
  error?: string;
  /** The account has reached its limit, which ends after so many seconds. */
  limitedForS?: number;
  /** Stays at work until it is killed. */
  hangs?: boolean;
  /** Asks our Stop hook, as a host with our plugin does; what it is told to do on is the next turn of the script. */
  hook?: boolean;
  /** Lets the agent stop all the same, as a host does that has had enough of hooks. */
  cut?: boolean;
  says?: string;
}

/** A call of the host as the driver made it. */
export interface HostCall {
  args: string[];
  text: string;
  pid: number;
  env: Record<string, string>;
}

const PROGRAM = `
const fs = require("node:fs");
const path = require("node:path");
const { spawnSync } = require("node:child_process");
const root = path.dirname(__dirname);
const args = process.argv.slice(2);
const valueOf = (name) => (args.includes(name) ? args[args.indexOf(name) + 1] : undefined);
const say = (document) => process.stdout.write(JSON.stringify(document) + "\\n");
const end = (code, document, problem) => {
  if (document) say({ type: "result", ...document });
  if (problem) process.stderr.write(problem + "\\n");
  process.exitCode = code;
};
const text = fs.readFileSync(0, "utf8");
const id = valueOf("--resume") ?? valueOf("--session-id");
const memory = path.join(root, "session-" + id);
const env = { ...process.env, CLAUDECODE: "1", CLAUDE_CODE_SESSION_ID: id, AI_AGENT: "claude-code_2-1-197_agent" };

function main() {
  fs.appendFileSync(path.join(root, "calls.jsonl"), JSON.stringify({ args, text, pid: process.pid, env: process.env }) + "\\n");
  if (valueOf("--resume") && !fs.existsSync(memory)) {
    const problem = "No conversation found with session ID: " + id;
    return end(1, { subtype: "error_during_execution", is_error: true, errors: [problem] }, problem);
  }
  if (valueOf("--session-id") && fs.existsSync(memory)) return end(1, undefined, "Error: Session ID " + id + " is already in use.");
  fs.writeFileSync(memory, "");
  say({ type: "system", subtype: "init" });
  play();
}

function play() {
  const turns = require(path.join(root, "turns.cjs"));
  const played = path.join(root, "played");
  const number = fs.existsSync(played) ? fs.readFileSync(played, "utf8").length : 0;
  fs.appendFileSync(played, "x");
  const turn = turns[number];
  if (turn === undefined) return end(1, { subtype: "success", is_error: true, result: "the script has no turn " + (number + 1) });
  const limit = path.join(root, "limited-until");
  if (fs.existsSync(limit) && Date.now() < Number(fs.readFileSync(limit, "utf8")) * 1000) return end(1, { subtype: "success", is_error: true, result: "too early" });
  if (turn.hangs) return void setInterval(() => undefined, 1000);
  const done = turn.shell === undefined ? undefined : spawnSync("/bin/sh", ["-c", turn.shell], { env, encoding: "utf8" });
  if (done) fs.appendFileSync(path.join(root, "tool-output"), done.stdout + done.stderr);
  if (turn.limitedForS) {
    const resetsAt = Math.ceil(Date.now() / 1000) + turn.limitedForS;
    fs.writeFileSync(path.join(root, "limited-until"), String(resetsAt));
    say({ type: "rate_limit_event", rate_limit_info: { status: "rejected", resetsAt, rateLimitType: "five_hour" } });
    return end(1, { subtype: "success", is_error: true, api_error_status: 429, result: "You've hit your session limit" });
  }
  if (turn.error) return end(1, { subtype: "success", is_error: true, result: turn.error });
  const said = (turn.says ?? "Some work is done.").replace(/%(\\w+)%/, (_, field) => String(JSON.parse(done.stdout)[field]));
  say({ type: "assistant", message: { content: [{ type: "text", text: said }] } });
  if (turn.hook && asksHook(said) && !turn.cut) return play();
  end(0, { subtype: "success", is_error: false, result: said });
}

function asksHook(said) {
  const input = { hook_event_name: "Stop", session_id: id, cwd: process.cwd(), prompt_id: "p-" + process.pid, last_assistant_message: said };
  const cli = ${JSON.stringify(CLI)};
  const answer = spawnSync(process.execPath, [cli, "hook:run", "--hook-type", "stop", "--harness", "claude-code"], { env: { ...env, AI_AGENT: "claude-code_2-1-197_harness" }, input: JSON.stringify(input), encoding: "utf8" });
  return JSON.parse(answer.stdout).hookSpecificOutput !== undefined;
}

main();
`;

export class PlayedProject extends LoopProject {
  constructor(turns: PlayedTurn[], files: Record<string, string> = {}) {
    super({ "package.json": '{ "type": "commonjs" }\n', ...files });
    fs.writeFileSync(path.join(this.root, "package.json"), '{ "type": "commonjs" }\n');
    fs.mkdirSync(path.join(this.root, "bin"));
    fs.writeFileSync(path.join(this.root, "bin", "claude"), `#!${process.execPath}\n${PROGRAM}`, { mode: 0o755 });
    this.plays(turns);
  }

  /** From here on; what was played before stays played. */
  plays(turns: PlayedTurn[]): void {
    fs.writeFileSync(path.join(this.root, "turns.cjs"), `module.exports = ${JSON.stringify(turns)};\n`);
  }

  get env(): Record<string, string> {
    return { BABYSITTER_CLAUDE: path.join(this.root, "bin", "claude") };
  }

  /** Every start of the host. */
  calls(): HostCall[] {
    const file = path.join(this.root, "calls.jsonl");
    if (!fs.existsSync(file)) return [];
    const lines = fs.readFileSync(file, "utf8").split("\n").slice(0, -1);
    return lines.map((line) => JSON.parse(line) as HostCall);
  }

  codes(): unknown[] {
    return this.stops().map(({ payload }) => payload["reason"]);
  }
}

export function playedProject(turns: PlayedTurn[], files: Record<string, string> = {}): PlayedProject {
  const project = new PlayedProject(turns, files);
  onTestFinished(() => {
    for (const { pid } of project.calls()) endHost(pid);
    project.endChecks();
    project.remove();
  });
  project.git("init", "--quiet");
  return project;
}

/** Hosts of drivers that a test has killed. */
function endHost(pid: number): void {
  try {
    if (pid > 1 && fs.readFileSync(`/proc/${pid}/cmdline`, "utf8").includes("/bin/claude"))
      process.kill(pid, "SIGKILL");
  } catch {
    // It has ended.
  }
}
