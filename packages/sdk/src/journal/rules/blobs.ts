/** Large values: texts under the hash of their content, durable before any event mentions them. */
import { BabysitterError, type RecordedError } from "../../model/errors.js";
import { type EventDraft, INLINE_LIMIT, type JournalEvent, STORED_FIELDS } from "../../model/events.js";
import { isJsonObject, type Json, parseJson } from "../../model/json.js";
import type { BlobRef } from "../../model/store.js";
import { sha256 } from "./chain.js";

const BLOB_NAME = /^[0-9a-f]{64}$/;

/** How events refer to a text. */
export function blobRef(text: string): BlobRef {
  return { blob: sha256(text), bytes: Buffer.byteLength(text) };
}

/** File of a blob as views and reports name it, relative to the run directory. */
export function blobFile(blob: string): string {
  return `blobs/${blob}.json`;
}

/** The text of a blob, if it is what its name says; `find` is asked for it only when the name can be one. */
export function openBlob(blob: string, find: () => string | undefined): string {
  const text = BLOB_NAME.test(blob) ? find() : undefined;
  if (text === undefined) throw brokenBlob(blob, "it is missing");
  if (sha256(text) !== blob) throw brokenBlob(blob, "its content does not match its name");
  return text;
}

/** The value that a blob holds. */
export function blobValue(blob: string, text: string): Json {
  try {
    return parseJson(text);
  } catch (error) {
    throw brokenBlob(blob, error instanceof RangeError ? error.message : "it is not valid JSON");
  }
}

/** Names of all blobs that an event needs. */
export function blobsOf(event: JournalEvent): string[] {
  const payload = event.payload as unknown as Record<string, { blob?: string; dataRef?: BlobRef } | undefined>;
  const shown = event.type === "BREAKPOINT_OPENED" ? event.payload.files.map(({ blob }) => blob) : [];
  const blobs = [...STORED_FIELDS.map((name) => payload[name]?.blob), payload["error"]?.dataRef?.blob, ...shown];
  return blobs.filter((blob) => blob !== undefined);
}

/**
 * A draft whose stored values above the inline limit have become blobs. Answers at once when there are none, so
 * that nobody else gets a turn between a decision and its append.
 */
export function spillValues<T extends EventDraft>(
  draft: T,
  putBlob: (text: string) => Promise<BlobRef>,
): T | Promise<T> {
  const large = largeValues(draft.payload as unknown as Record<string, unknown>);
  return large.length === 0 ? draft : spill(draft, large, putBlob);
}

async function spill<T extends EventDraft>(
  draft: T,
  large: LargeValue[],
  putBlob: (text: string) => Promise<BlobRef>,
): Promise<T> {
  const payload: Record<string, unknown> = { ...draft.payload };
  for (const { text, withRef } of large) Object.assign(payload, withRef(await putBlob(text)));
  return { ...draft, payload };
}

interface LargeValue {
  text: string;
  /** The field that has the reference in place of the value. */
  withRef: (ref: BlobRef) => object;
}

function largeValues(payload: Record<string, unknown>): LargeValue[] {
  const large: LargeValue[] = [];
  for (const name of STORED_FIELDS) {
    const field = payload[name];
    if (!isJsonObject(field) || !("value" in field)) continue;
    const text = JSON.stringify(field["value"]);
    if (isLarge(text)) large.push({ text, withRef: (ref) => ({ [name]: ref }) });
  }
  const { data, ...error } = (payload["error"] ?? {}) as RecordedError;
  const text = data === undefined ? "" : JSON.stringify(data);
  if (isLarge(text)) large.push({ text, withRef: (dataRef) => ({ error: { ...error, dataRef } }) });
  return large;
}

function isLarge(text: string): boolean {
  // No character takes more than three bytes per unit: most texts need not be counted.
  return text.length * 3 > INLINE_LIMIT && Buffer.byteLength(text) > INLINE_LIMIT;
}

function brokenBlob(blob: string, problem: string): BabysitterError {
  const file = blobFile(blob);
  return new BabysitterError("JOURNAL_BROKEN", `${file} is damaged: ${problem}.`, {
    hint: "Restore the file from a backup: its name is the SHA-256 of its content, so any copy will do.",
    details: { file, problem },
  });
}
