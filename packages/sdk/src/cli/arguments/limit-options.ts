/** New limits of a loop, from the options of a command. */
import type { LoopLimits } from "../../model/loop-contract.js";
import { durationOf } from "../grammar/durations.js";
import type { Invocation } from "../grammar/invocation.js";
import { numberOption, usageError } from "../grammar/parse-arguments.js";

/** Only those that were given. */
export function limitsFrom(invocation: Invocation): Partial<LoopLimits> {
  const { options, name } = invocation;
  const usd = options.text("budget-usd");
  if (usd !== undefined && !/^\d{1,12}(?:\.\d{1,9})?$/u.test(usd))
    throw usageError(invocation, `--budget-usd must be a number, not ${JSON.stringify(usd)}.`);
  const time = options.text("max-time");
  const given = {
    iterations: numberOption(name, options, "max-iterations"),
    tokens: numberOption(name, options, "budget-tokens"),
    reviewEvery: numberOption(name, options, "review-every"),
    usd: usd === undefined ? undefined : Number(usd),
    wallMs: time === undefined ? undefined : durationOf(name, "max-time", time),
  };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}
