/** The files in which hooks leave what they have printed. */
import crypto from "node:crypto";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { textIfRegular } from "../files/read-regular-file.js";

export interface HookLogs {
  stdoutFile: string;
  stderrFile: string;
  /** The log of stderr, relative to the run directory; without a run nothing is kept. */
  stderrRef?: string;
  /** Takes away what is not worth keeping. */
  tidy(what: { keepStdout: boolean; keepStderr: boolean }): void;
}

/** Calls of one type whose logs are kept, per run. */
const KEPT_CALLS = 50;
/** More than any log that we write: they are capped. */
const LARGEST_LOG = 256 * 1024 * 1024;
const LOG_NAME = /^(\d{8}T\d{9}Z-[0-9a-f]{8})\..*\.std(?:out|err)\.log$/;

/** Logs for one script: in the run directory, or for a moment in a temporary folder. */
export function openHookLogs(runDir: string | undefined, hookType: string, script: string): HookLogs {
  const shortName = script.replaceAll(/[^\w.-]/gu, "_").slice(0, 80);
  if (runDir === undefined) return temporaryLogs(shortName);
  const dir = path.join(runDir, "hooks", hookType);
  forgetOldLogs(dir);
  const stamp = new Date().toISOString().replaceAll(/[-:.]/gu, "");
  const stem = `${stamp}-${crypto.randomBytes(4).toString("hex")}.${shortName}`;
  const files = {
    stdoutFile: path.join(dir, `${stem}.stdout.log`),
    stderrFile: path.join(dir, `${stem}.stderr.log`),
  };
  return {
    ...files,
    stderrRef: `hooks/${hookType}/${stem}.stderr.log`,
    tidy: ({ keepStdout, keepStderr }) => {
      if (!keepStdout) fs.rmSync(files.stdoutFile, { force: true });
      if (!keepStderr) fs.rmSync(files.stderrFile, { force: true });
    },
  };
}

function temporaryLogs(name: string): HookLogs {
  const dir = fs.mkdtempSync(path.join(os.tmpdir(), "babysitter-hook-"));
  return {
    stdoutFile: path.join(dir, `${name}.stdout.log`),
    stderrFile: path.join(dir, `${name}.stderr.log`),
    tidy: () => fs.rmSync(dir, { recursive: true, force: true }),
  };
}

/** Leaves room for one more call. Names begin with the time, so the oldest come first. */
function forgetOldLogs(dir: string): void {
  try {
    const names = fs.readdirSync(dir).filter((name) => LOG_NAME.test(name));
    const calls = [...new Set(names.map(callOf))].toSorted();
    const old = new Set(calls.slice(0, Math.max(0, calls.length - KEPT_CALLS + 1)));
    for (const name of names) if (old.has(callOf(name))) fs.rmSync(path.join(dir, name), { force: true });
  } catch {
    // There is no folder yet, or the logs stay: neither is a reason not to run the hook.
  }
}

function callOf(name: string): string {
  return LOG_NAME.exec(name)?.[1] ?? name;
}

/** A whole log as text; one that a hook has removed or replaced is empty. */
export function readLog(file: string): string {
  return textIfRegular(file, LARGEST_LOG) ?? "";
}
