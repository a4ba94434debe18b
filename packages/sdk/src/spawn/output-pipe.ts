/**
 * Pipes for what a child prints. Node would make sockets, which nobody can open by the names /dev/stdout
 * and /dev/stderr on Linux: `echo x > /dev/stderr` fails with ENXIO.
 *
 * Node cannot make pipes. `mkfifo` makes some with names, which are removed at once; a descriptor that
 * neither reads nor writes (O_PATH) keeps each of them. One that has been used is used again if nobody else
 * has it open, and only the kernel can tell: a pipe without a reader refuses a writer, a pipe without a
 * writer is at its end. Then it is as good as new, because the kernel drops the content with the last user.
 */
import { execFileSync } from "node:child_process";
import { closeSync, constants, mkdtempSync, openSync, readSync, rmSync } from "node:fs";
import { Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { areFree } from "./free-descriptors.js";
import { HAS_PROC } from "./process-group-ref.js";

export interface OutputPipe {
  /** Gives the pipe back when it is closed. */
  readEnd: Socket;
  /** For the child; to be closed by us when the child has it. */
  writeEnd: number;
}

/** Missing from Node's constants; the same on all processors that Node runs on. */
const O_PATH = 0o10000000;
const { O_NONBLOCK, O_RDONLY, O_WRONLY } = constants;
/** Making eight takes as long as making one; where few files may be open, two are enough for a child. */
const MADE_AT_ONCE = 8;
const MADE_IN_NEED = 2;
/** What making them takes, and what a child needs besides. */
const NEEDED_BESIDE = 12;
const MAX_KEPT = 32;

/** Pipes that we have closed, each by a descriptor that can only be opened again. */
const kept: number[] = [];
/** No mkfifo here, or it cannot do its work. */
let hopeless = !HAS_PROC;

/** Undefined where there are none to be had; then Node's sockets have to do. */
export function openOutputPipe(): OutputPipe | undefined {
  try {
    const pipe = openKept();
    if (pipe !== undefined || hopeless) return pipe;
    makePipes();
    return openKept();
  } catch {
    // No descriptor is free, for instance: whoever starts the child will find out.
    return undefined;
  }
}

function openKept(): OutputPipe | undefined {
  for (let path = kept.pop(); path !== undefined; path = kept.pop()) {
    const pipe = openUnused(path);
    if (pipe !== undefined) return pipe;
    closeSync(path);
  }
  return undefined;
}

function makePipes(): void {
  const dir = mkdtempSync(join(tmpdir(), "babysitter-pipes-"));
  try {
    const count = areFree(MADE_AT_ONCE + NEEDED_BESIDE) ? MADE_AT_ONCE : MADE_IN_NEED;
    const names = Array.from({ length: count }, (_, index) => join(dir, String(index)));
    // A child that becomes another user may write too; nobody gets at a pipe without being given it.
    runMkfifo(["-m", "622", ...names]);
    for (const name of names) kept.push(openSync(name, O_PATH));
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

function runMkfifo(args: string[]): void {
  try {
    execFileSync("mkfifo", args, { stdio: "ignore" });
  } catch (error) {
    const { code, status } = error as { code?: string; status?: number | null };
    // Anything else, such as too many processes, may pass.
    hopeless = code === "ENOENT" || typeof status === "number";
    throw error;
  }
}

/** Undefined when someone else has the pipe open, such as a daemon that was left running. */
function openUnused(path: number): OutputPipe | undefined {
  const name = `/proc/self/fd/${path}`;
  const opened: number[] = [];
  const open = (flags: number): number => {
    const fd = openSync(name, flags);
    opened.push(fd);
    return fd;
  };
  try {
    if (hasReader(name)) return undefined;
    const reader = open(O_RDONLY | O_NONBLOCK);
    const writeEnd = hasWriter(reader) ? undefined : open(O_WRONLY);
    if (writeEnd !== undefined) return { readEnd: socketOf(reader, path), writeEnd };
  } catch {
    // No descriptor is free, or /proc is not ours to use.
  }
  for (const fd of opened) closeSync(fd);
  return undefined;
}

function socketOf(reader: number, path: number): Socket {
  const socket = new Socket({ fd: reader, readable: true, writable: false });
  socket.once("close", () => keep(path));
  return socket;
}

function hasReader(name: string): boolean {
  try {
    closeSync(openSync(name, O_WRONLY | O_NONBLOCK));
    return true;
  } catch {
    return false;
  }
}

function hasWriter(reader: number): boolean {
  try {
    return readSync(reader, Buffer.alloc(1)) !== 0;
  } catch {
    return true;
  }
}

/** For when descriptors run short: pipes can be made again. */
export function dropKeptPipes(): void {
  for (const path of kept.splice(0)) closeSync(path);
}

function keep(path: number): void {
  if (kept.length < MAX_KEPT) kept.push(path);
  else closeSync(path);
}
