import { isShortage, refusalOf, refusedBySystem } from "../../model/errno.js";
import { BabysitterError } from "../../model/errors.js";

/** Runs a write and turns the system's refusal into an error that says what to do. */
export function withDiskErrors<T>(dir: string, write: () => T): T {
  try {
    return write();
  } catch (error) {
    throw diskError(error, dir);
  }
}

/** The same for what only reads. */
export function withReadErrors<T>(dir: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    const refusal = refusalOf(error);
    if (refusal === undefined) throw error;
    const { code, words } = refusal;
    // That says nothing about the run.
    if (isShortage(code)) throw refusedBySystem(error);
    throw new BabysitterError("JOURNAL_UNREADABLE", `Cannot read ${dir}: ${words} (${code}).`, {
      hint: `Nothing was changed. ${remedyFor(code) ?? "Grant access or repair the disk, then run the command again."}`,
      details: { dir, code },
      cause: error,
    });
  }
}

const NO_LINKS = new Set(["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EMLINK"]);

function diskError(error: unknown, dir: string): unknown {
  const refusal = refusalOf(error);
  if (refusal === undefined) return error;
  const { code, syscall, words } = refusal;
  if (isShortage(code)) return refusedBySystem(error);
  if (syscall === "link" && NO_LINKS.has(code)) {
    return new BabysitterError(
      "HARD_LINKS_UNSUPPORTED",
      `The file system of ${dir} does not support hard links (${code}).`,
      {
        hint: "Put the runs directory on a local file system such as ext4, APFS or btrfs: --runs-dir or RUNS_DIR.",
        details: { dir, code },
        cause: error,
      },
    );
  }
  const why = code === "EEXIST" && syscall === "mkdir" ? "a file is in the way" : words;
  return new BabysitterError("JOURNAL_UNWRITABLE", `Cannot write to ${dir}: ${why} (${code}).`, {
    hint: `Everything acknowledged so far is safe. ${remedyFor(code) ?? "Free some space or grant access, then run the command again."}`,
    details: { dir, code },
    cause: error,
  });
}

/** Of these the path is to blame, not the disk. */
const OF_THE_PATH = new Set(["ENOENT", "ENOTDIR", "EISDIR", "EEXIST", "ELOOP", "ENAMETOOLONG"]);

function remedyFor(code: string): string | undefined {
  if (!OF_THE_PATH.has(code)) return undefined;
  return "Put a folder there, or select another directory for runs: --runs-dir or RUNS_DIR.";
}

/** For whoever takes what cannot be read for something else: while files cannot be opened, nothing is known of them. */
export function throwShortage(error: unknown): void {
  if (isShortage(refusalOf(error)?.code)) throw refusedBySystem(error);
}
