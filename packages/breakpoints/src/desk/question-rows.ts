/** The rows of a run's questions, from what its journal says. */
import path from "node:path";
import { type BreakpointListing, type RunSummary, statusOf } from "@a5c-ai/babysitter-sdk/operate";
import type { RunReading } from "../index/question-index.js";
import type { QuestionRow } from "../wire/inbox-wire.js";

type Row = RunReading["questions"][number];

/** Nobody reads more of a text in a list. */
const MAX_TEXT = 2_000;

/** A row as lists show it. */
export function briefly<R extends Omit<QuestionRow, "id">>(row: R): R {
  const { question, title, reason } = row;
  return { ...row, question: cut(question), ...given({ title: title && cut(title), reason: reason && cut(reason) }) };
}

function cut(text: string): string {
  // Not within a character.
  return text.length <= MAX_TEXT ? text : `${text.slice(0, MAX_TEXT).replace(/[\ud800-\udbff]$/u, "")}…`;
}

export function questionRows(
  { projectRoot }: { projectRoot: string },
  summary: RunSummary,
  listings: readonly BreakpointListing[],
): Row[] {
  return listings.flatMap((listing) => {
    const state = stateOf(summary, listing);
    if (state === undefined) return [];
    const endedAt = listing.decidedAt ?? endOf(summary);
    return [{ effect: listing.breakpointId, endedAt, row: { ...rowOf(projectRoot, summary, listing), state } }];
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
  projectRoot: string,
  summary: RunSummary,
  listing: BreakpointListing,
): Omit<QuestionRow, "id" | "state"> {
  const { question, title, risk, askedAt, comments, decidedAt, respondedBy, via, option, feedback } = listing;
  const onlyAsks = Object.values(summary.pending).every(({ kind }) => kind === "breakpoint");
  return {
    question,
    ...given({ title, risk }),
    project: { name: path.basename(projectRoot) || projectRoot, root: projectRoot },
    run: { id: listing.runId, process: summary.created.processId },
    stops: onlyAsks ? "run" : "part",
    agent: summary.created.session !== undefined || (summary.loop?.sessions.length ?? 0) > 0,
    askedAt,
    commentCount: comments,
    ...given({ readOnly: whyReadOnly(summary), decidedAt, by: respondedBy, via, option, reason: feedback }),
  };
}

function whyReadOnly({ newer }: RunSummary): string | undefined {
  return newer === undefined
    ? undefined
    : `This run was written by Babysitter ${newer.writer}, which is newer than this server. Update Babysitter to decide here.`;
}

/** Answers come from journals, where anything may stand. */
function given<T extends Record<string, unknown>>(fields: T): { [K in keyof T]?: string } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => typeof value === "string")) as {
    [K in keyof T]?: string;
  };
}
