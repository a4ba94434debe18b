import fs from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { tempDir } from "../../../../tests/fixtures/temp-dir.js";
import { isHostProcess, recordHostProcess } from "./host-processes.js";

const alive = (): "alive" => "alive";
const HOST = { pid: 70, startTime: "5@boot", namespace: "100/1" };
const notes = (home: string): string[] => fs.readdirSync(path.join(home, "log", "hosts"));

test("hosts with one pid in two containers that share a home are both known", () => {
  const home = tempDir();
  const other = { ...HOST, startTime: "9@boot", namespace: "200/1" };
  for (const host of [HOST, other]) recordHostProcess(home, host, alive);
  expect([HOST, other].map((host) => isHostProcess(home, host))).toEqual([true, true]);
  expect(isHostProcess(home, { ...HOST, startTime: "6@boot" })).toBe(false);
});

test("notes about the dead go away; those about processes that nobody here can ask stay for a month", () => {
  const home = tempDir();
  for (const pid of [1, 2, 3]) recordHostProcess(home, { ...HOST, pid }, alive);
  const asked: unknown[] = [];
  const lifeOf = (other: { pid: number }): "dead" | "unknown" => {
    asked.push(other);
    return other.pid === 1 ? "dead" : "unknown";
  };
  const longAgo = new Date(Date.now() - 31 * 24 * 3_600_000);
  fs.utimesSync(path.join(home, "log", "hosts", "2@100-1"), longAgo, longAgo);
  recordHostProcess(home, { ...HOST, pid: 4 }, lifeOf);
  expect(asked).toContainEqual({ ...HOST, pid: 1 });
  expect(notes(home).toSorted()).toEqual(["3@100-1", "4@100-1"]);
});

test("a note of an earlier version, named after the pid alone, is still believed", () => {
  const home = tempDir();
  recordHostProcess(home, { pid: 70, startTime: "5@boot" }, alive);
  expect(notes(home)).toEqual(["70"]);
  expect(isHostProcess(home, HOST)).toBe(true);
});
