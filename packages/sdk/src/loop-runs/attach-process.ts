/** Gives a loop that has only a prompt a process: from here on it is a run like any other, and only its proof ends it. */
import { BabysitterError } from "../model/errors.js";
import type { EventDraft } from "../model/events.js";
import { type Json, toJson } from "../model/json.js";
import { hasProcess } from "../model/run-state.js";
import { refuseWrongInputs } from "../runs/check-inputs.js";
import { manifestOf, storedManifest } from "../runs/code-version.js";
import { type CreatedRun, type NewRunRequest, warningsOf } from "../runs/create-run.js";
import type { RunJournal } from "../runs/run-journal.js";

export async function attachProcess(journal: RunJournal, request: NewRunRequest): Promise<CreatedRun> {
  const { ports, runId, runDir } = journal;
  if (request.runId !== undefined && request.runId !== runId) throw otherId(runId, request.runId);
  const inputs: Json = request.inputs === undefined ? {} : toJson(request.inputs, "The inputs");
  const { semantics } = journal.summary.created;
  const code = ports.loader.inspect({ ...request.entry, semantics }, undefined);
  const loaded = await code.load();
  const { exportName } = loaded;
  const { path } = request.recorded(runDir);
  await refuseWrongInputs(ports, loaded, { inputs, file: request.entry.file });
  const reading = code.snapshot();
  await ports.workspace.keepSources(runId, reading.files);
  const draft: EventDraft = {
    type: "PROCESS_ATTACHED",
    timestamp: ports.clock.now().toISOString(),
    payload: {
      processId: request.processId,
      entry: { path, export: exportName },
      inputs: { value: inputs },
      codeHash: reading.hash,
      manifest: storedManifest(manifestOf(reading)),
      ...(request.processRevision === undefined ? {} : { processRevision: request.processRevision }),
      ...(request.request === undefined ? {} : { request: request.request }),
    },
  };
  await journal.commit((summary, appended) => {
    if (appended.length > 0) return [];
    if (hasProcess(summary.created)) throw taken(runId);
    return [draft];
  });
  await journal.saveCaches();
  return { runId, runDir, processId: request.processId, entry: `${path}#${exportName}`, ...warningsOf(reading) };
}

function otherId(runId: string, wanted: string): BabysitterError {
  return new BabysitterError("SESSION_BOUND", `Session already associated with run: ${runId}`, {
    hint: `Omit --run-id ${wanted} to make the process part of ${runId}, or pause that run first: babysitter loop:pause ${runId}`,
    details: { runId },
  });
}

function taken(runId: string): BabysitterError {
  return new BabysitterError("SESSION_BOUND", `Session already associated with run: ${runId}`, {
    hint: "Someone has just attached a process to it.",
    details: { runId },
  });
}
