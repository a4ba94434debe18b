import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { tempDir } from "../../../../tests/fixtures/temp-dir.js";
import { lineDiff } from "./line-diff.js";

test("shows what changed with some lines around it", () => {
  const before = "a\nb\nc\nd\ne\nf\ng\nh\n";
  expect(lineDiff("p.mjs", before, before.replace("e\n", "E\ne2\n"))).toBe(
    "--- a/p.mjs\n+++ b/p.mjs\n@@ -2,7 +2,8 @@\n b\n c\n d\n-e\n+E\n+e2\n f\n g\n h\n",
  );
  expect(lineDiff("p.mjs", before, before)).toBe("");
  expect(lineDiff("p.mjs", undefined, "a\n")).toBe("--- /dev/null\n+++ b/p.mjs\n@@ -0,0 +1,1 @@\n+a\n");
  expect(lineDiff("p.mjs", "a\n", undefined)).toBe("--- a/p.mjs\n+++ /dev/null\n@@ -1,1 +0,0 @@\n-a\n");
});

test("texts that are too long to compare are shown one after the other", () => {
  const [before, after] = ["a\n".repeat(3_000), "b\n".repeat(3_000)];
  const diff = lineDiff("p.mjs", before, after);
  expect(diff.split("\n").filter((line) => line.startsWith("-a"))).toHaveLength(3_000);
  expect(diff.split("\n").filter((line) => line.startsWith("+b"))).toHaveLength(3_000);
});

test("git applies every diff", () => {
  const line = fc.constantFrom("a", "b", "", "  c");
  const text = fc.array(line, { maxLength: 30 }).map((lines) => lines.map((one) => `${one}\n`).join(""));
  const dir = tempDir();
  const file = path.join(dir, "p.txt");
  fc.assert(
    fc.property(text, text, (before, after) => {
      fc.pre(before !== after && before !== "" && after !== "");
      fs.writeFileSync(file, before);
      execFileSync("git", ["apply", "-"], { cwd: dir, input: lineDiff("p.txt", before, after) });
      expect(fs.readFileSync(file, "utf8")).toBe(after);
    }),
    { numRuns: 30 },
  );
});
