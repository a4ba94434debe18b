import { expect, test } from "vitest";
import type { JournalEvent } from "./events.js";
import type { Spend } from "./loop-events.js";
import { beginLedger, type CostSample, covers, foldLedger, type RunLedger } from "./run-ledger.js";

/** The same numbers in every run of the test. */
function* chance(seed: number): Generator<number, never> {
  for (let state = seed; ; ) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    yield state / 2 ** 32;
  }
}

/** Questions, failures and results in any order, by a clock that also goes back, and sometimes says nothing. */
function randomEvents(seed: number, length: number): JournalEvent[] {
  const numbers = chance(seed);
  const below = (limit: number): number => Math.floor(numbers.next().value * limit);
  let now = 1_000_000;
  return Array.from({ length }, (_, index) => {
    now += below(10) === 0 ? -below(5_000) : below(1_000);
    const timestamp = below(20) === 0 ? "no time" : new Date(now).toISOString();
    const effectId = `effect-${below(6)}`;
    const events = [
      { type: "EFFECT_REQUESTED", payload: { kind: below(2) === 0 ? "breakpoint" : "agent" } },
      { type: "EFFECT_REOPENED", payload: { kind: "breakpoint" } },
      { type: "EFFECT_RESOLVED", payload: { status: below(2) === 0 ? "ok" : "error" } },
      { type: "EFFECT_ATTEMPT_FAILED", payload: {} },
      { type: "TURN_FAILED", payload: {} },
      { type: "STOP_HOOK_INVOKED", payload: { reason: "continue_loop", spend: spentUpTo(index) } },
      { type: "RUN_FAILED", payload: {} },
      { type: "RUN_REOPENED", payload: {} },
    ];
    return { seq: index + 1, timestamp, effectId, ...events[below(events.length)] } as unknown as JournalEvent;
  });
}

function spentUpTo(calls: number): Spend {
  const tokens = { input: calls, output: 0, cacheRead: 0, cacheWrite: 0 };
  return { usd: calls, knownUsd: calls, tokens, calls, unpriced: [], pricedAt: "" };
}

function ledgerOf(events: readonly JournalEvent[], maxEntries: number): RunLedger {
  const ledger = beginLedger(events[0] as JournalEvent);
  for (const event of events) foldLedger(ledger, event, maxEntries);
  return ledger;
}

/** The last sample before a time, and all behind it. */
function costsSince({ costs = [] }: RunLedger, time: number): CostSample[] {
  return costs.slice(
    Math.max(
      0,
      costs.findLastIndex(([at]) => at < time),
    ),
  );
}

test("C22: a ledger that has dropped entries either has everything since a time, or says that it has not", () => {
  let answers = 0;
  for (let seed = 1; seed <= 60; seed += 1) {
    const events = randomEvents(seed, 120);
    const all = ledgerOf(events, Number.POSITIVE_INFINITY);
    const some = ledgerOf(events, 8);
    expect(some.open).toEqual(all.open);
    for (let time = 990_000; time < 1_100_000; time += 5_000) {
      if (!covers(some, new Date(time))) continue;
      answers += 1;
      const since = (times: number[]): number[] => times.filter((at) => at >= time);
      expect(since(some.failed)).toEqual(since(all.failed));
      expect(since(some.turns)).toEqual(since(all.turns));
      const spans = ({ answered }: RunLedger): number[][] => answered.filter(([, to]) => to > time);
      expect(spans(some)).toEqual(spans(all));
      const reds = ({ reds: ended = [], red }: RunLedger): unknown => [ended.filter(([, to]) => to >= time), red];
      expect(reds(some)).toEqual(reds(all));
      expect(costsSince(some, time)).toEqual(costsSince(all, time));
    }
  }
  expect(answers).toBeGreaterThan(100);
});

test("C22: a ledger stays where an event is missing", () => {
  const [first, second, third, fourth] = randomEvents(1, 4) as [JournalEvent, JournalEvent, JournalEvent, JournalEvent];
  const ledger = ledgerOf([first, second], 8);
  const before = structuredClone(ledger);
  foldLedger(ledger, fourth);
  expect(ledger).toEqual(before);
  foldLedger(ledger, third);
  foldLedger(ledger, fourth);
  expect(ledger).toEqual(ledgerOf([first, second, third, fourth], 8));
});
