/** What the tasks of a run print, followed in their logs: also of tasks that another program executes. */
import path from "node:path";
import type { Progress } from "../../drive/progress.js";
import { FollowedLines } from "../../files/followed-file.js";
import { readRegularTail } from "../../files/read-regular-file.js";
import type { JournalEvent } from "../../model/events.js";
import { outputTail, tailBytes } from "../../model/failure.js";
import { isReadable } from "./progress-model.js";

export interface PrintedLine {
  effectId: string;
  stream: "stdout" | "stderr";
  line: string;
}

type Streams = Record<PrintedLine["stream"], FollowedLines>;

const BEGINS: ReadonlySet<string> = new Set(["EFFECT_STARTED"]);
const ENDS: ReadonlySet<string> = new Set(["EFFECT_ATTEMPT_FAILED", "EFFECT_RESOLVED"]);

export class TaskLogs {
  #runDir = "";
  readonly #open = new Map<string, Streams>();

  /** Notes who runs; answers what a task that has ended printed last. */
  take(progress: Progress): PrintedLine[] {
    if (progress.type === "opened") this.#runDir = progress.run.runDir;
    if (progress.type !== "event" || !isReadable(progress.event)) return [];
    const { type, effectId } = progress.event as JournalEvent & { effectId: string };
    if (BEGINS.has(type)) this.#open.set(effectId, this.#streamsOf(effectId));
    if (!ENDS.has(type)) return [];
    const streams = this.#open.get(effectId);
    this.#open.delete(effectId);
    // What is past was printed to others.
    return streams === undefined || progress.past ? [] : linesOf(effectId, streams, true);
  }

  /** What the running tasks have printed since the last time. */
  news(): PrintedLine[] {
    return [...this.#open].flatMap(([effectId, streams]) => linesOf(effectId, streams, false));
  }

  #streamsOf(effectId: string): Streams {
    const dir = path.join(this.#runDir, "tasks", effectId);
    return {
      stdout: new FollowedLines(path.join(dir, "stdout.log")),
      stderr: new FollowedLines(path.join(dir, "stderr.log")),
    };
  }
}

/** The last lines that a task has printed, of each of its streams. */
export function printedTail(runDir: string, effectId: string): Record<PrintedLine["stream"], string[]> {
  const tail = (stream: string): string[] => {
    try {
      const file = path.join(runDir, "tasks", effectId, `${stream}.log`);
      const found = readRegularTail(file, tailBytes());
      return found.kind === "file" ? outputTail(found.tail.toString("utf8")) : [];
    } catch {
      return [];
    }
  };
  return { stdout: tail("stdout"), stderr: tail("stderr") };
}

function linesOf(effectId: string, streams: Streams, isEnd: boolean): PrintedLine[] {
  return (["stdout", "stderr"] as const).flatMap((stream) =>
    streams[stream].next({ isEnd }).map((line) => ({ effectId, stream, line })),
  );
}
