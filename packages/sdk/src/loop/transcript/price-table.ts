/** List prices of models, and which of them a model id means. */
import type { ModelPrice } from "../../model/loop-contract.js";

/** When the table was last compared with the maker's price list. */
export const PRICED_AT = "2026-10-17";

/** Most models have cache prices that follow from the price of input. */
export function withCachePrices({
  input,
  output,
  ...cache
}: Pick<ModelPrice, "input" | "output"> & Partial<ModelPrice>): ModelPrice {
  return {
    input,
    output,
    cacheRead: cache.cacheRead ?? times(input, 0.1),
    cacheWrite5m: cache.cacheWrite5m ?? times(input, 1.25),
    cacheWrite1h: cache.cacheWrite1h ?? times(input, 2),
  };
}

/** Without the noise of binary fractions: prices are shown to people. */
function times(price: number, factor: number): number {
  return Number((price * factor).toPrecision(12));
}

const price = (input: number, output: number, cacheRead?: number): ModelPrice =>
  withCachePrices({ input, output, ...(cacheRead === undefined ? {} : { cacheRead }) });

/**
 * US dollars per million tokens, by model id without date. `-fast` is the dearer fast mode of the same model;
 * ` >100k` is for calls whose prompt is longer than that.
 */
const PRICES: Readonly<Record<string, ModelPrice>> = {
  "claude-fable-5-1": price(10, 50, 0.25),
  "claude-mythos-5-1": price(10, 50, 0.25),
  "claude-fable-5": price(10, 50),
  "claude-mythos-5": price(10, 50),
  "claude-opus-5-5": price(4, 20, 0.2),
  "claude-opus-5-5-fast": price(8, 40, 0.4),
  "claude-opus-5": price(5, 25),
  "claude-opus-5-fast": price(10, 50),
  "claude-opus-4-8": price(5, 25),
  "claude-opus-4-8-fast": price(10, 50),
  "claude-opus-4-7": price(5, 25),
  "claude-opus-4-6": price(5, 25),
  "claude-opus-4-6-fast": price(30, 150),
  "claude-opus-4-5": price(5, 25),
  "claude-opus-4-1": price(15, 75),
  "claude-opus-4-0": price(15, 75),
  "claude-opus-4": price(15, 75),
  "claude-sonnet-5-5": price(2, 10),
  "claude-sonnet-5": price(2, 10),
  "claude-sonnet-4-6": price(3, 15),
  "claude-sonnet-4-5": price(3, 15),
  "claude-sonnet-4-5 >200k": price(6, 22.5),
  "claude-sonnet-4-0": price(3, 15),
  "claude-sonnet-4-0 >200k": price(6, 22.5),
  "claude-sonnet-4": price(3, 15),
  "claude-sonnet-4 >200k": price(6, 22.5),
  "claude-haiku-5-5": price(0.1, 0.5),
  "claude-haiku-5-5 >100k": price(0.5, 2.5),
  "claude-haiku-4-5": price(1, 5),
  "claude-3-7-sonnet": price(3, 15),
  "claude-3-5-sonnet": price(3, 15),
  "claude-3-5-haiku": price(0.8, 4),
  "claude-3-opus": price(15, 75),
  "claude-3-haiku": { input: 0.25, output: 1.25, cacheRead: 0.03, cacheWrite5m: 0.3, cacheWrite1h: 0.5 },
};

const LONG_PROMPTS = [
  { above: 200_000, mark: " >200k" },
  { above: 100_000, mark: " >100k" },
];

/** The name under which a call is priced: the model's own, with a mark for what makes it dearer. */
export function rateOf(model: string, call: { fast: boolean; promptTokens: number }): string {
  const name = call.fast && !model.endsWith("-fast") ? `${model}-fast` : model;
  const id = plainId(name);
  const long = LONG_PROMPTS.find(
    ({ above, mark }) => call.promptTokens > above && Object.hasOwn(PRICES, `${id}${mark}`),
  );
  return long === undefined ? name : `${name}${long.mark}`;
}

const RATE = /^(?<model>.*?)(?<mark> >\d+k)?$/su;

/** The model of such a name, for people. */
export function modelOfRate(rate: string): string {
  return RATE.exec(rate)?.groups?.["model"] ?? rate;
}

/**
 * The price of a model or of a name from {@link rateOf}; undefined when it is not known, because any guess would
 * break a budget. What the user has set wins, by the longest beginning that fits. The table itself only knows whole
 * names: a `claude-opus-5-9` is another model than `claude-opus-5`.
 */
export function priceOf(rate: string, overrides: Readonly<Record<string, ModelPrice>> = {}): ModelPrice | undefined {
  const { model = rate, mark = "" } = RATE.exec(rate)?.groups ?? {};
  const id = plainId(model);
  const own = Object.keys(overrides)
    .filter(
      (prefix) => prefix !== "" && [model.toLowerCase(), id].some((name) => name.startsWith(prefix.toLowerCase())),
    )
    .toSorted((a, b) => b.length - a.length)
    .at(0);
  if (own !== undefined) return overrides[own];
  return Object.hasOwn(PRICES, id + mark) ? PRICES[id + mark] : undefined;
}

const LONGEST_ID = 500;
/** What may stand after the name of a model: a date, a version of the API, the size of the context window. */
const DECORATION = /(?:\[[^[\]]*\]|@[\w-]+|-v\d+(?::\d+)?|:\d+|-\d{8}|-latest)$/u;

/**
 * The name of a model as its maker writes it, without date, from the ids that clouds and gateways use:
 * `us.anthropic.claude-sonnet-4-5-20250929-v1:0`, `claude-sonnet-4-5@20250929`, `anthropic/claude-opus-4.6`.
 */
function plainId(model: string): string {
  let id = model.trim().toLowerCase();
  // No model has such a name.
  if (id.length > LONGEST_ID) return id;
  const start = /^(?:.*[./:])?(?=claude-)/su.exec(id);
  if (start !== null) id = id.slice(start[0].length);
  for (let shorter = id.replace(DECORATION, ""); shorter !== id; shorter = id.replace(DECORATION, "")) id = shorter;
  return id.replaceAll(/(?<=\d)\.(?=\d)/gu, "-");
}
