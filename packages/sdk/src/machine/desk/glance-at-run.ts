/** What a card on a board shows of a run. Nothing here writes to a journal, and nothing reads one from its beginning. */
import { goalOf } from "../../loop-runs/goal-of.js";
import type { Failure } from "../../model/failure.js";
import type { RunId } from "../../model/ids.js";
import type { Ports } from "../../model/ports.js";
import { isFinishedWell, type RunOutcome } from "../../model/report.js";
import { isFinished, type PendingEffect, type RunStatus, type RunSummary } from "../../model/run-state.js";
import { waitEnds } from "../../model/time-spans.js";
import { describeFailures } from "../../runs/describe-failures.js";
import { outcomeNow } from "../../runs/report-times.js";
import type { RunJournal } from "../../runs/run-journal.js";
import { type Driving, describeBriefly } from "../../runs/standing.js";
import { whoDrives } from "../who-drives.js";

export interface RunGlance {
  state: RunStatus;
  why: string;
  /** On whose word it has finished, or that it has not; null while it goes on. */
  outcome: Exclude<RunOutcome, "blocked" | "you" | "other"> | null;
  driving: Driving;
  /** Of a run that can do nothing before a time: the earliest such time. */
  until: string | null;
}

/** Where a run stands and who works on it. */
export async function glanceAtRun(journal: RunJournal): Promise<RunGlance> {
  const { summary, ports } = journal;
  const driving: Driving = isFinished(summary) ? { by: "nobody" } : await whoDrives(journal);
  const { state, why, needsMoreIterations } = describeBriefly(journal, driving);
  const outcome = outcomeNow(summary);
  const isOver = isFinishedWell(outcome) || outcome === "failed" || outcome === "cancelled";
  const until = needsMoreIterations || isFinished(summary) ? undefined : nextTime(summary, ports.clock.now().getTime());
  return {
    state,
    why,
    outcome: isOver ? outcome : null,
    driving,
    until: until === undefined ? null : new Date(until).toISOString(),
  };
}

/** Undefined when something may happen before any time has come. */
function nextTime({ pending, loop }: RunSummary, now: number): number | undefined {
  const retryAt = Date.parse(loop?.failure?.retryAt ?? "");
  if (retryAt > now) return retryAt;
  const times = Object.values(pending).map((effect) => timeOf(effect, now));
  return times.length > 0 && times.every((time) => time !== undefined) ? Math.min(...times) : undefined;
}

function timeOf(effect: PendingEffect, now: number): number | undefined {
  const time = effect.started === undefined ? waitEnds(effect, now) : undefined;
  return time !== undefined && time > now ? time : undefined;
}

/** Who works on a run just now, without opening it. */
export function drivingOf(ports: Ports, runId: RunId): Promise<Driving> {
  return whoDrives({ ports, runId, runDir: ports.workspace.runDir(runId) });
}

/** What a run is about, for whoever searches: its goal, the names of its steps, and what went wrong. */
export interface RunTexts {
  goal: string | null;
  steps: ReadonlySet<string>;
  /** The newest first. */
  failures: Failure[];
}

/** Of a long run some names of steps are enough. */
const MAX_STEPS = 500;

export async function textsOfRun(journal: RunJournal): Promise<RunTexts> {
  const { loop } = journal.summary;
  const steps = new Set<string>();
  for (const { title, label, taskId } of Object.values((await journal.index()).requests)) {
    if (steps.size >= MAX_STEPS) break;
    steps.add(title ?? label ?? taskId);
  }
  return {
    goal: loop === undefined ? null : await goalOf(journal, loop),
    steps,
    failures: await describeFailures(journal),
  };
}
