/** One turn of the host as a child process: prompt on stdin, everything that it prints in logs of the run. */
import fs from "node:fs";
import path from "node:path";
import { readLogTail } from "../../effects/task-logs.js";
import { childEnvironment } from "../../spawn/child-environment.js";
import { markedEnvironment } from "../../spawn/spawn-marker.js";
import { startChild } from "../../spawn/start-child.js";
import { withoutSession } from "../environments.js";
import type { HostLauncher, HostTurn } from "../host.js";
import { outcomeOf, type TurnOutcome } from "./turn-outcome.js";

export interface HostProgram {
  launcher: HostLauncher;
  /** A name on PATH, or a path. */
  program: string;
  cwd: string;
  env: Readonly<Record<string, string | undefined>>;
  /** Variables that the run's tasks have named as secrets so far. */
  secretNames: () => readonly string[];
  /** A folder that comes first on the agent's PATH: the command line that drives it. */
  binFolder: string | undefined;
  permissionMode: string | undefined;
  /** A host that prints nothing for this long is considered hung; 0: no limit. */
  silenceMs: number;
  /** In the environment of everything that this driver starts. */
  session: string;
  logDir: string;
}

/** A turn as the driver wants it. */
export type DrivenTurn = Omit<HostTurn, "permissionMode">;

/** A turn under way. */
export interface RunningTurn {
  outcome: Promise<TurnOutcome>;
  /** Ends it; called again, without patience. */
  stop(reason: string): void;
}

/** Enough for the longest last words. */
const TAIL_BYTES = 4 * 1024 * 1024;
const ERROR_BYTES = 4_000;
/** Timers wrap around above this, and would fire at once. */
const MAX_TIMER_MS = 2 ** 31 - 1;

export function startTurn(host: HostProgram, turn: DrivenTurn): RunningTurn {
  const { launcher, program, cwd, permissionMode, session, logDir } = host;
  const number = nextNumber(logDir);
  const files = {
    stdoutFile: path.join(logDir, `turn-${number}.stdout.log`),
    stderrFile: path.join(logDir, `turn-${number}.stderr.log`),
  };
  const { env, secrets } = environmentOf(host);
  const { args, stdin } = launcher.turn({ ...turn, permissionMode });
  const child = startChild({
    argv: [program, ...args],
    cwd,
    env,
    stdin,
    ...files,
    marker: `${session}.turn-${number}`,
    secrets,
    // Tasks and verifications that the agent started keep running between its turns.
    leaveRunning: true,
  });
  let isSilent = false;
  const onSilence = (): void => {
    isSilent = true;
    void child.stop("it printed nothing for too long");
  };
  let timer: NodeJS.Timeout | undefined;
  const listen = (): void => {
    clearTimeout(timer);
    if (!isSilent && host.silenceMs > 0) timer = setTimeout(onSilence, Math.min(host.silenceMs, MAX_TIMER_MS));
  };
  listen();
  child.onOutput(listen);
  const outcome = child.result.then((exit): TurnOutcome => {
    clearTimeout(timer);
    if (isSilent) return { kind: "failed", why: `it printed nothing for ${host.silenceMs / 1000} s` };
    const stdout = readLogTail(files.stdoutFile, TAIL_BYTES).text;
    return outcomeOf(launcher, exit, { stdout, stderr: readLogTail(files.stderrFile, ERROR_BYTES).text });
  });
  return { outcome, stop: (reason) => void child.stop(reason) };
}

function environmentOf({ env, secretNames, binFolder, session }: HostProgram): {
  env: Record<string, string>;
  secrets: string[];
} {
  // What another host has left in our environment says nothing about the one that is started here.
  const own = Object.entries(withoutSession(env)).filter((entry): entry is [string, string] => entry[1] !== undefined);
  const base = markedEnvironment(Object.fromEntries(own), session);
  const searched = [binFolder, base["PATH"]].filter((part) => part !== undefined && part !== "");
  const extra = searched.length === 0 ? {} : { PATH: searched.join(path.delimiter) };
  return childEnvironment(base, extra, secretNames());
}

/** After a crash the next driver counts on: no log is overwritten. */
function nextNumber(logDir: string): number {
  const names = fs.existsSync(logDir) ? fs.readdirSync(logDir) : [];
  const numbers = names.map((name) => Number(/^turn-(\d{1,9})\./u.exec(name)?.[1] ?? 0));
  return Math.max(0, ...numbers) + 1;
}
