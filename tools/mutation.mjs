/**
 * Changes the rules of loops in small ways, one at a time, and counts how many of these mutations the tests notice.
 *
 *   node tools/mutation.mjs [--mutate <file>,…] [more options of Stryker]
 *
 * Stryker is not a dependency of the project: it is large, and needed by few. It is installed on first use, by exact
 * version and without running scripts of its packages, below node_modules/.cache, from where it finds the project's
 * own Vitest. What is changed, which tests run and the score to be reached: mutation.json and mutation.vitest.mjs.
 */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const VERSION = "9.6.1";
const PACKAGES = ["@stryker-mutator/core", "@stryker-mutator/vitest-runner"];

const home = fileURLToPath(new URL("..", import.meta.url));
const cache = join(home, "node_modules", ".cache", "mutation");

if (PACKAGES.some((name) => installedVersion(name) !== VERSION)) {
  console.log(`Installing Stryker ${VERSION} into ${cache}`);
  const status = install();
  if (status !== 0) process.exit(status);
}

const [core, runner] = PACKAGES.map((name) => join(cache, "node_modules", name));
const options = ["run", "tools/mutation.json", "--plugins", join(runner, "dist", "src", "index.js")];
process.exit(run(process.execPath, [join(core, "bin", "stryker.js"), ...options, ...process.argv.slice(2)], home));

function installedVersion(name) {
  const file = join(cache, "node_modules", name, "package.json");
  return existsSync(file) ? JSON.parse(readFileSync(file, "utf8")).version : undefined;
}

/** Leaves Vitest out: two copies of it in one process do not know each other's tests. */
function install() {
  rmSync(join(cache, "node_modules"), { recursive: true, force: true });
  mkdirSync(cache, { recursive: true });
  const dependencies = Object.fromEntries(PACKAGES.map((name) => [name, VERSION]));
  writeFileSync(join(cache, "package.json"), JSON.stringify({ private: true, dependencies }));
  const args = ["install", "--legacy-peer-deps", "--ignore-scripts", "--no-package-lock", "--no-audit", "--no-fund"];
  const npm = process.env.npm_execpath;
  return npm ? run(process.execPath, [npm, ...args], cache) : run("npm", args, cache);
}

function run(command, args, cwd) {
  const { status, error } = spawnSync(command, args, { cwd, stdio: "inherit" });
  if (error) console.error(`${command} could not be started: ${error.message}`);
  return status ?? 1;
}
