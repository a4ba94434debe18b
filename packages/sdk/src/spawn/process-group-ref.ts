/** Makes and reads references to process groups that outlive whoever started them. */
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import type { ProcessGroupRef } from "../model/events.js";
import { readBootId, readProcEntry } from "./proc-table.js";

export function refOf(pid: number, marker: string): ProcessGroupRef {
  return { pid, startTime: startTimeOf(pid) ?? "", marker };
}

/** True where /proc tells the environment of every process; elsewhere only groups are known. */
export const HAS_PROC = process.platform === "linux" && existsSync("/proc/self/environ");

function startTimeOf(pid: number): string | undefined {
  if (!HAS_PROC) return startTimeByPs(pid);
  const entry = readProcEntry(pid);
  return entry && renderStartTime(entry.startTicks);
}

/** Undefined when the reference is from another boot or machine, or is damaged. */
export function startTicksOf(ref: ProcessGroupRef): number | undefined {
  const ticks = Number.parseInt(ref.startTime, 10);
  return renderStartTime(ticks) === ref.startTime ? ticks : undefined;
}

/** With its pid it names a process for good. */
export function renderStartTime(ticks: number): string {
  return `${ticks}@${readBootId()}`;
}

/** A few milliseconds; there is no cheaper way without /proc. */
export function startTimeByPs(pid: number): string | undefined {
  try {
    const options = { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"], env: { ...process.env, LC_ALL: "C" } };
    return execFileSync("ps", ["-o", "lstart=", "-p", String(pid)], options as { encoding: "utf8" }).trim();
  } catch {
    return undefined;
  }
}
