/** The files of an agent task in its folder. A second try inside one attempt has names of its own. */
import fs from "node:fs";
import path from "node:path";
import { makeFolders } from "../files/make-folders.js";
import type { Json } from "../model/json.js";
import { keepEarlierLogs, logFiles, readLogTail } from "./task-logs.js";

export interface TryFiles {
  promptFile: string;
  stdoutFile: string;
  stderrFile: string;
}

/** More is a file, not an answer; its end is still examined. */
const MAX_ANSWER = 16 * 1024 * 1024;

export function firstTryFiles(taskDir: string): TryFiles {
  return { promptFile: path.join(taskDir, "prompt.md"), ...logFiles(taskDir) };
}

export function repairFiles(taskDir: string): TryFiles {
  return {
    promptFile: path.join(taskDir, "prompt.repair.md"),
    stdoutFile: path.join(taskDir, "stdout.repair.log"),
    stderrFile: path.join(taskDir, "stderr.repair.log"),
  };
}

export function outputFileIn(taskDir: string): string {
  return path.join(taskDir, "answer.json");
}

/** The path of the written schema, if there is one. */
export function writeSchema(taskDir: string, schema: Json | undefined): string | undefined {
  if (schema === undefined) return undefined;
  const file = path.join(taskDir, "schema.json");
  writePrivately(file, `${JSON.stringify(schema, null, 2)}\n`);
  return file;
}

export function writePrivately(file: string, text: string): void {
  // Whatever was there, a link or a file of other rights: it is not written through.
  fs.rmSync(file, { force: true, recursive: true });
  fs.writeFileSync(file, text, { mode: 0o600, flag: "wx" });
}

/** An earlier attempt's answer must not be taken for this one's; all that it left stays under its number. */
export function clearTaskDir(taskDir: string, attempt: number): void {
  makeFolders(taskDir, 0o700, 2);
  keepEarlierLogs(taskDir, attempt);
  for (const file of ["answer.json", "answer.refused.json", "stdout.repair.log", "stderr.repair.log"]) {
    const { name, ext } = path.parse(file);
    if (attempt > 1) moveAway(path.join(taskDir, file), path.join(taskDir, `${name}.attempt-${attempt - 1}${ext}`));
    fs.rmSync(path.join(taskDir, file), { force: true, recursive: true });
  }
}

/** Before the second try. */
export function keepRefusedAnswer(taskDir: string): void {
  const file = outputFileIn(taskDir);
  moveAway(file, path.join(taskDir, "answer.refused.json"));
  fs.rmSync(file, { force: true, recursive: true });
}

function moveAway(from: string, to: string): void {
  if (fs.existsSync(from) && !fs.existsSync(to)) fs.renameSync(from, to);
}

/** What the command has written as its answer; empty when there is none. */
export function readOutputFile(taskDir: string): string {
  return readLogTail(outputFileIn(taskDir), MAX_ANSWER).text;
}
