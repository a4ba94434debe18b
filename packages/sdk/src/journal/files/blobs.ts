/** Large values as files. */
import path from "node:path";
import type { BlobRef } from "../../model/store.js";
import { blobFile, blobRef, openBlob } from "../rules/blobs.js";
import { brokenEvent } from "../rules/chain.js";
import { tempName } from "./event-log.js";
import type { DurableFiles } from "./journal-fs.js";
import type { RunLayout } from "./layout.js";

export function putBlob(files: DurableFiles, layout: RunLayout, text: string): BlobRef {
  const ref = blobRef(text);
  // A blob gets its name when its content is complete; one that is whole need not be written again.
  if (readBlob(files, layout, ref.blob) !== text) writeBlob(files, layout, ref.blob, text);
  files.syncDir(layout.blobs);
  files.syncDir(layout.root);
  return ref;
}

function writeBlob(files: DurableFiles, layout: RunLayout, blob: string, text: string): void {
  if (!files.fs.existsSync(layout.journal)) throw brokenEvent("journal/", "it is missing");
  for (const dir of [layout.blobs, layout.temp]) files.makeDirBelow(layout.root, dir);
  const temp = path.join(layout.temp, tempName("blob"));
  try {
    files.write(temp, text, "wx");
    files.fs.linkSync(temp, blobPath(layout, blob));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    // A file of this name with another content is damaged: the same hash stands for the same bytes.
    files.fs.renameSync(temp, blobPath(layout, blob));
  } finally {
    files.discard(temp);
  }
}

export function getBlob(files: DurableFiles, layout: RunLayout, blob: string): string {
  return openBlob(blob, () => readBlob(files, layout, blob));
}

function readBlob(files: DurableFiles, layout: RunLayout, blob: string): string | undefined {
  return files.textOf(blobPath(layout, blob));
}

function blobPath(layout: RunLayout, blob: string): string {
  return path.join(layout.root, blobFile(blob));
}
