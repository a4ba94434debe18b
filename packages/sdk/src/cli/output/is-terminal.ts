import { fstatSync } from "node:fs";
import { isatty } from "node:tty";

/** Of what is no device at all nobody needs to ask, which would read much of Node that most commands do not need. */
export function isTerminal(fd: number): boolean {
  return isDevice(fd) && isatty(fd);
}

function isDevice(fd: number): boolean {
  try {
    return fstatSync(fd).isCharacterDevice();
  } catch {
    return false;
  }
}
