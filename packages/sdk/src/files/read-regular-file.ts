/**
 * Files that others may have replaced by anything: pipes that nobody writes to, sockets, devices, links to somewhere
 * else. Only a regular file is read, never more of it than was asked for, and nothing is waited for.
 */
import fs from "node:fs";

/** `none`: nothing has this name. `unfit`: something has, but it is not read. */
export type RegularFile<T> = { kind: "none" } | { kind: "unfit"; problem: string } | ({ kind: "file" } & T);

const NOT_REGULAR = { kind: "unfit", problem: "it is not a regular file" } as const;
const { O_RDONLY, O_NONBLOCK, O_NOFOLLOW } = fs.constants;

/** Lets `use` read an open file. Errors of the disk, and a refused permission, are thrown as they come. */
function withRegularFile<T extends object>(file: string, use: (fd: number, size: number) => T): RegularFile<T> {
  let fd: number;
  try {
    fd = fs.openSync(file, O_RDONLY | O_NONBLOCK | O_NOFOLLOW);
  } catch (error) {
    const { code = "" } = error as NodeJS.ErrnoException;
    if (["ENOENT", "ENOTDIR", "ENAMETOOLONG"].includes(code)) return { kind: "none" };
    if (code === "ELOOP" || code === "EMLINK") return { kind: "unfit", problem: "it is a symbolic link" };
    if (["ENXIO", "ENODEV", "EOPNOTSUPP"].includes(code)) return NOT_REGULAR;
    throw error;
  }
  try {
    const stat = fs.fstatSync(fd);
    return stat.isFile() ? { kind: "file", ...use(fd, stat.size) } : NOT_REGULAR;
  } finally {
    fs.closeSync(fd);
  }
}

/** The content of a file that has at most so many bytes. */
export function readRegularFile(file: string, largest: number): RegularFile<{ bytes: Buffer }> {
  return readWhole(file, largest, (fd) => ({ bytes: fs.readFileSync(fd) }));
}

/** The same as text; bytes that are not UTF-8 become replacement characters. */
export function readRegularText(file: string, largest: number): RegularFile<{ text: string }> {
  return readWhole(file, largest, (fd) => ({ text: fs.readFileSync(fd, "utf8") }));
}

function readWhole<T extends object>(file: string, largest: number, read: (fd: number) => T): RegularFile<T> {
  let tooLarge: number | undefined;
  const found = withRegularFile(file, (fd, size) => {
    if (size <= largest) return read(fd);
    tooLarge = size;
    return {} as T;
  });
  return tooLarge === undefined ? found : { kind: "unfit", problem: `the file is too large (${tooLarge} bytes)` };
}

/** The content where a file that cannot be read is as good as none. */
export function bytesIfRegular(file: string, largest: number): Buffer | undefined {
  try {
    const found = readRegularFile(file, largest);
    return found.kind === "file" ? found.bytes : undefined;
  } catch {
    return undefined;
  }
}

/** The text where a file that cannot be read is as good as none. */
export function textIfRegular(file: string, largest: number): string | undefined {
  return bytesIfRegular(file, largest)?.toString("utf8");
}

/** What follows in a file after a place in it; `id` tells whether it is still the same file. */
export function readRegularFrom(
  file: string,
  start: number,
  limit: number,
): RegularFile<{ bytes: Buffer; size: number; id: string }> {
  return withRegularFile(file, (fd, size) => {
    const { dev, ino } = fs.fstatSync(fd);
    const bytes = readPart(fd, start, Math.max(0, Math.min(limit, size - start)));
    return { bytes, size, id: `${dev}:${ino}` };
  });
}

/** The last bytes of a file, as far as they are there while someone else may be writing or cutting it. */
export function readRegularTail(file: string, limit: number): RegularFile<{ tail: Buffer; size: number }> {
  return withRegularFile(file, (fd, size) => {
    const start = Math.max(0, size - limit);
    return { tail: readPart(fd, start, size - start), size };
  });
}

function readPart(fd: number, start: number, wanted: number): Buffer {
  const buffer = Buffer.alloc(wanted);
  let length = 0;
  for (let count = 1; count > 0 && length < buffer.length; length += count)
    count = fs.readSync(fd, buffer, length, buffer.length - length, start + length);
  return buffer.subarray(0, length);
}
