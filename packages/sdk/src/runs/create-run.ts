import type { CodeReading } from "../model/code-versions.js";
import { BabysitterError } from "../model/errors.js";
import { type EventDraft, REPLAY_SEMANTICS } from "../model/events.js";
import { makeRunId, parseRunId, type RunId } from "../model/ids.js";
import { type Json, toJson } from "../model/json.js";
import { describeLosses } from "../model/json-losses.js";
import type { EntryPoint, Ports } from "../model/ports.js";
import { beginRun, refuseTaken } from "./begin-run.js";
import { refuseWrongInputs } from "./check-inputs.js";
import { manifestOf, storedManifest } from "./code-version.js";
import { placeOf } from "./run-journal.js";

/** What is needed to begin a run. */
export interface NewRunRequest {
  processId: string;
  entry: EntryPoint;
  /** Entry path and project root as they are to be recorded: relative, so that a moved project still works. */
  recorded: (runDir: string) => { path: string; projectRoot: string };
  inputs?: unknown;
  runId?: string;
  processRevision?: string;
  request?: string;
  prompt?: string;
  harness?: string;
  session?: string;
  pluginRoot?: string;
}

export interface CreatedRun {
  runId: RunId;
  runDir: string;
  processId: string;
  /** `path#export`. */
  entry: string;
  /** What the user should know about its code. */
  warnings?: string[];
}

/** Checks everything, imports the process to see that it is there, and makes the run unless `dryRun`. */
export async function createRun(
  ports: Ports,
  request: NewRunRequest,
  options: { dryRun: boolean } = { dryRun: false },
): Promise<CreatedRun> {
  const { clock, loader } = ports;
  if (request.processId.trim() === "") throw new BabysitterError("USAGE", "The process ID must not be empty.");
  const now = clock.now();
  const runId =
    request.runId === undefined ? makeRunId(request.processId, now, ports.randomHex(3)) : parseRunId(request.runId);
  const inputs: Json = request.inputs === undefined ? {} : toJson(request.inputs, "The inputs");
  const runDir = ports.workspace.runDir(runId);
  await refuseTaken(ports, runId);
  const code = loader.inspect(request.entry, undefined);
  const loaded = await code.load();
  const { exportName } = loaded;
  const { path, projectRoot } = request.recorded(runDir);
  await refuseWrongInputs(ports, loaded, { inputs, file: request.entry.file });
  const created: CreatedRun = { runId, runDir, processId: request.processId, entry: `${path}#${exportName}` };
  if (options.dryRun) return created;
  const reading = code.snapshot();
  const first: EventDraft & { type: "RUN_CREATED" } = {
    type: "RUN_CREATED",
    timestamp: now.toISOString(),
    payload: {
      runId,
      processId: request.processId,
      entry: { path, export: exportName },
      projectRoot,
      inputs: { value: inputs },
      codeHash: reading.hash,
      semantics: REPLAY_SEMANTICS,
      seed: runId,
      place: placeOf(ports, runDir, request.entry.projectRoot),
      ...optional(request),
      manifest: storedManifest(manifestOf(reading)),
      ...(ports.gatesPolicy?.(request.entry.projectRoot) === "pinned" ? { gates: "pinned" } : {}),
    },
  };
  await beginRun(ports, runId, [first], reading);
  const lost = describeLosses(request.inputs);
  const { warnings = [] } = warningsOf(reading);
  if (lost !== undefined) warnings.unshift(`Parts of the inputs cannot be recorded as JSON as they are: ${lost}.`);
  return { ...created, ...(warnings.length === 0 ? {} : { warnings }) };
}

export function warningsOf({ blind }: CodeReading): Pick<CreatedRun, "warnings"> {
  if (blind === undefined) return {};
  return {
    warnings: [
      `${blind.join(", ")}: import() or require() with a computed name, which may be any file: changes to what it loads will not be noticed.`,
    ],
  };
}

const OPTIONAL = ["processRevision", "request", "prompt", "harness", "session", "pluginRoot"] as const;

function optional(request: NewRunRequest): Partial<Record<(typeof OPTIONAL)[number], string>> {
  return Object.fromEntries(
    OPTIONAL.flatMap((name) => (request[name] === undefined || request[name] === "" ? [] : [[name, request[name]]])),
  );
}
