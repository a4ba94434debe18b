/** Where a loop stands, as a document for scripts. */
import type { LoopReport, ReportedCriterion } from "../../loop/texts/loop-report.js";
import type { LoopState } from "../../model/loop-state.js";

export interface LoopDocument {
  mode: string;
  /** What became of the loop; the state of its run is another thing. */
  status: "active" | "verifying" | "paused" | "completed" | "cancelled";
  title: string;
  /** The prompt, byte for byte. */
  goal: string;
  iteration: number;
  limits: LoopReport["limits"];
  promise: LoopState["contract"]["promise"];
  shape: string;
  session: LoopState["session"] | null;
  sessions: string[];
  paused: LoopState["paused"] | null;
  ended: LoopState["ended"] | null;
  criteria: CriterionDocument[];
  steps: LoopReport["steps"];
  spend: LoopReport["spend"];
  warnings: LoopReport["warnings"];
  contractChanges: LoopReport["contractChanges"];
  startedAt: string;
  lastIterationAt: string;
  next: string | null;
}

interface CriterionDocument {
  id: string;
  text: string;
  kind: string;
  role: "required" | "must-not";
  standing: ReportedCriterion["view"];
  /** It was checked, but on other files than the present ones. */
  isStale: boolean;
  greenBefore: boolean;
  flaky: boolean;
  check: ReportedCriterion["check"] | null;
}

export function loopDocument(state: LoopState, report: LoopReport, isVerifying: boolean): LoopDocument {
  const { contract, session, paused, ended } = state;
  return {
    mode: contract.mode,
    status: statusOf(report, isVerifying),
    title: report.title,
    goal: report.goal,
    iteration: report.iteration,
    limits: report.limits,
    promise: contract.promise,
    shape: contract.shape,
    session: session ?? null,
    sessions: report.sessions,
    paused: paused ?? null,
    ended: ended ?? null,
    criteria: [
      ...report.criteria.map((criterion) => criterionDocument(criterion, "required")),
      ...report.mustNot.map((criterion) => criterionDocument(criterion, "must-not")),
    ],
    steps: report.steps,
    spend: report.spend,
    warnings: report.warnings,
    contractChanges: report.contractChanges,
    startedAt: report.startedAt,
    lastIterationAt: state.lastIterationAt,
    next: report.next ?? null,
  };
}

function statusOf({ outcome }: LoopReport, isVerifying: boolean): LoopDocument["status"] {
  if (outcome === "cancelled" || outcome === "paused") return outcome;
  if (outcome !== "under-way") return "completed";
  return isVerifying ? "verifying" : "active";
}

function criterionDocument(criterion: ReportedCriterion, role: CriterionDocument["role"]): CriterionDocument {
  const { id, text, kind, view, isStale, greenBefore, flaky, check } = criterion;
  return { id, text, kind, role, standing: view, isStale, greenBefore, flaky, check: check ?? null };
}
