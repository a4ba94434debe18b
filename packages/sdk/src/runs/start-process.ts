/** Brings the process of a run to life, to be fed with what its journal has recorded. */
import { BabysitterError } from "../model/errors.js";
import { REPLAY_SEMANTICS, type RunCreated } from "../model/events.js";
import type { ProcessCode } from "../model/ports.js";
import type { RecordedRequest, ReplayIndex } from "../model/replay-index.js";
import { HOW_TO_UPDATE } from "../model/version.js";
import type { Delivery, Outcome } from "../replay/call.js";
import { Interpreter } from "../replay/interpreter.js";
import { recordedOutcome } from "./post-result.js";
import type { RunJournal } from "./run-journal.js";

export async function startProcess(
  journal: RunJournal,
  code: ProcessCode,
  options: { quietLimitMs: number; onLate?: (() => void) | undefined; index: ReplayIndex },
): Promise<Interpreter> {
  const { ports, runId, runDir, summary, place } = journal;
  requireKnownSemantics(summary.created);
  const { projectRoot } = place;
  const { run } = await code.load();
  return new Interpreter({
    process: run,
    inputs: await journal.valueOf(summary.created.inputs),
    runId,
    seed: summary.created.seed,
    runDir,
    projectRoot,
    here: journal.here,
    places: () => journal.summary.places,
    createdAt: summary.created.at,
    semantics: summary.created.semantics,
    wallClock: () => ports.clock.now().getTime(),
    recorded: options.index,
    putBlob: (text) => ports.store.putBlob(runId, text),
    taskKinds: () => ports.taskKinds?.(projectRoot) ?? [],
    quietLimitMs: options.quietLimitMs,
    onLate: options.onLate,
  });
}

/** The recorded result of a request, as the process gets it; large ones are read when their turn comes. */
export function deliveryOf(journal: RunJournal, request: RecordedRequest): Delivery {
  const resolved = request.resolution as NonNullable<RecordedRequest["resolution"]>;
  const { seq, at, status, value } = resolved;
  const read = async (): Promise<Outcome> =>
    (await recordedOutcome(journal, await journal.ports.store.readAt(journal.runId, resolved))) as Outcome;
  return {
    seq,
    at,
    effectId: request.effectId,
    outcome: status === "ok" && value !== undefined ? { status, value } : read,
  };
}

function requireKnownSemantics({ runId, semantics }: RunCreated): void {
  if (semantics <= REPLAY_SEMANTICS) return;
  throw new BabysitterError(
    "ENGINE_TOO_OLD",
    `Run ${runId} follows version ${semantics} of the replay rules; this program supports versions up to ${REPLAY_SEMANTICS}.`,
    { hint: `${HOW_TO_UPDATE}.` },
  );
}
