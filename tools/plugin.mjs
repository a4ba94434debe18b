/**
 * Puts the built command line into the plugin. A marketplace clones a repository and builds nothing, so
 * the result is committed; it depends on nothing but the sources. With --check it writes nothing and fails when
 * anything is stale. Needs a build (tools/bundle.mjs).
 *
 *   node tools/plugin.mjs [--check] [repository]
 */
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const args = process.argv.slice(2);
const checkOnly = args.includes("--check");
const home = resolve(args.find((arg) => arg !== "--check") ?? fileURLToPath(new URL("..", import.meta.url)));
const sdk = join(home, "packages/sdk");
const plugin = join(home, "plugins/babysitter");

const problems = [];
const wanted = new Map();
/** For programs that import the package; nobody imports a plugin. */
const FOR_PROGRAMS = "operate.cjs";

for (const name of readdirSync(join(sdk, "dist/cli")).filter((file) => file.endsWith(".cjs") && file !== FOR_PROGRAMS))
  copy(`dist/cli/${name}`, `dist/${name}`);
copy("dist/cli/bin/babysitter", "dist/bin/babysitter");
copy("dist/third-party-licenses.txt", "dist/third-party-licenses.txt");
for (const file of filesBelow(join(sdk, "hooks"))) copy(`hooks/${file}`, `hooks/${file}`);
copy("LICENSE", "LICENSE");
const manifest = ".claude-plugin/plugin.json";
wanted.set(manifest, { bytes: withVersion(join(plugin, manifest)), executable: false });

for (const [name, file] of wanted) if (!isSame(join(plugin, name), file)) settle(name, () => write(name, file));
for (const name of filesBelow(join(plugin, "dist")).map((file) => `dist/${file}`))
  if (!wanted.has(name)) settle(name, () => rmSync(join(plugin, name)));
// The host would run npm for it at every installation.
if (existsSync(join(plugin, "package.json"))) problems.push("plugins/babysitter must not have a package.json");
for (const problem of problems) console.error(problem);
if (problems.length > 0) process.exitCode = 1;

function copy(from, to) {
  const path = join(sdk, from);
  wanted.set(to, { bytes: readFileSync(path), executable: isExecutable(path) });
}

/** One number for both: the host updates a plugin only when its version has changed. */
function withVersion(path) {
  const { version } = JSON.parse(readFileSync(join(sdk, "package.json"), "utf8"));
  return Buffer.from(readFileSync(path, "utf8").replace(/^(\s*"version": )"[^"]*"/mu, `$1"${version}"`));
}

function isSame(path, { bytes, executable }) {
  return existsSync(path) && readFileSync(path).equals(bytes) && isExecutable(path) === executable;
}

function isExecutable(path) {
  return (statSync(path).mode & 0o100) !== 0;
}

function settle(name, act) {
  if (checkOnly) {
    problems.push(`stale: plugins/babysitter/${name} — run node tools/plugin.mjs`);
  } else {
    act();
    console.log(`plugins/babysitter/${name}`);
  }
}

function write(name, { bytes, executable }) {
  const path = join(plugin, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, bytes);
  chmodSync(path, executable ? 0o755 : 0o644);
}

function filesBelow(dir) {
  if (!existsSync(dir)) return [];
  return readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(dir, join(entry.parentPath, entry.name)))
    .toSorted();
}
