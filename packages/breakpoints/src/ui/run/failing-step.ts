/** What went wrong last, from the events and files of a run alone. Pure. */
import type { JournalEvent } from "@a5c-ai/babysitter-sdk/view";
import type { RunDetail, RunFileList } from "../../wire/run-wire.js";

export interface Failing {
  /** The event that tells of it; undefined while it is not here. */
  seq: number | undefined;
  /** Undefined when the process itself threw. */
  effectId: string | undefined;
  title: string;
  error: string;
  attempt: number | undefined;
  /** The log whose end tells most, with its last lines, where they are known before any file is. */
  log?: { path: string; lines: readonly string[] } | undefined;
}

const PROCESS = "The process itself";

/** What a run has failed on, as its server says it, who knows it before the events are here; undefined of other runs. */
export function toldFailure(
  { state, failing, error }: Pick<RunDetail, "state" | "failing" | "error">,
  events: readonly JournalEvent[],
): Failing | undefined {
  if (state !== "failed") return undefined;
  if (failing === undefined) {
    const seq = events.findLast(({ type }) => type === "RUN_FAILED")?.seq;
    return { seq, effectId: undefined, title: PROCESS, error: errorText(error ?? undefined), attempt: undefined };
  }
  const { effectId, title, message, attempt, logs, stderr, stdout } = failing;
  const path = logs.toSorted(byTelling)[0];
  return {
    seq: events.findLast((event) => event.type === "EFFECT_RESOLVED" && event.effectId === effectId)?.seq,
    effectId,
    title,
    error: message,
    attempt,
    log: path === undefined ? undefined : { path, lines: path.includes("/stderr") ? stderr : stdout },
  };
}

type Resolved = Extract<JournalEvent, { type: "EFFECT_RESOLVED" }>;

/**
 * The step that a run has failed on, or that has failed in a run that goes on, as long as nothing has followed from it.
 * A run that has failed without a failed step has failed by itself.
 */
export function failingStep(events: readonly JournalEvent[], titles: ReadonlyMap<string, string>): Failing | undefined {
  const end = events.findLast(isAboutEnd);
  const isFailed = end?.type === "RUN_FAILED";
  if (end !== undefined && !isFailed && end.type !== "RUN_REOPENED") return undefined;
  const step = lastFailure(events, isFailed);
  if (step !== undefined) return failureOf(step, titles);
  if (!isFailed) return undefined;
  return {
    seq: end.seq,
    effectId: undefined,
    title: PROCESS,
    error: errorText(end.payload.error),
    attempt: undefined,
  };
}

function isAboutEnd({ type }: JournalEvent): boolean {
  return type === "RUN_FAILED" || type === "RUN_REOPENED" || type === "RUN_COMPLETED" || type === "RUN_CANCELLED";
}

/** The last step that failed and was not tried again; while the run goes on only if it is the last result of all. */
function lastFailure(events: readonly JournalEvent[], isFailed: boolean): Resolved | undefined {
  const again = new Set<string>();
  for (let index = events.length - 1; index >= 0; index -= 1) {
    const event = events[index] as JournalEvent;
    if (event.type === "EFFECT_RETRIED" || event.type === "EFFECT_REOPENED") again.add(event.effectId);
    if (event.type !== "EFFECT_RESOLVED" || again.has(event.effectId)) continue;
    if (event.payload.status === "error") return event;
    if (!isFailed) return undefined;
  }
  return undefined;
}

function failureOf({ seq, effectId, taskId, payload }: Resolved, titles: ReadonlyMap<string, string>): Failing {
  return {
    seq,
    effectId,
    title: titles.get(effectId) ?? taskId,
    error: errorText(payload.error),
    attempt: payload.attempt,
  };
}

function errorText(error: { name?: string; message?: string } | undefined): string {
  return error?.message ?? "No reason given.";
}

type RunFile = RunFileList["files"][number];

/** The logs of a step, what it complained of first; those of earlier attempts after them. */
export function logsOf(files: readonly RunFile[], effectId: string): RunFile[] {
  return files
    .filter((file) => file.kind === "log" && file.effectId === effectId)
    .toSorted((a, b) => byTelling(a.path, b.path));
}

function byTelling(a: string, b: string): number {
  return logRank(a) - logRank(b) || (a < b ? 1 : -1);
}

function logRank(path: string): number {
  return (path.includes(".attempt-") ? 2 : 0) + (path.includes("/stderr") ? 0 : 1);
}

/** The log whose end tells most: errors, unless nothing was written there. */
export function tellingLog(files: readonly RunFile[], effectId: string): RunFile | undefined {
  const logs = logsOf(files, effectId);
  return logs.find(({ bytes }) => bytes > 0);
}

/** The last lines of a text, without the empty one after the last line break. */
export function lastLines(text: string, most: number): string[] {
  const lines = text.replace(/\n$/u, "").split("\n");
  return lines.slice(-most);
}
