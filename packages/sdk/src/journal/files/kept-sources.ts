/** Texts of code by their hash, so that the next change can be shown. Copies: a missing one costs a diff, no more. */
import path from "node:path";
import type { SourceFile } from "../../model/workspace.js";
import { sha256 } from "../rules/chain.js";
import type { DurableFiles } from "./journal-fs.js";
import { codeFile, type RunLayout } from "./layout.js";

const MAX_FILE = 1024 * 1024;
const MAX_TOGETHER = 8 * 1024 * 1024;

export function keepSources(
  files: DurableFiles,
  layout: RunLayout,
  sources: readonly (SourceFile & { text: string })[],
): void {
  let room = MAX_TOGETHER;
  for (const source of sources) {
    const { text, sha256: sha } = source;
    if (text.length > Math.min(MAX_FILE, room) || readSource(files, layout, source) !== undefined) continue;
    room -= text.length;
    try {
      files.makeDirBelow(layout.root, path.dirname(keptFile(layout, sha)));
      files.writeView(keptFile(layout, sha), text);
    } catch {
      // Full or read-only: the journal has the hashes.
    }
  }
}

/** What lies there counts only if it is what it claims to be. */
export function readSource(
  files: DurableFiles,
  layout: RunLayout,
  { path: name, sha256: sha }: SourceFile,
): string | undefined {
  for (const file of [keptFile(layout, sha), codeFile(layout, name)]) {
    try {
      const text = files.textOf(file, MAX_FILE);
      if (text !== undefined && sha256(text) === sha) return text;
    } catch {
      // As good as missing.
    }
  }
  return undefined;
}

function keptFile({ codeChanges }: RunLayout, sha: string): string {
  return path.join(codeChanges, "files", sha);
}
