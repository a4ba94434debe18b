/** The caches under `state/`: wrong, torn or missing ones are simply not there. */
import path from "node:path";
import type { RunId } from "../../model/ids.js";
import { defined } from "../../model/json.js";
import type { ReplayIndex } from "../../model/replay-index.js";
import { type RunSummary, statusOf } from "../../model/run-state.js";
import type { Snapshots, SummarySnapshot } from "../../model/store.js";
import { tempName } from "./event-log.js";
import type { DurableFiles } from "./journal-fs.js";
import type { RunLayout } from "./layout.js";
import type { RunDirectories } from "./run-directories.js";
import { openSealed, sealed } from "./sealed-text.js";

/** Raised when the shape of a cached fold changes; older caches are then rebuilt. */
const SCHEMA_VERSION = 4;

/**
 * The summary vouches for the index, which may be large: as long as the index has this stamp, nobody has touched it
 * since it was known to be whole, and a command that does not need it does not read it.
 */
interface StampedSummary extends SummarySnapshot {
  indexStamp?: string;
}

export class FileSnapshots implements Snapshots {
  readonly #runs: RunDirectories;
  /** Stamps of indexes that are whole. */
  readonly #stamps = new Map<RunId, string>();

  constructor(runs: RunDirectories) {
    this.#runs = runs;
  }

  async readSummary(runId: RunId): Promise<SummarySnapshot | undefined> {
    const { files } = this.#runs;
    const layout = this.#runs.layoutOf(runId);
    const found = readSealed(files, layout.summary) as StampedSummary | undefined;
    const stamp = await this.#runs.reading(runId, () => files.fs.stampOf(layout.index));
    if (found === undefined || stamp === undefined) return undefined;
    const { indexStamp, ...snapshot } = found;
    if (stamp !== indexStamp && !isIndexOf(runId, readSealed(files, layout.index))) return undefined;
    this.#stamps.set(runId, stamp);
    if (stamp !== indexStamp) await this.writeSummary(runId, snapshot);
    return snapshot;
  }

  async writeSummary(runId: RunId, snapshot: SummarySnapshot): Promise<void> {
    const layout = this.#runs.layoutOf(runId);
    const stamped: StampedSummary = { ...snapshot, ...defined({ indexStamp: this.#stamps.get(runId) }) };
    writeSealed(this.#runs.files, layout, layout.summary, stamped);
  }

  async readIndex(runId: RunId): Promise<ReplayIndex | undefined> {
    const document = readSealed(this.#runs.files, this.#runs.layoutOf(runId).index);
    return document === undefined ? undefined : indexOf(document as IndexDocument);
  }

  async writeIndex(runId: RunId, index: ReplayIndex, summary: RunSummary): Promise<void> {
    const layout = this.#runs.layoutOf(runId);
    const { files } = this.#runs;
    writeSealed(files, layout, layout.index, indexDocument(index, summary));
    const stamp = files.fs.stampOf(layout.index);
    if (stamp !== undefined) this.#stamps.set(runId, stamp);
  }
}

interface IndexDocument {
  runId: string;
  status: string;
  version: number;
  head: ReplayIndex["head"];
  invocations: Record<string, ReplayIndex["requests"][string] & { status: string; resultRef?: string }>;
  pendingEffects: { effectId: string; kind: string; status: "requested" }[];
  logs: ReplayIndex["logs"];
  patches: ReplayIndex["patches"];
}

function isIndexOf(runId: RunId, document: object | undefined): boolean {
  return (document as IndexDocument | undefined)?.runId === runId;
}

function indexOf(document: IndexDocument): ReplayIndex {
  const keys: Record<string, string> = {};
  for (const [key, request] of Object.entries(document.invocations)) keys[request.effectId] = key;
  const resolved = Object.values(document.invocations)
    .filter(({ resolution }) => resolution !== undefined)
    .toSorted((a, b) => (a.resolution?.seq ?? 0) - (b.resolution?.seq ?? 0));
  return {
    head: document.head,
    requests: document.invocations,
    keys,
    resolved,
    logs: document.logs,
    patches: document.patches,
  };
}

/** `state.json`: the index under names that people and scripts know. */
function indexDocument(index: ReplayIndex, summary: RunSummary): IndexDocument {
  const invocations: IndexDocument["invocations"] = {};
  for (const [key, request] of Object.entries(index.requests)) {
    const { resolution } = request;
    invocations[key] =
      resolution === undefined
        ? { ...request, status: "requested" }
        : {
            ...request,
            status: resolution.status === "ok" ? "completed" : "failed",
            resultRef: `tasks/${request.effectId}/result.json`,
          };
  }
  return {
    runId: summary.created.runId,
    status: statusOf(summary),
    version: index.head.seq,
    head: index.head,
    invocations,
    pendingEffects: Object.values(summary.pending).map(({ effectId, kind }) => ({
      effectId,
      kind,
      status: "requested",
    })),
    logs: index.logs,
    patches: index.patches,
  };
}

function readSealed(files: DurableFiles, file: string): object | undefined {
  try {
    const document = openSealed(files.textOf(file) ?? "") as { schemaVersion: number } | undefined;
    return document?.schemaVersion === SCHEMA_VERSION ? document : undefined;
  } catch {
    return undefined;
  }
}

function writeSealed(files: DurableFiles, layout: RunLayout, file: string, document: object): void {
  const temp = path.join(layout.temp, tempName("cache"));
  try {
    // A run that was moved away in the meantime must not be half made again.
    if (!files.fs.existsSync(layout.journal)) return;
    files.makeDirBelow(layout.root, layout.temp);
    files.writeView(temp, sealed({ schemaVersion: SCHEMA_VERSION, ...document }));
    files.fs.renameSync(temp, file);
  } catch {
    // A cache that cannot be written costs time, not truth: read-only and full disks still answer reads.
    files.discard(temp);
  }
}
