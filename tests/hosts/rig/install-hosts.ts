/**
 * The real hosts, pinned, from npm. They live in a cache folder of the user and never in the project: each is some
 * hundred megabytes, and a project must not depend on a program that it only talks to.
 */
import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

/** The oldest version that we support, and the newest that we have seen. */
export const HOST_VERSIONS = ["2.1.197", "2.1.325"] as const;
export type HostVersion = (typeof HOST_VERSIONS)[number];

/**
 * For what we do ourselves with the turns of a host, which does not depend on its version. What a host understands,
 * permits and shows is tested with every version.
 */
export const NEWEST_HOST = [HOST_VERSIONS[1]] as const;

const SCOPE = "@anthropic-ai";
const PACKAGE = "claude-code";
const INSTALL_MS = 300_000;

/** The program of a version; installs it when it is not there. */
export async function installHost(version: HostVersion): Promise<string> {
  const cache = cacheFolder();
  const home = path.join(cache, `${PACKAGE}-${version}-${process.platform}-${process.arch}`);
  const installed = programIn(home);
  if (installed !== undefined) return installed;
  const draft = path.join(cache, `.${path.basename(home)}-${randomBytes(6).toString("hex")}`);
  fs.mkdirSync(draft, { recursive: true });
  try {
    await npmInstall(draft, version);
    await expectVersion(programIn(draft), version);
    publish(draft, home);
  } finally {
    fs.rmSync(draft, { recursive: true, force: true });
  }
  const program = programIn(home);
  if (program === undefined) throw new Error(`${home} has no program for ${process.platform}-${process.arch}.`);
  return program;
}

function cacheFolder(): string {
  const { BABYSITTER_HOST_CACHE: given, XDG_CACHE_HOME: shared } = process.env;
  const wanted = given || path.join(shared || path.join(os.homedir(), ".cache"), "babysitter-hosts");
  try {
    fs.mkdirSync(wanted, { recursive: true });
    fs.accessSync(wanted, fs.constants.W_OK);
    return wanted;
  } catch (error) {
    if (given) throw error;
    const fallback = path.join(os.tmpdir(), "babysitter-hosts");
    fs.mkdirSync(fallback, { recursive: true });
    return fallback;
  }
}

/**
 * Without scripts: the package's own would only copy the program, which is in a package of its own for each platform.
 * The folder is named, because under `npm run` the environment points to the project.
 */
async function npmInstall(folder: string, version: HostVersion): Promise<void> {
  const manifest = { private: true, dependencies: { [`${SCOPE}/${PACKAGE}`]: version } };
  fs.writeFileSync(path.join(folder, "package.json"), JSON.stringify(manifest));
  const args = ["install", "--prefix", folder, "--ignore-scripts", "--include=optional", "--no-audit", "--no-fund"];
  await run("npm", args, { cwd: folder, timeout: INSTALL_MS });
}

function programIn(folder: string): string | undefined {
  const scope = path.join(folder, "node_modules", SCOPE);
  const names = fs.existsSync(scope) ? fs.readdirSync(scope) : [];
  const wanted = `${PACKAGE}-${process.platform}-${process.arch}`;
  return names
    .filter((name) => name === wanted || name === `${wanted}-musl`)
    .map((name) => path.join(scope, name, "claude"))
    .find((program) => fs.existsSync(program));
}

/** What was downloaded runs here and is what it should be. */
async function expectVersion(program: string | undefined, version: HostVersion): Promise<void> {
  if (program === undefined) throw new Error(`${PACKAGE} ${version} has no program for this platform.`);
  const home = fs.mkdtempSync(path.join(os.tmpdir(), "babysitter-host-"));
  try {
    const { stdout } = await run(program, ["--version"], {
      env: { HOME: home, PATH: "/usr/bin:/bin" },
      timeout: 60_000,
    });
    if (!stdout.startsWith(`${version} `))
      throw new Error(`${program} says that it is ${stdout.trim()}, not ${version}.`);
  } finally {
    fs.rmSync(home, { recursive: true, force: true });
  }
}

/** A rename: of two that install at once, one is first and the other takes what is there. */
function publish(draft: string, home: string): void {
  try {
    fs.renameSync(draft, home);
  } catch (error) {
    if (programIn(home) === undefined) throw error;
  }
}
