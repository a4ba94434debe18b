/** Looks at the machine: programs, settings, folders. Changes nothing that stays. */
import { spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { isJsonObject } from "../../model/json.js";
import { VERSION } from "../../model/version.js";
import { hookLogFile, hookProblemsSince } from "../../sessions/hook-log.js";
import { type LastSession, readLastSession } from "../../sessions/last-session.js";
import { sessionPlaces } from "../../sessions/session-places.js";
import type { Caller, Environment } from "../caller.js";
import { readSettings } from "./read-settings.js";
import type { ProgramFacts, SetupFacts } from "./setup-facts.js";

const DAY_MS = 24 * 3_600_000;
/** A program that does not say its version for so long does not work. */
const PATIENCE_MS = 20_000;
const INSTALL = "claude plugin marketplace add a5c-ai/babysitter && claude plugin install babysitter@a5c";

export function inspectSetup(caller: Caller): SetupFacts {
  const { env, cwd } = caller;
  const { home } = sessionPlaces({ env, cwd });
  const { projectRoot, runsDir } = caller.places();
  const cli = fs.realpathSync(process.argv[1] as string);
  const lastSession = readLastSession(home);
  const node = programNamed("node", env);
  const host = programNamed("claude", env);
  const plugin = pluginOf(cli, env, lastSession);
  const state = path.join(home, "state");
  return {
    platform: process.platform,
    cli: { path: cli, version: VERSION },
    ...(node === undefined ? {} : { node }),
    ...(host === undefined ? {} : { host }),
    ...(plugin === undefined ? {} : { plugin: { ...plugin, ...validated(host, plugin.root, env) } }),
    ...(lastSession === undefined ? {} : { lastSession }),
    settings: readSettings(env, projectRoot),
    others: others(cli, env),
    links: { dir: runsDir, ...refusalOf(runsDir, tryLink) },
    state: { dir: state, ...refusalOf(state, tryWrite) },
    hookProblems: hookProblemsSince(home, new Date(Date.now() - DAY_MS).toISOString()),
    hookLog: hookLogFile(home),
    install: INSTALL,
  };
}

function programNamed(name: string, env: Environment): ProgramFacts | undefined {
  const [found] = onPath(name, env);
  if (found === undefined) return undefined;
  const { status, stdout } = call(found, ["--version"], env);
  return { path: found, ...(status === 0 ? { version: stdout.trim().replace(/^v/u, "") } : {}) };
}

function onPath(name: string, env: Environment): string[] {
  const folders = (env["PATH"] ?? "").split(path.delimiter).filter((folder) => folder !== "");
  return [...new Set(folders)].map((folder) => path.join(folder, name)).filter(isProgram);
}

function isProgram(file: string): boolean {
  try {
    fs.accessSync(file, fs.constants.X_OK);
    return fs.statSync(file).isFile();
  } catch {
    return false;
  }
}

/** Ours are this program itself and the launchers that come with it. */
function others(cli: string, env: Environment): string[] {
  const folder = path.dirname(cli);
  const own = [
    cli,
    path.join(folder, "bin/babysitter"),
    path.resolve(folder, "../bin/babysitter"),
    path.resolve(folder, "../../bin/babysitter.cjs"),
  ];
  return onPath("babysitter", env).filter((file) => !own.includes(fs.realpathSync(file)));
}

/** The plugin that this program belongs to, or that the environment or the last session names. */
function pluginOf(
  cli: string,
  env: Environment,
  lastSession: LastSession | undefined,
): { root: string; version?: string } | undefined {
  const candidates = [path.dirname(path.dirname(cli)), env["CLAUDE_PLUGIN_ROOT"], lastSession?.pluginRoot];
  for (const root of candidates) {
    const manifest = root ? readManifest(root) : undefined;
    if (root && manifest !== undefined) return { root, ...manifest };
  }
  return undefined;
}

function readManifest(root: string): { version?: string } | undefined {
  try {
    const manifest: unknown = JSON.parse(fs.readFileSync(path.join(root, ".claude-plugin", "plugin.json"), "utf8"));
    if (!isJsonObject(manifest) || manifest["name"] !== "babysitter") return undefined;
    const { version } = manifest;
    return typeof version === "string" ? { version } : {};
  } catch {
    return undefined;
  }
}

function validated(
  host: ProgramFacts | undefined,
  root: string,
  env: Environment,
): { validation?: { ok: boolean; text: string } } {
  if (host?.version === undefined) return {};
  const { status, stdout, stderr } = call(host.path, ["plugin", "validate", root], env);
  return { validation: { ok: status === 0, text: lastLines(`${stdout}\n${stderr}`) } };
}

function lastLines(text: string): string {
  const lines = text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
  return lines.slice(-6).join(" ");
}

function call(
  program: string,
  args: string[],
  env: Environment,
): { status: number | null; stdout: string; stderr: string } {
  const { status, stdout, stderr } = spawnSync(program, args, {
    env: { ...env },
    encoding: "utf8",
    timeout: PATIENCE_MS,
    killSignal: "SIGKILL",
    stdio: ["ignore", "pipe", "pipe"],
  });
  return { status, stdout: stdout ?? "", stderr: stderr ?? "" };
}

/** What does not exist yet would be made in the next folder above that does. */
function refusalOf(dir: string, attempt: (dir: string) => void): { problem?: string } {
  let folder = dir;
  while (!fs.existsSync(folder) && folder !== path.dirname(folder)) folder = path.dirname(folder);
  try {
    attempt(folder);
    return {};
  } catch (error) {
    return { problem: (error as Error).message };
  }
}

function tryWrite(dir: string): void {
  const file = path.join(dir, draftName());
  try {
    fs.writeFileSync(file, "", { flag: "wx" });
  } finally {
    fs.rmSync(file, { force: true });
  }
}

/** The way in which events are published: a link that must not exist yet. */
function tryLink(dir: string): void {
  const file = path.join(dir, draftName());
  try {
    fs.writeFileSync(file, "", { flag: "wx" });
    fs.linkSync(file, `${file}.link`);
  } finally {
    fs.rmSync(`${file}.link`, { force: true });
    fs.rmSync(file, { force: true });
  }
}

function draftName(): string {
  return `.babysitter-doctor-${randomBytes(6).toString("hex")}`;
}
