/** The caches under `state/`: wrong, torn or missing ones are simply not there. */
import path from "node:path";
import type { SummarySnapshot } from "../../model/ports.js";
import type { ReplayIndex, RunSummary } from "../../model/run-state.js";
import { statusOf } from "../../model/run-state.js";
import { sha256 } from "../rules/chain.js";
import { tempName } from "./event-log.js";
import type { DurableFiles } from "./journal-fs.js";
import type { RunLayout } from "./layout.js";

/** Raised when the shape of a cached fold changes; older caches are then rebuilt. */
const SCHEMA_VERSION = 1;

export function readSummarySnapshot(files: DurableFiles, layout: RunLayout): SummarySnapshot | undefined {
  return readSealed(files, layout.summary) as SummarySnapshot | undefined;
}

export function writeSummarySnapshot(files: DurableFiles, layout: RunLayout, snapshot: SummarySnapshot): void {
  writeSealed(files, layout, layout.summary, { ...snapshot });
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

export function readIndexSnapshot(files: DurableFiles, layout: RunLayout): ReplayIndex | undefined {
  const document = readSealed(files, layout.index) as IndexDocument | undefined;
  if (document === undefined) return undefined;
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
export function writeIndexSnapshot(
  files: DurableFiles,
  layout: RunLayout,
  index: ReplayIndex,
  summary: RunSummary,
): void {
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
  writeSealed(files, layout, layout.index, {
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
  } satisfies IndexDocument);
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
