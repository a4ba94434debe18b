/** The command line of a process that somebody else has started. */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { HAS_PROC } from "./process-group-ref.js";

/** Empty when the process is gone or not ours to read. Without /proc, words with blanks in them come in pieces. */
export function argumentsOf(pid: number): string[] {
  try {
    if (HAS_PROC) return readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0").slice(0, -1);
    const ps = ["-ww", "-o", "command=", "-p", String(pid)];
    return execFileSync("ps", ps, { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] })
      .trim()
      .split(/\s+/u);
  } catch {
    return [];
  }
}
