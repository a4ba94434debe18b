/** Where a loop stands, folded from the events of its run. */
import { type ContractChange, changedTerms } from "./contract-changes.js";
import type { EventFrame } from "./events.js";
import { defined } from "./json.js";
import type { LoopContract, StoredGoal } from "./loop-contract.js";
import type {
  Attestation,
  CriterionChecked,
  ErrorClass,
  LoopEventPayloads,
  LoopPaused,
  ProgressSample,
  SessionBound,
  Spend,
  StopHookInvoked,
  VerificationStarted,
} from "./loop-events.js";
import { liftsPause } from "./pause-remedies.js";

/** How many samples and results are remembered: enough for every circuit breaker. */
const REMEMBERED_SAMPLES = 12;
const REMEMBERED_RESULTS = 4;

/** Code of the decision that only asks to wait for a verification. */
const VERIFYING = "verifying";
/** Id of the verification before any work. */
export const BASELINE = "baseline";

export interface StepState {
  id: string;
  title: string;
  status: "open" | "done" | "failed";
  /** Errors in a row, the newest last. */
  errors: { errorClass: ErrorClass; note?: string; at: string }[];
}

/** The newest decision, and where its record is. */
interface LastStop {
  seq: number;
  id: string;
  at: string;
  sessionId: string;
  decision: "block" | "approve";
  code: string;
  key?: string;
}

/** A turn that ended with an error of the host. */
export interface TurnFailure {
  error: string;
  message: string;
  at: string;
}

export interface LoopState {
  contract: LoopContract;
  goal: StoredGoal;
  /** Limits count from here; another tool may have begun the work before. */
  startedAt: string;
  /** 1-based; the current one. */
  iteration: number;
  /** Lengths of the last three turns, in seconds. */
  iterationTimes: number[];
  lastIterationAt: string;
  session?: SessionBound & { at: string };
  /** Every session that has worked on it, the oldest first. */
  sessions: string[];
  /** `lifted`: what it was paused for, such as a limit, is no longer in the contract. */
  paused?: LoopPaused & { at: string; lifted?: true };
  ended?: { attestation: Attestation; code: string; at: string };
  /** Turns in a row without a tool call. */
  idleStops: number;
  /** Claims in a row that were found wrong. */
  rejections: number;
  /** How many criteria were red at the last of them. */
  redAtRejection?: number;
  /** Answers in a row that only asked to wait for a verification. */
  waits: number;
  /** How often in a row the agent was asked to confirm. */
  confirmations: number;
  /** Turns in a row in which the host denied a tool. */
  deniedTurns: number;
  /** The agent's own words about being blocked, and how often in a row. */
  blocked?: { reason: string; times: number };
  /** Circuit breakers that have warned since a turn last ended without a warning. */
  halfOpen?: string[];
  /** Questions that the agent was asked to put to a human. */
  asked: string[];
  verification?: VerificationStarted & { at: string };
  /** Newest results per criterion, the newest last. */
  results: Record<string, CriterionChecked[]>;
  /** Criteria that were met before any work: no proof of work. */
  greenBefore: string[];
  steps: StepState[];
  progress: ProgressSample[];
  spend?: Spend;
  /** Turns in a row in which no new model call was found: what they cost is unknown. */
  turnsWithoutCalls?: number;
  turn: { promptId?: string; open: boolean };
  /** Turns in a row that ended with an error of the host: the last one, and how many they are. */
  failure?: TurnFailure & { report: string; times: number; by?: "driver"; retryAt?: string };
  /** All turns that ended so, and the last of them. */
  failedTurns?: TurnFailure & { count: number };
  lastStop?: LastStop;
  claims: number;
  /** Everything that was changed after the start, the oldest first. */
  contractChanges: ContractChange[];
  /** Since the last review by a person. */
  reviewedAt: number;
}

/** The loop as far as it was begun; every other fold needs one. */
export function beginLoop(event: { payload: LoopEventPayloads["LOOP_STARTED"]; timestamp: string }): LoopState {
  const { contract, goal, iteration } = event.payload;
  return {
    contract,
    goal,
    startedAt: event.timestamp,
    iteration,
    iterationTimes: [],
    lastIterationAt: event.timestamp,
    sessions: [],
    idleStops: 0,
    rejections: 0,
    waits: 0,
    confirmations: 0,
    deniedTurns: 0,
    asked: [],
    results: {},
    greenBefore: [],
    steps: contract.steps.map(({ id, title }) => ({ id, title, status: "open", errors: [] })),
    progress: [],
    turn: { open: true },
    claims: 0,
    contractChanges: [],
    reviewedAt: iteration,
  };
}

type LoopEvent<T extends keyof LoopEventPayloads> = EventFrame & { type: T; payload: LoopEventPayloads[T] };
type LoopFold = { [T in keyof LoopEventPayloads]?: (state: LoopState, event: LoopEvent<T>) => void };

const loopFold: LoopFold = {
  // From here on only the completion proof of the run ends it.
  PROCESS_ATTACHED: (state) => void (state.contract = { ...state.contract, mode: "run" }),
  SESSION_BOUND(state, { payload, timestamp }) {
    state.session = { ...payload, at: timestamp };
    state.sessions = [...state.sessions.filter((id) => id !== payload.sessionId), payload.sessionId];
    state.turn = { open: payload.by !== "adoption" && payload.by !== "return" };
    state.idleStops = 0;
    isNoLongerAlone(state);
  },
  SESSION_RELEASED(state, { payload }) {
    if (state.session?.sessionId === payload.sessionId) delete state.session;
  },
  STOP_HOOK_INVOKED: foldStop,
  VERIFICATION_STARTED: (state, { payload, timestamp }) => void (state.verification = { ...payload, at: timestamp }),
  VERIFICATION_FINISHED(state, { payload }) {
    if (state.verification?.verification === payload.verification) delete state.verification;
  },
  CRITERION_CHECKED(state, { payload }) {
    const current = state.contract.criteria.find(({ id }) => id === payload.criterion);
    if (payload.text !== undefined && payload.text !== current?.text) return;
    const earlier = Object.hasOwn(state.results, payload.criterion) ? state.results[payload.criterion] : undefined;
    // An id from anywhere is a name like any other, `__proto__` too.
    Object.defineProperty(state.results, payload.criterion, {
      value: [...(earlier ?? []), payload].slice(-REMEMBERED_RESULTS),
      enumerable: true,
      configurable: true,
      writable: true,
    });
    if (payload.verification === BASELINE && payload.ok && payload.before === payload.after)
      state.greenBefore = [...state.greenBefore, payload.criterion];
  },
  STEP_CHANGED(state, { payload, timestamp }) {
    const { step: id, title, status, errorClass, note } = payload;
    const known = state.steps.find((step) => step.id === id);
    const step: StepState = known ?? { id, title, status, errors: [] };
    if (known === undefined) state.steps.push(step);
    step.status = status;
    step.errors =
      status === "failed"
        ? [
            ...step.errors,
            { errorClass: errorClass ?? "unknown", ...(note === undefined ? {} : { note }), at: timestamp },
          ]
        : [];
  },
  LOOP_PAUSED: (state, { payload, timestamp }) => void (state.paused = { ...payload, at: timestamp }),
  LOOP_RESUMED(state, { payload, timestamp }) {
    delete state.paused;
    if (state.session !== undefined) isNoLongerAlone(state);
    delete state.halfOpen;
    delete state.blocked;
    if (payload.limits !== undefined) {
      const limits = { ...state.contract.limits, ...payload.limits };
      changeContract(state, { ...state.contract, limits }, { at: timestamp, source: payload.source });
    }
    forget(state);
  },
  LOOP_AMENDED(state, { payload, timestamp }) {
    forgetChanged(state, payload.contract);
    if (state.paused !== undefined && liftsPause(state.paused, state.contract, payload.contract))
      state.paused = { ...state.paused, lifted: true };
    changeContract(state, payload.contract, { at: timestamp, source: payload.source });
    for (const { id, title } of payload.contract.steps)
      if (!state.steps.some((step) => step.id === id)) state.steps.push({ id, title, status: "open", errors: [] });
  },
  PROMPT_SUBMITTED(state, { payload }) {
    if (payload.kind === "notification") return;
    state.turn = { ...(payload.promptId === undefined ? {} : { promptId: payload.promptId }), open: true };
  },
  TURN_FAILED: foldFailure,
};

function changeContract(
  state: LoopState,
  contract: LoopContract,
  { at, source }: { at: string; source: ContractChange["source"] },
): void {
  const terms = changedTerms(state.contract, contract);
  state.contract = contract;
  if (terms.length > 0) state.contractChanges = [...state.contractChanges, { at, terms, ...defined({ source }) }];
}

function foldFailure(state: LoopState, { payload, timestamp }: LoopEvent<"TURN_FAILED">): void {
  if (payload.sessionId !== state.session?.sessionId) return;
  const { error, message, report, by, retryAt } = payload;
  const failure: TurnFailure = { error, message, at: timestamp };
  state.failure = { ...failure, report, times: (state.failure?.times ?? 0) + 1, ...defined({ by, retryAt }) };
  state.failedTurns = { ...failure, count: (state.failedTurns?.count ?? 0) + 1 };
  state.turn = { ...state.turn, open: false };
}

/** True when an agent works on it or has done so: from then on only people may change it. */
export function hadAgent(state: LoopState | undefined): boolean {
  return (state?.sessions.length ?? 0) > 0;
}

/** True when a person has paused it: only people continue it then, once an agent has worked on it. */
export function isPausedByPerson(state: LoopState | undefined): boolean {
  return state?.paused?.by === "person";
}

/** Takes one more event into a loop. */
export function foldLoop(state: LoopState, event: EventFrame & { type: string; payload: unknown }): void {
  if (!Object.hasOwn(loopFold, event.type)) return;
  const fold = loopFold[event.type as keyof LoopEventPayloads] as (s: LoopState, e: typeof event) => void;
  fold(state, event);
}

/** An agent starts working while a verification is running. */
function isNoLongerAlone(state: LoopState): void {
  if (state.verification !== undefined) state.verification = { ...state.verification, alone: false };
}

/** What was counted up to a pause does not count against the loop after it. */
function forget(state: LoopState): void {
  delete state.failure;
  state.idleStops = 0;
  state.rejections = 0;
  delete state.redAtRejection;
  state.waits = 0;
  state.confirmations = 0;
  state.deniedTurns = 0;
  state.progress = [];
  state.iterationTimes = [];
  state.reviewedAt = state.iteration;
  for (const step of state.steps) step.errors = [];
}

/** What a criterion said before it was changed says nothing about what it is now. */
function forgetChanged(state: LoopState, next: LoopContract): void {
  const isSame = (id: string): boolean => definitionOf(state.contract, id) === definitionOf(next, id);
  state.results = Object.fromEntries(Object.entries(state.results).filter(([id]) => isSame(id)));
  state.greenBefore = state.greenBefore.filter(isSame);
}

function definitionOf({ criteria }: LoopContract, id: string): string {
  return JSON.stringify(criteria.find((criterion) => criterion.id === id) ?? null);
}

function foldStop(state: LoopState, { payload, seq, id, timestamp }: LoopEvent<"STOP_HOOK_INVOKED">): void {
  // A session that has lost the loop to another one says nothing about it any more.
  if (payload.sessionId !== state.session?.sessionId) return;
  const { decision, reason, turn } = payload;
  state.lastStop = {
    seq,
    id,
    at: timestamp,
    sessionId: payload.sessionId,
    decision,
    code: reason,
    ...(turn?.key === undefined ? {} : { key: turn.key }),
  };
  state.turn = { ...(turn?.promptId === undefined ? {} : { promptId: turn.promptId }), open: decision === "block" };
  delete state.failure;
  if (payload.spend !== undefined) countCalls(state, payload.spend);
  state.asked = [...new Set([...state.asked, ...(payload.asked ?? [])])];
  if (payload.claim !== undefined) state.claims += 1;
  countStop(state, payload);
  // Waiting for a check is no turn of its own: nothing that was counted before begins or ends with it.
  if (reason !== VERIFYING) {
    if (payload.sample !== undefined) addSample(state, payload.sample);
    state.lastIterationAt = timestamp;
  }
  state.iteration = payload.nextIteration;
  if (payload.paused !== undefined)
    state.paused = { code: reason, message: payload.paused, by: "engine", at: timestamp };
  if (payload.ended !== undefined) state.ended = { attestation: payload.ended, code: reason, at: timestamp };
}

function countCalls(state: LoopState, spend: Spend): void {
  const isMore = spend.calls > (state.spend?.calls ?? 0);
  if (isMore) delete state.turnsWithoutCalls;
  else state.turnsWithoutCalls = (state.turnsWithoutCalls ?? 0) + 1;
  state.spend = spend;
}

function addSample(state: LoopState, sample: ProgressSample): void {
  state.progress = [...state.progress, sample].slice(-REMEMBERED_SAMPLES);
  state.iterationTimes = nextIterationTimes(state.iterationTimes, sample.seconds);
}

function countStop(state: LoopState, payload: StopHookInvoked): void {
  const { sample, reason, warned } = payload;
  // A turn that was allowed to end is no sign of an agent that does nothing: it may be waiting for someone.
  if (payload.decision === "approve") state.idleStops = 0;
  else if (sample?.tools !== undefined) state.idleStops = sample.tools === 0 ? state.idleStops + 1 : 0;
  state.waits = reason === VERIFYING ? state.waits + 1 : 0;
  state.confirmations = reason === "criteria_met_confirm" ? state.confirmations + 1 : 0;
  state.deniedTurns = (payload.denied ?? 0) > 0 ? state.deniedTurns + 1 : 0;
  if (payload.rejected === true) countRejection(state, sample?.failing?.length ?? 0);
  if (reason === VERIFYING) return;
  countWarning(state, warned);
  countBlocked(state, payload.blocked);
}

function countWarning(state: LoopState, warned: string | undefined): void {
  if (warned === undefined) delete state.halfOpen;
  else state.halfOpen = [...new Set([...(state.halfOpen ?? []), warned])];
}

function countBlocked(state: LoopState, reason: string | undefined): void {
  if (reason === undefined) delete state.blocked;
  else state.blocked = { reason, times: state.blocked?.reason === reason ? state.blocked.times + 1 : 1 };
}

function countRejection(state: LoopState, red: number): void {
  state.rejections = rejectionsWith(state, red);
  state.redAtRejection = red;
}

/** Wrong claims in a row with one more, at which so many criteria are red. Fewer than the last time begin a new row. */
export function rejectionsWith({ rejections, redAtRejection }: LoopState, red: number): number {
  return redAtRejection !== undefined && red < redAtRejection ? 1 : rejections + 1;
}

/** The last three lengths of turns; one that is not positive, as after a clock was set back, is left out. */
export function nextIterationTimes(times: readonly number[], seconds: number): number[] {
  return seconds > 0 ? [...times, seconds].slice(-3) : [...times];
}
