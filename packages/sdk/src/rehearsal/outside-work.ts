/**
 * Sees what a played process does beside its tasks. Files are read; nothing is written, started or connected to: a
 * check changes nothing. Writes are said to have worked, so that the play can go on.
 */
import childProcess, { ChildProcess } from "node:child_process";
import dgram from "node:dgram";
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import net from "node:net";
import { scopes } from "../replay/scope.js";
import { ownFolder, placeBelow } from "./process-place.js";

export interface OutsideWork {
  code: "FILE_OUTSIDE_TASK" | "NETWORK_OUTSIDE_TASK" | "PROGRAM_OUTSIDE_TASK";
  /** Such as `fs.readFile`. */
  call: string;
  location: string | undefined;
  /** It was not let through: what comes after it may be a consequence of that. */
  refused: boolean;
}

type AnyFunction = (this: unknown, ...args: unknown[]) => unknown;
type Holder = Record<string, AnyFunction>;

const READS = ["readFile", "readdir", "stat", "lstat", "access", "exists", "realpath", "opendir", "readlink"];
const WATCHES = ["watch", "watchFile", "createReadStream"];
const WRITES =
  "writeFile appendFile mkdir rm rmdir unlink rename copyFile cp symlink link truncate chmod chown utimes".split(" ");
const OPENS = ["open", "mkdtemp", "createWriteStream"];
const STARTS = ["spawnSync", "execSync", "execFileSync"];

/** Whether the process has called `wrapper` just now; if so, it is noted. */
type Note = (wrapper: AnyFunction, what: Omit<OutsideWork, "location">) => boolean;

/** Watches from now on; `seen` has what was done so far. */
export function watchOutsideWork(files: ReadonlySet<string>): { seen: OutsideWork[] } {
  const seen: OutsideWork[] = [];
  const own = ownFolder();
  const note: Note = (wrapper, what) => {
    const scope = scopes.getStore();
    const place = scope === undefined ? undefined : placeBelow(wrapper, files, own);
    if (scope === undefined || place === undefined) return false;
    // What builds a task runs once and in no replay: it may look around.
    if (what.refused || !scope.path.endsWith("#build/")) seen.push({ ...what, ...place });
    return true;
  };
  watchFiles(note);
  watchPrograms(note);
  watchNetwork(note);
  silence();
  syncBuiltinESMExports();
  return { seen };
}

/** Puts something in front of a function; it answers undefined to let the call through. */
function wrap(
  holder: Holder,
  name: string,
  instead: (this: unknown, wrapper: AnyFunction, args: unknown[]) => Instead,
): void {
  const original = holder[name];
  if (typeof original !== "function") return;
  const instance: AnyFunction = function wrapper(...args) {
    const answer = instead.call(this, wrapper, args);
    return answer === undefined ? original.apply(this, args) : answer.value;
  };
  const { prototype: _own, ...properties } = Object.getOwnPropertyDescriptors(original);
  // Some have functions of their own, such as realpath.native.
  holder[name] = Object.defineProperties(instance, properties);
}

type Instead = { value: unknown } | undefined;

function watchFiles(note: Note): void {
  const [holder, promises] = [fs, fs.promises] as unknown as [Holder, Holder];
  const look = (on: Holder, name: string): void =>
    wrap(on, name, (wrapper) => {
      note(wrapper, { code: FILE, call: `fs.${name}`, refused: false });
      return undefined;
    });
  const pretend = (on: Holder, name: string, answer: (args: unknown[]) => unknown): void =>
    wrap(on, name, (wrapper, args) => {
      // A number is a file that is open already, such as that of a terminal.
      const isPath = typeof args[0] !== "number";
      return isPath && note(wrapper, { code: FILE, call: `fs.${name}`, refused: false })
        ? { value: answer(args) }
        : undefined;
    });
  const refuse = (on: Holder, name: string, answer: (error: Error) => unknown): void =>
    wrap(on, name, (wrapper, args) => {
      const reads = name.startsWith("open") && isReading(args[1]);
      const isNoted = note(wrapper, { code: FILE, call: `fs.${name}`, refused: !reads });
      return isNoted && !reads ? { value: answer(refusal(`fs.${name}`)) } : undefined;
    });
  for (const name of [...READS, ...WATCHES]) look(holder, name);
  for (const name of READS) {
    look(holder, `${name}Sync`);
    look(promises, name);
  }
  for (const name of WRITES) {
    pretend(holder, name, callBack);
    pretend(holder, `${name}Sync`, () => undefined);
    pretend(promises, name, () => Promise.resolve());
  }
  for (const name of OPENS) {
    refuse(holder, name, thrown);
    refuse(holder, `${name}Sync`, thrown);
    refuse(promises, name, async (error) => thrown(error));
  }
}

const FILE = "FILE_OUTSIDE_TASK";
const PROGRAM = "PROGRAM_OUTSIDE_TASK";
const NETWORK = "NETWORK_OUTSIDE_TASK";

function thrown(error: Error): never {
  throw error;
}

function callBack(args: unknown[]): void {
  const done = args.at(-1);
  if (typeof done === "function") setImmediate(() => (done as (error: null) => void)(null));
}

function isReading(flags: unknown): boolean {
  return flags === undefined || typeof flags === "function" || flags === "r" || flags === fs.constants.O_RDONLY;
}

function watchPrograms(note: Note): void {
  const refuse = (on: object, name: string): void =>
    wrap(on as Holder, name, (wrapper) => {
      const call = `child_process.${name}`;
      return note(wrapper, { code: PROGRAM, call, refused: true }) ? thrown(refusal(call)) : undefined;
    });
  refuse(ChildProcess.prototype, "spawn");
  for (const name of STARTS) refuse(childProcess, name);
}

function watchNetwork(note: Note): void {
  const refuse = (on: object, name: string, call: string, answer: (socket: unknown, error: Error) => unknown): void =>
    wrap(on as Holder, name, function (wrapper) {
      return note(wrapper, { code: NETWORK, call, refused: true }) ? { value: answer(this, refusal(call)) } : undefined;
    });
  refuse(net.Socket.prototype, "connect", "net.connect", (socket, error) => {
    setImmediate(() => (socket as net.Socket).destroy(error));
    return socket;
  });
  refuse(dgram.Socket.prototype, "send", "dgram.send", (_socket, error) => thrown(error));
  // It keeps its connections on behalf of nobody in particular.
  refuse(globalThis, "fetch", "fetch", async (_global, error) => thrown(error));
}

/** What the process prints is not what the check has to say, and it is played several times. */
function silence(): void {
  wrap(process.stderr as unknown as Holder, "write", (_wrapper, args) => {
    if (scopes.getStore() === undefined) return undefined;
    callBack(args);
    return { value: true };
  });
}

function refusal(call: string): Error {
  const error = new Error(`process:check does not let a process call ${call} outside a task`);
  return Object.assign(error, { code: "ERR_PROCESS_CHECK" });
}
