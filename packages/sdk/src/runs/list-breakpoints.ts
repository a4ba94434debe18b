/** Questions over all runs: which are open, and which one someone means. Nothing here writes to a journal. */
import { type BreakpointResult, toBreakpointResult } from "../model/breakpoint-result.js";
import { BabysitterError } from "../model/errors.js";
import type { RunId } from "../model/ids.js";
import { defined } from "../model/json.js";
import type { Ports } from "../model/ports.js";
import { type RecordedRequest, requestOf } from "../model/replay-index.js";
import { isFinished, statusOf } from "../model/run-state.js";
import { isShortFor } from "../model/short-names.js";
import { readQuestion } from "./asked-question.js";
import { canBeAnswered, isNoted, isNotedOver, type ListedNote, NotedRuns, type TimedNote } from "./noted-runs.js";
import { recordedOutcome } from "./post-result.js";
import { RunJournal } from "./run-journal.js";
import { ifReadable, type OnUnreadable } from "./unreadable-runs.js";

/** `abandoned`: its run ended before anyone answered. */
export type BreakpointState = "open" | "approved" | "rejected" | "failed" | "abandoned";

/** A question as lists show it. */
export interface BreakpointListing {
  breakpointId: string;
  runId: string;
  runDir: string;
  state: BreakpointState;
  question: string;
  title?: string;
  risk?: string;
  options: string[];
  askedAt: string;
  decidedAt?: string;
  comments: number;
  /** Of the answer. */
  respondedBy?: string;
  via?: string;
  option?: string;
  feedback?: string;
  /** The run belongs to a session of an agent. */
  session?: string;
}

/** The journals that can be read, of the run that was named or of all; one damaged run must not hide the others. */
export async function openJournals(ports: Ports, runId?: RunId, onUnreadable?: OnUnreadable): Promise<RunJournal[]> {
  return runId === undefined
    ? openExcept(ports, { skip: () => false }, onUnreadable)
    : [await RunJournal.open(ports, runId)];
}

/** The journals of all runs that can be read, by name, without those that nobody needs: by their notes, or even without. */
export async function openExcept(
  ports: Ports,
  {
    skip,
    skipUnread = () => false,
  }: { skip: (runId: RunId, noted: TimedNote) => boolean; skipUnread?: (listing: ListedNote) => boolean },
  onUnreadable: OnUnreadable = () => undefined,
): Promise<RunJournal[]> {
  const journals: RunJournal[] = [];
  const noted = await NotedRuns.list(ports);
  for (const listing of noted.runs) {
    if (listing.foreign || skipUnread(listing)) continue;
    const { runId } = listing;
    if (isNoted(listing) && skip(runId, listing)) continue;
    const journal = await ifReadable({ ports, runId }, onUnreadable, () => RunJournal.open(ports, runId));
    if (journal !== undefined && !skip(runId, noted.add(journal))) journals.push(journal);
  }
  await noted.save();
  return journals.toSorted((a, b) => (a.runId < b.runId ? -1 : 1));
}

/** The open questions of all runs, the oldest first. */
export async function listOpenBreakpoints(ports: Ports, onUnreadable: OnUnreadable): Promise<BreakpointListing[]> {
  const skip = { skip: (_: RunId, { note }: TimedNote) => note.asks !== true, skipUnread: isNotedOver };
  const journals = await openExcept(ports, skip, onUnreadable);
  return listBreakpoints(journals, { all: false, onUnreadable });
}

/**
 * Questions, the oldest first: the open ones of runs that can continue, or every one ever asked. A run that turns out to
 * be damaged is an error, unless someone wants to be told of it.
 */
export async function listBreakpoints(
  journals: readonly RunJournal[],
  { all, onUnreadable }: { all: boolean; onUnreadable?: OnUnreadable },
): Promise<BreakpointListing[]> {
  const rows: BreakpointListing[] = [];
  for (const journal of journals) {
    if (!all && !canBeAnswered(journal.summary, statusOf(journal.summary))) continue;
    const list = async (): Promise<BreakpointListing[]> => listingsOf(journal, all);
    rows.push(...((onUnreadable === undefined ? await list() : await ifReadable(journal, onUnreadable, list)) ?? []));
  }
  return rows.toSorted((a, b) => Date.parse(a.askedAt) - Date.parse(b.askedAt));
}

async function listingsOf(journal: RunJournal, all: boolean): Promise<BreakpointListing[]> {
  const rows: BreakpointListing[] = [];
  for (const request of await breakpointsOf(journal)) {
    if (all || isOpen(request)) rows.push(await listingOf(journal, request));
  }
  return rows;
}

async function breakpointsOf(journal: RunJournal): Promise<RecordedRequest[]> {
  return Object.values((await journal.index()).requests).filter(({ kind }) => kind === "breakpoint");
}

/** Whoever answers a question that is to be asked anew would answer the old one. */
function isOpen({ resolution, retried, dropped }: RecordedRequest): boolean {
  return resolution === undefined && retried === undefined && dropped === undefined;
}

/** One question and how it stands. */
export async function listingOf(journal: RunJournal, request: RecordedRequest): Promise<BreakpointListing> {
  const { runId, runDir, summary } = journal;
  const { question, title, risk, options } = await readQuestion(journal, {
    request,
    ...defined({ title: request.title }),
  });
  const { state, result } = await breakpointState(journal, request);
  const { respondedBy, via, option, feedback } = result ?? {};
  return {
    breakpointId: request.effectId,
    runId,
    runDir,
    state,
    question,
    ...defined({ title, risk }),
    options: options.map(({ label }) => label),
    askedAt: request.at,
    ...defined({ decidedAt: request.resolution?.at, session: summary.created.session }),
    ...defined({ respondedBy, via, option, feedback }),
    comments: summary.pending[request.effectId]?.comments?.length ?? result?.comments.length ?? 0,
  };
}

/** How a question stands, and the answer when there is one. */
export async function breakpointState(
  journal: RunJournal,
  { resolution, dropped }: Pick<RecordedRequest, "resolution" | "dropped">,
): Promise<{ state: BreakpointState; result?: BreakpointResult }> {
  if (resolution === undefined) return { state: isFinished(journal.summary) || dropped ? "abandoned" : "open" };
  const event = await journal.ports.store.readAt(journal.runId, resolution);
  const recorded = await recordedOutcome(journal, event);
  if (recorded.status !== "ok") return { state: "failed" };
  const result = toBreakpointResult(recorded.value ?? null, resolution.at);
  return { state: result.approved ? "approved" : "rejected", result };
}

/** A question, and the run that asks it. */
export interface FoundBreakpoint {
  journal: RunJournal;
  request: RecordedRequest;
}

/** The question that an id, or a unique short form of one, means; open ones are looked at first. */
export async function findBreakpoint(journals: readonly RunJournal[], id: string): Promise<FoundBreakpoint> {
  const open = journals.filter(({ summary }) => !isFinished(summary));
  const isPending = ({ summary }: RunJournal): boolean =>
    Object.values(summary.pending).some(({ effectId, kind }) => kind === "breakpoint" && isShortFor(effectId, id));
  const waiting = await matches(open.filter(isPending), id, true);
  const found = waiting.length > 0 ? waiting : await matches(journals, id, false);
  const [only, ...others] = found;
  if (only !== undefined && others.length === 0) return only;
  const names = found.map(({ request, journal }) => `${request.effectId} (${journal.runId})`);
  throw new BabysitterError(
    "BREAKPOINT_NOT_FOUND",
    only === undefined
      ? `There is no question ${JSON.stringify(id)} in these runs.`
      : `${JSON.stringify(id)} matches ${found.length} questions.`,
    {
      hint:
        only === undefined
          ? "`babysitter breakpoint:list` lists the open ones; use --run to name a run, --runs-dir for another directory."
          : names.slice(0, 10).join("  "),
      details: { id, found: names },
    },
  );
}

async function matches(journals: readonly RunJournal[], id: string, open: boolean): Promise<FoundBreakpoint[]> {
  const found: FoundBreakpoint[] = [];
  // Copies of a run have the same questions: nobody can know which one is to be decided.
  const exact: FoundBreakpoint[] = [];
  for (const journal of journals) {
    const request = requestOf(await journal.index(), id);
    if (request?.kind === "breakpoint") {
      exact.push({ journal, request });
      // To be read, one is as good as the other.
      if (!open) return exact;
      continue;
    }
    for (const other of await breakpointsOf(journal)) {
      if (isShortFor(other.effectId, id) && (!open || isOpen(other))) found.push({ journal, request: other });
    }
  }
  return exact.length > 0 ? exact : found;
}
