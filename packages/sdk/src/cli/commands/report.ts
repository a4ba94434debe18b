import { callerPorts } from "../../machine/choose-run.js";
import { shownTime } from "../../model/shown-amounts.js";
import { visibleLine } from "../../model/shown-text.js";
import { type Report, type RunReport, reportAllRuns } from "../../runs/report-runs.js";
import { sinceOf } from "../grammar/durations.js";
import type { Command } from "../grammar/invocation.js";
import { age, alignColumns } from "../output/output.js";
import type { Paint } from "../output/paint.js";
import { unreadableLines } from "../output/unreadable-lines.js";

const DEFAULT_SINCE = "24h";
const MAX_TEXT = 80;
/** More than people read of what needs nobody any more; programs get everything. */
const MOST_ENDED = 100;

export const command: Command = async (invocation) => {
  const ports = callerPorts(invocation);
  const until = ports.clock.now();
  const since = sinceOf(invocation, invocation.options.text("since") ?? DEFAULT_SINCE, until);
  const report = await reportAllRuns(ports, { since, until });
  const next = nextOf(report);
  return { document: { ...report, next }, text: render(report, next, { now: until, paint: invocation.paint }) };
};

interface NextStep {
  command: string;
  about: string;
}

function nextOf({ waiting, failed }: Report): NextStep[] {
  const questions = waiting
    .flatMap(({ waiting: effects = [] }) => effects.filter(({ who }) => who === "human"))
    .toSorted((a, b) => a.since.localeCompare(b.since))
    .map(({ effectId, what }) => ({ command: `babysitter breakpoint:show ${effectId}`, about: what }));
  const stuck = waiting
    .filter(({ waiting: effects = [] }) => !effects.some(({ who }) => who === "human"))
    .map(({ runId, state }) => ({ command: `babysitter run ${runId}`, about: `${state}, needs no input` }));
  const broken = failed.map(({ runId, why }) => ({
    command: `babysitter run:status ${runId}`,
    about: why ?? "failed",
  }));
  return [...questions, ...broken, ...stuck];
}

function render(report: Report, next: NextStep[], { now, paint }: { now: Date; paint: Paint }): string {
  const { finished, failed, waiting, cancelled, humanWaitMinutes, failedAttempts, failedTurns, since } = report;
  const rows = [
    ...waiting.map((row) => [paint("yellow", "waiting"), row.runId, age(row.at, now), waitingText(row)]),
    ...failed.map((row) => [
      paint("red", row.state),
      row.runId,
      age(row.at, now),
      visibleLine(row.why ?? "", MAX_TEXT),
    ]),
    ...newest(finished).map((row) => [paint("green", "finished"), row.runId, age(row.at, now), finishedText(row)]),
    ...newest(cancelled).map((row) => ["cancelled", row.runId, age(row.at, now), visibleLine(row.why ?? "", MAX_TEXT)]),
  ];
  const older = [finished, cancelled].reduce((sum, ended) => sum + ended.length - newest(ended).length, 0);
  const counts = [
    `${finished.length} finished`,
    `${failed.length} failed`,
    `${waiting.length} waiting`,
    `${cancelled.length} cancelled`,
  ];
  const totals = [
    ["waited for you", `${humanWaitMinutes} min`],
    ["failed attempts", String(failedAttempts)],
    ...(failedTurns === 0 ? [] : [["failed turns", String(failedTurns)]]),
  ];
  const troubles = [waiting, failed, finished, cancelled].flatMap((section) => failureRows(section, now));
  return [
    `Since ${shownTime(since)}: ${counts.join(", ")}`,
    ...(rows.length === 0 ? [] : ["", alignColumns(rows)]),
    ...(older === 0 ? [] : [`… and ${older} that ended before; use --json to see all`]),
    "",
    alignColumns(totals),
    ...(troubles.length === 0 ? [] : ["", "turns that failed with an error of the host:", alignColumns(troubles)]),
    ...(report.unreadable === undefined ? [] : ["", ...unreadableLines(report.unreadable)]),
    ...(next.length === 0 ? [] : ["", "next:"]),
    ...(next.length === 0
      ? []
      : [
          alignColumns(next.slice(0, 5).map(({ command: line, about }) => [`  ${line}`, visibleLine(about, MAX_TEXT)])),
        ]),
    ...(next.length > 5 ? [`  … and ${next.length - 5} more; use --json to see all`] : []),
  ].join("\n");
}

function newest(ended: readonly RunReport[]): readonly RunReport[] {
  return ended.slice(-MOST_ENDED);
}

function finishedText({ processId, codeChanges }: RunReport): string {
  return visibleLine(codeChanges === undefined ? processId : `${processId}; ${codeChanges}`, MAX_TEXT);
}

function failureRows(section: readonly RunReport[], now: Date): string[][] {
  return section
    .filter(({ failedTurns }) => failedTurns !== undefined)
    .map(({ runId, failedTurns }) => {
      const { count, last } = failedTurns as NonNullable<RunReport["failedTurns"]>;
      return [`  ${runId}`, String(count), age(last.at, now), visibleLine(`${last.error}: ${last.message}`, MAX_TEXT)];
    });
}

function waitingText({ waiting = [], state }: RunReport): string {
  const [first, ...others] = waiting;
  if (first === undefined) return state === "created" ? "not started" : "can continue";
  const more = others.length === 0 ? "" : ` (and ${others.length} more)`;
  const what = first.who === "time" ? shownTime(first.what) : visibleLine(first.what, MAX_TEXT);
  return `${WHO[first.who]}: ${what}${more}`;
}

const WHO = { human: "you", agent: "an agent", time: "sleeping until", executor: "an executor" } as const;
