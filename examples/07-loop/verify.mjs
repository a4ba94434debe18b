import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import path from "node:path";
import { verify } from "../verify-kit.mjs";

await verify(import.meta.dirname, async ({ folder }) => {
  const { stdout, stderr, status } = spawnSync(process.execPath, [path.join(folder, "play.mjs")], { encoding: "utf8" });
  assert.equal(stderr, "");
  const answers = stdout.split("\n").filter((line) => line.startsWith("engine: "));
  assert.deepEqual(
    answers.map((line) => line.slice("engine: ".length).split(".")[0]),
    ["continue", "continue", "you may stop"],
    "two wrong claims are refused, the true one is not",
  );
  assert.match(stdout, /Not met: greeting \(grep -q harbour greeting\.txt\): exit code 2/u);
  assert.match(stdout, /Done, verified by the engine/u);
  assert.equal(status, 0, "the report of a verified loop has exit code 0");
});
