/** Prices that a user has set for models. */
import { isJsonObject } from "../../model/json.js";
import type { ModelPrice } from "../../model/loop-contract.js";
import { withCachePrices } from "./price-table.js";

const NEEDED = ["input", "output"] as const;
const FIELDS = [...NEEDED, "cacheRead", "cacheWrite5m", "cacheWrite1h"] as const;

/** More than that per million tokens is a slip of the pen. */
const HIGHEST = 1_000_000;

export interface ParsedPrices {
  prices: Record<string, ModelPrice>;
  /** What is wrong, in words; a price with a problem is left out. */
  problems: string[];
}

/** Reads a map from the beginning of model ids to prices in US dollars per million tokens. */
export function parsePrices(json: unknown): ParsedPrices {
  if (!isJsonObject(json))
    return { prices: {}, problems: [`prices must be an object of models and their prices, not ${shown(json)}`] };
  const prices: [string, ModelPrice][] = [];
  const problems: string[] = [];
  for (const [model, value] of Object.entries(json)) {
    const found = model.trim() === "" ? ["a model ID must not be empty"] : problemsOf(model, value);
    problems.push(...found);
    if (found.length === 0) prices.push([model, withCachePrices(value as unknown as ModelPrice)]);
  }
  // `__proto__` is a name like any other here.
  return { prices: Object.fromEntries(prices), problems };
}

function problemsOf(model: string, value: unknown): string[] {
  const name = JSON.stringify(model);
  if (!isJsonObject(value))
    return [`the price of ${name} must be an object such as { "input": 3, "output": 15 }, not ${shown(value)}`];
  const known: readonly string[] = FIELDS;
  return [
    ...NEEDED.filter((field) => value[field] === undefined).map((field) => `the price of ${name} has no ${field}`),
    ...Object.entries(value).flatMap(([field, amount]) => {
      if (!known.includes(field))
        return [`the price of ${name} has an unknown field ${JSON.stringify(field)}; known are ${FIELDS.join(", ")}`];
      return isAmount(amount)
        ? []
        : [`${field} of ${name} must be US dollars per million tokens from 0 to ${HIGHEST}, not ${shown(amount)}`];
    }),
  ];
}

function isAmount(value: unknown): value is number {
  return typeof value === "number" && Number.isFinite(value) && value >= 0 && value <= HIGHEST;
}

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 60 ? `${text.slice(0, 57)}…` : text;
}
