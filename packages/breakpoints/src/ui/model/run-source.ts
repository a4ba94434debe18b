/** Where a page gets a run from: the server that is asked, or the file that it stands in. */
import type { JournalEvent } from "@a5c-ai/babysitter-sdk/view";
import type {
  EventPage,
  IntegrityView,
  RunChange,
  RunChanged,
  RunDetail,
  RunFileList,
  TranscriptList,
  TranscriptPage,
} from "../../wire/run-wire.js";

/** A part of a file. `next` is where to read on, in bytes; null at its end. */
export interface FilePart {
  bytes: Uint8Array;
  next: number | null;
  size: number;
}

export interface RunSource {
  detail: () => Promise<RunDetail>;
  /** Long values are left out; `event` has them. */
  events: (after: number) => Promise<EventPage<JournalEvent>>;
  event: (seq: number) => Promise<JournalEvent>;
  integrity: () => Promise<IntegrityView>;
  files: () => Promise<RunFileList>;
  /** `from`: in bytes; a negative one counts from the end. */
  readFile: (path: string, from: number) => Promise<FilePart>;
  transcripts: () => Promise<TranscriptList>;
  transcript: (id: string, from: number) => Promise<TranscriptPage>;
  /** Missing where nothing can be changed. */
  change?: (change: RunChange) => Promise<RunChanged>;
  /** Calls when the run may have changed; answers how to stop. Missing where nothing changes any more. */
  follow?: (onNews: () => void) => () => void;
}
