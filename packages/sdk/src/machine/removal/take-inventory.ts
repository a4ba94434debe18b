/** Looks for everything that we have on this machine. Changes nothing. */
import fs from "node:fs";
import path from "node:path";
import { configFiles } from "../../config/read-config.js";
import { hostInstallations } from "../../hosts/host-parts.js";
import { archiveDirOf, notesDirOf } from "../../journal/files/layout.js";
import { listProjects } from "../../sessions/project-registry.js";
import { sessionPlaces } from "../../sessions/session-places.js";
import type { Environment } from "../caller.js";
import { isRunDir } from "../choose-run.js";
import { workerIn } from "../desk/worker-claim.js";
import { isProgram } from "../file-places.js";
import { runningServer } from "../inbox/running-inbox.js";
import type { Inventory, Item, KeptFolder, Part } from "./parts.js";
import { sizeOf } from "./size-of.js";

/** What we make in the folder for personal state. Whatever else is there is not ours, and stays. */
const STATE_FOLDERS = ["state", "claims", "held", "log", "spool", "projects"];

/** `runsHere`: of the project that the command is called in, which may be in no list any more. */
export async function takeInventory(env: Environment, runsHere: string): Promise<Inventory> {
  const { home } = sessionPlaces({ env, cwd: "/" });
  const inbox = path.join(home, "inbox");
  const cache = path.join(home, "cache");
  const projects = listProjects(home);
  const runs = [...projects.map(({ runsDir }) => runsDir), runsHere];
  const config = path.dirname(configFiles("/", env).person);
  return {
    items: [
      ...(await servers(inbox)),
      ...(await plugins(env)),
      ...[...new Set(runs)].flatMap(runsIn),
      ...folders("inbox", `sign-ins, notifications and index of the inbox, in ${inbox}`, [inbox]),
      ...folders("cache", `compiled code, in ${cache}`, [cache]),
      ...folders(
        "state",
        `sessions, list of projects and logs, in ${home}`,
        STATE_FOLDERS.map((name) => path.join(home, name)),
      ),
      ...folders("config", `your settings and hooks, in ${config}`, [config]),
      ...commands(env),
    ],
    kept: [...new Set(projects.map(({ projectRoot }) => projectRoot))].flatMap(keptIn),
  };
}

function folders(part: Part, what: string, paths: readonly string[]): Item[] {
  const there = paths.filter((file) => fs.existsSync(file));
  return there.length === 0 ? [] : [{ part, what, bytes: sum(there.map(sizeOf)), paths: there }];
}

async function servers(inbox: string): Promise<Item[]> {
  const server = await runningServer(inbox);
  const worker = await workerIn(inbox, () => new Date());
  return [
    ...(server === undefined
      ? []
      : [{ part: "servers" as const, what: `the inbox on port ${server.port}`, pid: server.pid, paths: [] }]),
    ...(worker === undefined || worker.pid === server?.pid
      ? []
      : [{ part: "servers" as const, what: "the worker for notifications", pid: worker.pid, paths: [] }]),
  ];
}

async function plugins(env: Environment): Promise<Item[]> {
  return (await hostInstallations(env)).map(({ title, what, folders: copies, program, commands: given }) => ({
    part: "plugin",
    what: [title, ...what].join(", "),
    bytes: sum(copies.map(sizeOf)),
    paths: copies,
    commands: given.map((args) => [program, ...args]),
  }));
}

/** Only what is a run, and what we know about runs: a folder that somebody has named may hold anything. */
function runsIn(runsDir: string): Item[] {
  const paths = [runsDir, archiveDirOf(runsDir)].flatMap((dir) => {
    const found = namesIn(dir)
      .map((name) => path.join(dir, name))
      .filter(isRunDir);
    const notes = notesDirOf(dir);
    return fs.existsSync(notes) ? [...found, notes] : found;
  });
  const count = paths.filter(isRunDir).length;
  if (paths.length === 0) return [];
  return [
    {
      part: "runs",
      what: `${count} ${count === 1 ? "run" : "runs"} in ${runsDir}`,
      bytes: sum(paths.map(sizeOf)),
      paths,
    },
  ];
}

/** Settings, hooks and processes of a project, which are committed with it, and what its scripts read of loops. */
function keptIn(projectRoot: string): KeptFolder[] {
  const folder = path.join(projectRoot, ".a5c");
  const own = namesIn(folder).filter((name) => name !== "runs" && name !== "archive" && name !== ".gitignore");
  const loop = path.join(projectRoot, ".loop");
  return [
    ...(own.length === 0 ? [] : [{ path: folder, bytes: sum(own.map((name) => sizeOf(path.join(folder, name)))) }]),
    ...(fs.existsSync(loop) ? [{ path: loop, bytes: sizeOf(loop) }] : []),
  ];
}

const PACKAGES = { babysitter: "@a5c-ai/babysitter-sdk", "babysitter-breakpoints": "@a5c-ai/babysitter-breakpoints" };

/** Commands that npm has put on the PATH. A program of a clone or a plugin goes with it. */
function commands(env: Environment): Item[] {
  const found = new Map<string, Item>();
  for (const [command, name] of Object.entries(PACKAGES)) {
    for (const file of onPath(command, env)) {
      const prefix = path.dirname(path.dirname(file));
      const dir = path.join(prefix, "lib", "node_modules", name);
      if (found.has(dir) || !isOurs(dir, command)) continue;
      const isLink = fs.lstatSync(dir).isSymbolicLink();
      const size = isLink ? {} : { bytes: sizeOf(dir) };
      const what = isLink ? `${file}, which links to ${fs.realpathSync(dir)}` : file;
      const uninstall = ["npm", "uninstall", "--global", "--prefix", prefix, name];
      found.set(dir, { part: "command", what, ...size, paths: [], commands: [uninstall] });
    }
  }
  return [...found.values()];
}

/** Another program has a package of our name in the registry. */
function isOurs(dir: string, command: string): boolean {
  return ["cjs", "mjs"].some((ending) => fs.existsSync(path.join(dir, "bin", `${command}.${ending}`)));
}

function onPath(name: string, env: Environment): string[] {
  const places = (env["PATH"] ?? "").split(path.delimiter).filter((folder) => path.isAbsolute(folder));
  return [...new Set(places)].map((folder) => path.join(folder, name)).filter(isProgram);
}

function namesIn(dir: string): string[] {
  try {
    return fs.readdirSync(dir).toSorted();
  } catch {
    return [];
  }
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
