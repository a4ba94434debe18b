/** Questions over all runs: which are open, and which one someone means. Nothing here writes to a journal. */
import { type BreakpointResult, toBreakpointResult } from "../model/breakpoint-result.js";
import { BabysitterError } from "../model/errors.js";
import type { RunId } from "../model/ids.js";
import { defined } from "../model/json.js";
import type { Ports } from "../model/ports.js";
import { isFinished, type RecordedRequest, requestOf, statusOf } from "../model/run-state.js";
import { readQuestion } from "./asked-question.js";
import { recordedOutcome } from "./post-result.js";
import { RunJournal } from "./run-journal.js";

/** `abandoned`: its run ended before anyone answered. */
export type BreakpointState = "open" | "approved" | "rejected" | "failed" | "abandoned";

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
  /** The run belongs to a session of an agent. */
  session?: string;
}

/** The journals that can be read, of the run that was named or of all. */
export async function openJournals(ports: Ports, runId?: RunId): Promise<RunJournal[]> {
  if (runId !== undefined) return [await RunJournal.open(ports, runId)];
  const journals: RunJournal[] = [];
  for (const listing of await ports.store.list()) {
    if (listing.foreign) continue;
    try {
      journals.push(await RunJournal.open(ports, listing.runId));
    } catch (error) {
      // One damaged run must not hide the questions of the others; `run:list` shows it.
      if (!BabysitterError.is(error)) throw error;
    }
  }
  return journals;
}

/** Questions, the oldest first: the open ones of runs that can continue, or every one ever asked. */
export async function listBreakpoints(
  journals: readonly RunJournal[],
  { all }: { all: boolean },
): Promise<BreakpointListing[]> {
  const rows: BreakpointListing[] = [];
  for (const journal of journals) {
    const state = statusOf(journal.summary);
    if (!all && (isFinished(journal.summary) || state === "failed")) continue;
    if (!all && !Object.values(journal.summary.pending).some(({ kind }) => kind === "breakpoint")) continue;
    for (const request of await breakpointsOf(journal)) {
      if (all || request.resolution === undefined) rows.push(await listingOf(journal, request));
    }
  }
  return rows.toSorted((a, b) => Date.parse(a.askedAt) - Date.parse(b.askedAt));
}

async function breakpointsOf(journal: RunJournal): Promise<RecordedRequest[]> {
  return Object.values((await journal.index()).requests).filter(({ kind }) => kind === "breakpoint");
}

/** One question and how it stands. */
export async function listingOf(journal: RunJournal, request: RecordedRequest): Promise<BreakpointListing> {
  const { runId, runDir, summary } = journal;
  const { question, title, risk, options } = await readQuestion(journal, {
    request,
    ...defined({ title: request.title }),
  });
  const { state } = await breakpointState(journal, request);
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
    comments: summary.pending[request.effectId]?.comments?.length ?? 0,
  };
}

/** How a question stands, and the answer when there is one. */
export async function breakpointState(
  journal: RunJournal,
  { resolution }: Pick<RecordedRequest, "resolution">,
): Promise<{ state: BreakpointState; result?: BreakpointResult }> {
  if (resolution === undefined) return { state: isFinished(journal.summary) ? "abandoned" : "open" };
  const event = await journal.ports.store.readAt(journal.runId, resolution);
  const recorded = await recordedOutcome(journal, event);
  if (recorded.status !== "ok") return { state: "failed" };
  const result = toBreakpointResult(recorded.value ?? null, resolution.at);
  return { state: result.approved ? "approved" : "rejected", result };
}

export interface FoundBreakpoint {
  journal: RunJournal;
  request: RecordedRequest;
}

/** The question that an id, or the unique beginning of one, means; open ones are looked at first. */
export async function findBreakpoint(journals: readonly RunJournal[], id: string): Promise<FoundBreakpoint> {
  const open = journals.filter(({ summary }) => !isFinished(summary));
  const isPending = ({ summary }: RunJournal): boolean =>
    Object.values(summary.pending).some(({ effectId, kind }) => kind === "breakpoint" && isMeant(effectId, id));
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
  for (const journal of journals) {
    const exact = requestOf(await journal.index(), id);
    if (exact?.kind === "breakpoint") return [{ journal, request: exact }];
    for (const request of await breakpointsOf(journal)) {
      if (isMeant(request.effectId, id) && (!open || request.resolution === undefined))
        found.push({ journal, request });
    }
  }
  return found;
}

const PREFIX = "effect-";
/** Shorter beginnings are more likely a slip than an id. */
const MIN_PREFIX = 3;

function isMeant(effectId: string, id: string): boolean {
  const tail = id.startsWith(PREFIX) ? id.slice(PREFIX.length) : id;
  return effectId === id || (tail.length >= MIN_PREFIX && effectId.startsWith(`${PREFIX}${tail}`));
}
