/** What a run used within a time, from what its ledger says of each turn. Pure. */
import { defined } from "../model/json.js";
import type { CostTotal, ReportedCost } from "../model/report.js";
import type { CostSample, RunLedger } from "../model/run-ledger.js";
import type { RunSummary } from "../model/run-state.js";
import { performerOf } from "../model/task-kinds.js";
import type { ReportTime } from "./report-times.js";

/** Undefined when no agent worked on it in that time. */
export function costWithin(summary: RunSummary, ledger: RunLedger, time: ReportTime): ReportedCost | undefined {
  const turns = turnsWithin(ledger.costs ?? [], time);
  const unknownTasks = isUncosted(summary, ledger) || undefined;
  if (turns === undefined) return unknownTasks && UNKNOWN_COST;
  const { base, end, unknownTurns, known } = turns;
  const micro = Math.max(0, end[1] - base[1]);
  const tokens = Math.max(0, end[2] - base[2]);
  return {
    usd: known || micro > 0 ? micro / 1e6 : null,
    tokens: known || tokens > 0 ? tokens : null,
    ...defined({ unknownTurns: unknownTurns || undefined, unknownTasks }),
  };
}

/** True when agents have worked on tasks, and no sample tells what that cost. */
export function isUncosted({ pending }: Pick<RunSummary, "pending">, { agents, costs = [] }: RunLedger): boolean {
  if (agents === undefined) return false;
  // What a session does for its run is found in its transcript; what a command does is not.
  if (agents.started > 0 || costs.length > 0) return agents.started > 0;
  const untouched = Object.values(pending).filter(
    ({ kind, started }) => performerOf(kind) === "agent" && started === undefined,
  );
  return agents.asked > untouched.length;
}

/** Of a run on which agents have worked, with nothing noted about it. */
export const UNKNOWN_COST: ReportedCost = { usd: null, tokens: null, unknownTasks: true };

interface Turns {
  /** What had been used before the first of them, and after the last. */
  base: CostSample;
  end: CostSample;
  /** Some of them are known in full. */
  known: boolean;
  /** At the end: what a later turn has found is known. */
  unknownTurns: number;
}

function turnsWithin(costs: readonly CostSample[], time: ReportTime): Turns | undefined {
  // By their place and not by their time: clocks go back.
  const first =
    Math.max(
      0,
      costs.findLastIndex(([at]) => at < time.from),
    ) + 1;
  const last = time.isLive ? costs.length - 1 : costs.findLastIndex(([at]) => at < time.to);
  const turns = costs.slice(first, last + 1);
  const end = turns.at(-1);
  if (end === undefined) return undefined;
  const lastKnown = turns.findLastIndex(([, , , missing]) => missing === undefined);
  return {
    base: costs[first - 1] as CostSample,
    end,
    known: lastKnown >= 0,
    unknownTurns: turns.length - 1 - lastKnown,
  };
}

/** Millionths of a dollar can be added without a rest. */
export function sumCosts(costs: readonly ReportedCost[]): CostTotal {
  const total = { micro: 0, tokens: 0, knownRuns: 0, countedRuns: 0, unknownRuns: 0, unknownTurns: 0 };
  for (const cost of costs) {
    if (cost.usd !== null) {
      total.knownRuns += 1;
      total.micro += Math.round(cost.usd * 1e6);
    }
    if (cost.tokens !== null) {
      total.countedRuns += 1;
      total.tokens += cost.tokens;
    }
    if (isPartlyUnknown(cost)) total.unknownRuns += 1;
    total.unknownTurns += cost.unknownTurns ?? 0;
  }
  const { knownRuns, unknownRuns, unknownTurns } = total;
  return {
    usd: knownRuns === 0 ? null : total.micro / 1e6,
    tokens: total.countedRuns === 0 ? null : total.tokens,
    knownRuns,
    unknownRuns,
    unknownTurns,
  };
}

function isPartlyUnknown({ usd, unknownTurns, unknownTasks }: ReportedCost): boolean {
  return usd === null || unknownTurns !== undefined || unknownTasks === true;
}
