import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { tempDir } from "../fixtures/temp-dir.js";

const TOOL = fileURLToPath(new URL("../../tools/check.mjs", import.meta.url));

function check(scripts: Record<string, string>): { status: number | null; stdout: string; stderr: string } {
  const home = tempDir();
  fs.writeFileSync(path.join(home, "package.json"), JSON.stringify({ scripts }));
  return spawnSync(process.execPath, [TOOL, home], { encoding: "utf8", timeout: 60_000 });
}

it("runs the parts side by side, and each is told as a whole, in their order", () => {
  // The first one ends only if the second one runs meanwhile.
  const { status, stdout, stderr } = check({
    build: "echo none of its parts",
    "check:one": "echo one; until [ -e two ]; do sleep 0.02; done; echo one again >&2",
    "check:two": "echo two; touch two",
  });
  expect([status, stdout, stderr]).toEqual([0, "one\none again\ntwo\n", ""]);
});

it("fails if any part does, names it, and still tells of the others", () => {
  const { status, stdout, stderr } = check({
    "check:one": "echo one",
    "check:two": "echo two; exit 3",
    "check:three": "echo three",
    "check:four": "kill -9 $$",
  });
  expect([status, stdout]).toEqual([1, "one\ntwo\nthree\n"]);
  expect(stderr).toBe("\nnpm run check:two fails.\n\n\nnpm run check:four fails.\n\n");
});
