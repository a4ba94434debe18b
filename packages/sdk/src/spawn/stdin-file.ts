import { randomBytes } from "node:crypto";
import { closeSync, openSync, unlinkSync, writeSync } from "node:fs";
import { join } from "node:path";

/**
 * A file without a name that holds the child's input; returns its descriptor, at its beginning.
 *
 * A file rather than a pipe: a child that exits early or never reads breaks nothing, no memory is held,
 * and `/dev/stdin` can be opened by the child, which it cannot if Node makes the pipe.
 */
export function openStdinFile(dir: string, content: string | Uint8Array): number {
  const path = join(dir, `.stdin-${process.pid}-${randomBytes(6).toString("hex")}`);
  const fd = openSync(path, "wx+", 0o600);
  try {
    unlinkSync(path);
    const data = typeof content === "string" ? Buffer.from(content) : content;
    // Writing at a position leaves the place from which the child reads at the beginning.
    let done = 0;
    while (done < data.length) done += writeSync(fd, data, done, data.length - done, done);
    return fd;
  } catch (error) {
    closeSync(fd);
    throw error;
  }
}
