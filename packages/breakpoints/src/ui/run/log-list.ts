/** The logs of a run: of which step and attempt each is, and whether it still grows. */
import type { Timeline, TimelineAttempt, TimelineSpan } from "@a5c-ai/babysitter-sdk/view";
import type { RunFileList } from "../../wire/run-wire.js";

export interface LogEntry {
  path: string;
  effectId: string;
  title: string;
  stream: "stdout" | "stderr";
  attempt: number;
  /** The step was tried more than once. */
  isOneOfMany: boolean;
  state: "running" | "ok" | "failed" | "unknown";
  bytes: number;
  modifiedAt: string;
}

const NAME = /(?:^|\/)(stdout|stderr)(?:\.attempt-(\d+))?\.log$/u;

/** Those that grow first, then in the order of the steps. */
export function logEntries({ files }: Pick<RunFileList, "files">, timeline: Timeline | undefined): LogEntry[] {
  const spans = new Map((timeline?.spans ?? []).map((span) => [span.id, span]));
  const entries = files.flatMap((file) => {
    const name = file.kind === "log" ? NAME.exec(file.path) : null;
    if (name === null) return [];
    const effectId = file.effectId ?? "";
    const span = spans.get(effectId);
    const entry = entryOf(file, span, {
      isOver: timeline?.isOver ?? true,
      stream: name[1] === "stderr" ? "stderr" : "stdout",
      attempt: name[2] === undefined ? undefined : Number(name[2]),
    });
    return [{ entry, seq: span?.seq ?? Number.MAX_SAFE_INTEGER }];
  });
  return entries
    .toSorted(
      (a, b) =>
        Number(b.entry.state === "running") - Number(a.entry.state === "running") ||
        a.seq - b.seq ||
        a.entry.attempt - b.entry.attempt ||
        order(a.entry).localeCompare(order(b.entry)),
    )
    .map(({ entry }) => entry);
}

function order({ stream, path }: LogEntry): string {
  return `${stream === "stdout" ? 0 : 1} ${path}`;
}

function entryOf(
  { path, bytes, modifiedAt, effectId = "" }: RunFileList["files"][number],
  span: TimelineSpan | undefined,
  { attempt: named, stream, isOver }: { attempt: number | undefined; stream: LogEntry["stream"]; isOver: boolean },
): LogEntry {
  const newest = span?.attempts.at(-1);
  const attempt = named ?? newest?.attempt ?? 1;
  const known = span?.attempts.findLast((one) => one.attempt === attempt);
  return {
    path,
    effectId,
    title: span?.title ?? effectId,
    stream,
    attempt,
    isOneOfMany: (newest?.attempt ?? 1) > 1 || attempt > 1,
    state: stateOf(known, !isOver && named === undefined),
    bytes,
    modifiedAt,
  };
}

/** `mayRun`: nothing has taken its place, and the run goes on. */
function stateOf(attempt: TimelineAttempt | undefined, mayRun: boolean): LogEntry["state"] {
  if (attempt === undefined) return "unknown";
  if (attempt.end === "running") return mayRun ? "running" : "unknown";
  return attempt.end === "ok" ? "ok" : "failed";
}

/** What somebody most likely came for: what runs, else what failed last, else the first that says anything. */
export function firstLog(entries: readonly LogEntry[]): LogEntry | undefined {
  const said = entries.filter(({ bytes, state }) => bytes > 0 || state === "running");
  return (
    said.find(({ state }) => state === "running") ??
    said.findLast(({ state, stream }) => state === "failed" && stream === "stderr") ??
    said.findLast(({ state }) => state === "failed") ??
    said[0]
  );
}
