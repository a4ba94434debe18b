/** Reads Linux' /proc. Whatever is not there, or not ours to read, is undefined. */
import { readdirSync, readFileSync } from "node:fs";
import { NO_BOOT } from "./liveness.js";

export interface ProcEntry {
  pid: number;
  parent: number;
  group: number;
  /** Clock ticks between boot and the start of the process. */
  startTicks: number;
  /** Exited; only its parent has not asked for the exit code. */
  zombie: boolean;
  /** A thread of the kernel, which has neither command line nor environment. */
  kernel: boolean;
}

/** PF_KTHREAD of the kernel's flags. */
const KERNEL_THREAD = 0x200000;

export function listPids(): number[] | undefined {
  try {
    return readdirSync("/proc")
      .filter((name) => /^\d+$/.test(name))
      .map(Number);
  } catch {
    // No descriptor is free, for instance.
    return undefined;
  }
}

export function readProcEntry(pid: number): ProcEntry | undefined {
  const text = readProcFile(`/proc/${pid}/stat`);
  if (text === undefined) return undefined;
  // The second field is the program's name in parentheses, which may hold blanks and parentheses.
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
  return {
    pid,
    zombie: fields[0] === "Z" || fields[0] === "X",
    parent: Number(fields[1]),
    group: Number(fields[2]),
    kernel: (Number(fields[6]) & KERNEL_THREAD) !== 0,
    startTicks: Number(fields[19]),
  };
}

/**
 * The environment the process was started with; undefined when it is not ours to read. It is empty for
 * one that has no memory: a zombie, one that is about to end or in the middle of an exec, or gone.
 */
export function readEnviron(pid: number): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/environ`, "utf8");
  } catch (error) {
    // Newer kernels say ESRCH for a process without memory, older ones let us read nothing.
    return ["EACCES", "EPERM"].includes((error as NodeJS.ErrnoException).code ?? "") ? undefined : "";
  }
}

/** True when the process has arguments, which the kernel sets together with the environment. */
export function hasArguments(pid: number): boolean {
  return (readProcFile(`/proc/${pid}/cmdline`) ?? "") !== "";
}

/** The words a process was started with; a program may have written something else over them. */
export function readArguments(pid: number): string[] {
  return (readProcFile(`/proc/${pid}/cmdline`) ?? "").split("\0").filter((word) => word !== "");
}

/** How many processes and threads have been started since boot, on the whole machine. */
export function readForkCount(): number | undefined {
  return toCount(/^processes (\d+)$/mu.exec(readProcFile("/proc/stat") ?? "")?.[1]);
}

/** The pid that was given last, as far as this container can see. */
export function readLastPid(): number | undefined {
  return toCount(readProcFile("/proc/sys/kernel/ns_last_pid"));
}

let pidMax: number | undefined;

export function readPidMax(): number | undefined {
  pidMax ??= toCount(readProcFile("/proc/sys/kernel/pid_max"));
  return pidMax;
}

function toCount(text: string | undefined): number | undefined {
  const count = Number(text);
  return Number.isSafeInteger(count) && count > 0 ? count : undefined;
}

let bootId: string | undefined;

/** Changes with every boot of the machine. */
export function readBootId(): string {
  // Not remembered when no descriptor was free to read it.
  bootId ??= readProcFile("/proc/sys/kernel/random/boot_id")?.trim();
  return bootId ?? NO_BOOT;
}

function readProcFile(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}
