/**
 * Keeps code of a process from ending or confusing the command that runs it: its stdout becomes stderr,
 * process.exit becomes an error, exceptions that nobody caught fail the process, and a thread watches for
 * loops that never end.
 */
import childProcess, { ChildProcess } from "node:child_process";
import { syncBuiltinESMExports } from "node:module";
import { EXIT_CODES } from "../../model/error-codes.js";
import { BabysitterError } from "../../model/errors.js";
import { failActiveProcesses } from "../../replay/active-processes.js";
import { type LastWords, startWatchdog, turnLimitOf } from "../watchdog.js";

export interface GuardOptions {
  /** What to call the process in the watchdog's message. */
  what: string;
  env: Readonly<Record<string, string | undefined>>;
  /** How the watchdog's error is printed, and where; as a line on stderr unless given. */
  print?: (error: BabysitterError) => LastWords;
}

let guarded = false;

export function guardUserCode(options: GuardOptions): void {
  if (guarded) return;
  guarded = true;
  Object.defineProperty(process, "stdout", { configurable: true, get: () => process.stderr });
  redirectChildren();
  const exit = process.exit.bind(process);
  process.exit = (code?: number | string | null) => {
    const error = new BabysitterError("PROCESS_EXIT_CALLED", `The process called process.exit(${code ?? ""}).`, {
      hint: "End a process by returning its result or throwing an error.",
    });
    failActiveProcesses(error);
    throw error;
  };
  process.on("uncaughtException", (error) => {
    if (failActiveProcesses(error)) return;
    process.stderr.write(`${error.stack ?? String(error)}\n`);
    exit(EXIT_CODES.failed.exit);
  });
  watch(options);
}

function watch({ what, env, print = asLine }: GuardOptions): void {
  const limit = turnLimitOf(env);
  const error = new BabysitterError("PROCESS_SPINS", `${what} blocked the thread for more than ${limit} ms.`, {
    hint: "Look for a loop that never ends or never awaits. Move long computations into a task, or raise BABYSITTER_TURN_LIMIT_MS.",
  });
  startWatchdog({ limitMs: limit, lastWords: print(error), onlyComputing: false });
}

function asLine({ code, message, hint = "" }: BabysitterError): LastWords {
  return { fd: 2, text: `error ${code}: ${message}\n  ${hint}\n` };
}

type AnyFunction = (this: unknown, ...args: unknown[]) => unknown;

/** Children that inherit stdout would write between the lines of the document; they get stderr instead. */
function redirectChildren(): void {
  const wrap = (holder: Record<string, AnyFunction>, name: string): void => {
    const original = holder[name] as AnyFunction;
    holder[name] = function (...args) {
      return original.apply(this, args.map(toStderr));
    };
  };
  wrap(ChildProcess.prototype as unknown as Record<string, AnyFunction>, "spawn");
  for (const name of ["spawnSync", "execSync", "execFileSync"]) {
    wrap(childProcess as unknown as Record<string, AnyFunction>, name);
  }
  syncBuiltinESMExports();
}

function toStderr(options: unknown): unknown {
  if (typeof options !== "object" || options === null || !("stdio" in options)) return options;
  const { stdio } = options;
  if (stdio === "inherit") return { ...options, stdio: ["inherit", 2, 2] };
  if (!Array.isArray(stdio)) return options;
  const streams = stdio.map((one: unknown, fd) => (one === 1 || (one === "inherit" && fd === 1) ? 2 : one));
  return { ...options, stdio: streams };
}
