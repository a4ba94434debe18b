/**
 * Opens questions: takes a picture of what people are to be shown, so that a decision is about what was there
 * when the process asked and not about what a file has become since.
 */
import type { AskedFile, BreakpointQuestion } from "../model/breakpoint-question.js";
import { SHOWN_FILES } from "../model/context-files.js";
import type { BreakpointOpened, ShownFile } from "../model/events.js";
import { canonicalJson, defined } from "../model/json.js";
import type { ContextFiles } from "../model/ports.js";
import { isFinished, type PendingEffect, pendingOf } from "../model/run-state.js";
import { readQuestion } from "./asked-question.js";
import type { RunJournal } from "./run-journal.js";

export interface OpenedBreakpoint extends BreakpointOpened {
  pending: PendingEffect;
  question: BreakpointQuestion;
}

/** Opens every pending question that is not open yet; answers those that this call has opened. */
export async function openBreakpoints(journal: RunJournal, contextFiles: ContextFiles): Promise<OpenedBreakpoint[]> {
  if (isFinished(journal.summary)) return [];
  const opened: OpenedBreakpoint[] = [];
  for (const pending of Object.values(journal.summary.pending)) {
    if (pending.kind !== "breakpoint" || pending.shown !== undefined) continue;
    const question = await readQuestion(journal, pending);
    const payload = await pictureOf(journal, question, contextFiles);
    if (await open(journal, pending, payload)) opened.push({ pending, question, ...payload });
  }
  return opened;
}

async function open(journal: RunJournal, pending: PendingEffect, payload: BreakpointOpened): Promise<boolean> {
  const { effectId, invocationKey, taskId, attempt } = pending;
  const timestamp = journal.ports.clock.now().toISOString();
  const events = await journal.commit((summary, appended) => {
    const now = pendingOf(summary, effectId);
    const isOurs = now !== undefined && now.shown === undefined && now.attempt === attempt;
    if (appended.length > 0 || isFinished(summary) || !isOurs) return [];
    return [{ type: "BREAKPOINT_OPENED", timestamp, effectId, invocationKey, taskId, payload }];
  });
  return events.length > 0;
}

async function pictureOf(
  journal: RunJournal,
  asked: BreakpointQuestion,
  contextFiles: ContextFiles,
): Promise<BreakpointOpened> {
  const files: ShownFile[] = [];
  for (const file of asked.files.slice(0, SHOWN_FILES)) files.push(await pictureOfFile(journal, file, contextFiles));
  const left = asked.files.length - files.length;
  if (left > 0)
    files.push({
      path: `${left} more ${left === 1 ? "file" : "files"}`,
      refused: `only ${SHOWN_FILES} files are shown`,
    });
  const { question, title, options, risk } = asked;
  const subject = {
    question,
    title,
    options,
    risk,
    files: files.map(({ path, sha256, cutAt, refused }) => ({ path, sha256, cutAt, refused })),
  };
  return { shown: contextFiles.sha256(canonicalJson(subject, "The question")), files };
}

async function pictureOfFile(journal: RunJournal, asked: AskedFile, contextFiles: ContextFiles): Promise<ShownFile> {
  const { ports, runDir, runId, place } = journal;
  const asIs = journal.relocated(asked.path) as string;
  const file = await contextFiles.read(asIs, { runDir, projectRoot: place.projectRoot, entry: place.file });
  if ("refused" in file) return { ...asked, ...file };
  const { text, sha256, bytes, cutAt } = file;
  const { blob } = await ports.store.putBlob(runId, JSON.stringify(text));
  return { ...asked, sha256, bytes, blob, ...defined({ cutAt }) };
}
