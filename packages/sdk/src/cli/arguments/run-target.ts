/** What `babysitter run` is about: a process file to start, or a run to resume. */
import fs from "node:fs";
import path from "node:path";
import { findRun, hasRun, isRunDir, refuseTooShort } from "../../machine/choose-run.js";
import { BabysitterError } from "../../model/errors.js";
import { nearestName } from "../../model/nearest-name.js";
import { shellQuoted } from "../../model/shell-quoted.js";
import { nearCommands } from "../grammar/find-command.js";
import type { Invocation } from "../grammar/invocation.js";
import { usageError } from "../grammar/parse-arguments.js";
import { splitEntry } from "./entry-text.js";

export type Target = { run: string | undefined } | { file: string; export?: string; name: string };

/** Options that make sense for a new run only. */
const FOR_NEW_RUNS = ["inputs", "input", "run-id", "process-id", "dry-run"];

const FOR_FAILED_RUNS = ["retry", "no-retry", "fork"];

export async function chooseTarget(invocation: Invocation): Promise<Target> {
  const { positionals, cwd, options, name } = invocation;
  const [text] = positionals;
  const target = text === undefined || text === "" ? { run: undefined } : await targetOf(invocation, text);
  if ("run" in target) {
    const given = FOR_NEW_RUNS.find((option) => options.flag(option) || options.texts(option).length > 0);
    if (given !== undefined)
      throw usageError({ name }, `--${given} is only for new runs; ${target.run ?? "this"} already exists.`);
    return target;
  }
  const flag = FOR_FAILED_RUNS.find((other) => options.flag(other));
  if (flag !== undefined) throw usageError({ name }, `--${flag} is only for a failed run, not for a new one.`);
  return { ...target, file: path.resolve(cwd, target.file) };
}

async function targetOf(invocation: Invocation, text: string): Promise<Target> {
  const { cwd } = invocation;
  const entry = splitEntry(text, cwd);
  const file = path.resolve(cwd, entry.file);
  if (isFile(file)) return { ...entry, name: nameOf(file) };
  const byName = processNamed(invocation, entry.file);
  if (byName !== undefined) {
    if (hasRun(invocation, text)) throw runOrProcess(invocation, text, byName);
    return { ...entry, file: byName, name: nameOf(byName) };
  }
  const isPath = text.includes("/") || /\.[cm]?[jt]s(#|$)/u.test(text);
  if (isPath && !isRunDir(file)) {
    throw new BabysitterError("ENTRY_NOT_FOUND", `No process file or run found at ${text}.`, {
      hint: `${nearFile(invocation, entry.file)}Give a process file such as build.mjs or build.mjs#export, a run ID, or a run directory.`,
      details: { file },
    });
  }
  if (!isPath && (await findRun(invocation, text)) === undefined) {
    await refuseTooShort(invocation, text);
    throw noSuchRun(invocation, text);
  }
  return { run: text };
}

/** Where `babysitter init` puts processes: there they need neither path nor ending. */
const PROCESS_FOLDER = path.join(".a5c", "processes");
const PROCESS_ENDINGS = [".mjs", ".js", ".cjs", ".ts", ".mts", ".cts"];

/** The names that stand for a process of the project. */
export function processNames({ places }: Invocation): string[] {
  const folder = path.join(places().projectRoot, PROCESS_FOLDER);
  const files = fs.existsSync(folder) ? processFiles(folder) : [];
  return [...new Set(files.map((file) => path.parse(file).name))];
}

function processFiles(folder: string): string[] {
  return fs
    .readdirSync(folder)
    .filter((file) => PROCESS_ENDINGS.includes(path.extname(file)) && !file.endsWith(".d.ts"));
}

function processNamed(invocation: Invocation, name: string): string | undefined {
  if (path.isAbsolute(name) || name.includes("\0")) return undefined;
  const { projectRoot } = invocation.places();
  const folder = path.join(projectRoot, PROCESS_FOLDER);
  const files = PROCESS_ENDINGS.map((ending) => path.join(folder, `${name}${ending}`)).filter(
    (file) => !path.relative(folder, file).startsWith("..") && isFile(file),
  );
  if (files.length < 2) return files[0];
  throw new BabysitterError("USAGE", `${invocation.name}: ${name} matches ${files.length} process files.`, {
    hint: `Name one: ${files.map((file) => path.relative(invocation.cwd, file)).join(" or ")}`,
  });
}

function isFile(file: string): boolean {
  return fs.statSync(file, { throwIfNoEntry: false })?.isFile() ?? false;
}

function runOrProcess({ cwd, places }: Invocation, text: string, file: string): BabysitterError {
  const run = path.join(path.relative(cwd, places().runsDir), text);
  return new BabysitterError("RUN_AMBIGUOUS", `${JSON.stringify(text)} is both a run and a process.`, {
    hint: `To resume the run: babysitter run ${run}. To start the process: babysitter run ${path.relative(cwd, file)}`,
    details: { meant: [text, file] },
  });
}

/** A process file of nearly this name where people keep them: here, at the root of the project, or among its processes. */
function nearFile({ cwd, places, name }: Invocation, text: string): string {
  const { projectRoot } = places();
  const folders = [cwd, projectRoot, path.join(projectRoot, PROCESS_FOLDER)].filter((folder) => fs.existsSync(folder));
  const files = folders.flatMap((folder) => processFiles(folder).map((file) => path.join(folder, file)));
  const [named, bare] = [(file: string) => path.basename(file), (file: string) => path.parse(file).name].map((part) => {
    const near = nearestName(
      part(text),
      files.map((file) => part(file)),
    );
    return files.find((file) => part(file) === near);
  });
  const found = named ?? bare;
  return found === undefined ? "" : `Did you mean babysitter ${name} ${shellQuoted(path.relative(cwd, found))}? `;
}

/** The file's own name, or its folder's when the file is called like all of them. */
export function nameOf(file: string): string {
  const name = path.basename(file).replace(/\.[cm]?[jt]s$/u, "");
  return name === "process" || name === "index" ? path.basename(path.dirname(file)) || name : name;
}

/** Whoever mistypes `run iterate` has asked for a run of that name. */
function noSuchRun(invocation: Invocation, text: string): BabysitterError {
  const { runsDir } = invocation.places();
  const near = nearCommands(`run:${text}`);
  const commands = near.length > 0 ? `Did you mean ${near.join(" or ")}? ` : "";
  const meant = nearFile(invocation, text) || commands;
  return new BabysitterError("RUN_NOT_FOUND", `No process file or run ${JSON.stringify(text)} found here.`, {
    hint: `${meant}\`babysitter run:list\` lists the runs; --runs-dir or RUNS_DIR selects another directory.`,
    details: { runId: text, runsDir },
  });
}
