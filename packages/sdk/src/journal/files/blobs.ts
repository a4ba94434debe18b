/** Large values: files named by the hash of their content, durable before any event mentions them. */
import path from "node:path";
import { BabysitterError, type RecordedError } from "../../model/errors.js";
import { type EventDraft, INLINE_LIMIT, STORED_FIELDS, type StoredValue } from "../../model/events.js";
import { isJsonObject } from "../../model/json.js";
import { sha256 } from "../rules/chain.js";
import { tempName } from "./event-log.js";
import type { DurableFiles } from "./journal-fs.js";
import type { RunLayout } from "./layout.js";

export function putBlob(files: DurableFiles, layout: RunLayout, text: string): { blob: string; bytes: number } {
  const blob = sha256(text);
  const bytes = Buffer.byteLength(text);
  // A blob gets its name when its content is complete; one that is there need not be written again.
  if (files.fs.sizeOf(blobPath(layout, blob)) !== bytes) writeBlob(files, layout, blob, text);
  files.syncDir(layout.blobs);
  files.syncDir(layout.root);
  return { blob, bytes };
}

function writeBlob(files: DurableFiles, layout: RunLayout, blob: string, text: string): void {
  for (const dir of [layout.blobs, layout.temp]) files.makeDir(dir);
  const temp = path.join(layout.temp, tempName("blob"));
  try {
    files.write(temp, text, "wx");
    files.fs.linkSync(temp, blobPath(layout, blob));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    // A file of this name with another size is damaged: the same hash stands for the same bytes.
    files.fs.renameSync(temp, blobPath(layout, blob));
  } finally {
    files.discard(temp);
  }
}

export function getBlob(files: DurableFiles, layout: RunLayout, blob: string): string {
  const file = `blobs/${blob}.json`;
  if (!/^[0-9a-f]{64}$/.test(blob) || !files.fs.existsSync(blobPath(layout, blob)))
    throw brokenBlob(file, "it is missing");
  const text = files.fs.readFileSync(blobPath(layout, blob), "utf8");
  if (sha256(text) !== blob) throw brokenBlob(file, "its content does not match its name");
  return text;
}

/** A draft whose stored values above the inline limit have become blobs. */
export function spillValues<T extends EventDraft>(files: DurableFiles, layout: RunLayout, draft: T): T {
  const payload: Record<string, unknown> = { ...draft.payload };
  for (const name of STORED_FIELDS) {
    const field = payload[name];
    if (!isStoredInline(field)) continue;
    const text = JSON.stringify(field.value);
    if (Buffer.byteLength(text) > INLINE_LIMIT) payload[name] = putBlob(files, layout, text) satisfies StoredValue;
  }
  const { error } = payload as { error?: RecordedError };
  if (error?.data !== undefined) payload["error"] = spillErrorData(files, layout, error);
  return { ...draft, payload };
}

function spillErrorData(files: DurableFiles, layout: RunLayout, error: RecordedError): RecordedError {
  const { data, ...rest } = error;
  const text = JSON.stringify(data);
  return Buffer.byteLength(text) > INLINE_LIMIT ? { ...rest, dataRef: putBlob(files, layout, text) } : error;
}

function isStoredInline(field: unknown): field is { value: unknown } {
  return isJsonObject(field) && "value" in field;
}

function brokenBlob(file: string, problem: string): BabysitterError {
  return new BabysitterError("JOURNAL_BROKEN", `${file} is damaged: ${problem}.`, {
    hint: "Restore the file from a backup: its name is the SHA-256 of its content, so any copy will do.",
    details: { file, problem },
  });
}

function blobPath(layout: RunLayout, blob: string): string {
  return path.join(layout.blobs, `${blob}.json`);
}
