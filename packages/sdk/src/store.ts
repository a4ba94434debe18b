/** For those who write a store: what it must offer, and the rules of the journal that it keeps. */
export { blobRef, openBlob } from "./journal/rules/blobs.js";
export { brokenEvent, nextPlace, openEvent, renderEvent } from "./journal/rules/chain.js";
export { refuseStaleFence, runExists, runNotFound } from "./journal/rules/refusals.js";
export type { Head, JournalEvent } from "./model/events.js";
export { parseRunId, type RunId } from "./model/ids.js";
export type { ReplayIndex } from "./model/replay-index.js";
export type { RunSummary } from "./model/run-state.js";
export type {
  AppendAnswer,
  BlobRef,
  CodeSnapshot,
  EventStore,
  LastError,
  LastReplay,
  Place,
  RunExtras,
  RunListing,
  Snapshots,
  SummarySnapshot,
} from "./model/store.js";
