import { spawn } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { readLogTail } from "../../effects/task-logs.js";
import { makeFolders } from "../../files/make-folders.js";
import { withoutHooks } from "../../spawn/spawn-marker.js";
import { TASK_RUNNER } from "./program-names.js";

const { O_WRONLY, O_CREAT, O_TRUNC, O_NOFOLLOW, O_NONBLOCK } = fs.constants;
const MAX_WORDS = 200;
const MAX_LOG = 256 * 1024;

/** Starts the program that executes tasks, in a session of its own: it outlives whoever started it. */
export function startTaskRunner(runDir: string, concurrency: number): void {
  const log = openLog(runDir);
  try {
    const child = spawn(process.execPath, [process.argv[1] as string, TASK_RUNNER, runDir, String(concurrency)], {
      detached: true,
      stdio: ["ignore", log, log],
      cwd: "/",
      env: withoutHooks(process.env),
    });
    child.on("error", () => undefined);
    child.unref();
  } finally {
    if (typeof log === "number") fs.closeSync(log);
  }
}

/** What it has left in its log when it failed, in one line. */
export function lastWordsOfTaskRunner(runDir: string): string | undefined {
  const lines = readLogTail(logOf(runDir), MAX_LOG).text.split("\n");
  const said = lines.find((line) => /error/iu.test(line)) ?? lines.find((line) => line.trim() !== "");
  return said?.trim().slice(0, MAX_WORDS);
}

/** Tasks are executed without a log too: `state/` may be deleted at any time, and a disk may be full. */
function openLog(runDir: string): number | "ignore" {
  try {
    makeFolders(path.dirname(logOf(runDir)), 0o700, 1);
    // Neither waiting for whoever reads a pipe, nor through a link.
    return fs.openSync(logOf(runDir), O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_NONBLOCK, 0o600);
  } catch {
    return "ignore";
  }
}

function logOf(runDir: string): string {
  return path.join(runDir, "state", "task-runner.log");
}
