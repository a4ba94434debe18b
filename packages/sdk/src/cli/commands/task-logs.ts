/** `babysitter task:logs`: what a task has printed, raw for pipes, and what it prints while it runs. */
import path from "node:path";
import { FollowedFile } from "../../files/followed-file.js";
import { readRegularTail } from "../../files/read-regular-file.js";
import { openToLook } from "../../machine/choose-run.js";
import { listenToSignals } from "../../machine/driving/signals.js";
import type { EffectId } from "../../model/ids.js";
import { requestOf } from "../../model/replay-index.js";
import { isFinished, pendingOf } from "../../model/run-state.js";
import { forTerminal } from "../../model/terminal-text.js";
import { effectNamed } from "../../runs/effect-named.js";
import { effectNotFound } from "../../runs/post-result.js";
import type { RunJournal } from "../../runs/run-journal.js";
import { waitFor } from "../../runs/wait-for.js";
import { splitRunAndEffect } from "../arguments/effect-argument.js";
import type { Command } from "../grammar/invocation.js";
import { numberOption } from "../grammar/parse-arguments.js";
import { isTerminal } from "../output/is-terminal.js";
import { writeFully } from "../output/output.js";

/** More than is kept of any log; a terminal gets its end. */
const LARGEST_LOG = 64 * 1024 * 1024;
const TERMINAL_LINES = 1_000;
const LOOK_MS = 200;

export const command: Command = async (invocation) => {
  const { run, effect } = splitRunAndEffect(invocation);
  const { options, json } = invocation;
  const journal = await openToLook(invocation, run);
  const effectId = await effectNamed(journal, effect);
  if (requestOf(await journal.index(), effectId) === undefined) throw effectNotFound(effectId, journal);
  const taskDir = journal.ports.workspace.taskDir(journal.runId, effectId);
  const asked = numberOption(invocation.name, options, "lines");
  const logs = (["stdout", "stderr"] as const).map((name, index) => {
    const file = path.join(taskDir, `${name}.log`);
    const fd = index + 1;
    return { name, file, fd, ...beginningOf(file, asked ?? (isTerminal(fd) && !json ? TERMINAL_LINES : undefined)) };
  });
  if (json) {
    const [stdout, stderr] = logs.map(({ file, text }) => ({ file, text: text.toString("utf8") }));
    return { document: { runId: journal.runId, effectId, stdout, stderr }, text: "" };
  }
  const stop = new AbortController();
  const print = (fd: number, bytes: Buffer): void => {
    const text = isTerminal(fd)
      ? forTerminal(bytes.toString("utf8").replaceAll("\r\n", "\n"), { colours: true })
      : bytes;
    if (bytes.length > 0 && !writeFully(fd, text)) stop.abort();
  };
  for (const { fd, text, left, file } of logs) {
    if (left > 0 && asked === undefined) writeFully(2, `(the last ${TERMINAL_LINES} lines of ${file})\n`);
    print(fd, text);
  }
  if (options.flag("follow")) await follow(journal, effectId, { logs, print, stop });
  return { document: {}, text: "", raw: "" };
};

interface Following {
  logs: readonly { file: string; size: number; fd: number }[];
  print: (fd: number, bytes: Buffer) => void;
  stop: AbortController;
}

/** Prints what comes until the task has ended, nobody reads any more, or Ctrl-C. */
async function follow(journal: RunJournal, effectId: EffectId, { logs, print, stop }: Following): Promise<void> {
  const files = logs.map(({ file, size, fd }) => ({ fd, followed: new FollowedFile(file, size) }));
  const printNews = (): void => {
    for (const { fd, followed } of files)
      for (let bytes = followed.next(); bytes.length > 0; bytes = followed.next()) print(fd, bytes);
  };
  const timer = setInterval(printNews, LOOK_MS);
  const stopListening = listenToSignals(() => stop.abort());
  try {
    await waitFor(journal, () => (isPending(journal, effectId) ? undefined : true), { signal: stop.signal });
  } catch (error) {
    if (!stop.signal.aborted) throw error;
  } finally {
    clearInterval(timer);
    stopListening();
    printNews();
  }
}

function isPending({ summary }: RunJournal, effectId: EffectId): boolean {
  return pendingOf(summary, effectId) !== undefined && !isFinished(summary);
}

/** What is there now: all of it, or its last lines; `left`: how many bytes are before that. */
function beginningOf(file: string, lines: number | undefined): { text: Buffer; size: number; left: number } {
  const found = readRegularTail(file, LARGEST_LOG);
  if (found.kind !== "file") return { text: Buffer.alloc(0), size: 0, left: 0 };
  const { tail, size } = found;
  const start = lines === undefined ? 0 : startOfLast(tail, lines);
  return { text: tail.subarray(start), size, left: size - tail.length + start };
}

function startOfLast(bytes: Buffer, lines: number): number {
  if (lines === 0) return bytes.length;
  const last = bytes.length - 1;
  let at = bytes.at(last) === 0x0a ? last : bytes.length;
  for (let found = 0; found < lines; found += 1) {
    at = at === 0 ? -1 : bytes.lastIndexOf(0x0a, at - 1);
    if (at === -1) return 0;
  }
  return at + 1;
}
