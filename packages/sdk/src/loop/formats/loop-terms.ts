/** What someone wants to agree on for a loop, as data, and how the flags say it. */
import type { LoopLimits, LoopShape } from "../../model/loop-contract.js";
import { shownLine } from "../../model/shown-text.js";
import { criterionFrom, type NamedCommand, type Problem } from "../rules/criterion-text.js";
import { canBePromised, NOT_PROMISABLE, PROMISE_HINT } from "../rules/promise-grammar.js";
import { LOOP_FLAGS, type LoopFlagName } from "./loop-flags.js";

export interface LoopTerms {
  completionPromise?: string;
  criteria: NamedCommand[];
  /** The same, checked after every turn. */
  fastCriteria: NamedCommand[];
  mustNot: NamedCommand[];
  claims: string[];
  steps: string[];
  protect: string[];
  shape?: LoopShape;
  criterionTimeoutMs?: number;
  /** Write a process for the task first. */
  plan?: true;
  /** 0: no limit, because someone has written so. */
  limits: Partial<Omit<LoopLimits, "rejections">>;
}

/** Nothing was asked for. */
export function noTerms(): LoopTerms {
  return { criteria: [], fastCriteria: [], mustNot: [], claims: [], steps: [], protect: [], limits: {} };
}

/** A flag and its value, as someone wrote them. */
export interface GivenFlag {
  name: LoopFlagName;
  value: string;
}

export interface FlagProblem extends Problem {
  flag: LoopFlagName;
  /** What was written, where it is the value that is wrong. */
  value?: string;
}

/** Reads every flag. `mayLift`: a limit may be set to 0, which takes one away that is there. */
export function readLoopTerms(
  given: readonly GivenFlag[],
  { mayLift }: { mayLift: boolean },
): { terms: LoopTerms; problems: FlagProblem[] } {
  const terms = noTerms();
  const problems: FlagProblem[] = [];
  const seen = new Set<string>();
  for (const { name, value } of given) {
    if (seen.has(name) && !("many" in LOOP_FLAGS[name]))
      problems.push({ flag: name, problem: `--${name} is given twice.`, hint: "Remove one of them." });
    seen.add(name);
    const wrong =
      value.trim() === ""
        ? { problem: "the value is empty.", hint: `Give a value: --${name} ${LOOP_FLAGS[name].value}` }
        : READERS[name](value, terms, mayLift);
    if (wrong !== undefined)
      problems.push({ flag: name, value, problem: `--${name}: ${wrong.problem}`, hint: wrong.hint });
  }
  return { terms, problems: [...problems, ...doubleNames(terms)] };
}

type Reader = (value: string, terms: LoopTerms, mayLift: boolean) => Problem | undefined;

const READERS: Readonly<Record<LoopFlagName, Reader>> = {
  criteria: (value, { criteria }) => readCommand(value, criteria),
  "fast-criteria": (value, { fastCriteria }) => readCommand(value, fastCriteria),
  "must-not": (value, { mustNot }) => readCommand(value, mustNot),
  claim: (value, { claims }) => void claims.push(value),
  step: (value, { steps }) => void steps.push(value),
  protect: (value, { protect }) => void protect.push(value),
  "max-iterations": (value, { limits }) => readNumber(value, COUNT, (number) => void (limits.iterations = number)),
  "budget-usd": (value, { limits }, mayLift) =>
    readLimit(value, AMOUNT, mayLift, (number) => void (limits.usd = number)),
  "budget-tokens": (value, { limits }, mayLift) =>
    readLimit(value, TOKENS, mayLift, (number) => void (limits.tokens = number)),
  "max-time": (value, { limits }, mayLift) =>
    readLimit(value, TIME, mayLift, (number) => void (limits.wallMs = number * unitOf(value))),
  "review-every": (value, { limits }) => readNumber(value, COUNT, (number) => void (limits.reviewEvery = number)),
  "completion-promise": (value, terms) => {
    if (!canBePromised(value)) return { problem: NOT_PROMISABLE, hint: PROMISE_HINT };
    terms.completionPromise = value;
    return undefined;
  },
  "criteria-timeout": (value, terms) =>
    readNumber(value, TIME, (number) => void (terms.criterionTimeoutMs = number * unitOf(value))),
  shape: (value, terms) => {
    if (value !== "tool" && value !== "colleague") return notThis("tool or colleague", value, LOOP_FLAGS.shape.help);
    terms.shape = value;
    return undefined;
  },
};

interface NumberForm {
  form: RegExp;
  words: string;
  /** What a number without a unit could mean. */
  withUnit?: (value: string) => string;
}

const COUNT: NumberForm = { form: /^\d{1,9}$/u, words: "a whole number such as 20" };
const TOKENS: NumberForm = { form: /^\d{1,15}$/u, words: "a whole number such as 2000000" };
const AMOUNT: NumberForm = { form: /^\d{1,9}(?:\.\d{1,6})?$/u, words: "an amount such as 25 or 2.50" };
const TIME: NumberForm = {
  form: /^\d{1,6}[smhdw]$/u,
  words: "a time such as 90s, 30m or 12h",
  withUnit: (value) => `${value}m or ${value}h`,
};
const UNITS: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 };

function unitOf(time: string): number {
  return UNITS[time.at(-1) ?? ""] ?? Number.NaN;
}

function readNumber(
  value: string,
  { form, words, withUnit }: NumberForm,
  set: (number: number) => void,
): Problem | undefined {
  if (withUnit !== undefined && /^\d{1,6}$/u.test(value))
    return notThis(words, value, `The unit is missing: ${withUnit(value)}, for example.`);
  if (!form.test(value)) return notThis(words, value, "Use decimal digits only, without signs or exponents.");
  set(Number.parseFloat(value));
  return undefined;
}

/** A limit of nothing would be reached before the first turn; no limit is what one gets without the flag. */
function readLimit(
  value: string,
  number: NumberForm,
  mayLift: boolean,
  set: (number: number) => void,
): Problem | undefined {
  if (!mayLift && number.form.test(value) && Number.parseFloat(value) === 0)
    return { problem: "a limit of 0 leaves nothing to work with.", hint: "For no limit, omit the flag." };
  return readNumber(value, number, set);
}

function readCommand(value: string, into: NamedCommand[]): Problem | undefined {
  const criterion = criterionFrom(value);
  if ("problem" in criterion) return criterion;
  into.push(criterion);
  return undefined;
}

function notThis(words: string, value: string, hint: string): Problem {
  return { problem: `it must be ${words}, not "${shownLine(value, 60)}".`, hint };
}

function doubleNames({ criteria, fastCriteria, mustNot }: LoopTerms): FlagProblem[] {
  const seen = new Set<string>();
  const doubled = [...criteria, ...fastCriteria, ...mustNot].find(({ id }) => seen.size === seen.add(id).size)?.id;
  if (doubled === undefined) return [];
  return [{ flag: "criteria", problem: `Two criteria are named "${doubled}".`, hint: "Give each a unique name." }];
}
