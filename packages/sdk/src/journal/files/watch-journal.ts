/** Notices when someone may have appended to a journal. */
import fs from "node:fs";
import { runLayout } from "./layout.js";

/** Not every file system reports changes, so poll from time to time. */
const FALLBACK_MS = 2_000;

/** Calls `onChange` after changes, with occasional false alarms; returns how to stop. */
export function watchJournal(runDir: string, onChange: () => void): () => void {
  const timer = setInterval(onChange, FALLBACK_MS);
  let watcher: fs.FSWatcher | undefined;
  try {
    watcher = fs.watch(runLayout(runDir).journal, onChange);
    watcher.on("error", () => watcher?.close());
  } catch {
    // No more watches are free, or there are none here: the timer has to do.
  }
  return () => {
    clearInterval(timer);
    watcher?.close();
  };
}
