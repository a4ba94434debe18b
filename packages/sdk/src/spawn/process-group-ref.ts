/** Makes and reads references to process groups that outlive whoever started them. */
import { execFileSync } from "node:child_process";
import { existsSync, readlinkSync } from "node:fs";
import type { ProcessGroupRef } from "../model/events.js";
import { defined } from "../model/json.js";
import { thisMachine } from "./machine-facts.js";
import { readBootId, readProcEntry } from "./proc-table.js";

export function refOf(pid: number, marker: string): ProcessGroupRef {
  const { namespace, machine } = thisMachine();
  return { pid, startTime: startTimeOf(pid) ?? "", marker, ...defined({ namespace, machine }) };
}

const IS_LINUX = process.platform === "linux";

/** True where /proc tells the environment of every process; elsewhere only groups are known. */
export const HAS_PROC = IS_LINUX && existsSync("/proc/self/environ") && isProcOurs();

/** In a new PID namespace /proc may still be the old one's: then its numbers mean other processes than ours. */
function isProcOurs(): boolean {
  try {
    return readlinkSync("/proc/self") === String(process.pid);
  } catch {
    return false;
  }
}

function startTimeOf(pid: number): string | undefined {
  if (!HAS_PROC) return readByPs(pid)?.startTime;
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

/** A few milliseconds; there is no cheaper way without /proc, from which `ps` itself reads on Linux. */
export function readByPs(pid: number): { startTime: string; zombie: boolean } | undefined {
  if (IS_LINUX) return undefined;
  try {
    const options = { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"], env: { ...process.env, LC_ALL: "C" } };
    const columns = ["-o", "stat=", "-o", "lstart=", "-p", String(pid)];
    const line = execFileSync("ps", columns, options as { encoding: "utf8" }).trim();
    const gap = line.search(/\s/u);
    return gap === -1 ? undefined : { startTime: line.slice(gap).trim(), zombie: line.startsWith("Z") };
  } catch {
    return undefined;
  }
}
