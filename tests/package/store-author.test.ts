import { execFileSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";

const SDK = fileURLToPath(new URL("../../packages/sdk/", import.meta.url));

/** What someone writes who tries a store of their own. */
const PROGRAM = `
import { storeContract, MemoryEventStore } from "@a5c-ai/babysitter-sdk/testing";
import { nextPlace, parseRunId } from "@a5c-ai/babysitter-sdk/store";
const kept = [];
for (const { title, run } of storeContract) {
  const store = new MemoryEventStore();
  await run(() => ({ open: () => store }));
  kept.push(title);
}
console.log(JSON.stringify({ kept: kept.length, rules: [typeof nextPlace, parseRunId("run")] }));
`;

test("the packed package has all that a store in another package is written and tested with", () => {
  const dir = fs.mkdtempSync(path.join(os.tmpdir(), "store-author-"));
  onTestFinished(() => fs.rmSync(dir, { recursive: true, force: true }));
  const packed = execFileSync("npm", ["pack", "--ignore-scripts", "--json", "--pack-destination", dir], {
    cwd: SDK,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
  });
  const [{ filename }] = JSON.parse(packed) as [{ filename: string }];
  const home = path.join(dir, "node_modules", "@a5c-ai", "babysitter-sdk");
  fs.mkdirSync(home, { recursive: true });
  execFileSync("tar", ["-xzf", path.join(dir, filename), "-C", home, "--strip-components", "1"]);
  fs.writeFileSync(path.join(dir, "try.mjs"), PROGRAM);
  const said = JSON.parse(execFileSync(process.execPath, ["try.mjs"], { cwd: dir, encoding: "utf8" })) as object;
  expect(said).toEqual({ kept: 26, rules: ["function", "run"] });
});
