/** What `babysitter run` is about: a process file to start, or a run to resume. */
import fs from "node:fs";
import path from "node:path";
import { hasRun, isRunDir } from "../../machine/choose-run.js";
import { BabysitterError } from "../../model/errors.js";
import type { Invocation } from "../grammar/invocation.js";
import { nearCommands, usageError } from "../grammar/parse-arguments.js";
import { splitEntry } from "./entry-text.js";

export type Target = { run: string | undefined } | { file: string; export?: string; name: string };

/** Options that make sense for a new run only. */
const FOR_NEW_RUNS = ["inputs", "run-id", "process-id"];

export function chooseTarget(invocation: Invocation): Target {
  const { positionals, cwd, options, name } = invocation;
  const [text] = positionals;
  const target = text === undefined ? { run: undefined } : targetOf(invocation, text);
  if ("run" in target) {
    const given = FOR_NEW_RUNS.find((option) => options.text(option) !== undefined);
    if (given !== undefined)
      throw usageError({ name }, `--${given} is only for new runs; ${target.run ?? "this"} already exists.`);
    return target;
  }
  if (options.flag("retry")) throw usageError({ name }, "--retry is only for a failed run, not for a new one.");
  return { ...target, file: path.resolve(cwd, target.file) };
}

function targetOf(invocation: Invocation, text: string): Target {
  const { cwd } = invocation;
  const entry = splitEntry(text, cwd);
  const file = path.resolve(cwd, entry.file);
  if (fs.statSync(file, { throwIfNoEntry: false })?.isFile()) return { ...entry, name: nameOf(file) };
  const isPath = text.includes("/") || /\.[cm]?[jt]s(#|$)/u.test(text);
  if (isPath && !isRunDir(file)) {
    throw new BabysitterError("ENTRY_NOT_FOUND", `No process file or run found at ${text}.`, {
      hint: "Give a process file such as build.mjs or build.mjs#export, a run ID, or a run directory.",
      details: { file },
    });
  }
  if (!isPath && !hasRun(invocation, text)) throw noSuchRun(invocation, text);
  return { run: text };
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
  const meant = near.length > 0 ? `Did you mean ${near.join(" or ")}? ` : "";
  return new BabysitterError("RUN_NOT_FOUND", `No process file or run ${JSON.stringify(text)} found here.`, {
    hint: `${meant}\`babysitter run:list\` lists the runs; --runs-dir or RUNS_DIR selects another directory.`,
    details: { runId: text, runsDir },
  });
}
