/** The terms of a loop, from the options of a command. */
import { LOOP_FLAGS, type LoopFlagName } from "../../loop/formats/loop-flags.js";
import { type GivenFlag, type LoopTerms, readLoopTerms } from "../../loop/formats/loop-terms.js";
import { BabysitterError } from "../../model/errors.js";
import { defined } from "../../model/json.js";
import type { Invocation } from "../grammar/invocation.js";

const NAMES = Object.keys(LOOP_FLAGS) as LoopFlagName[];
const OF_CRITERIA: ReadonlySet<LoopFlagName> = new Set(["criteria", "fast-criteria", "must-not"]);

/** `mayLift`: a limit of 0 takes away the one that is there. */
export function loopTerms(invocation: Invocation, { mayLift = false } = {}): LoopTerms {
  const { name, options } = invocation;
  const given = NAMES.flatMap((flag): GivenFlag[] => valuesOf(options, flag).map((value) => ({ name: flag, value })));
  const { terms, problems } = readLoopTerms(given, { mayLift });
  const [wrong] = problems;
  if (wrong === undefined) return terms;
  const { flag, value, problem, hint } = wrong;
  if (OF_CRITERIA.has(flag)) throw new BabysitterError("CRITERION_INVALID", problem, { hint });
  throw new BabysitterError("USAGE", `${name}: ${problem}`, { hint, details: { flag, ...defined({ value }) } });
}

function valuesOf(options: Invocation["options"], flag: LoopFlagName): string[] {
  if ("many" in LOOP_FLAGS[flag]) return options.texts(flag);
  const value = options.text(flag);
  if (value !== undefined) return [value];
  // An empty value counts as not given; but a promise that nobody can give would leave the loop without an end.
  return flag === "completion-promise" && options.isEmpty(flag) ? [""] : [];
}
