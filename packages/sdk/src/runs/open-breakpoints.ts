/**
 * Opens questions: takes a picture of what people are to be shown, so that a decision is about what was there
 * when the process asked and not about what a file has become since.
 */
import type { AskedFile, BreakpointQuestion } from "../model/breakpoint-question.js";
import { KEPT_BYTES, SHOWN_FILES } from "../model/context-files.js";
import type { BreakpointOpened, ShownBase, ShownFile } from "../model/events.js";
import { canonicalJson, defined } from "../model/json.js";
import type { BaseFile, ContextFile, ContextFiles, ContextRoots } from "../model/ports.js";
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

/** What a file is compared with when the process does not say. */
const DEFAULT_BASE = "HEAD";

async function pictureOf(
  journal: RunJournal,
  asked: BreakpointQuestion,
  contextFiles: ContextFiles,
): Promise<BreakpointOpened> {
  const files = await new Album(journal, contextFiles).take(asked.files.slice(0, SHOWN_FILES));
  const left = asked.files.length - files.length;
  if (left > 0)
    files.push({
      path: `${left} more ${left === 1 ? "file" : "files"}`,
      refused: `only ${SHOWN_FILES} files are shown`,
    });
  const { question, title, options, risk, consequences } = asked;
  const subject = {
    question,
    title,
    options,
    risk,
    consequences,
    files: files.map(({ path, sha256, cutAt, refused, base }) => ({
      path,
      sha256,
      cutAt,
      refused,
      base: base?.sha256,
    })),
  };
  return { shown: contextFiles.sha256(canonicalJson(subject, "The question")), files };
}

/** Keeps copies of files in the run, up to a limit for all of them. */
class Album {
  readonly #journal: RunJournal;
  readonly #contextFiles: ContextFiles;
  readonly #roots: ContextRoots;
  #kept = 0;

  constructor(journal: RunJournal, contextFiles: ContextFiles) {
    const { runDir, place } = journal;
    this.#journal = journal;
    this.#contextFiles = contextFiles;
    this.#roots = { runDir, projectRoot: place.projectRoot, entry: place.file };
  }

  async take(asked: readonly AskedFile[]): Promise<ShownFile[]> {
    const files: ShownFile[] = [];
    const pathOf = ({ path }: AskedFile): string => this.#journal.relocated(path) as string;
    for (const { base: _, ...file } of asked)
      files.push({ ...file, ...(await this.#keep(await this.#contextFiles.read(pathOf(file), this.#roots))) });
    const compared = asked.flatMap((file, n) => (isCompared(files[n]) ? [{ file, n }] : []));
    if (compared.length === 0) return files;
    const bases = await this.#contextFiles.bases(
      compared.map(({ file }) => ({ path: pathOf(file), ref: file.base ?? DEFAULT_BASE })),
      this.#roots,
    );
    for (const [index, { file, n }] of compared.entries()) {
      const base = bases[index];
      // Nobody asked for a comparison, and a repository without commits has none.
      if (base === undefined || (file.base === undefined && base.commit === undefined)) continue;
      (files[n] as ShownFile).base = await this.#keepBase(base);
    }
    return files;
  }

  async #keepBase({ ref, commit, ...content }: BaseFile): Promise<ShownBase> {
    const { cutAt: _, ...kept } = await this.#keep(content);
    return { ref, ...defined({ commit }), ...kept };
  }

  async #keep(file: ContextFile): Promise<Omit<ShownFile, "path">> {
    if ("refused" in file) return file;
    const { text, sha256, bytes, cutAt } = file;
    this.#kept += Buffer.byteLength(text);
    if (this.#kept > KEPT_BYTES) return { sha256, bytes, refused: "the files of this question are too large together" };
    const { blob } = await this.#journal.ports.store.putBlob(this.#journal.runId, JSON.stringify(text));
    return { sha256, bytes, blob, ...defined({ cutAt }) };
  }
}

/** One that is gone is compared as well: it may have been deleted. */
function isCompared(file: ShownFile | undefined): boolean {
  return file !== undefined && (file.refused === undefined || file.refused === "missing");
}
