import { readFile } from "node:fs/promises";
import { setTimeout as pause } from "node:timers/promises";

export default async function countWords({ letter }) {
  const text = await readFile(new URL(`../letters/${letter}`, import.meta.url), "utf8");
  const lines = text.trimEnd().split("\n");
  let words = 0;
  for (const [index, line] of lines.entries()) {
    words += line.split(/\s+/u).filter((word) => word !== "").length;
    // A task's output is shown as progress and kept in its log.
    console.log(`line ${index + 1} of ${lines.length}: ${words} words so far`);
    // Counting is quick; this pause is here so that you can watch.
    await pause(250);
  }
  return { letter, lines: lines.length, words };
}
