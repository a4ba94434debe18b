/**
 * Makes the test command work on a fresh clone: installs the dependencies when they are missing or
 * differ from the lock file, and says so; otherwise silent. Uses nothing but Node.
 *
 *   node tools/ensure-installed.mjs
 */
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { isDeepStrictEqual } from "node:util";

const LOWEST_NODE = [20, 19];
const home = fileURLToPath(new URL("..", import.meta.url));

const [major, minor] = process.versions.node.split(".").map(Number);
if (major < LOWEST_NODE[0] || (major === LOWEST_NODE[0] && minor < LOWEST_NODE[1])) {
  console.error(`Babysitter needs Node ${LOWEST_NODE.join(".")} or newer; this is Node ${process.versions.node}.`);
  process.exit(1);
}

const reason = reasonToInstall();
if (reason) {
  console.log(`${reason}: running npm ci`);
  process.exit(runNpm(["ci", "--no-audit", "--no-fund"]));
}

/** Why an install is needed, or nothing when the installed packages are those of the lock file. */
function reasonToInstall() {
  const installed = readPackages("node_modules/.package-lock.json");
  if (!installed) return "Dependencies are not installed";
  const wanted = readPackages("package-lock.json");
  const changed = Object.entries(wanted).find(([path, { version, integrity, optional, bin }]) => {
    const found = installed[path];
    // Optional packages are made for one platform each; those of the others are never installed.
    if (path === "" || (!found && optional)) return false;
    return found?.version !== version || found.integrity !== integrity || !isDeepStrictEqual(found.bin, bin);
  });
  return changed && `${changed[0]} is not what package-lock.json says`;
}

function readPackages(file) {
  try {
    return JSON.parse(readFileSync(join(home, file), "utf8")).packages;
  } catch (error) {
    if (error.code === "ENOENT") return undefined;
    throw error;
  }
}

/** The npm that runs this script, else the one on the PATH. */
function runNpm(args) {
  const npm = process.env.npm_execpath;
  const options = { cwd: home, stdio: "inherit" };
  const { status, error } = npm
    ? spawnSync(process.execPath, [npm, ...args], options)
    : spawnSync("npm", args, options);
  if (error) console.error(`npm could not be started: ${error.message}`);
  return status ?? 1;
}
