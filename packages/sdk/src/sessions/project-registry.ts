/** The projects in which this person has runs. Session files can be made again from the journals found there. */
import { createHash } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { isJsonObject } from "../model/json.js";
import { discard, readPrivateFile, replacePrivateFile } from "./private-files.js";

export interface KnownProject {
  projectRoot: string;
  runsDir: string;
  /** When it was remembered. */
  at: string;
}

const MAX_FILE = 64 * 1024;

/**
 * Remembers a project; a runs directory of its own is remembered beside the usual one. Answers the file. A new entry
 * is the occasion to drop those whose runs are gone.
 */
export function rememberProject(home: string, project: KnownProject): string {
  const projectRoot = path.resolve(project.projectRoot);
  const runsDir = path.resolve(projectRoot, project.runsDir);
  const file = path.join(home, "projects", `${hashOf(`${projectRoot}\0${runsDir}`)}.json`);
  const known = readProject(file);
  if (known?.projectRoot === projectRoot && known.runsDir === runsDir) return file;
  replacePrivateFile(file, `${JSON.stringify({ projectRoot, runsDir, at: project.at }, undefined, 2)}\n`);
  listProjects(home);
  return file;
}

/**
 * The remembered projects, sorted by place. What cannot be read is skipped. A project whose runs are gone is dropped;
 * should its disk only be away, the next command there remembers it again.
 */
export function listProjects(home: string): KnownProject[] {
  const dir = path.join(home, "projects");
  return namesIn(dir)
    .filter((name) => name.endsWith(".json"))
    .flatMap((name) => lastingProject(path.join(dir, name)) ?? [])
    .toSorted((a, b) => compare(a.projectRoot, b.projectRoot) || compare(a.runsDir, b.runsDir));
}

function lastingProject(file: string): KnownProject | undefined {
  const project = readProject(file);
  if (project === undefined || !isGone(project.runsDir)) return project;
  discard(file);
  return undefined;
}

/** Only what is certainly not there: a folder that may not be looked at is not gone. */
function isGone(dir: string): boolean {
  try {
    return fs.statSync(dir, { throwIfNoEntry: false }) === undefined;
  } catch {
    return false;
  }
}

function readProject(file: string): KnownProject | undefined {
  try {
    const content = readPrivateFile(file, MAX_FILE);
    return content.kind === "text" ? asProject(JSON.parse(content.text)) : undefined;
  } catch {
    return undefined;
  }
}

function asProject(value: unknown): KnownProject | undefined {
  if (!isJsonObject(value)) return undefined;
  const { projectRoot, runsDir, at } = value;
  return isPath(projectRoot) && isPath(runsDir) && typeof at === "string" ? { projectRoot, runsDir, at } : undefined;
}

function isPath(value: unknown): value is string {
  return typeof value === "string" && path.isAbsolute(value);
}

function namesIn(dir: string): string[] {
  try {
    return fs.readdirSync(dir);
  } catch {
    return [];
  }
}

function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 32);
}

function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
