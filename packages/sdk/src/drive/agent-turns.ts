/** What a driver of an agent does next, from where the run stands and how the agent's turns have ended. */

export interface AgentStanding {
  /** The loop has ended, was cancelled or is paused. */
  isOver: boolean;
  /** Open questions, when nothing else is left to do. */
  questions: readonly string[];
  /** Nothing but sleeps is left; until then. */
  sleepsUntilMs: number | undefined;
  /** Nothing but tasks is left that are executed without the agent. */
  onlyTasks: boolean;
  /** Whether the driver may replay the process by itself, and whether there is anything that it has not seen. */
  process: "not ours" | "seen" | "news";
}

/** How the agent's turns have gone so far. */
export interface TurnRecord {
  /** Turns in a row that ended by an error of the host. */
  failures: number;
  lastFailure: string;
  /** The last of them had an error that only a person can fix, and this many before it in a row. */
  lasting: number;
  /** Not before this time the next one is tried. */
  retryAtMs: number;
  /** Turns in a row that were allowed to end with nothing to wait for. */
  vain: number;
}

export type AgentStep =
  | { do: "end" }
  | { do: "iterate" }
  | { do: "ask" }
  | { do: "wait"; untilMs: number; for: "sleep" | "tasks" | "retry" }
  | { do: "turn" }
  | { do: "give up"; code: string; why: string };

export interface RetryPlan {
  /** This many failed turns in a row are retried. */
  most: number;
  /** Before the first of them; each further pause is twice as long. */
  firstPauseMs: number;
}

export const RETRIES: RetryPlan = { most: 12, firstPauseMs: 5_000 };
const MAX_PAUSE_MS = 15 * 60_000;
/** What only a person can fix is tried once more, in case it was the network's mistake. */
const MAX_LASTING = 1;
/** An agent that keeps stopping with nothing to wait for will not progress by being asked once more. */
const MAX_VAIN = 5;
/** Tasks tell by the journal that they are done; this is for the program that was killed and tells nothing. */
const TASK_LOOK_MS = 5_000;

export const NO_TURNS: TurnRecord = { failures: 0, lastFailure: "", lasting: 0, retryAtMs: 0, vain: 0 };

export function nextAgentStep(
  standing: AgentStanding,
  turns: TurnRecord,
  { nowMs, most }: { nowMs: number; most: number },
): AgentStep {
  return withoutAgent(standing, nowMs) ?? withAgent(turns, { nowMs, most });
}

/** What needs no model; undefined when only the agent can continue. */
function withoutAgent(standing: AgentStanding, nowMs: number): AgentStep | undefined {
  const { isOver, questions, sleepsUntilMs, onlyTasks, process } = standing;
  const isDue = sleepsUntilMs !== undefined && sleepsUntilMs <= nowMs;
  if (isOver) return { do: "end" };
  if (process === "news" || (process === "seen" && isDue)) return { do: "iterate" };
  if (questions.length > 0) return { do: "ask" };
  if (sleepsUntilMs !== undefined && !isDue) return { do: "wait", untilMs: sleepsUntilMs, for: "sleep" };
  if (onlyTasks && process === "seen") return { do: "wait", untilMs: nowMs + TASK_LOOK_MS, for: "tasks" };
  return undefined;
}

function withAgent(turns: TurnRecord, { nowMs, most }: { nowMs: number; most: number }): AgentStep {
  if (turns.failures > most || turns.lasting > MAX_LASTING)
    return { do: "give up", code: "agent_failed", why: failedText(turns) };
  if (turns.vain >= MAX_VAIN) return { do: "give up", code: "agent_stops", why: VAIN_TEXT };
  if (turns.retryAtMs > nowMs) return { do: "wait", untilMs: turns.retryAtMs, for: "retry" };
  return { do: "turn" };
}

/** A turn that the host ended by an error; after each in a row the pause is longer. */
export function afterFailure(
  turns: TurnRecord,
  { why, lasting = false }: { why: string; lasting?: boolean },
  nowMs: number,
  { firstPauseMs }: RetryPlan,
): TurnRecord {
  const failures = turns.failures + 1;
  const pauseMs = Math.min(firstPauseMs * 2 ** (failures - 1), MAX_PAUSE_MS);
  const inRow = lasting ? turns.lasting + 1 : 0;
  return { ...turns, failures, lastFailure: why, lasting: inRow, retryAtMs: nowMs + pauseMs };
}

/** No limit of an account lasts longer than a week; what says so is a mistake. */
const MAX_LIMIT_MS = 8 * 24 * 3_600_000;

/**
 * A turn that was refused because the account may continue only later. When that time is known it is waited for, however
 * long it is, and the turn does not count as failed: nothing is wrong with the host.
 */
export function afterLimit(
  turns: TurnRecord,
  { why, untilMs }: { why: string; untilMs: number },
  nowMs: number,
  plan: RetryPlan,
): TurnRecord {
  const isLater = untilMs > nowMs && untilMs - nowMs <= MAX_LIMIT_MS;
  // Their clock and ours differ by a little.
  return isLater
    ? { ...turns, lastFailure: why, retryAtMs: untilMs + plan.firstPauseMs }
    : afterFailure(turns, { why }, nowMs, plan);
}

/** A turn that ended as turns do. `goesOn` when the engine has told the agent what to do next. */
export function afterTurn(turns: TurnRecord, goesOn: boolean): TurnRecord {
  return { ...NO_TURNS, vain: goesOn ? 0 : turns.vain + 1 };
}

/** Someone or something was waited for, so that the last turn did not end for nothing. */
export function afterWaiting(turns: TurnRecord): TurnRecord {
  return { ...turns, vain: 0 };
}

const VAIN_TEXT = `The agent was allowed to stop ${MAX_VAIN} times in a row, but there was nothing to wait for.`;

function failedText({ failures, lastFailure, lasting }: TurnRecord): string {
  const fixed = lasting > MAX_LASTING ? ". Only a person can fix this" : "";
  const what =
    failures === 1 ? "The agent's turn failed with" : `${failures} agent turns in a row failed, the last with`;
  return `${what}: ${lastFailure}${fixed}`;
}

/** What the agent is told: everything, what the engine said at the end of its last turn, or how the run stands now. */
export type TurnText = "first" | "told" | "continue";

export interface LastWord {
  /** The host knows the session. */
  known: boolean;
  /** What the engine has told the agent to do, and what the run had achieved then. */
  told: { text: string; code: string; work: number } | undefined;
  /** What the run has achieved by now. */
  work: number;
}

/** The text of a question is useless once nobody needs to be asked any longer. */
const OVER_BY_NOW: ReadonlySet<string> = new Set(["ask_human"]);

export function textOfTurn({ known, told, work }: LastWord): TurnText {
  if (!known) return "first";
  return told !== undefined && told.work === work && !OVER_BY_NOW.has(told.code) ? "told" : "continue";
}
