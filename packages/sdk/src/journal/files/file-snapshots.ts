/** The caches under `state/`: wrong, torn or missing ones are simply not there. */
import path from "node:path";
import type { RunId } from "../../model/ids.js";
import { type ReplayIndex, type RunSummary, statusOf } from "../../model/run-state.js";
import type { Snapshots, SummarySnapshot } from "../../model/store.js";
import { sha256 } from "../rules/chain.js";
import { tempName } from "./event-log.js";
import type { DurableFiles } from "./journal-fs.js";
import type { RunLayout } from "./layout.js";
import type { RunDirectories } from "./run-directories.js";

/** Raised when the shape of a cached fold changes; older caches are then rebuilt. */
const SCHEMA_VERSION = 2;

export class FileSnapshots implements Snapshots {
  readonly #runs: RunDirectories;

  constructor(runs: RunDirectories) {
    this.#runs = runs;
  }

  async readSummary(runId: RunId): Promise<SummarySnapshot | undefined> {
    const { files } = this.#runs;
    const { summary, index } = this.#runs.layoutOf(runId);
    const snapshot = readSealed(files, summary) as SummarySnapshot | undefined;
    return snapshot !== undefined && files.fs.existsSync(index) ? snapshot : undefined;
  }

  async writeSummary(runId: RunId, snapshot: SummarySnapshot): Promise<void> {
    const layout = this.#runs.layoutOf(runId);
    writeSealed(this.#runs.files, layout, layout.summary, { ...snapshot });
  }

  async readIndex(runId: RunId): Promise<ReplayIndex | undefined> {
    const document = readSealed(this.#runs.files, this.#runs.layoutOf(runId).index);
    return document === undefined ? undefined : indexOf(document as IndexDocument);
  }

  async writeIndex(runId: RunId, index: ReplayIndex, summary: RunSummary): Promise<void> {
    const layout = this.#runs.layoutOf(runId);
    writeSealed(this.#runs.files, layout, layout.index, indexDocument(index, summary));
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

/** The last line of a cache file: a seal over everything before it, so that any edit makes it invalid. */
const SEAL = /,"seal":"([0-9a-f]{64})"\}\n$/;

function readSealed(files: DurableFiles, file: string): object | undefined {
  try {
    const text = files.fs.readFileSync(file, "utf8");
    const match = SEAL.exec(text.slice(-80));
    if (match === null) return undefined;
    const body = text.slice(0, text.length - match[0].length);
    if (sha256(body) !== match[1]) return undefined;
    const document = JSON.parse(`${body}}`) as { schemaVersion: number };
    return document.schemaVersion === SCHEMA_VERSION ? document : undefined;
  } catch {
    return undefined;
  }
}

function writeSealed(files: DurableFiles, layout: RunLayout, file: string, document: object): void {
  const body = JSON.stringify({ schemaVersion: SCHEMA_VERSION, ...document }).slice(0, -1);
  const temp = path.join(layout.temp, tempName("cache"));
  try {
    // A run that was moved away in the meantime must not be half made again.
    if (!files.fs.existsSync(layout.journal)) return;
    if (!files.fs.existsSync(layout.temp)) files.makeDir(layout.temp);
    files.writeView(temp, `${body},"seal":"${sha256(body)}"}\n`);
    files.fs.renameSync(temp, file);
  } catch {
    // A cache that cannot be written costs time, not truth: read-only and full disks still answer reads.
    files.discard(temp);
  }
}
