import { BabysitterError } from "../../model/errors.js";

const UNWRITABLE: Record<string, string> = {
  ENOSPC: "the disk is full",
  EDQUOT: "the disk quota is exceeded",
  EROFS: "the file system is read-only",
  EACCES: "permission denied",
  EPERM: "the operation is not permitted",
  ENOTDIR: "part of the path is a file",
  EIO: "the disk reports an input/output error",
};

/** Runs a write and turns the disk's refusal into an error that says what to do. */
export function withDiskErrors<T>(dir: string, write: () => T): T {
  try {
    return write();
  } catch (error) {
    throw diskError(error, dir);
  }
}

function diskError(error: unknown, dir: string): unknown {
  const { code, syscall } = error as NodeJS.ErrnoException;
  if (code === undefined) return error;
  if (syscall === "link" && ["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EMLINK"].includes(code)) {
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
  const why = code === "EEXIST" && syscall === "mkdir" ? "a file is in the way" : UNWRITABLE[code];
  if (why === undefined) return error;
  return new BabysitterError("JOURNAL_UNWRITABLE", `Cannot write to ${dir}: ${why} (${code}).`, {
    hint: "Everything acknowledged so far is safe. Free some space or grant access, then run the command again.",
    details: { dir, code },
    cause: error,
  });
}
