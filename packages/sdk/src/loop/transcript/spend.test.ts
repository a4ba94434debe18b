import { describe, expect, test } from "vitest";
import { priceOf } from "./price-table.js";
import { parsePrices } from "./spend-prices.js";

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
