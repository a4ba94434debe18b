/** Ends of turns for tests: everything is as usual except what a test says. */
import type {
  HostLimits,
  Probes,
  RunView,
  Situation,
  StopInput,
} from "../../../packages/sdk/src/loop/rules/situation.js";
import type {
  CommandCriterion,
  Criterion,
  FileCriterion,
  LoopContract,
  LoopLimits,
} from "../../../packages/sdk/src/model/loop-contract.js";
import type { CriterionChecked, ProgressSample, Spend } from "../../../packages/sdk/src/model/loop-events.js";
import { beginLoop, type LoopState, type StepState } from "../../../packages/sdk/src/model/loop-state.js";

export const STARTED = "2026-03-01T10:00:00.000Z";
export const SESSION = "s1";
export const PROMISE = "ALL-DONE";
export const PROOF = "7c9e6679f0";
/** The tree that the agent has left. */
export const TREE = "tree-now";

export const said = (text: string): string => `<promise>${text}</promise>`;

export function minutesLater(minutes: number): Date {
  return new Date(Date.parse(STARTED) + minutes * 60_000);
}

export function command(id: string, parts: Partial<CommandCriterion> = {}): CommandCriterion {
  const line = `check ${id}`;
  return {
    kind: "command",
    id,
    text: line,
    command: line,
    timeoutMs: 60_000,
    tier: "slow",
    role: "required",
    ...parts,
  };
}

export const mustNot = (id: string): CommandCriterion => command(id, { role: "must-not", tier: "fast" });
export const file = (id: string): FileCriterion => ({ kind: "file", id, text: `${id} exists`, path: id });
export const claim = (id: string): Criterion => ({ kind: "claim", id, text: `${id} is good` });

export function contractOf(parts: Partial<LoopContract> = {}, limits: Partial<LoopLimits> = {}): LoopContract {
  return {
    mode: "prompt",
    title: "Fix the parser",
    promise: { text: PROMISE, issued: true },
    criteria: [],
    steps: [],
    shape: "tool",
    protects: [],
    protectedThings: [],
    settings: { answers: "open", policy: "", prices: {} },
    ...parts,
    limits: { iterations: 50, rejections: 5, ...parts.limits, ...limits },
  };
}

export function checked(criterion: string, ok: boolean, parts: Partial<CriterionChecked> = {}): CriterionChecked {
  return {
    verification: "v1",
    criterion,
    ok,
    kind: "command",
    outcome: ok ? "met" : "unmet",
    exitCode: ok ? 0 : 1,
    signal: null,
    durationMs: 1_200,
    before: TREE,
    after: TREE,
    alone: false,
    tail: "",
    flaky: false,
    at: STARTED,
    ...parts,
  };
}

/** Results of several criteria on the tree as it is. */
export function results(standings: Readonly<Record<string, boolean>>): Record<string, CriterionChecked[]> {
  return Object.fromEntries(Object.entries(standings).map(([id, ok]) => [id, [checked(id, ok)]]));
}

export function step(id: string, status: StepState["status"], errorClasses: readonly string[] = []): StepState {
  const errors = errorClasses.map((errorClass) => ({ errorClass, at: STARTED }) as StepState["errors"][number]);
  return { id, title: `do ${id}`, status, errors };
}

export function spent(knownUsd: number, parts: Partial<Spend> = {}): Spend {
  const tokens = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };
  return { usd: knownUsd, knownUsd, tokens, calls: 1, unpriced: [], pricedAt: "2026-01-01", ...parts };
}

export function sample(parts: Partial<ProgressSample> = {}): ProgressSample {
  return { at: STARTED, tree: TREE, work: 1, stepsDone: 0, tools: 1, seconds: 60, ...parts };
}

/** What a test says about a turn; the rest is a prompt loop in its second iteration, one minute after the first. */
export interface Turn {
  /** What the agent has said, as one text block. */
  says?: string;
  contract?: Partial<LoopContract>;
  limits?: Partial<LoopLimits>;
  state?: Partial<LoopState>;
  run?: Partial<RunView>;
  probes?: Partial<Probes>;
  sample?: Partial<ProgressSample>;
  input?: Partial<StopInput>;
  host?: HostLimits;
  now?: Date;
}

export const RUNNING: RunView = {
  state: "running",
  hasProcess: false,
  cancelled: false,
  pendingKinds: [],
  tasksRunning: false,
  openQuestions: [],
};

/** A run with a process that has completed. */
export const COMPLETED: Partial<RunView> = { hasProcess: true, state: "completed", proof: PROOF };

export function stateOf(parts: Partial<LoopState> = {}, contract: LoopContract = contractOf()): LoopState {
  const state = beginLoop({ payload: { contract, goal: { value: "Fix it" }, iteration: 2 }, timestamp: STARTED });
  state.session = { harness: "claude-code", sessionId: SESSION, by: "start", at: STARTED };
  state.sessions = [SESSION];
  return { ...state, ...parts };
}

export function situation(turn: Turn = {}): Situation {
  const state = stateOf(turn.state, contractOf(turn.contract, turn.limits));
  const usual: Probes = {
    blocks: [turn.says ?? "I have changed the parser."],
    silent: false,
    tree: TREE,
    tampered: [],
    denied: 0,
    sample: sample(turn.sample),
    verifying: false,
  };
  return {
    input: { valid: true, sessionId: SESSION, subagent: false, background: 0, ...turn.input },
    state,
    run: { ...RUNNING, ...turn.run },
    probes: { ...usual, ...turn.probes },
    host: turn.host ?? {},
    now: turn.now ?? minutesLater(1),
  };
}
