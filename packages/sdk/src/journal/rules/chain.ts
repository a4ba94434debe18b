/**
 * How events follow one another.
 *
 * The name of an event file is a function of the event before it: its sequence number and a ULID made
 * of the predecessor's time and checksum. So two writers that saw the same head want the same name, and
 * the file system lets only one of them have it (J1); and the next name can be probed without listing
 * the directory. Nothing is ever ordered by clock or by ULID (J5).
 */
import crypto from "node:crypto";
import { BabysitterError } from "../../model/errors.js";
import { EVENT_FORMAT, type EventDraft, type Head, type JournalEvent } from "../../model/events.js";
import { parseJson } from "../../model/json.js";
import { parseEvent } from "../../model/parse-event.js";
import type { Place } from "../../model/store.js";
import { VERSION } from "../../model/version.js";

const CROCKFORD = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const EVENT_FILE = /^(\d{6,})\.([0-9A-HJKMNP-TV-Z]{26})\.json$/;

/** SHA-256 of a text, hexadecimal. */
export function sha256(text: string): string {
  return crypto.createHash("sha256").update(text).digest("hex");
}

/** File name of an event. */
export function eventFileName(place: Place): string {
  return `${String(place.seq).padStart(6, "0")}.${place.id}.json`;
}

/** File of an event as reports name it, relative to the run directory. */
export function eventFile(place: Place): string {
  return `journal/${eventFileName(place)}`;
}

/** Readable copy of the diff that an event has, relative to the run directory. */
export function diffFile({ seq }: Pick<Place, "seq">): string {
  return `code-changes/${String(seq).padStart(6, "0")}.diff`;
}

/** The place a file name stands for, or undefined if it is not an event's name. */
export function parseEventFileName(name: string): Place | undefined {
  const match = EVENT_FILE.exec(name);
  return match === null ? undefined : { seq: Number(match[1]), id: match[2] as string };
}

/** The place right after `head`. */
export function nextPlace(head: Head): Place {
  return { seq: head.seq + 1, id: ulid(Date.parse(head.timestamp), head.checksum) };
}

/** The place of a run's first event. */
function firstPlace(runId: string, timestamp: string): Place {
  return { seq: 1, id: ulid(Date.parse(timestamp), sha256(runId)) };
}

/** The first event of a run, sealed. */
export function sealFirst(runId: string, draft: EventDraft): JournalEvent {
  return sealEvent(draft, firstPlace(runId, draft.timestamp), { prev: null });
}

/** Seals drafts that will be appended after `head` together. */
export function sealBehind(head: Head, drafts: readonly EventDraft[]): JournalEvent[] {
  const batch = drafts.length > 1 ? { batch: head.seq + 1 } : {};
  let last = head;
  return drafts.map((draft) => {
    const event = sealEvent(draft, nextPlace(last), { prev: last.checksum, ...batch });
    last = event;
    return event;
  });
}

/** A draft with its place in the chain and its checksum. */
export function sealEvent(
  draft: EventDraft,
  place: Place,
  link: { prev: string | null; batch?: number },
): JournalEvent {
  const body = {
    seq: place.seq,
    id: place.id,
    timestamp: draft.timestamp,
    type: draft.type,
    ...(draft.effectId === undefined ? {} : { effectId: draft.effectId }),
    ...(draft.invocationKey === undefined ? {} : { invocationKey: draft.invocationKey }),
    ...(draft.taskId === undefined ? {} : { taskId: draft.taskId }),
    payload: draft.payload,
    ...(link.batch === undefined ? {} : { batch: link.batch }),
    format: EVENT_FORMAT,
    writer: VERSION,
    prev: link.prev,
  };
  // The text is what counts: undefined fields and Dates must not differ between now and the next read.
  const text = JSON.stringify(body);
  return { ...(JSON.parse(text) as object), checksum: sha256(text) } as JournalEvent;
}

/** The text of an event file. */
export function renderEvent(event: JournalEvent): string {
  return `${JSON.stringify(event, null, 2)}\n`;
}

/** An event file's text as an event whose checksum and place are right; throws JOURNAL_BROKEN otherwise. */
export function openEvent(text: string, place: Place, prev: string | null | undefined): JournalEvent {
  const file = eventFile(place);
  const event = parseEvent(parseText(text, file), file);
  const { checksum, ...body } = event;
  if (sha256(JSON.stringify(body)) !== checksum) throw brokenEvent(file, "its content does not match its checksum");
  if (event.seq !== place.seq || event.id !== place.id)
    throw brokenEvent(file, `it belongs at position ${event.seq}.${event.id}`);
  if (prev !== undefined && event.prev !== prev) throw brokenEvent(file, "it does not follow the event before it");
  return event;
}

/** The error for a damaged journal file. */
export function brokenEvent(file: string, problem: string): BabysitterError {
  return new BabysitterError("JOURNAL_BROKEN", `${file} is damaged: ${problem}.`, {
    hint: "Restore the file from version control or a backup.",
    details: { file, problem },
  });
}

function parseText(text: string, file: string): unknown {
  try {
    return parseJson(text);
  } catch (error) {
    if (error instanceof RangeError) throw brokenEvent(file, error.message);
    throw brokenEvent(file, text.trim() === "" ? "it is empty" : "it is not valid JSON");
  }
}

function ulid(time: number, checksum: string): string {
  let rest = (BigInt(Math.max(0, time || 0)) << 80n) | BigInt(`0x${checksum.slice(0, 20)}`);
  let text = "";
  for (let digit = 0; digit < 26; digit += 1) {
    text = CROCKFORD[Number(rest & 31n)] + text;
    rest >>= 5n;
  }
  return text;
}
