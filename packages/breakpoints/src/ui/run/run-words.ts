/** Where a run stands, in a word with its icon and colour. Pure. */
import { type RunStatus, type RunSummary, statusOf } from "@a5c-ai/babysitter-sdk/view";
import type { RunDetail } from "../../wire/run-wire.js";
import type { Tone } from "../model/decision-words.js";
import { OUTCOME_WORDS } from "../model/run-words.js";

/** Of the icons of the pages, those that stand for a state. */
type StateIcon =
  | "agent"
  | "check"
  | "cross"
  | "hand"
  | "hourglass"
  | "none"
  | "part"
  | "pause"
  | "play"
  | "shield"
  | "warning";

export interface Standing {
  icon: StateIcon;
  word: string;
  tone: Tone | "live";
}

const STATES: Readonly<Record<RunStatus, Standing>> = {
  created: { icon: "part", word: "Not started", tone: "quiet" },
  running: { icon: "play", word: "Running", tone: "live" },
  waiting: { icon: "part", word: "Waiting", tone: "quiet" },
  blocked: { icon: "warning", word: "Blocked", tone: "bad" },
  paused: { icon: "pause", word: "Paused", tone: "needs" },
  completed: { icon: "check", word: "Completed", tone: "good" },
  failed: { icon: "cross", word: "Failed", tone: "bad" },
  cancelled: { icon: "none", word: "Cancelled", tone: "quiet" },
};

const NEEDS_YOU: Standing = { icon: "hand", word: "Needs you", tone: "needs" };
const WORKING: Standing = { icon: "play", word: "Working", tone: "live" };
const STALLED: Standing = { icon: "hourglass", word: "Stalled", tone: "needs" };
const FOR_TIME: Standing = { icon: "part", word: "Waiting for time", tone: "quiet" };

export function isOver(state: string): boolean {
  return state === "completed" || state === "failed" || state === "cancelled";
}

/** As it is now: who works on it counts too. Until its events are here, nobody knows what it waits for. */
export function standingNow({ state, drivenBy, agent }: RunDetail, now: RunSummary | undefined): Standing {
  const waits = state === "waiting" && now !== undefined ? waitingFor(now) : undefined;
  if (waits !== undefined) return waits;
  if (state !== "created" && state !== "running" && state !== "waiting") return stateNamed(state);
  if (drivenBy !== null) return WORKING;
  const isUnknown = agent || state === "created" || (state === "waiting" && now === undefined);
  return isUnknown ? stateNamed(state) : STALLED;
}

/** As it was after an event. */
export function standingThen(then: RunSummary): Standing {
  const state = statusOf(then);
  return (state === "waiting" ? waitingFor(then) : undefined) ?? stateNamed(state);
}

function waitingFor({ pending }: RunSummary): Standing | undefined {
  const kinds = Object.values(pending).map(({ kind }) => kind);
  if (kinds.includes("breakpoint")) return NEEDS_YOU;
  return kinds.length > 0 && kinds.every((kind) => kind === "sleep") ? FOR_TIME : undefined;
}

function stateNamed(state: string): Standing {
  return Object.hasOwn(STATES, state)
    ? STATES[state as RunStatus]
    : { icon: "none", word: "Unknown state", tone: "quiet" };
}

/** On what it counts as done, in the words of the board; undefined while it does not. */
export function outcomeOf(state: RunSummary | undefined): Standing | undefined {
  if (state === undefined || statusOf(state) !== "completed") return undefined;
  return outcomeNamed(state.loop?.ended?.attestation);
}

/** The same of a run whose events are not here yet. */
export function outcomeNow({ state, loop }: RunDetail): Standing | undefined {
  return state === "completed" ? outcomeNamed(loop?.outcome) : undefined;
}

function outcomeNamed(outcome = "proof"): Standing | undefined {
  return Object.hasOwn(OUTCOME_WORDS, outcome) ? OUTCOME_WORDS[outcome as keyof typeof OUTCOME_WORDS] : undefined;
}

/** Why it stands where it stands. Whether a process was iterated is a matter for terminals. */
export function whyNow({ state, drivenBy, error, why }: RunDetail): string {
  return state === "created" && drivenBy === null && error === null ? "It has not been started." : why;
}

/** How to call what a run waits for. */
export function pendingWords({ pending }: RunSummary, most = 5): string[] {
  const all = Object.values(pending);
  const names = all.slice(0, most).map(({ title, taskId, attempt }) => nameOf(title ?? taskId, attempt));
  return all.length > most ? [...names, `${all.length - most} more`] : names;
}

function nameOf(title: string, attempt: number): string {
  return attempt > 1 ? `${title} (attempt ${attempt})` : title;
}
