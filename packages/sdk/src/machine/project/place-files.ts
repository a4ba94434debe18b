/** Creates files in a project; existing ones are not touched. */
import fs from "node:fs";
import path from "node:path";
import { makeFolders } from "../../files/make-folders.js";
import { BabysitterError } from "../../model/errors.js";

/** What became of a file. `note` says what the reader may want to do about it. */
export interface PlacedFile {
  /** Relative to the project's root. */
  file: string;
  outcome: "made" | "changed" | "kept";
  note?: string;
}

/** A new file with this text; one that is there is kept. */
export function placeFile(root: string, file: string, text: string): PlacedFile {
  return withCodedErrors(root, file, () => {
    const target = path.join(root, file);
    makeFolders(path.dirname(target), 0o777);
    try {
      fs.writeFileSync(target, text, { flag: "wx" });
      return { file, outcome: "made" };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
      return { file, outcome: "kept" };
    }
  });
}

/** A file that has these lines; whatever else is in it stays, but for lines that say the opposite. */
export function placeLines(
  root: string,
  file: string,
  { lines, without = [] }: { lines: readonly string[]; without?: readonly string[] },
): PlacedFile {
  const placed = placeFile(root, file, `${lines.join("\n")}\n`);
  if (placed.outcome === "made") return placed;
  return withCodedErrors(root, file, () => {
    const target = path.join(root, file);
    if (!fs.lstatSync(target).isFile())
      return { ...placed, note: `it is not a regular file; make sure it contains these lines: ${lines.join(" ")}` };
    const text = fs.readFileSync(target, "utf8");
    const wanted = withLines(text, lines, without);
    if (wanted === text) return placed;
    fs.writeFileSync(target, wanted);
    return { file, outcome: "changed" };
  });
}

function withLines(text: string, lines: readonly string[], without: readonly string[]): string {
  const present = text.split("\n").map((line) => line.trim());
  const missing = lines.filter((line) => !present.includes(line));
  const kept = present.some((line) => without.includes(line))
    ? text
        .split("\n")
        .filter((line) => !without.includes(line.trim()))
        .join("\n")
    : text;
  if (missing.length === 0) return kept;
  const separator = kept === "" || kept.endsWith("\n") ? "" : "\n";
  return `${kept}${separator}${missing.join("\n")}\n`;
}

function withCodedErrors(root: string, file: string, work: () => PlacedFile): PlacedFile {
  try {
    return work();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const reason = code === undefined ? undefined : REASONS[code];
    if (reason === undefined) throw error;
    throw new BabysitterError("PROJECT_UNWRITABLE", `${path.join(root, file)} cannot be created: ${reason}.`, {
      hint: "Nothing was overwritten. Fix the cause, then run `babysitter init` again.",
      details: { projectRoot: root, file, code: code as string },
      cause: error,
    });
  }
}

const REASONS: Record<string, string> = {
  EACCES: "permission denied",
  EPERM: "it is not permitted",
  EROFS: "the file system is read-only",
  ENOSPC: "the disk is full",
  EDQUOT: "the quota is exceeded",
  ENOTDIR: "there is a file where a folder is needed",
  EEXIST: "there is a file where a folder is needed",
  EISDIR: "there is a folder in its place",
  ENOENT: "its folder does not exist",
  ELOOP: "its folder is a link that points to itself",
};
