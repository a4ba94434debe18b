/** The card of a run on the board, from what its journal says and from who works on it. */
import path from "node:path";
import { BabysitterError } from "@a5c-ai/babysitter-sdk";
import { type InboxDesk, RunFiles, type RunJournal, type RunSummary } from "@a5c-ai/babysitter-sdk/operate";
import type { RunCard } from "../index/run-cards.js";
import { type LaneFacts, laneOf } from "../rules/run-lanes.js";
import type { Lane, RunRow } from "../wire/run-wire.js";

type Glance = Awaited<ReturnType<InboxDesk["glance"]>>;
type Texts = Awaited<ReturnType<InboxDesk["texts"]>>;
type Spend = NonNullable<NonNullable<RunSummary["loop"]>["spend"]>;

/** Nobody reads more of it on a card. */
const LONGEST = 500;

export function cardOf(projectRoot: string, summary: RunSummary, glance: Glance, now: number): RunCard {
  const { created, head, loop } = summary;
  const { state, outcome, until } = glance;
  const facts = factsOf(summary, glance);
  const lane = laneOf(facts, now);
  return {
    facts,
    row: {
      project: { name: path.basename(projectRoot) || projectRoot, root: projectRoot },
      process: created.processId,
      lane,
      state,
      outcome,
      why: oneLine(glance.why),
      createdAt: created.at,
      lastEventAt: head.timestamp,
      since: sinceOf(lane, summary),
      until: lane === "waiting" ? until : null,
      events: head.seq,
      ...loopOf(loop),
      agent: created.session !== undefined || (loop?.sessions.length ?? 0) > 0,
    },
  };
}

type LoopPart = Pick<RunRow, "title" | "iteration" | "maxIterations" | "spend" | "budgetUsd">;

function loopOf(loop: RunSummary["loop"]): LoopPart {
  if (loop === undefined) return { title: null, iteration: null, maxIterations: null, spend: null, budgetUsd: null };
  const { contract, iteration, spend } = loop;
  return {
    title: oneLine(contract.title),
    iteration,
    maxIterations: contract.limits.iterations,
    spend: spend === undefined ? null : spendOf(spend),
    budgetUsd: contract.limits.usd ?? null,
  };
}

function factsOf(summary: RunSummary, { state, until, driving }: Glance): LaneFacts {
  const { created, head, loop, pending } = summary;
  // Whether a command that starts an agent turn by turn is alive can be seen.
  const hasSession = (loop?.session ?? created.session) !== undefined && loop?.session?.driver === undefined;
  // After an error of its host an agent does nothing by itself.
  const isBrokenOff = loop?.failure !== undefined;
  return {
    state,
    asks: Object.values(pending).some(({ kind }) => kind === "breakpoint"),
    paused: loop?.paused !== undefined,
    until: until === null ? null : Date.parse(until),
    writtenAt: Date.parse(head.timestamp) || 0,
    agent: hasSession && !isBrokenOff,
    driven: driving.by !== "nobody",
  };
}

function sinceOf(lane: Lane, summary: RunSummary): string {
  const { pending, blocked, loop, head, failed, completed, cancelled } = summary;
  const waits = Object.values(pending).filter(({ kind }) => lane !== "you" || kind === "breakpoint");
  const times: Record<Lane, (string | undefined)[]> = {
    you: [blocked?.at, loop?.paused?.at, ...waits.map(({ requestedAt }) => requestedAt)],
    waiting: [loop?.failure?.at, ...waits.map(({ requestedAt }) => requestedAt)],
    working: [],
    stalled: [],
    done: [(completed ?? cancelled ?? failed ?? loop?.ended)?.at],
  };
  return times[lane].filter((at) => at !== undefined).toSorted()[0] ?? head.timestamp;
}

function spendOf({ usd, knownUsd, tokens }: Spend): NonNullable<RunRow["spend"]> {
  const { input, output, cacheRead, cacheWrite } = tokens;
  return { usd, knownUsd, tokens: input + output + cacheRead + cacheWrite };
}

function oneLine(text: string): string {
  const line = text.replace(/\s+/gu, " ").trim();
  // Not within a character.
  return line.length <= LONGEST ? line : `${line.slice(0, LONGEST).replace(/[\ud800-\udbff]$/u, "")}…`;
}

/** Whoever searches does not mean the end of a book. */
const MAX_SEARCHED = 4_096;

/** What a run is about, for whoever searches. */
export function wordsOf(
  { id, projectRoot }: { id: string; projectRoot: string },
  summary: RunSummary,
  { goal, steps, failures }: Texts,
): string {
  const { created, failed, blocked, cancelled, loop } = summary;
  const texts = [
    id,
    created.processId,
    projectRoot,
    loop?.contract.title,
    goal,
    messageOf(failed?.error),
    blocked?.code,
    cancelled?.reason,
    loop?.paused?.message,
    loop?.failure?.message,
    ...failures.flatMap(({ title, message, code }) => [title, message, code]),
    ...Object.keys(summary.pending),
    ...steps,
  ];
  return texts
    .filter((text) => typeof text === "string")
    .map((text) => text.slice(0, MAX_SEARCHED))
    .join("\n");
}

/** From a journal, where anything may stand. */
function messageOf(error: { message?: unknown } | undefined): string {
  return typeof error?.message === "string" ? error.message : "";
}

const MAX_LOGS = 32 * 1024;
const MAX_LOG = 16 * 1024;
/** Which logs have in the middle of words. */
const COLOURS = new RegExp(`${String.fromCodePoint(27)}\\[[\\d;]*[A-Za-z]`, "gu");

/** The ends of a run's logs, the newest first. */
export function logsOf(desk: Pick<InboxDesk, "env">, journal: RunJournal): string {
  const files = new RunFiles(desk, journal);
  const newest = files
    .list({ kind: "log" })
    .files.filter(({ bytes }) => bytes > 0)
    .toSorted((a, b) => (a.modifiedAt < b.modifiedAt ? 1 : -1));
  const texts: string[] = [];
  let left = MAX_LOGS;
  for (const { path: name } of newest) {
    if (left <= 0) break;
    const text = endOf(files, name, Math.min(left, MAX_LOG));
    texts.push(text);
    left -= text.length;
  }
  return texts.join("\n");
}

/** A log may be gone by now, or be something else. */
function endOf(files: RunFiles, name: string, most: number): string {
  try {
    const { bytes } = files.read(name, { from: -most, most });
    return Buffer.from(bytes).toString("utf8").replace(COLOURS, "");
  } catch (error) {
    if (BabysitterError.is(error)) return "";
    throw error;
  }
}
