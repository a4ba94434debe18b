/** What the operating system says when it refuses, in words, and as an error of ours. */
import { BabysitterError } from "./errors.js";

/** Every refusal that files can meet; others are shown by their code alone. */
const WORDS: Readonly<Record<string, string>> = {
  ENOSPC: "the disk is full",
  EDQUOT: "the disk quota is exceeded",
  EFBIG: "the file would be too large",
  EROFS: "the file system is read-only",
  EACCES: "permission denied",
  EPERM: "the operation is not permitted",
  ENOENT: "it does not exist",
  ENOTDIR: "part of the path is not a folder",
  EISDIR: "a folder is in the way",
  EEXIST: "something else is in the way",
  ENOTEMPTY: "a non-empty folder is in the way",
  ELOOP: "part of the path is a symbolic link that leads nowhere, or in a circle",
  ENAMETOOLONG: "the path is too long",
  EXDEV: "it is on another file system",
  EMLINK: "the file has too many hard links",
  EMFILE: "this program has too many open files",
  ENFILE: "this machine has too many open files",
  ENOMEM: "there is not enough memory",
  EBUSY: "something else is using it",
  ETXTBSY: "it is a running program",
  ESTALE: "the network file system has lost it",
  ETIMEDOUT: "the file system does not respond",
  EIO: "the disk reports an input/output error",
};

/** What the system says when it is out of processes, descriptors or memory; most often only for a while. */
const SHORTAGES = new Set<unknown>(["EAGAIN", "EMFILE", "ENFILE", "ENOMEM"]);

export function isShortage(code: unknown): boolean {
  return SHORTAGES.has(code);
}

/** A refusal of the operating system; `code` is its name, such as ENOSPC. */
export interface Refusal {
  code: string;
  syscall: string;
  /** Completes "Cannot write X: ". */
  words: string;
  path?: string;
}

/** Undefined for errors that do not come from the operating system. */
export function refusalOf(thrown: unknown): Refusal | undefined {
  if (!(thrown instanceof Error)) return undefined;
  const { code, syscall, path } = thrown as NodeJS.ErrnoException;
  if (typeof code !== "string" || !/^E[A-Z0-9]+$/u.test(code) || typeof syscall !== "string") return undefined;
  const words = WORDS[code] ?? "the operating system refuses";
  return { code, syscall, words, ...(typeof path === "string" ? { path } : {}) };
}

/** A refusal that nobody has foreseen at its place is still not a bug: the error for whoever called the program. */
export function refusedBySystem(thrown: unknown): BabysitterError | undefined {
  const refusal = refusalOf(thrown);
  if (refusal === undefined) return undefined;
  const { code, syscall, words, path } = refusal;
  return new BabysitterError("SYSTEM_REFUSED", `Cannot ${syscall} ${path ?? "a file"}: ${words} (${code}).`, {
    hint: `Everything acknowledged so far is safe. ${isShortage(code) ? "End other programs, or raise the limit with `ulimit`" : "Fix the cause"}, then run the command again.`,
    details: { code, syscall, ...(path === undefined ? {} : { path }) },
    cause: thrown,
  });
}
