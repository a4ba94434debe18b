/** A run from the document that stands in the page: nothing is asked, nothing changes. */
import type { JournalEvent } from "@a5c-ai/babysitter-sdk/view";
import type { DocumentFile, FileContent, RunDocument } from "../../wire/run-document.js";
import type { FilePart, RunSource } from "./run-source.js";

export function embeddedSource(document: RunDocument): RunSource {
  const { detail, events, integrity, files, moreFiles, transcripts } = document;
  const all = events as JournalEvent[];
  return {
    detail: async () => detail,
    events: async (after) => ({ events: all.slice(after), total: all.length }),
    event: async (seq) => found(all[seq - 1], `This run has no event ${seq}.`),
    integrity: async () => integrity,
    files: async () => ({ files: files.map(listed), more: moreFiles }),
    readFile: async (path, from) => {
      const file = files.find((one) => one.path === path);
      return partOf(found(file, "The file is not part of this export."), from);
    },
    transcripts: async () => ({
      transcripts: transcripts.map(
        ({ entries: _entries, missing: _missing, sha256: _hash, ...transcript }) => transcript,
      ),
    }),
    transcript: async (id) => {
      const transcript = found(
        transcripts.find((one) => one.id === id),
        "The transcript is not part of this export.",
      );
      const { entries, missing, bytes } = transcript;
      if (entries.length === 0 && missing !== null) throw new Error(`This is not part of the export: ${missing}.`);
      return { entries, next: null, size: bytes };
    },
  };
}

function found<T>(value: T | undefined, otherwise: string): T {
  if (value === undefined) throw new Error(otherwise);
  return value;
}

function listed({ content: _content, missing: _missing, sha256: _hash, ...file }: DocumentFile) {
  return file;
}

/** Where the beginning of a file is missing, a line says so in its place. */
function partOf({ content, missing, bytes: size }: DocumentFile, from: number): FilePart {
  if (content === null) throw new Error(`This is not part of the export: ${missing ?? "it was left out"}.`);
  const start = from < 0 ? Math.max(0, size + from) : from;
  const bytes = bytesOf(content);
  if (start >= content.from) return { bytes: bytes.slice(start - content.from), next: null, size };
  const note = new TextEncoder().encode(`… ${content.from} bytes before this are not part of the export\n`);
  const whole = new Uint8Array(note.length + bytes.length);
  whole.set(note);
  whole.set(bytes, note.length);
  return { bytes: whole, next: null, size };
}

function bytesOf(content: FileContent): Uint8Array {
  return "text" in content ? new TextEncoder().encode(content.text) : bytesFrom(content.base64);
}

export function bytesFrom(base64: string): Uint8Array<ArrayBuffer> {
  const text = atob(base64);
  const bytes = new Uint8Array(text.length);
  for (let at = 0; at < text.length; at += 1) bytes[at] = text.charCodeAt(at);
  return bytes;
}
