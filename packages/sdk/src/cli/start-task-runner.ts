import { spawn } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { TASK_RUNNER } from "./host-command.js";

/** Starts the program that executes tasks, in a session of its own: it outlives whoever started it. */
export function startTaskRunner(runDir: string, concurrency: number): void {
  const log = fs.openSync(path.join(runDir, "state", "task-runner.log"), "w", 0o600);
  try {
    const child = spawn(process.execPath, [process.argv[1] as string, TASK_RUNNER, runDir, String(concurrency)], {
      detached: true,
      stdio: ["ignore", log, log],
      cwd: "/",
    });
    child.on("error", () => undefined);
    child.unref();
  } finally {
    fs.closeSync(log);
  }
}
