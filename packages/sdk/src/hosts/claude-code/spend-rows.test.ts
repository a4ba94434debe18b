import { describe, expect, test } from "vitest";
import { PRICED_AT } from "../../loop/transcript/price-table.js";
import { spendOf } from "../../loop/transcript/spend.js";
import { emptyUsage, settleUsage, sumUsage, type UsageState, usageOf } from "../../loop/transcript/spend-usage.js";
import type { JsonObject } from "../../model/json.js";
import { meteredRow } from "./spend-rows.js";

const SINCE = "2026-10-20T10:00:00.000Z";
const DURING = "2026-10-20T10:30:00.000Z";
const EARLIER = "2026-10-20T09:59:59.999Z";

interface RowFields {
  id?: string;
  model?: string;
  usage?: JsonObject;
  at?: string;
  more?: JsonObject;
}
const row = ({
  id = "msg_1",
  model = "claude-sonnet-4-5-20250929",
  usage = {},
  at,
  more = {},
}: RowFields): JsonObject => ({
  type: "assistant",
  ...(at === undefined ? {} : { timestamp: at }),
  message: { id, model, role: "assistant", content: [], usage: { input_tokens: 10, output_tokens: 100, ...usage } },
  ...more,
});
const summed = (rows: JsonObject[], state?: UsageState) =>
  sumUsage(
    rows.flatMap((one) => meteredRow(one) ?? []),
    state,
  );
const spendOfRows = (rows: JsonObject[], state?: UsageState) => spendOf(usageOf(summed(rows, state)));

test("L12: budget in money and tokens from transcripts: a call counts once, not once per content block", () => {
  const rows = [row({}), row({}), row({ id: "msg_2" })];
  expect(spendOfRows(rows)).toEqual({
    usd: 0.00306,
    knownUsd: 0.00306,
    tokens: { input: 20, output: 200, cacheRead: 0, cacheWrite: 0 },
    calls: 2,
    unpriced: [],
    pricedAt: PRICED_AT,
  });
});

test("L12: budget in money and tokens from transcripts: of partial counts the largest counts, in any order", () => {
  const rows = [1, 500, 40].map((output) => row({ usage: { output_tokens: output } }));
  expect(spendOfRows(rows).tokens).toMatchObject({ input: 10, output: 500 });
  expect(spendOfRows(rows.toReversed()).tokens).toMatchObject({ input: 10, output: 500 });
});

test("L12: budget in money and tokens from transcripts: cache reads and both kinds of cache writes have their price", () => {
  const usage = {
    input_tokens: 1_000_000,
    output_tokens: 1_000_000,
    cache_read_input_tokens: 1_000_000,
    cache_creation_input_tokens: 2_000_000,
    cache_creation: { ephemeral_5m_input_tokens: 1_000_000, ephemeral_1h_input_tokens: 1_000_000 },
  };
  expect(spendOfRows([row({ model: "claude-opus-4-5", usage })])).toMatchObject({
    usd: 5 + 25 + 0.5 + 6.25 + 10,
    tokens: { input: 1_000_000, output: 1_000_000, cacheRead: 1_000_000, cacheWrite: 2_000_000 },
  });
});

test("cache writes whose kind is not said are for five minutes", () => {
  const only = { input_tokens: 0, output_tokens: 0, cache_creation_input_tokens: 1_000_000 };
  expect(spendOfRows([row({ model: "claude-opus-4-5", usage: only })]).usd).toBe(6.25);
  const halfSaid = { ...only, cache_creation: { ephemeral_5m_input_tokens: null, ephemeral_1h_input_tokens: 500_000 } };
  expect(spendOfRows([row({ model: "claude-opus-4-5", usage: halfSaid })]).usd).toBe(3.125 + 5);
});

test("L12: budget in money and tokens from transcripts: an unknown model makes the cost unknown, never 0", () => {
  const rows = [row({}), row({ id: "msg_2", model: "claude-opus-9" }), row({ id: "msg_3", model: "" })];
  expect(spendOfRows(rows)).toMatchObject({
    usd: null,
    knownUsd: 0.00153,
    calls: 3,
    tokens: { input: 30, output: 300 },
    unpriced: ["claude-opus-9", "unknown model"],
  });
});

test("stand-ins, errors of the API, users and rows without numbers are no calls", () => {
  const rows = [
    row({ model: "<synthetic>" }),
    row({ more: { isApiErrorMessage: true } }),
    row({ more: { type: "user" } }),
    row({ id: "msg_2", model: "other", usage: { input_tokens: 0, output_tokens: 0 } }),
    row({ id: "msg_3", model: "other", usage: { input_tokens: -5, output_tokens: "many" } }),
    { type: "assistant", message: { id: "msg_4", usage: [] } },
    { type: "assistant" },
  ];
  expect(spendOfRows(rows)).toMatchObject({ usd: null, calls: 0, unpriced: [] });
});

test("rows of subagents count", () => {
  expect(spendOfRows([row({ more: { isSidechain: true } })]).calls).toBe(1);
});

test("models that advise in the course of a call count with their own price", () => {
  const advice = { type: "advisor_message", model: "claude-opus-5", input_tokens: 1_000_000, output_tokens: 0 };
  const iterations = [{ type: "message", input_tokens: 10, output_tokens: 100 }, advice, null];
  const rows = [row({ usage: { iterations } }), row({ usage: { iterations } })];
  expect(spendOfRows(rows)).toMatchObject({ usd: 5.00153, calls: 2, tokens: { input: 1_000_010, output: 100 } });
});

test("a call without an id is known by its request, else by its row, else by its numbers", () => {
  const nameless = (more: JsonObject, output = 100): JsonObject => ({
    ...row({ more }),
    message: { model: "claude-opus-5", usage: { output_tokens: output } },
  });
  expect(spendOfRows([nameless({ requestId: "r" }), nameless({ requestId: "r", uuid: "u" })]).calls).toBe(1);
  expect(spendOfRows([nameless({ uuid: "a" }), nameless({ uuid: "b" }), nameless({ uuid: "a" })]).calls).toBe(2);
  expect(spendOfRows([nameless({}), nameless({}), nameless({}, 7)]).calls).toBe(2);
});

describe("the beginning of the loop", () => {
  const calls = (...times: (string | undefined)[]): number =>
    spendOfRows(
      times.map((at, n) => row({ id: `msg_${n}`, ...(at === undefined ? {} : { at }) })),
      emptyUsage(SINCE),
    ).calls;
  test("what was before it does not count, what is at or after it does, and what has no time does", () => {
    expect(calls(EARLIER)).toBe(0);
    expect(calls(SINCE)).toBe(1);
    expect(calls(DURING)).toBe(1);
    expect(calls(undefined)).toBe(1);
    expect(calls("some time")).toBe(1);
  });
  test("times are compared as moments, not as text", () => {
    expect(calls("2026-10-20T08:30:00.000-02:00")).toBe(1);
    expect(calls("2026-10-20T11:30:00.000+02:00")).toBe(0);
  });
  test("a clock that is set back in the course of the loop hides nothing", () => {
    expect(calls(EARLIER, DURING, EARLIER, EARLIER)).toBe(3);
  });
  test("old rows that are appended again do not count", () => {
    const rows = [row({ id: "old", at: EARLIER }), row({ id: "new", at: DURING }), row({ id: "old", at: EARLIER })];
    expect(spendOfRows(rows, emptyUsage(SINCE)).calls).toBe(1);
  });
  test("a beginning that is no time lets everything count", () => {
    expect(spendOfRows([row({ at: EARLIER })], emptyUsage("soon")).calls).toBe(1);
  });
});

test("a call that had no row for some readings is settled: its copy changes nothing, its tokens stay", () => {
  const state = summed([row({})]);
  for (let reading = 0; reading < 3; reading += 1) settleUsage(state);
  summed([row({ usage: { output_tokens: 200 } })], state);
  for (let reading = 0; reading < 3; reading += 1) settleUsage(state);
  expect(state.calls.size).toBe(1);
  settleUsage(state);
  expect(state.calls.size).toBe(0);
  summed([row({ usage: { output_tokens: 300 } })], state);
  expect(spendOf(usageOf(state))).toMatchObject({ calls: 1, tokens: { output: 200 } });
});

test("very many calls: the oldest ids are forgotten, the tokens are not", () => {
  const state = summed(["1", "2", "3", "4", "5"].map((id) => row({ id })));
  for (let reading = 0; reading < 4; reading += 1) settleUsage(state, 3);
  expect([...state.settled]).toEqual(["3", "4", "5"]);
  expect(spendOf(usageOf(state)).calls).toBe(5);
});

test("fast mode has a price of its own", () => {
  const fast = row({ model: "claude-opus-5-5", usage: { output_tokens: 1_000_000, input_tokens: 0, speed: "fast" } });
  expect(spendOfRows([fast]).usd).toBe(40);
  const unknown = row({ model: "claude-sonnet-5", usage: { speed: "fast" } });
  expect(spendOfRows([unknown])).toMatchObject({ usd: null, unpriced: ["claude-sonnet-5-fast"] });
});
test("long prompts have a price of their own where the list has one", () => {
  const usage = { input_tokens: 1, cache_read_input_tokens: 99_999, output_tokens: 1_000_000 };
  const haiku = (more: JsonObject) =>
    spendOfRows([row({ model: "claude-haiku-5-5", usage: { ...usage, ...more } })]).usd;
  expect(haiku({})).toBe(0.501);
  expect(haiku({ input_tokens: 2 })).toBe(2.505001);
  expect(spendOfRows([row({ model: "claude-opus-5", usage: { ...usage, input_tokens: 2 } })]).usd).toBe(25.05001);
});
