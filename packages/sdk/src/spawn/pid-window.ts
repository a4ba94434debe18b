/**
 * The pids that a new process and its descendants can have, so that a look at a machine with many processes
 * need not read about all of them.
 *
 * The kernel gives pids in rising order and begins again at the top. So as long as it has not gone round,
 * whatever was started since has a pid between the new one and the last one given. Whether it can have gone
 * round is told by its count of forks, but forks that fail may take a pid without being counted: after
 * {@link TRUSTED_MS} nothing is excluded any more. Work that has taken longer can afford a long look.
 */
import { readForkCount, readLastPid, readPidMax } from "./proc-table.js";

const TRUSTED_MS = 5000;

export class PidWindow {
  readonly #first: number;
  readonly #opened = performance.now();
  readonly #forks = readForkCount();

  /** To be called right after the start of the process. */
  constructor(first: number) {
    this.#first = first;
  }

  /** Those of a list made just now that can be descendants. */
  select(pids: number[]): number[] {
    // Read after the list was made: one that is younger than this answer is not in the list.
    const last = this.#mayHaveGoneRound() ? undefined : readLastPid();
    if (last === undefined) return pids;
    return pids.filter((pid) => isInRound(pid, this.#first, last));
  }

  #mayHaveGoneRound(): boolean {
    const forks = readForkCount();
    const pidMax = readPidMax();
    if (forks === undefined || this.#forks === undefined || pidMax === undefined) return true;
    return mayGoRound(performance.now() - this.#opened, forks - this.#forks, pidMax);
  }
}

/** Pids in use are left out on the way, so a round can be a good deal shorter than the highest pid. */
export function mayGoRound(ms: number, forks: number, pidMax: number): boolean {
  return ms > TRUSTED_MS || forks < 0 || forks > pidMax / 4;
}

/** Whether a pid comes between these two, or is one of them, on the way up from the first. */
export function isInRound(pid: number, first: number, last: number): boolean {
  return first <= last ? pid >= first && pid <= last : pid >= first || pid <= last;
}
