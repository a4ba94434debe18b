/** A run as one document that is taken elsewhere: everything that its page shows, up to limits. */
import type { IntegrityView, RunDetail, RunFileList, TranscriptLine, TranscriptList } from "./run-wire.js";

/** What is taken out of a document that is made for others. */
export type RedactedKind = "secret" | "environment" | "home" | "user" | "host" | "email" | "content";

/** How often, and where first; a place never says what stood there. */
interface RedactedPart {
  count: number;
  places: string[];
}

export type Redactions = Partial<Record<RedactedKind, RedactedPart>>;

export interface RunDocument {
  format: 1;
  exportedAt: string;
  /** Of the program that has made it. */
  version: string;
  /** Null for a document with everything as it is. */
  redacted: Redactions | null;
  detail: RunDetail;
  /** As pages get them, with their values; what is left out has its size only. */
  events: unknown[];
  leftOut: { values: number; bytes: number };
  integrity: IntegrityView;
  files: DocumentFile[];
  /** There were too many to list all. */
  moreFiles: boolean;
  transcripts: DocumentTranscript[];
}

export type DocumentFile = RunFileList["files"][number] & {
  /** What is taken along of it; null when nothing is. */
  content: FileContent | null;
  /** Why not everything is there; ends a sentence. */
  missing: string | null;
  /** Of all of it; null when only a part was read. */
  sha256: string | null;
};

export type FileContent = {
  /** Where in the file it begins, in bytes. */
  from: number;
} & ({ text: string } | { base64: string });

export type DocumentTranscript = TranscriptList["transcripts"][number] & {
  entries: TranscriptLine[];
  missing: string | null;
  /** Of what is there. */
  sha256: string | null;
};
