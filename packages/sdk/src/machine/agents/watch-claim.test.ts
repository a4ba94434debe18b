import fs from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { tempDir } from "../../../../../tests/fixtures/temp-dir.js";
import { claimOnce } from "./watch-claim.js";

it("a claim is made once, also by a program that comes after a newer one was made, and is forgotten after an hour", () => {
  const runDir = tempDir();
  const claimed = (...names: string[]): boolean[] => names.map((name) => claimOnce(runDir, name));
  expect(claimed("watch-stop-5", "watch-stop-9", "watch-stop-5", "watch-stop-9")).toEqual([true, true, false, false]);
  const old = new Date(Date.now() - 2 * 60 * 60_000);
  fs.utimesSync(path.join(runDir, "state", "watch-stop-5"), old, old);
  expect(claimed("watch-stop-12", "cleared-a")).toEqual([true, true]);
  expect(fs.readdirSync(path.join(runDir, "state")).toSorted()).toEqual(["cleared-a", "watch-stop-12", "watch-stop-9"]);
});

it("of a run that is gone, nothing is made again", () => {
  const runDir = path.join(tempDir(), "gone");
  expect(claimOnce(runDir, "watch-stop-5")).toBe(true);
  expect(fs.existsSync(runDir)).toBe(false);
});
