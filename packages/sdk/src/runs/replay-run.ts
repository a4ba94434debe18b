/** Replays recorded journals against today's code. Nothing is written or executed, and nobody is asked. */
import { BabysitterError, type RecordedError, recordError } from "../model/errors.js";
import type { RunId } from "../model/ids.js";
import { canonicalJson, defined, type Json, type JsonObject } from "../model/json.js";
import type { Ports, ProcessCode } from "../model/ports.js";
import { hasProcess, type RunStatus, statusOf } from "../model/run-state.js";
import { HOW_TO_UPDATE } from "../model/version.js";
import type { NewRequest } from "../replay/call.js";
import { type Progress, stoppedError } from "../replay/process-standing.js";
import { divergedError, divergenceReport } from "./divergence-report.js";
import { readOnlyPorts } from "./read-only-ports.js";
import { RunJournal } from "./run-journal.js";
import { deliveryOf, startProcess } from "./start-process.js";

/** How a run ended, or what an open one would do next. */
interface ReplayEnd {
  state: "completed" | "failed" | "open";
  output?: Json;
  error?: { name: string; message: string };
}

export interface ReplayAnswer {
  runId: RunId;
  runDir: string;
  /** `cannot`: there was nothing to compare, because the code or the journal cannot be read. */
  verdict: "same" | "differs" | "cannot";
  state?: RunStatus;
  recorded?: ReplayEnd;
  replayed?: ReplayEnd;
  /** What an open run would ask for, beyond everything that it has asked for before. */
  wouldAskFor?: { invocationKey: string; taskId: string; kind: string; args: Json; location?: string }[];
  /** The divergence exactly as run:iterate reports it, or what stood in the way. */
  error?: JsonObject;
  warnings?: string[];
}

/** One run; which code is replayed is for `ports.locate` to say. */
export async function replayRun(ports: Ports, runId: RunId, options: { quietLimitMs: number }): Promise<ReplayAnswer> {
  const answer = { runId, runDir: ports.workspace.runDir(runId) };
  let journal: RunJournal | undefined;
  try {
    journal = await RunJournal.open(readOnlyPorts(ports), runId);
    return { ...answer, state: statusOf(journal.summary), ...(await compare(journal, options)) };
  } catch (error) {
    if (!BabysitterError.is(error)) throw error;
    const state = journal === undefined ? {} : { state: statusOf(journal.summary) };
    return { ...answer, ...state, verdict: "cannot", error: error.toDocument().error };
  }
}

type Comparison = Omit<ReplayAnswer, "runId" | "runDir" | "state">;

async function compare(journal: RunJournal, options: { quietLimitMs: number }): Promise<Comparison> {
  const { newer, created } = journal.summary;
  if (newer !== undefined) throw engineTooOld(journal.runId, newer);
  if (!hasProcess(created))
    return { verdict: "same", warnings: ["It is a loop without a process: nothing to replay."] };
  // Without a folder for its cache the loader leaves no trace either.
  const code = journal.inspectCode({ afresh: true });
  const progress = await replay(journal, code, options);
  const { standing } = progress;
  const warnings = progress.warnings.length > 0 ? { warnings: progress.warnings } : {};
  if (standing.is === "diverged") {
    const error = divergedError(journal.runId, await divergenceReport(journal, standing, code));
    return { verdict: "differs", error: error.toDocument().error, ...warnings };
  }
  if (standing.is === "stalled" || standing.is === "refused")
    return {
      verdict: "differs",
      error: stoppedError(standing, created.entry.path).toDocument().error,
      ...warnings,
    };
  const recorded = await recordedEnd(journal);
  const replayed = endOf(standing);
  const asked = progress.requests.map(describeRequest);
  const more = asked.length === 0 ? {} : { wouldAskFor: asked };
  const same =
    recorded.state === "open" ? mayGoOn(journal, replayed) : asked.length === 0 && isSame(journal, recorded, replayed);
  return { verdict: same ? "same" : "differs", recorded, replayed, ...more, ...warnings };
}

async function replay(journal: RunJournal, code: ProcessCode, options: { quietLimitMs: number }): Promise<Progress> {
  const index = await journal.index();
  const interpreter = await startProcess(journal, code, { ...options, index });
  try {
    const { resolved } = index;
    return await interpreter.advance(resolved.map((request) => deliveryOf(journal, request)));
  } finally {
    interpreter.close();
  }
}

/** Wherever the run was when it ended. */
function isSame(journal: RunJournal, recorded: ReplayEnd, replayed: ReplayEnd): boolean {
  const text = (end: ReplayEnd): string => canonicalJson(journal.relocated(end as unknown as Json), "The end");
  return text(recorded) === text(replayed);
}

/** An open run may ask for more. It may also end, unless a request behind the last result shows that it has gone on from there before. */
function mayGoOn({ summary: { lastAfter, lastResolution } }: RunJournal, replayed: ReplayEnd): boolean {
  return replayed.state === "open" || lastAfter < lastResolution;
}

async function recordedEnd(journal: RunJournal): Promise<ReplayEnd> {
  const { completed, failed } = journal.summary;
  if (completed !== undefined) return { state: "completed", output: await journal.valueOf(completed.output) };
  if (failed === undefined) return { state: "open" };
  // The summary keeps only the beginning of a long message.
  const events = (await journal.ports.store.read(journal.runId, undefined)) ?? [];
  const last = events.findLast((event) => event.type === "RUN_FAILED");
  return { state: "failed", error: brief(last?.payload.error ?? failed.error) };
}

function endOf(standing: Extract<Progress["standing"], { is: "open" | "completed" | "failed" }>): ReplayEnd {
  if (standing.is === "completed") return { state: "completed", output: standing.output };
  return standing.is === "failed" ? { state: "failed", error: brief(recordError(standing.error)) } : { state: "open" };
}

function brief({ name, message }: RecordedError): { name: string; message: string } {
  return { name, message };
}

function describeRequest({ invocationKey, taskId, kind, args, location }: NewRequest): {
  invocationKey: string;
  taskId: string;
  kind: string;
  args: Json;
  location?: string;
} {
  return defined({ invocationKey, taskId, kind, args, location });
}

function engineTooOld(
  runId: RunId,
  { seq, type, writer }: { seq: number; type: string; writer: string },
): BabysitterError {
  return new BabysitterError(
    "ENGINE_TOO_OLD",
    `Event ${seq} (${type}) of run ${runId} was written by version ${writer}, which is newer than this one.`,
    { hint: `${HOW_TO_UPDATE}.` },
  );
}
