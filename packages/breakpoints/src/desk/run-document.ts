/** Makes one document of a run, up to limits: whatever is left out is named, with the reason. */
import { createHash } from "node:crypto";
import { BabysitterError, VERSION } from "@a5c-ai/babysitter-sdk";
import type { DocumentFile, DocumentTranscript, FileContent, RunDocument } from "../wire/run-document.js";
import type { RunFileList, TranscriptLine, TranscriptList } from "../wire/run-wire.js";
import type { OpenRun } from "./open-run.js";

const KIB = 1024;
const MIB = 1024 * KIB;

/** In bytes: of one value, file or transcript, and of all of them. */
const VALUES = { longest: 256 * KIB, most: 16 * MIB };
const FILES = { longest: MIB, most: 20 * MIB };
const TRANSCRIPTS = { longest: MIB, most: 8 * MIB };

type ListedFile = RunFileList["files"][number];
type ListedTranscript = TranscriptList["transcripts"][number];

/** When there is not room for everything, what explains a run goes before what it has made. */
const ORDER: readonly ListedFile["kind"][] = ["diff", "evidence", "log", "artifact"];

const NO_ROOM = "the export had no room left for it";

export async function runDocument(run: OpenRun, now: Date): Promise<RunDocument> {
  const detail = await run.detail();
  const { events, leftOut } = await run.whole(VALUES);
  const { files, more } = run.files();
  return {
    format: 1,
    exportedAt: now.toISOString(),
    version: VERSION,
    redacted: null,
    detail,
    events,
    leftOut,
    integrity: await run.integrity(),
    files: contentsOf(run, files),
    moreFiles: more,
    transcripts: transcriptsOf(run),
  };
}

function contentsOf(run: OpenRun, files: readonly ListedFile[]): DocumentFile[] {
  let rest = FILES.most;
  const taken = files
    .toSorted((a, b) => ORDER.indexOf(a.kind) - ORDER.indexOf(b.kind))
    .map((file) => {
      const taking = takeAlong(run, file, Math.min(FILES.longest, rest));
      rest -= taking.length;
      return { ...file, ...taking.part };
    });
  return taken.toSorted((a, b) => (a.path < b.path ? -1 : 1));
}

interface Taken {
  length: number;
  part: Pick<DocumentFile, "content" | "missing" | "sha256">;
}

/** Of a log that is too long its end, of everything else the beginning. */
function takeAlong(run: OpenRun, { kind, path, bytes: size }: ListedFile, most: number): Taken {
  if (most === 0 && size > 0) return nothing(NO_ROOM);
  try {
    const { bytes, from } = most === 0 ? EMPTY : run.readFile(path, kind === "log" && size > most ? -most : 0);
    const part = bytes.subarray(0, most);
    const isWhole = from === 0 && part.length >= size;
    const missing = isWhole ? null : `only ${kind === "log" ? "the end" : "the beginning"} of it is included`;
    const sha256 = isWhole ? sha256Of(part) : null;
    return { length: part.length, part: { content: contentOf(part, from), missing, sha256 } };
  } catch (error) {
    // It may have gone or become something else since it was listed: the others are there.
    if (BabysitterError.is(error)) return nothing(`it could not be read: ${error.message}`);
    throw error;
  }
}

function sha256Of(data: string | Uint8Array): string {
  return createHash("sha256").update(data).digest("hex");
}

const EMPTY = { bytes: new Uint8Array(), from: 0 };

function nothing(missing: string): Taken {
  return { length: 0, part: { content: null, missing, sha256: null } };
}

/** As text where it is one; where a long log was cut, not in the middle of a character. */
function contentOf(bytes: Uint8Array, from: number): FileContent {
  const skipped = from === 0 ? 0 : Math.max(0, bytes.subarray(0, 4).findIndex(isFirstByte));
  const part = bytes.subarray(skipped);
  const text = textIn(part);
  if (text !== undefined) return { from: from + skipped, text };
  return { from, base64: Buffer.from(bytes).toString("base64") };
}

/** Of a character in UTF-8. */
function isFirstByte(byte: number): boolean {
  return (byte & 0xc0) !== 0x80;
}

/** Undefined for what is no text. A character that is cut at the end does not count against it. */
function textIn(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes, { stream: true });
  } catch {
    return undefined;
  }
}

function transcriptsOf(run: OpenRun): DocumentTranscript[] {
  let rest = TRANSCRIPTS.most;
  return run.transcripts().transcripts.map((transcript) => {
    const { entries, length, missing } = saidIn(run, transcript, Math.min(TRANSCRIPTS.longest, rest));
    rest -= length;
    return { ...transcript, entries, missing, sha256: sha256Of(JSON.stringify(entries)) };
  });
}

function saidIn(
  run: OpenRun,
  { id }: ListedTranscript,
  most: number,
): Pick<DocumentTranscript, "entries" | "missing"> & { length: number } {
  const entries: TranscriptLine[] = [];
  let length = 0;
  for (let from: number | null = 0; from !== null; ) {
    const page = run.transcript(id, from);
    for (const entry of page.entries) {
      const bytes = JSON.stringify(entry).length;
      if (length + bytes > most)
        return { entries, length, missing: entries.length === 0 ? NO_ROOM : "only its beginning is included" };
      length += bytes;
      entries.push(entry);
    }
    from = page.next;
  }
  return { entries, length, missing: null };
}
