/** Reads what the index keeps of a run. */
import path from "node:path";
import { BabysitterError } from "@a5c-ai/babysitter-sdk";
import {
  type BreakpointListing,
  listBreakpoints,
  parseRunId,
  RunJournal,
  type RunSummary,
  statusOf,
} from "@a5c-ai/babysitter-sdk/operate";
import type { RunReading } from "../index/question-index.js";
import type { QuestionRow } from "../wire/inbox-wire.js";
import type { Place } from "./places.js";

/** `nothing`: no run of ours, or no longer. `later`: this machine is out of something; that says nothing of the run. */
export type ReadRun = Omit<RunReading, "stamp"> | "nothing" | "later";

export async function readRun(place: Place, name: string): Promise<ReadRun> {
  try {
    const journal = await RunJournal.open(place.ports, parseRunId(name));
    const listings = await listBreakpoints([journal], { all: true });
    return { unfinished: isUnfinished(journal.summary), questions: questionsOf(place, journal.summary, listings) };
  } catch (error) {
    if (!BabysitterError.is(error)) throw error;
    if (["RUN_NOT_FOUND", "FOREIGN_RUN", "INVALID_ID"].includes(error.code)) return "nothing";
    if (error.code === "SYSTEM_REFUSED") return "later";
    return { unfinished: false, problem: error.message, questions: [] };
  }
}

/** A failed run can be retried. */
function isUnfinished(summary: RunSummary): boolean {
  return !["completed", "cancelled"].includes(statusOf(summary));
}

function questionsOf(
  place: Place,
  summary: RunSummary,
  listings: readonly BreakpointListing[],
): RunReading["questions"] {
  return listings.flatMap((listing) => {
    const state = stateOf(summary, listing);
    if (state === undefined) return [];
    const endedAt = listing.decidedAt ?? endOf(summary);
    return [{ effect: listing.breakpointId, endedAt, row: { ...rowOf(place, summary, listing), state } }];
  });
}

/** Undefined for a question that the process is about to ask anew: whoever answered it would answer the old one. */
function stateOf(summary: RunSummary, { state, breakpointId }: BreakpointListing): QuestionRow["state"] | undefined {
  if (state !== "open") return state;
  if (!Object.hasOwn(summary.pending, breakpointId)) return undefined;
  // An answer would not continue the run.
  return statusOf(summary) === "failed" ? "abandoned" : "open";
}

function endOf({ completed, cancelled, failed, head }: RunSummary): string {
  return (completed ?? cancelled ?? failed)?.at ?? head.timestamp;
}

function rowOf(
  { projectRoot }: Place,
  summary: RunSummary,
  listing: BreakpointListing,
): Omit<QuestionRow, "id" | "state"> {
  const { question, title, risk, askedAt, comments, decidedAt, respondedBy, via, option, feedback } = listing;
  const waits = Object.values(summary.pending).every(({ kind }) => kind === "breakpoint");
  return {
    question,
    ...given({ title, risk }),
    project: { name: path.basename(projectRoot) || projectRoot, root: projectRoot },
    run: { id: listing.runId, process: summary.created.processId },
    stops: waits ? "run" : "part",
    agent: summary.created.session !== undefined || (summary.loop?.sessions.length ?? 0) > 0,
    askedAt,
    commentCount: comments,
    ...given({ readOnly: whyReadOnly(summary), decidedAt, by: respondedBy, via, option, reason: feedback }),
  };
}

function whyReadOnly({ newer }: RunSummary): string | undefined {
  return newer === undefined
    ? undefined
    : `Version ${newer.writer} of Babysitter has written to this run, which is newer than this server. Update it to decide here.`;
}

/** Answers come from journals, where anything may stand. */
function given<T extends Record<string, unknown>>(fields: T): { [K in keyof T]?: string } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => typeof value === "string")) as {
    [K in keyof T]?: string;
  };
}
