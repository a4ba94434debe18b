/**
 * The folders of a run are folders in the run's own directory. A link in the place of one would have us read, write or
 * delete something else in the name of the run. The directory of the run itself, and the folder of all runs, may be
 * links: people put them on other disks.
 */
import path from "node:path";
import { BabysitterError } from "../../model/errors.js";
import { parseRunId } from "../../model/ids.js";
import { runNotFound } from "../rules/refusals.js";
import type { DurableFiles } from "./journal-fs.js";
import type { RunLayout } from "./layout.js";

/** Throws when the run has gone: whoever still writes to it must not half make it again. */
export function refuseMissingRun({ fs }: DurableFiles, { root }: Pick<RunLayout, "root">): void {
  if (!fs.existsSync(root)) throw runNotFound(parseRunId(path.basename(root)), ` in ${path.dirname(root)}`);
}

/** Throws when something else has the name of one of them; a missing one is no matter here. */
export function refuseFalseFolders({ fs }: DurableFiles, layout: RunLayout): void {
  const { root, journal, blobs, state, temp, tasks, code, codeChanges, quarantine } = layout;
  if (fs.kindOf(root) === "link" && !fs.existsSync(root)) throw falseFolder(root, "", "a link that leads nowhere");
  for (const dir of [journal, blobs, state, temp, tasks, code, codeChanges, quarantine]) refuseFalseFolder({ fs }, dir);
}

/** The same for one of them. */
export function refuseFalseFolder({ fs }: Pick<DurableFiles, "fs">, dir: string): void {
  const kind = fs.kindOf(dir);
  if (kind === undefined || kind === "folder") return;
  throw falseFolder(path.dirname(dir), path.basename(dir), kind === "link" ? "a symbolic link" : "not a folder");
}

function falseFolder(parent: string, name: string, problem: string): BabysitterError {
  const dir = path.join(parent, name);
  return new BabysitterError("JOURNAL_BROKEN", `${dir} is damaged: it is ${problem}.`, {
    hint: "Put the run's own folder back in its place. Nothing was read or written through it.",
    details: { file: dir, problem: `it is ${problem}` },
  });
}
