import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  type Happening,
  InventedNight,
  type InventedRun,
  minute,
} from "../../../../tests/fixtures/runs/invented-night.js";
import { makePaint } from "../cli/output/paint.js";
import { renderReport } from "../cli/output/report-text.js";
import { isRed, OUTCOMES, type Report, type ReportedCost, rowsOf } from "../model/report.js";
import { reportLines } from "../model/report-lines.js";
import { costOfRow } from "../model/report-words.js";
import { endOf } from "./noted-runs.js";
import { reportRuns } from "./report-runs.js";
import { RunJournal } from "./run-journal.js";

const DAY = 24 * 60;
const NOW = 2 * DAY;

/** Mostly forwards; some things happen exactly at an edge, and clocks also go back. */
const after = fc.oneof(
  { weight: 6, arbitrary: fc.integer({ min: 0, max: 400 }) },
  { weight: 2, arbitrary: fc.constantFrom(0, 60, DAY / 2) },
  { weight: 1, arbitrary: fc.integer({ min: -300, max: -1 }) },
);
const forwards = fc.oneof(fc.integer({ min: 0, max: 400 }), fc.constantFrom(0, 240, DAY / 2));

const inProcess = (time: fc.Arbitrary<number>): fc.Arbitrary<Happening> =>
  fc.oneof(
    fc.record({
      what: fc.constantFrom("ask", "answer", "agent task", "attempt fails", "reopen", "block", "complete", "cancel"),
      after: time,
    }),
    fc.record({
      what: fc.constant("fail"),
      after: time,
      message: fc.constantFrom("no disk", "port 4711 is taken", "port 4712 is taken"),
    }),
  );

const inLoop = (time: fc.Arbitrary<number>): fc.Arbitrary<Happening> =>
  fc.oneof(
    {
      weight: 4,
      arbitrary: fc.record({
        what: fc.constant("turn"),
        after: time,
        usd: fc.oneof(
          { weight: 5, arbitrary: fc.integer({ min: 0, max: 3_000_000 }).map((n) => n / 1e6) },
          fc.constant(null),
        ),
        isFound: fc.oneof({ weight: 4, arbitrary: fc.constant(true) }, fc.constant(false)),
      }),
    },
    fc.record({ what: fc.constantFrom("turn fails", "resume", "cancel"), after: time }),
    fc.record({ what: fc.constant("pause"), after: time, by: fc.constantFrom("engine", "person") }),
    fc.record({ what: fc.constant("amend"), after: time, iterations: fc.integer({ min: 1, max: 99 }) }),
    fc.record({ what: fc.constant("end"), after: time, by: fc.constantFrom("verified", "proof", "claim") }),
  );

function nights(time: fc.Arbitrary<number> = after): fc.Arbitrary<InventedRun[]> {
  const begins = fc.oneof(fc.integer({ min: -DAY, max: NOW }), fc.constantFrom(0, DAY / 2, DAY));
  const run = fc.oneof(
    fc.record({
      at: begins,
      processId: fc.constantFrom("p", "q"),
      happens: fc.array(inProcess(time), { maxLength: 8 }),
    }),
    fc.record({
      at: begins,
      goal: fc.constantFrom("Fix it", "Write it"),
      earlierUsd: fc.constantFrom(0, 1.5),
      happens: fc.array(inLoop(time), { maxLength: 12 }),
    }),
  );
  return fc.array(run, { maxLength: 7 }).map((runs) => runs.map((one, n) => ({ name: `run-${n}`, ...one })));
}

/** Its question is open all the time, but while it has failed nobody's answer would continue it. */
const ASKED_WHILE_FAILED: InventedRun[] = [
  {
    name: "asked-while-failed",
    at: 0,
    happens: [
      { what: "ask", after: 60 },
      { what: "fail", after: 60 },
      { what: "reopen", after: DAY },
      { what: "answer", after: 30 },
    ],
  },
];

function micro(usd: number | null): number {
  return Math.round((usd ?? 0) * 1e6);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((all, one) => all + one, 0);
}

function addsUp(report: Report): void {
  const rows = rowsOf(report);
  const { totals } = report;
  expect(totals.runs).toBe(rows.length);
  for (const outcome of OUTCOMES)
    expect([outcome, totals.outcomes[outcome]]).toEqual([
      outcome,
      rows.filter((row) => row.outcome === outcome).length,
    ]);
  expect(sum(Object.values(totals.outcomes))).toBe(totals.runs);
  expect(totals.humanMs).toBe(sum(rows.map(({ humanMs }) => humanMs)));
  expect(totals.humanWallMs).toBeLessThanOrEqual(totals.humanMs);
  expect(totals.humanWallMs).toBeGreaterThanOrEqual(Math.max(0, ...rows.map(({ humanMs }) => humanMs)));
  expect(totals.humanWallMs).toBeLessThanOrEqual(Date.parse(report.until) - Date.parse(report.since));
  expect(totals.failedAttempts).toBe(sum(rows.map(({ failedAttempts }) => failedAttempts)));
  expect(totals.failedTurns).toBe(sum(rows.map(({ failedTurns }) => failedTurns?.count ?? 0)));
  expect(totals.contractChanges).toBe(sum(rows.map(({ contractChanges = [] }) => contractChanges.length)));
}

function costsAddUp(report: Report): void {
  const costs = rowsOf(report).flatMap(({ cost }) => cost ?? []);
  const { cost: total } = report.totals;
  const known = costs.filter(({ usd }) => usd !== null);
  expect(total.usd === null).toBe(known.length === 0);
  expect(micro(total.usd)).toBe(sum(known.map(({ usd }) => micro(usd))));
  expect(total.tokens ?? 0).toBe(sum(costs.map(({ tokens }) => tokens ?? 0)));
  expect(total.unknownRuns).toBe(costs.filter((cost) => isUnknown(cost)).length);
  expect(total.unknownTurns).toBe(sum(costs.map(({ unknownTurns = 0 }) => unknownTurns)));
}

function isUnknown({ usd, unknownTurns = 0, unknownTasks }: ReportedCost): boolean {
  return usd === null || unknownTurns > 0 || unknownTasks === true;
}

function causesAreTold({ causes, failed, totals }: Report): void {
  const told = causes.flatMap(({ runs }) => runs.map(({ runId }) => runId));
  expect(new Set(told).size).toBe(told.length);
  expect(told.toSorted()).toEqual(failed.map(({ runId }) => runId).toSorted());
  expect(failed).toHaveLength(totals.outcomes.failed + totals.outcomes.blocked);
  for (const { runId, cause } of failed) expect(causes[cause as number]?.runs.map((run) => run.runId)).toContain(runId);
}

async function journalsOf({ ports }: InventedNight): Promise<RunJournal[]> {
  const listed = await ports.store.list();
  return Promise.all(listed.map(({ runId }) => RunJournal.open(ports, runId)));
}

describe("invented nights", () => {
  it("B9: every run that has not ended before is in the report once, and all sums add up", async () => {
    await fc.assert(
      fc.asyncProperty(nights(), async (runs) => {
        const night = await InventedNight.of(runs);
        const report = await night.report(DAY, NOW);
        const journals = await journalsOf(night);
        const inIt = journals.filter(({ summary }) => {
          const ended = endOf(summary);
          return ended === undefined || Date.parse(ended.at) >= minute(DAY).getTime();
        });
        const names = rowsOf(report).map(({ runId }) => runId);
        expect(names.toSorted()).toEqual(inIt.map(({ runId }) => runId).toSorted());
        addsUp(report);
        costsAddUp(report);
        causesAreTold(report);
        expect(await reportRuns(journals, { since: minute(DAY), until: minute(NOW) })).toEqual(report);
      }),
      { numRuns: 60 },
    );
  });

  it("B9: what it says of the time before is what a report on that time says", async () => {
    await fc.assert(
      fc.asyncProperty(nights(), async (runs) => {
        const night = await InventedNight.of(runs);
        const { against, ...now } = await night.report(DAY, NOW);
        const before = await night.report(0, DAY, { madeAt: NOW });
        addsUp(before);
        costsAddUp(before);
        expect(against).toMatchObject({ since: before.since, until: before.until, totals: before.totals });
        const was = new Map(rowsOf(before).map((row) => [row.runId, row.outcome]));
        const is = new Map(rowsOf({ ...now, against }).map((row) => [row.runId, row.outcome]));
        for (const { runId, was: then, is: today, before: other } of [...against.broken, ...against.recovered]) {
          expect(today).toBe(is.get(runId));
          expect(then).toBe(was.get(other ?? runId));
        }
        expect(against.broken.every((turned) => isRed(turned.is) && !isRed(turned.was))).toBe(true);
        expect(against.recovered.every((turned) => !isRed(turned.is) && isRed(turned.was))).toBe(true);
      }),
      { numRuns: 60 },
    );
  });

  it("B9: a report that was made at a time and one that is made of it later count the same, if clocks do not go back", async () => {
    await fc.assert(
      fc.asyncProperty(nights(forwards), async (runs) => {
        // When agents worked on tasks is not noted: the cost of a run with such tasks is unknown as long as it lives.
        const known = runs.map((run) => ({ ...run, happens: run.happens.filter(({ what }) => what !== "agent task") }));
        const later = await (await InventedNight.of(known)).report(0, DAY, { madeAt: NOW });
        // As it was then: without what happened afterwards, and the end itself does not belong to it.
        const then = await (await InventedNight.of(known.flatMap(upTo(DAY)))).report(0, DAY);
        expect(later.totals).toEqual({ ...then.totals, codeChanges: later.totals.codeChanges });
      }),
      { numRuns: 60, examples: [[ASKED_WHILE_FAILED]] },
    );
  });

  it("B9: nobody is waited for while a run has failed, whenever the report is made", async () => {
    const night = await InventedNight.of(ASKED_WHILE_FAILED);
    for (const madeAt of [DAY, NOW]) expect((await night.report(0, DAY, { madeAt })).humanWaitMinutes).toBe(60);
    expect((await night.report(0, NOW)).humanWaitMinutes).toBe(60 + 30);
  });

  it("B9: what two nights cost together is what they cost one after the other", async () => {
    await fc.assert(
      fc.asyncProperty(nights(forwards), async (runs) => {
        const night = await InventedNight.of(runs);
        const spentIn = async (from: number, to: number): Promise<Map<string, number>> =>
          new Map(
            rowsOf(await night.report(from, to, { madeAt: 9 * DAY })).map((row) => [
              row.runId,
              micro(row.cost?.usd ?? 0),
            ]),
          );
        const [first, second, both] = [await spentIn(0, DAY), await spentIn(DAY, NOW), await spentIn(0, NOW)];
        for (const [runId, usd] of both)
          expect([runId, (first.get(runId) ?? 0) + (second.get(runId) ?? 0)]).toEqual([runId, usd]);
      }),
      { numRuns: 60 },
    );
  });

  it("B9: of a whole run it tells what its turns cost, and how many at the end are not in that", async () => {
    await fc.assert(
      fc.asyncProperty(nights(), async (runs) => {
        const report = await (await InventedNight.of(runs)).report(-9 * DAY, 9 * DAY);
        const told = new Map(rowsOf(report).map(({ runId, cost }) => [runId, cost]));
        for (const run of runs) expect([run.name, told.get(run.name)]).toEqual([run.name, costOf(run)]);
      }),
      { numRuns: 60 },
    );
  });

  it("B9: what is not known is never told as nothing", async () => {
    await fc.assert(
      fc.asyncProperty(nights(), async (runs) => {
        const report = await (await InventedNight.of(runs)).report(DAY, NOW);
        const { cost } = report.totals;
        for (const row of rowsOf(report))
          expect(costOfRow(row)?.replace(/ ?\$[\d.]+$/u, "")).toBe(expectedWords(row.cost));
        const text = renderReport(report, { now: minute(NOW), paint: makePaint(false, {}) });
        const lines = reportLines(report);
        expect(lines.length).toBeLessThanOrEqual(26);
        for (const told of [text, lines.join("\n")]) {
          expect(told.includes(`unknown: ${cost.unknownRuns} run`)).toBe(cost.unknownRuns > 0);
          expect(/cost:? +(?:at least )?\$/u.test(told)).toBe(cost.usd !== null);
        }
      }),
      { numRuns: 60 },
    );
  });
});

/** What is said of a cost, without the amount. */
function expectedWords(cost: ReportedCost | undefined): string | undefined {
  if (cost === undefined || cost.usd === null) return cost && "cost not known";
  return isUnknown(cost) ? "at least" : "";
}

/** The part of a run that happens before a minute. */
function upTo(end: number): (run: InventedRun) => InventedRun[] {
  return (run) => {
    if (run.at >= end) return [];
    let at = run.at;
    const happens = run.happens.filter((happening) => {
      at += happening.after ?? 1;
      return at < end;
    });
    return [{ ...run, happens }];
  };
}

/** What the turns of a run cost together, told from what happens in it. */
function costOf({ goal, happens }: InventedRun): ReportedCost | undefined {
  if (goal === undefined) return hasAgentTask(happens) ? { usd: null, tokens: null, unknownTasks: true } : undefined;
  const end = happens.findIndex(({ what }) => what === "cancel" || what === "end");
  const turns = happens.slice(0, end < 0 ? happens.length : end + 1).filter(isTurn);
  if (turns.length === 0) return undefined;
  const found = turns.filter(isFound);
  const [known, tokens] = [sum(found.map(({ usd }) => micro(usd ?? 0))), 1_000 * found.length];
  // A model without a price makes all that follows uncertain.
  const unpriced = found.find(({ usd }) => usd === null);
  const sure = found.slice(0, unpriced === undefined ? found.length : found.indexOf(unpriced));
  const unknownTurns = turns.length - 1 - turns.findLastIndex((turn) => isFound(turn) && sure.includes(turn));
  return {
    usd: sure.length > 0 || known > 0 ? known / 1e6 : null,
    tokens: tokens > 0 ? tokens : null,
    ...(unknownTurns === 0 ? {} : { unknownTurns }),
  };
}

function isTurn(happening: Happening): boolean {
  return (
    ["turn", "end", "turn fails"].includes(happening.what) || (happening.what === "pause" && happening.by === "engine")
  );
}

function isFound(happening: Happening): happening is Extract<Happening, { what: "turn" }> {
  return happening.what === "turn" && happening.isFound !== false;
}

/** While a run has failed or is blocked nothing else happens in it, until it is reopened or cancelled. */
function hasAgentTask(happens: readonly Happening[]): boolean {
  let isStopped = false;
  for (const { what } of happens) {
    if (what === "reopen") isStopped = false;
    if (what === "cancel" || (what === "complete" && !isStopped)) return false;
    if (what === "agent task" && !isStopped) return true;
    if (what === "fail" || what === "block") isStopped = true;
  }
  return false;
}
