/** What the tokens of a loop cost at list prices. */
import type { ModelPrice } from "../../model/loop-contract.js";
import type { Spend } from "../../model/loop-events.js";
import { modelOfRate, PRICED_AT, priceOf } from "./price-table.js";
import type { RateUsage, Tokens, Usage } from "./spend-usage.js";

export function spendOf(usage: Usage, overrides: Readonly<Record<string, ModelPrice>> = {}): Spend {
  const spend: Spend = {
    usd: null,
    knownUsd: 0,
    tokens: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
    calls: 0,
    unpriced: [],
    pricedAt: PRICED_AT,
  };
  const unpriced = new Set<string>();
  for (const [rate, used] of usage) {
    addUsage(spend, used);
    const price = priceOf(rate, overrides);
    if (price === undefined) unpriced.add(modelOfRate(rate));
    else spend.knownUsd += costOf(used.tokens, price);
  }
  spend.knownUsd = Number(spend.knownUsd.toFixed(6));
  spend.unpriced = [...unpriced].toSorted();
  // No call at all means that nobody has understood what the host wrote: an agent has used something.
  if (spend.unpriced.length === 0 && spend.calls > 0) spend.usd = spend.knownUsd;
  return spend;
}

function addUsage(spend: Spend, { calls, tokens }: RateUsage): void {
  const [input, output, cacheRead, write5m, write1h] = tokens;
  spend.calls += calls;
  spend.tokens.input += input;
  spend.tokens.output += output;
  spend.tokens.cacheRead += cacheRead;
  spend.tokens.cacheWrite += write5m + write1h;
}

function costOf([input, output, cacheRead, write5m, write1h]: Tokens, price: ModelPrice): number {
  const micros =
    input * price.input +
    output * price.output +
    cacheRead * price.cacheRead +
    write5m * price.cacheWrite5m +
    write1h * price.cacheWrite1h;
  return micros / 1_000_000;
}
