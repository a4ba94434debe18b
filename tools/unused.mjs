/**
 * Finds files, exports and dependencies that nobody uses. Knip's cache also keeps which file an import leads to, so a
 * cache serves only the very same list of files.
 *
 *   node tools/unused.mjs
 */
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const home = fileURLToPath(new URL("..", import.meta.url));
const caches = join(home, "node_modules/.cache/knip");
const SETTINGS = [
  "knip.json",
  "package.json",
  "package-lock.json",
  "packages/sdk/package.json",
  "packages/breakpoints/package.json",
];

const { stdout: files } = spawnSync("git", ["ls-files", "--cached", "--others", "--exclude-standard"], {
  cwd: home,
  encoding: "utf8",
});
const sum = createHash("sha256").update(files);
for (const name of files.split("\n")) if (name !== "" && !existsSync(join(home, name))) sum.update(`gone ${name}\0`);
for (const name of SETTINGS) sum.update(readFileSync(join(home, name)));
const cache = sum.digest("hex").slice(0, 16);

if (existsSync(caches))
  for (const name of readdirSync(caches)) if (name !== cache) rmSync(join(caches, name), { recursive: true });
const args = ["node_modules/knip/bin/knip.js", "--cache", "--cache-location", join(caches, cache)];
process.exitCode = spawnSync(process.execPath, args, { cwd: home, stdio: "inherit" }).status ?? 1;
