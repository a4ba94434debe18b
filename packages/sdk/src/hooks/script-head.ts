/** What kind of program a script is, by its first bytes: the kernel's own messages say too little. */
import fs from "node:fs";
import { shellQuoted } from "../model/shell-quoted.js";

export type ScriptHead =
  | { argv: [string, ...string[]] }
  /** Why it cannot be started. */
  | { problem: string };

/** What bash looks at too. */
const HEAD_BYTES = 256;

/** Programs that need no interpreter: ELF, Mach-O in its forms, and PE, which WSL runs. */
const PROGRAM_MAGIC = ["7f454c46", "feedface", "feedfacf", "cefaedfe", "cffaedfe", "cafebabe", "4d5a"];

/** How a hook file is started. A text without `#!` is run by sh, as shells do it; some libraries do not. */
export function readScriptHead(file: string): ScriptHead {
  let head: Buffer;
  try {
    head = readHead(file);
  } catch {
    // Programs may be executable without being readable.
    return { argv: [file] };
  }
  const [firstLine = ""] = head.toString("latin1").split("\n", 1);
  if (firstLine.startsWith("#!")) {
    if (!firstLine.endsWith("\r")) return { argv: [file] };
    return { problem: `its first line ends with CR LF; convert it: sed -i 's/\\r$//' ${shellQuoted(file)}` };
  }
  const magic = head.subarray(0, 4).toString("hex");
  if (PROGRAM_MAGIC.some((known) => magic.startsWith(known))) return { argv: [file] };
  if (head.includes(0)) return { problem: "it is neither a script nor a program for this machine" };
  return { argv: ["/bin/sh", file] };
}

function readHead(file: string): Buffer {
  const fd = fs.openSync(file, fs.constants.O_RDONLY | fs.constants.O_NONBLOCK);
  try {
    const buffer = Buffer.alloc(HEAD_BYTES);
    return buffer.subarray(0, fs.readSync(fd, buffer, 0, HEAD_BYTES, 0));
  } finally {
    fs.closeSync(fd);
  }
}
