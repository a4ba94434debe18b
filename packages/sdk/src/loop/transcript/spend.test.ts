import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../model/json.js";
import { PRICED_AT, priceOf } from "./price-table.js";
import { spendOf } from "./spend.js";
import { parsePrices } from "./spend-prices.js";
import { emptyUsage, settleUsage, sumUsage, type UsageState, usageOf } from "./spend-usage.js";

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
const spendOfRows = (rows: JsonObject[], state?: UsageState) => spendOf(usageOf(sumUsage(rows, state)));

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
  expect(spendOfRows(rows)).toMatchObject({ usd: 0, calls: 0, unpriced: [] });
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
  const state = sumUsage([row({})]);
  for (let reading = 0; reading < 3; reading += 1) settleUsage(state);
  sumUsage([row({ usage: { output_tokens: 200 } })], state);
  for (let reading = 0; reading < 3; reading += 1) settleUsage(state);
  expect(state.calls.size).toBe(1);
  settleUsage(state);
  expect(state.calls.size).toBe(0);
  sumUsage([row({ usage: { output_tokens: 300 } })], state);
  expect(spendOf(usageOf(state))).toMatchObject({ calls: 1, tokens: { output: 200 } });
});

test("very many calls: the oldest ids are forgotten, the tokens are not", () => {
  const state = sumUsage(["1", "2", "3", "4", "5"].map((id) => row({ id })));
  for (let reading = 0; reading < 4; reading += 1) settleUsage(state, 3);
  expect([...state.settled]).toEqual(["3", "4", "5"]);
  expect(spendOf(usageOf(state)).calls).toBe(5);
});

describe("prices", () => {
  test.each([
    ["claude-sonnet-4-5", 3],
    ["claude-sonnet-4-5-20250929", 3],
    ["claude-sonnet-4-5@20250929", 3],
    ["us.anthropic.claude-sonnet-4-5-20250929-v1:0", 3],
    ["arn:aws:bedrock:us-east-1:1:inference-profile/global.anthropic.claude-opus-4-6-v1", 5],
    ["anthropic.claude-haiku-5-5", 0.1],
    ["anthropic/claude-opus-4.6", 5],
    ["anthropic/claude-opus-5-fast-20260723", 10],
    ["claude-opus-5-5[1m]", 4],
    ["claude-opus-4-20250514", 15],
    ["claude-opus-4-0", 15],
    ["claude-3-5-sonnet-v2@20241022", 3],
    ["claude-3-5-haiku-latest", 0.8],
    ["Claude-Opus-5", 5],
  ])("%s is known", (model, input) => {
    expect(priceOf(model)?.input).toBe(input);
  });
  test.each([
    "claude-opus-5-9",
    "claude-opus-4-9-20270101",
    "claude-sonnet-5-fast",
    "gpt-6",
    "",
    "constructor",
    "my-claude-opus-5x",
    "claude-",
  ])("%j is not known", (model) => {
    expect(priceOf(model)).toBeUndefined();
  });
  test("what the user has set wins, by the longest beginning that fits", () => {
    const one = { input: 1, output: 1, cacheRead: 1, cacheWrite5m: 1, cacheWrite1h: 1 };
    const overrides = { "claude-": one, "claude-opus": { ...one, input: 2 }, "us.anthropic.": { ...one, input: 3 } };
    expect(priceOf("claude-sonnet-4-5", overrides)?.input).toBe(1);
    expect(priceOf("claude-opus-9", overrides)?.input).toBe(2);
    expect(priceOf("us.anthropic.claude-opus-9-v1:0", overrides)?.input).toBe(3);
    expect(priceOf("gpt-6", { "": one })).toBeUndefined();
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
});

describe("prices that a user sets", () => {
  test("have cache prices that follow from the price of input", () => {
    expect(parsePrices({ "my-model": { input: 4, output: 20 }, other: { input: 1, output: 2, cacheRead: 0 } })).toEqual(
      {
        problems: [],
        prices: {
          "my-model": { input: 4, output: 20, cacheRead: 0.4, cacheWrite5m: 5, cacheWrite1h: 8 },
          other: { input: 1, output: 2, cacheRead: 0, cacheWrite5m: 1.25, cacheWrite1h: 2 },
        },
      },
    );
  });
  test.each<[unknown, string]>([
    [[], "prices must be an object of models and their prices, not []"],
    [null, "prices must be an object of models and their prices, not null"],
    [{ m: 3 }, 'the price of "m" must be an object such as { "input": 3, "output": 15 }, not 3'],
    [{ m: { input: 3 } }, 'the price of "m" has no output'],
    [{ m: { input: -1, output: 1 } }, 'input of "m" must be US dollars per million tokens from 0 to 1000000, not -1'],
    [{ m: { input: "3", output: 1 } }, 'input of "m" must be US dollars per million tokens from 0 to 1000000, not "3"'],
    [
      { m: { input: 3, output: 1, cached: 1 } },
      'the price of "m" has an unknown field "cached"; known are input, output, cacheRead, cacheWrite5m, cacheWrite1h',
    ],
    [{ " ": { input: 3, output: 1 } }, "a model ID must not be empty"],
  ])("%j is refused in words", (json, problem) => {
    expect(parsePrices(json)).toEqual({ prices: {}, problems: [problem] });
  });
  test("one bad price does not take the others with it, and no name is special", () => {
    const json = JSON.parse('{ "__proto__": { "input": 1, "output": 2 }, "bad": 1 }') as unknown;
    const { prices, problems } = parsePrices(json);
    expect(problems).toHaveLength(1);
    expect(Object.keys(prices)).toEqual(["__proto__"]);
  });
});
