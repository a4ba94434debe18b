/**
 * Turns that died of an error of the host. The plugin's shell writes down what the host has said of them, because
 * the host may be gone before a program has started; the next event of the session finds it here.
 */
import fs from "node:fs";
import path from "node:path";
import { defined } from "../model/json.js";

export interface StopFailure {
  /** Name of the file: the same report counts once. */
  report: string;
  at: Date;
  promptId?: string;
  error: string;
  message: string;
}

const ENDING = ".stop-failure.json";
/** What the host repeats of an answer of the API may be a page of HTML. */
const MAX_MESSAGE = 2_000;
/** More than any host writes; anything else there is not read. */
const MAX_BYTES = 1024 * 1024;
/** The shell writes its line at once. If the end is still missing after this time, the shell was ended. */
const WRITING_MS = 60_000;

const spoolOf = (home: string): string => path.join(home, "spool");

/** What a host says of a failed turn, in our words; what it does not say is left out. */
export type FailureParser = (said: unknown) => { promptId?: string; error?: string; lastMessage?: string };

/** What is written down for a session, the oldest first. */
export function stopFailures(home: string, sessionId: string, parse: FailureParser): StopFailure[] {
  return namesIn(spoolOf(home))
    .filter((name) => name.startsWith(`${sessionId}.`) && name.endsWith(ENDING))
    .flatMap((report) => read(home, report, parse))
    .toSorted((one, other) => one.at.getTime() - other.at.getTime());
}

export function forgetStopFailure(home: string, { report }: StopFailure): void {
  fs.rmSync(path.join(spoolOf(home), report), { force: true });
}

function namesIn(dir: string): string[] {
  try {
    return fs.readdirSync(dir);
  } catch {
    return [];
  }
}

function read(home: string, report: string, parse: FailureParser): StopFailure[] {
  const file = path.join(spoolOf(home), report);
  try {
    const stat = fs.lstatSync(file);
    // A pipe would be waited for, and the host waits for us.
    if (!stat.isFile()) return [];
    const { mtime, size } = stat;
    const line = size > MAX_BYTES ? undefined : fs.readFileSync(file, "utf8");
    // The next event of the session finds it whole.
    if (line?.endsWith("\n") === false && Math.abs(Date.now() - mtime.getTime()) < WRITING_MS) return [];
    const { promptId, error = "unknown", lastMessage = "" } = parse(parsed(line));
    return [{ report, at: mtime, ...defined({ promptId }), error, message: lastMessage.slice(0, MAX_MESSAGE) }];
  } catch {
    // Another event of the session has taken it.
    return [];
  }
}

/** A shell that was ended while it wrote leaves half a line: that there was an error is known all the same. */
function parsed(line: string | undefined): unknown {
  if (line === undefined) return undefined;
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
