/** Other versions of Node, from npm, kept in a cache folder of the user. */
import { spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";

const VERSIONS = { 22: "22.23.3", 24: "24.21.0" };

/** The program of a version, fetched when it is not there; throws where it cannot be had. */
export function otherNode(major) {
  const wanted = VERSIONS[major];
  if (wanted === undefined) throw new Error(`Name one of ${Object.keys(VERSIONS).join(", ")}, not ${major}.`);
  const name = `node-${process.platform}-${process.arch}`;
  const folder = path.join(cacheFolder(), `${name}-${wanted}`);
  const program = path.join(folder, "node_modules", name, "bin", "node");
  if (fs.existsSync(program)) return program;
  const draft = `${folder}.${randomBytes(4).toString("hex")}`;
  try {
    fs.mkdirSync(draft, { recursive: true });
    fs.writeFileSync(path.join(draft, "package.json"), JSON.stringify({ private: true }));
    const fetched = spawnSync(
      "npm",
      ["install", "--prefix", draft, "--ignore-scripts", "--no-audit", "--no-fund", `${name}@${wanted}`],
      { cwd: draft, stdio: ["ignore", "inherit", "inherit"], timeout: 300_000 },
    );
    const said = spawnSync(path.join(draft, "node_modules", name, "bin", "node"), ["--version"], { encoding: "utf8" });
    if (fetched.status !== 0 || said.stdout?.trim() !== `v${wanted}`)
      throw new Error(`Node ${wanted} (${name} from npm) cannot be fetched or does not run here.`);
    publish(draft, folder, program);
    return program;
  } finally {
    fs.rmSync(draft, { recursive: true, force: true });
  }
}

/** A rename: of two that fetch at once, one is first and the other takes what is there. */
function publish(draft, folder, program) {
  try {
    fs.renameSync(draft, folder);
  } catch (error) {
    if (!fs.existsSync(program)) throw error;
  }
}

function cacheFolder() {
  const { BABYSITTER_NODE_CACHE: given, XDG_CACHE_HOME: shared } = process.env;
  const wanted = given || path.join(shared || path.join(os.homedir(), ".cache"), "babysitter-nodes");
  try {
    fs.mkdirSync(wanted, { recursive: true });
    fs.accessSync(wanted, fs.constants.W_OK);
    return wanted;
  } catch (error) {
    if (given) throw error;
    const fallback = path.join(os.tmpdir(), "babysitter-nodes");
    fs.mkdirSync(fallback, { recursive: true });
    return fallback;
  }
}
