/** What the start of a session leaves behind: the proof that the host calls our hooks, and with which versions. */
import fs from "node:fs";
import path from "node:path";
import { makeFolders } from "../files/make-folders.js";
import { isJsonObject } from "../model/json.js";
import { VERSION } from "../model/version.js";
import { discard } from "./private-files.js";

export interface LastSession {
  at: string;
  sessionId: string;
  /** startup, resume, clear, compact, fork. */
  source: string;
  cwd: string;
  /** Version of the command line that answered, and its file. */
  version: string;
  cli: string;
  /** What the host calls itself, usually with its version. */
  host: string | null;
  pluginRoot: string | null;
  /** Blocks in a row after which the host ends a turn by itself; 0: switched off, null: it has no such limit. */
  blockCap: number | null;
}

/** What the start of a session knows of itself. */
export interface StartedSession {
  sessionId: string;
  source: string;
  cwd: string;
  blockCap: number | undefined;
  host: string | undefined;
  pluginRoot: string | undefined;
}

const MAX_BYTES = 64 * 1024;

function lastSessionFile(home: string): string {
  return path.join(home, "log", "last-session.json");
}

/** Never fails: a note that cannot be written is no reason to hold a host. */
export function recordSession(home: string, started: StartedSession): void {
  const { sessionId, source, cwd, blockCap, host, pluginRoot } = started;
  const record: LastSession = {
    at: new Date().toISOString(),
    sessionId,
    source,
    cwd,
    version: VERSION,
    cli: process.argv[1] ?? "",
    host: host ?? null,
    pluginRoot: pluginRoot ?? null,
    blockCap: blockCap ?? null,
  };
  const file = lastSessionFile(home);
  // Of two sessions that start at once, the later one is the last; half a file must never be seen.
  const draft = `${file}.${process.pid}.tmp`;
  try {
    makeFolders(path.dirname(file), 0o700);
    fs.writeFileSync(draft, `${JSON.stringify(record, null, 2)}\n`, { mode: 0o600 });
    fs.renameSync(draft, file);
  } catch {
    discard(draft);
  }
}

/** Undefined when no session has ever started, or when what it left cannot be read. */
export function readLastSession(home: string): LastSession | undefined {
  try {
    const file = lastSessionFile(home);
    const stat = fs.statSync(file);
    // A pipe that nobody writes to would be waited for.
    if (!stat.isFile() || stat.size > MAX_BYTES) return undefined;
    const record: unknown = JSON.parse(fs.readFileSync(file, "utf8"));
    return isLastSession(record) ? record : undefined;
  } catch {
    return undefined;
  }
}

const TEXTS = ["at", "sessionId", "source", "cwd", "version", "cli"] as const;

function isLastSession(record: unknown): record is LastSession {
  if (!isJsonObject(record)) return false;
  const { host = null, pluginRoot = null, blockCap } = record;
  return (
    TEXTS.every((name) => typeof record[name] === "string") &&
    [host, pluginRoot].every((value) => value === null || typeof value === "string") &&
    (blockCap === null || typeof blockCap === "number")
  );
}
