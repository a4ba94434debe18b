/** What a process would ask for first, without a run: it lives in memory until then, and nothing is executed. */
import { blobRef } from "../journal/rules/blobs.js";
import { recordError } from "../model/errors.js";
import { REPLAY_SEMANTICS } from "../model/events.js";
import { defined, type Json, toJson } from "../model/json.js";
import type { Ports } from "../model/ports.js";
import { Interpreter } from "../replay/interpreter.js";
import { stoppedError } from "../replay/process-standing.js";
import { type CreatedRun, createRun, type NewRunRequest } from "./create-run.js";
import { placeOf } from "./run-journal.js";

export interface Preview extends CreatedRun {
  inputs: Json;
  /** `open`: it waits for what it asked for. */
  state: "open" | "completed" | "failed";
  requests: { invocationKey: string; taskId: string; kind: string; title?: string; args: Json; location?: string }[];
  output?: Json;
  error?: { name: string; message: string };
}

export async function previewRun(
  ports: Ports,
  request: NewRunRequest,
  options: { quietLimitMs: number },
): Promise<Preview> {
  const created = await createRun(ports, request, { dryRun: true });
  const { runId, runDir } = created;
  const { projectRoot } = request.entry;
  const inputs = request.inputs === undefined ? {} : toJson(request.inputs, "The inputs");
  const here = placeOf(ports, runDir, projectRoot);
  const now = ports.clock.now();
  const { run } = await ports.loader.inspect(request.entry, undefined).load();
  const interpreter = new Interpreter({
    process: run,
    inputs,
    runId,
    seed: runId,
    runDir,
    projectRoot,
    here,
    places: () => [here],
    createdAt: now.toISOString(),
    semantics: REPLAY_SEMANTICS,
    taskKinds: () => ports.taskKinds?.(projectRoot) ?? [],
    wallClock: () => ports.clock.now().getTime(),
    recorded: { requests: {}, logs: {}, patches: {} },
    putBlob: async (text) => blobRef(text),
    quietLimitMs: options.quietLimitMs,
  });
  try {
    const { standing, requests } = await interpreter.advance([]);
    if (standing.is === "stalled" || standing.is === "refused") throw stoppedError(standing, request.entry.file);
    const asked = requests.map(({ invocationKey, taskId, kind, title, args, location }) =>
      defined({ invocationKey, taskId, kind, title, args, location }),
    );
    const end =
      standing.is === "completed"
        ? { state: standing.is, output: standing.output }
        : standing.is === "failed"
          ? { state: standing.is, error: briefly(standing.error) }
          : { state: "open" as const };
    return { ...created, inputs, requests: asked, ...end };
  } finally {
    interpreter.close();
  }
}

function briefly(thrown: unknown): { name: string; message: string } {
  const { name, message } = recordError(thrown);
  return { name, message };
}
