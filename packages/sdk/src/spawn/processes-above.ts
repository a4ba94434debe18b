/** The processes that this one was started by, from its parent up. */
import { execFileSync } from "node:child_process";
import { readlinkSync } from "node:fs";
import { defined } from "../model/json.js";
import { thisMachine } from "./machine-facts.js";
import { readArguments, readProcEntry } from "./proc-table.js";
import { HAS_PROC, renderStartTime } from "./process-group-ref.js";

export interface ProcessAbove {
  pid: number;
  /** With the pid it names a process for good. */
  startTime: string;
  /** The PID namespace in which it has this pid. */
  namespace?: string;
  /** The words it was started with; where only a command line is known, that line cut at its blanks. */
  argv: string[];
  /** Its program file, where that is known. */
  program?: string;
}

/** No chain is that long; a table that changes while it is read might make one that never ends. */
const MAX_DEPTH = 200;

/** Undefined where the system does not tell. A process whose parent has ended belongs to the first of all. */
export function processesAbove(): ProcessAbove[] | undefined {
  if (HAS_PROC) return aboveInProc();
  return process.platform === "linux" ? undefined : aboveInListing(process.ppid, listing());
}

function aboveInProc(): ProcessAbove[] | undefined {
  const above: ProcessAbove[] = [];
  const { namespace } = thisMachine();
  for (let pid = process.ppid; pid > 1 && above.length < MAX_DEPTH; ) {
    const entry = readProcEntry(pid);
    if (entry === undefined) return undefined;
    const program = programOf(pid);
    above.push({
      pid,
      startTime: renderStartTime(entry.startTicks),
      argv: readArguments(pid),
      ...defined({ program, namespace }),
    });
    pid = entry.parent;
  }
  return above;
}

function programOf(pid: number): string | undefined {
  try {
    return readlinkSync(`/proc/${pid}/exe`);
  } catch {
    // Of another user, or about to end.
    return undefined;
  }
}

/** Some tens of milliseconds; there is no cheaper way without /proc. */
function listing(): string {
  try {
    const options = { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"], env: { ...process.env, LC_ALL: "C" } };
    const columns = ["-axww", "-o", "pid=", "-o", "ppid=", "-o", "lstart=", "-o", "command="];
    return execFileSync("ps", columns, options as { encoding: "utf8" });
  } catch {
    return "";
  }
}

/** The second and third column are numbers, the fourth is a date of five words, the rest is the command line. */
const ROW = /^\s*(\d+)\s+(\d+)\s+((?:\S+\s+){4}\S+)\s+(.*)$/u;

export function aboveInListing(parent: number, text: string): ProcessAbove[] | undefined {
  const rows = new Map<number, ProcessAbove & { parent: number }>();
  for (const line of text.split("\n")) {
    const [, pid, ppid, startTime, command] = ROW.exec(line) ?? [];
    if (pid === undefined || startTime === undefined) continue;
    const argv = (command ?? "").split(/\s+/u).filter((word) => word !== "");
    rows.set(Number(pid), { pid: Number(pid), parent: Number(ppid), startTime, argv });
  }
  if (rows.size === 0) return undefined;
  const above: ProcessAbove[] = [];
  for (let pid = parent; pid > 1 && above.length < MAX_DEPTH; ) {
    const row = rows.get(pid);
    if (row === undefined) return undefined;
    const { parent: next, ...known } = row;
    above.push(known);
    pid = next;
  }
  return above;
}
