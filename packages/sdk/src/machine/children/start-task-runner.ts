import { spawn } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { TASK_RUNNER } from "./program-names.js";

const MAX_WORDS = 200;

/** Starts the program that executes tasks, in a session of its own: it outlives whoever started it. */
export function startTaskRunner(runDir: string, concurrency: number): void {
  const log = openLog(runDir);
  try {
    const child = spawn(process.execPath, [process.argv[1] as string, TASK_RUNNER, runDir, String(concurrency)], {
      detached: true,
      stdio: ["ignore", log, log],
      cwd: "/",
    });
    child.on("error", () => undefined);
    child.unref();
  } finally {
    if (typeof log === "number") fs.closeSync(log);
  }
}

/** What it has left in its log when it failed, in one line. */
export function lastWordsOfTaskRunner(runDir: string): string | undefined {
  try {
    const lines = fs.readFileSync(logOf(runDir), "utf8").split("\n");
    const said = lines.find((line) => /error/iu.test(line)) ?? lines.find((line) => line.trim() !== "");
    return said?.trim().slice(0, MAX_WORDS);
  } catch {
    return undefined;
  }
}

/** Tasks are executed without a log too: `state/` may be deleted at any time, and a disk may be full. */
function openLog(runDir: string): number | "ignore" {
  try {
    fs.mkdirSync(path.dirname(logOf(runDir)), { recursive: true, mode: 0o700 });
    return fs.openSync(logOf(runDir), "w", 0o600);
  } catch {
    return "ignore";
  }
}

function logOf(runDir: string): string {
  return path.join(runDir, "state", "task-runner.log");
}
