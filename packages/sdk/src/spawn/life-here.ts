/** Whether recorded processes are alive, as far as this machine can tell. */
import { type Life, lifeOf, type ProcessRecord, type Sight } from "./liveness.js";
import { thisMachine } from "./machine-facts.js";
import { readProcEntry } from "./proc-table.js";
import { HAS_PROC, readByPs, renderStartTime } from "./process-group-ref.js";

export function lifeHere(record: ProcessRecord): Life {
  return lifeOf(record, thisMachine(), sightOf);
}

function sightOf(pid: number): Sight {
  const seen = HAS_PROC ? seenInProc(pid) : readByPs(pid);
  return seen ?? (isTaken(pid) ? "unclear" : "nobody");
}

function seenInProc(pid: number): Sight | undefined {
  const entry = readProcEntry(pid);
  return entry && { startTime: renderStartTime(entry.startTicks), zombie: entry.zombie };
}

/** Asks the kernel: /proc may be closed to us, or hide processes of others, or no descriptor is free to read it. */
function isTaken(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== "ESRCH";
  }
}
