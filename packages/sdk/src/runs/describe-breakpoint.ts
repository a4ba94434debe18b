/** Everything that a person needs to decide a question. */
import { blobValue } from "../journal/rules/blobs.js";
import type { BreakpointQuestion } from "../model/breakpoint-question.js";
import { type BreakpointResult, toBreakpointResult } from "../model/breakpoint-result.js";
import { BabysitterError } from "../model/errors.js";
import type { BreakpointCommented, BreakpointOpened, JournalEvent, ShownBase, ShownFile } from "../model/events.js";
import { defined, type JsonObject } from "../model/json.js";
import type { ContextFiles } from "../model/ports.js";
import { requestOf } from "../model/replay-index.js";
import { isFinished } from "../model/run-state.js";
import { readQuestion } from "./asked-question.js";
import { type BreakpointListing, breakpointState, type FoundBreakpoint, listingOf } from "./list-breakpoints.js";
import { openBreakpoints } from "./open-breakpoints.js";
import { recordedOutcome } from "./post-result.js";
import type { RunJournal } from "./run-journal.js";

/** A file as it was when the question was asked. */
export interface ShownContent extends Omit<ShownFile, "base"> {
  text?: string;
  /** What it is compared with. */
  base?: ShownBase & { text?: string };
  /** How the file differs now from what was asked about: `changed`, or why it can no longer be read. */
  now?: string;
}

/** A question with everything that it shows. */
export interface BreakpointDescription extends Omit<BreakpointListing, "options" | "comments"> {
  options: BreakpointQuestion["options"];
  facts: JsonObject;
  consequences?: NonNullable<BreakpointQuestion["consequences"]>;
  /** Hash of what is shown; a decision refers to it. */
  shown: string | null;
  files: ShownContent[];
  comments: (BreakpointCommented & { at: string })[];
  result: BreakpointResult | null;
  /** Decisions that no longer count because the question was asked again; missing if there are none. */
  earlier?: BreakpointResult[];
}

/** Describes a question; one that nobody has opened yet is opened by looking at it. */
export async function describeBreakpoint(
  { journal, request }: FoundBreakpoint,
  contextFiles: ContextFiles,
): Promise<BreakpointDescription> {
  const isOpen = request.resolution === undefined && !isFinished(journal.summary);
  // What a newer version has written to can be looked at, and only that.
  if (isOpen && journal.summary.newer === undefined) await openBreakpoints(journal, contextFiles);
  const { opened, comments, earlier } = await historyOf(journal, request.effectId);
  const listing = await listingOf(journal, request);
  const { options, facts, consequences } = await readQuestion(journal, { request });
  const { result } = await breakpointState(journal, request);
  return {
    ...listing,
    options,
    facts,
    ...defined({ consequences }),
    shown: opened?.shown ?? null,
    files: await Promise.all((opened?.files ?? []).map((file) => contentOf({ journal, request }, file, contextFiles))),
    comments,
    result: result ?? null,
    ...(earlier.length === 0 ? {} : { earlier }),
  };
}

/** What was shown and said since the question was opened last. */
export async function historyOf(
  journal: RunJournal,
  effectId: string,
): Promise<{
  opened: BreakpointOpened | undefined;
  comments: BreakpointDescription["comments"];
  earlier: BreakpointResult[];
}> {
  let opened: BreakpointOpened | undefined;
  let comments: BreakpointDescription["comments"] = [];
  let decided: JournalEvent | undefined;
  const earlier: BreakpointResult[] = [];
  for (const event of await eventsAbout(journal, effectId)) {
    if (event.type === "BREAKPOINT_OPENED") opened = event.payload;
    if (event.type === "BREAKPOINT_COMMENTED") comments.push({ ...event.payload, at: event.timestamp });
    if (event.type === "EFFECT_RESOLVED") decided = event;
    if (event.type === "EFFECT_REOPENED" || event.type === "EFFECT_RETRIED") {
      opened = undefined;
      comments = [];
      const { status, value } = decided === undefined ? {} : await recordedOutcome(journal, decided);
      if (status === "ok" && decided !== undefined) earlier.push(toBreakpointResult(value ?? null, decided.timestamp));
      decided = undefined;
    }
  }
  return { opened, comments, earlier };
}

/** Nothing is said about a question before it is asked: what lies before that in a long journal is not read. */
async function eventsAbout(journal: RunJournal, effectId: string): Promise<JournalEvent[]> {
  const { store } = journal.ports;
  const { seq = 1, earlier } = requestOf(await journal.index(), effectId) ?? {};
  const isAbout = (event: JournalEvent): boolean => event.effectId === effectId;
  if (store.walk === undefined) return ((await store.read(journal.runId, undefined)) ?? []).filter(isAbout);
  const found: JournalEvent[] = [];
  for await (const event of store.walk(journal.runId, journal.summary.head)) {
    if (isAbout(event)) found.push(event);
    if (event.seq <= (earlier?.[0]?.seq ?? seq)) break;
  }
  return found.toReversed();
}

async function contentOf(
  { journal, request }: FoundBreakpoint,
  { base, ...file }: ShownFile,
  contextFiles: ContextFiles,
): Promise<ShownContent> {
  const text: Partial<ShownContent> = {
    ...(await recordedText(journal, file)),
    ...(base === undefined ? {} : { base: { ...base, ...(await recordedText(journal, base)) } }),
  };
  if (file.sha256 === undefined || request.resolution !== undefined) return { ...file, ...text };
  const { runDir, place } = journal;
  const path = journal.relocated(file.path) as string;
  const current = await contextFiles.read(path, { runDir, projectRoot: place.projectRoot, entry: place.file });
  if (current.sha256 === file.sha256) return { ...file, ...text };
  const now = "refused" in current && current.sha256 === undefined ? current.refused : "changed";
  return { ...file, ...text, now };
}

/** The copy from the run. A damaged one must not hide the question, and must not be taken for what was shown. */
export async function recordedText(
  journal: RunJournal,
  { blob }: { blob?: string },
): Promise<{ text?: string; refused?: string }> {
  if (blob === undefined) return {};
  try {
    return { text: blobValue(blob, await journal.ports.store.getBlob(journal.runId, blob)) as string };
  } catch (error) {
    if (!BabysitterError.is(error)) throw error;
    return { refused: `its recorded copy cannot be read: ${error.message}` };
  }
}
