/**
 * Prepares a release: one version everywhere, a changelog entry, a clean tree, a build that passes the gate, and a
 * package that starts once it is unpacked. Then it tags the commit and says how to publish; it publishes nothing.
 *
 *   node tools/release.mjs [--dry-run] [repository]
 */
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

/** Of the unpacked package. */
const MAX_BYTES = 3_000_000;

const args = process.argv.slice(2);
const isDryRun = args.includes("--dry-run");
const home = resolve(args.find((arg) => !arg.startsWith("--")) ?? fileURLToPath(new URL("..", import.meta.url)));
const { version } = JSON.parse(read("packages/sdk/package.json"));
const tag = `v${version}`;

try {
  stopFor([...changes(), ...otherVersions(), ...changelog(), ...existingTag()]);
  // What was built from files that have since been moved would be packed, too.
  rmSync(join(home, "packages/sdk/dist"), { recursive: true, force: true });
  for (const script of ["build", "check"]) run("npm", ["run", "--silent", script], { stdio: "inherit" });
  stopFor(changes());
  tryPackage();
  if (isDryRun) {
    console.log(`${version} is ready. Nothing was tagged.`);
  } else {
    run("git", ["tag", "--annotate", tag, "--message", tag]);
    console.log(`Tagged ${tag}. To publish it:`);
    console.log(`  git push origin ${tag}`);
    console.log("  npm publish --workspace packages/sdk --access public");
  }
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}

function stopFor(problems) {
  if (problems.length > 0) throw new Error([`${version} cannot be released:`, ...problems].join("\n  "));
}

function changes() {
  const changed = run("git", ["status", "--porcelain"]).trim();
  return changed === "" ? [] : [`There are uncommitted changes:\n${changed}`];
}

function otherVersions() {
  const found = {
    "packages/sdk/src/model/version.ts": /VERSION = "([^"]+)"/u,
    "plugins/babysitter/.claude-plugin/plugin.json": /"version": "([^"]+)"/u,
  };
  return Object.entries(found)
    .map(([file, pattern]) => [file, pattern.exec(read(file))?.[1]])
    .filter(([, other]) => other !== version)
    .map(([file, other]) => `${file} says ${other}, packages/sdk/package.json says ${version}`);
}

/** A dry run may come before the day is known. */
function changelog() {
  const heading = read("CHANGELOG.md")
    .split("\n")
    .find((line) => line === `## ${version}` || line.startsWith(`## ${version},`));
  if (heading === undefined) return [`CHANGELOG.md has no heading "## ${version}, <date>"`];
  if (!heading.includes("unreleased")) return [];
  if (!isDryRun) return [`CHANGELOG.md says that ${version} is unreleased: put the date there`];
  console.log(`CHANGELOG.md still says that ${version} is unreleased.`);
  return [];
}

function existingTag() {
  return run("git", ["tag", "--list", tag]).trim() === "" ? [] : [`The tag ${tag} already exists`];
}

/** What a user gets: unpacked somewhere else, with nothing around it. */
function tryPackage() {
  const folder = mkdtempSync(join(tmpdir(), "babysitter-release-"));
  try {
    const packed = run("npm", ["pack", "--json", "--pack-destination", folder], { cwd: join(home, "packages/sdk") });
    const [{ filename, unpackedSize, entryCount, files }] = JSON.parse(packed);
    const pages = files.filter(({ path }) => path.startsWith("docs/")).reduce((sum, { size }) => sum + size, 0);
    run("tar", ["-xzf", join(folder, filename), "-C", folder]);
    const program = join(folder, "package/bin/babysitter.cjs");
    if (!existsSync(program)) throw new Error("The package has no bin/babysitter.cjs");
    const said = run(process.execPath, [program, "--version"]).trim();
    if (said !== version) throw new Error(`The packed program reports version ${said}, not ${version}`);
    console.log(
      `${filename}: ${entryCount} files, ${(unpackedSize / 1e6).toFixed(2)} MB unpacked, ${(pages / 1e6).toFixed(2)} MB of it pages`,
    );
    if (unpackedSize - pages > MAX_BYTES)
      throw new Error(`The package without its pages is larger than ${MAX_BYTES / 1e6} MB`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function run(command, given, options = {}) {
  const { status, stdout, stderr, error } = spawnSync(command, given, { cwd: home, encoding: "utf8", ...options });
  if (error) throw error;
  if (status !== 0) throw new Error(`${command} ${given.join(" ")} failed\n${stderr ?? ""}`.trim());
  return stdout ?? "";
}

function read(file) {
  return readFileSync(join(home, file), "utf8");
}
