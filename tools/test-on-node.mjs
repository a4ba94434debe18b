/**
 * Runs tests on another version of Node: node tools/test-on-node.mjs 22 [further tests, arguments of vitest]
 *
 * The tests are those of the engine and the loader: what depends on Node most. Where that version cannot be had this
 * fails, because nothing was tested then.
 */
import { spawnSync } from "node:child_process";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { otherNode } from "./other-node.mjs";

const TESTED = ["replay", "journal", "load", "runs", "drive", "effects", "spawn"].map(
  (room) => `packages/sdk/src/${room}/`,
);
const home = fileURLToPath(new URL("..", import.meta.url));

const [major, ...args] = process.argv.slice(2);
const node = otherNode(major);
console.log(`Testing on Node ${major}: ${node}`);
const { status } = spawnSync(node, [path.join(home, "node_modules/vitest/vitest.mjs"), "run", ...TESTED, ...args], {
  cwd: home,
  env: { ...process.env, PATH: `${path.dirname(node)}${path.delimiter}${process.env.PATH}` },
  stdio: "inherit",
});
process.exitCode = status ?? 1;
