/** Starts the inbox's server, in a session of its own and with little of our environment: it outlives whoever started it. */
import { type ChildProcess, spawn } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { makeFolders } from "../../files/make-folders.js";
import { readRegularFrom } from "../../files/read-regular-file.js";
import type { Environment } from "../caller.js";
import { type InboxSettings, inboxFolder } from "./inbox-settings.js";

const { O_WRONLY, O_APPEND, O_CREAT, O_NOFOLLOW, O_NONBLOCK } = fs.constants;
/** Beyond this the log begins anew. */
const LONG = 1024 * 1024;
const MAX_WORDS = 2_000;

/** What a server needs to know. Of an agent, its host and its secrets it is to know nothing. */
const KEPT = /^(?:HOME|PATH|LANG|LANGUAGE|LC_\w+|TZ|TMPDIR|USER|LOGNAME|XDG_\w+|BABYSITTER_HOME)$/u;

export interface StartedServer {
  child: ChildProcess;
  /** What it has written to its log since. */
  lastWords: () => string;
}

export function startServer(
  program: string,
  env: Environment,
  { port, apiPort }: Pick<InboxSettings, "port" | "apiPort">,
): StartedServer {
  const folder = inboxFolder(env);
  const log = openLog(folder);
  try {
    const child = spawn(process.execPath, [program, "start", "--port", String(port), "--api-port", String(apiPort)], {
      detached: true,
      stdio: ["ignore", log.fd, log.fd],
      cwd: homeIn(env),
      env: serverEnvironment(env),
    });
    child.on("error", (error) => noteInLog(folder, `The server was not started: ${error.message}`));
    child.unref();
    return { child, lastWords: () => wordsSince(logFile(folder), log.size) };
  } finally {
    if (typeof log.fd === "number") fs.closeSync(log.fd);
  }
}

function serverEnvironment(env: Environment): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([name]) => KEPT.test(name)));
}

export function logFile(folder: string): string {
  return path.join(folder, "server.log");
}

/** For what nobody waits for, and somebody may look for later. */
export function noteInLog(folder: string, text: string): void {
  const { fd } = openLog(folder);
  if (typeof fd !== "number") return;
  try {
    fs.writeSync(fd, `${new Date().toISOString()} ${text}\n`);
  } catch {
    // A full disk, for instance.
  } finally {
    fs.closeSync(fd);
  }
}

/** The server runs without a log too. */
function openLog(folder: string): { fd: number | "ignore"; size: number } {
  try {
    makeFolders(folder, 0o700);
    // Neither waiting for whoever reads a pipe, nor through a link.
    const fd = fs.openSync(logFile(folder), O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK, 0o600);
    const { size } = fs.fstatSync(fd);
    if (size <= LONG) return { fd, size };
    fs.ftruncateSync(fd, 0);
    return { fd, size: 0 };
  } catch {
    return { fd: "ignore", size: 0 };
  }
}

function wordsSince(file: string, size: number): string {
  try {
    const found = readRegularFrom(file, size, MAX_WORDS);
    return found.kind === "file" ? found.bytes.toString("utf8").trim() : "";
  } catch {
    return "";
  }
}

/** A server must not keep a project's folder, or a disk that is to be unmounted, in use. */
function homeIn({ HOME }: Environment): string {
  return HOME && path.isAbsolute(HOME) && fs.existsSync(HOME) ? HOME : "/";
}
