import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { onTestFinished } from "vitest";

/** A folder with process files that goes away with the test; answers its path. */
export function processFolder(files: Record<string, string>): string {
  const dir = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "babysitter-api-")));
  onTestFinished(() => fs.rmSync(dir, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(files)) fs.writeFileSync(path.join(dir, name), text);
  return dir;
}

/** Names and contents of a run's events. */
export function journalOf(runDir: string): Record<string, string> {
  const journal = path.join(runDir, "journal");
  return Object.fromEntries(
    fs
      .readdirSync(journal)
      .toSorted()
      .map((name) => [name, fs.readFileSync(path.join(journal, name), "utf8")]),
  );
}
