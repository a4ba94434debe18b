import { closeSync, openSync } from "node:fs";

/** Whether so many files could be opened now. Only trying tells: limits and other programs change at any time. */
export function areFree(count: number): boolean {
  const opened: number[] = [];
  try {
    while (opened.length < count) opened.push(openSync("/dev/null", "r"));
    return true;
  } catch {
    return false;
  } finally {
    for (const fd of opened) closeSync(fd);
  }
}
