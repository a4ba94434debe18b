import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { afterEach, describe, expect, it } from "vitest";
import { isInRound, mayGoRound, PidWindow } from "./pid-window.js";
import { readForkCount, readLastPid } from "./proc-table.js";
import { HAS_PROC } from "./process-group-ref.js";

const children: ChildProcess[] = [];

afterEach(async () => {
  for (const child of children.splice(0)) {
    const gone = once(child, "exit");
    child.kill("SIGKILL");
    await gone;
  }
});

function sleeper(): number {
  const child = spawn("sleep", ["1000"], { stdio: "ignore" });
  children.push(child);
  return child.pid as number;
}

describe("a round of pids", () => {
  it("goes from the first to the last", () => {
    expect([9, 10, 15, 20, 21].filter((pid) => isInRound(pid, 10, 20))).toEqual([10, 15, 20]);
    expect([9, 10, 11].filter((pid) => isInRound(pid, 10, 10))).toEqual([10]);
  });

  it("goes on at the beginning after the end", () => {
    expect([1, 300, 305, 306, 32_000, 32_700, 32_768].filter((pid) => isInRound(pid, 32_700, 305))).toEqual([
      1, 300, 305, 32_700, 32_768,
    ]);
  });
});

describe("a round that may be over", () => {
  it("is known by too many forks, a count that went back, or a long time", () => {
    expect(mayGoRound(10, 8000, 32_768)).toBe(false);
    expect(mayGoRound(10, 9000, 32_768)).toBe(true);
    expect(mayGoRound(10, -1, 32_768)).toBe(true);
    expect(mayGoRound(60_000, 1, 32_768)).toBe(true);
  });
});

describe.runIf(HAS_PROC && readLastPid() !== undefined)("a window of pids", () => {
  it("holds the first one and all that were started later, but not those from before", () => {
    const before = sleeper();
    const first = sleeper();
    const window = new PidWindow(first);
    const later = sleeper();
    expect(window.select([before, first, later])).toEqual([first, later]);
  });

  it("is guarded by a count that grows with every start", () => {
    const forks = readForkCount() as number;
    sleeper();
    expect(readForkCount()).toBeGreaterThan(forks);
  });
});
