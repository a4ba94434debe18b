/** The flags of `/babysit` and `/babysitter:resume`: how each is written, read and explained. */
import type { LoopShape } from "../../model/loop-contract.js";
import { shownLine } from "../../model/shown-text.js";
import { criterionFrom, type NamedCommand, type Problem } from "../rules/criterion-text.js";
import { canBePromised, NOT_PROMISABLE, PROMISE_HINT } from "../rules/promise-grammar.js";
import type { FlagWord } from "./flag-words.js";

export interface BabysitOptions {
  /** 0: explicitly no limit. */
  maxIterations?: number;
  completionPromise?: string;
  criteria: NamedCommand[];
  claims: string[];
  steps: string[];
  budgetUsd?: number;
  budgetTokens?: number;
  /** In milliseconds. */
  maxTime?: number;
  protect: string[];
  mustNot: NamedCommand[];
  shape?: LoopShape;
}

/** What the flags of one text say. */
export interface ReadFlags {
  options: BabysitOptions;
  process?: string;
  inputs?: string;
}

interface FlagSpec {
  /** Placeholder for the value in the help. */
  value: string;
  help: string;
  /** May be given more than once. */
  many?: true;
  /** Can also be changed when a loop is resumed. */
  onResume?: true;
  read: (value: string, into: ReadFlags) => Problem | undefined;
}

const UNITS: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 };

export const BABYSIT_FLAGS: Readonly<Record<string, FlagSpec>> = {
  "max-iterations": {
    value: "N",
    help: "pause after N iterations; 0 means no limit (default 50, or 256 for a process)",
    onResume: true,
    read: (value, { options }) =>
      readNumber(value, /^\d{1,9}$/, "a whole number such as 20", (number) => (options.maxIterations = number)),
  },
  "completion-promise": {
    value: "'TEXT'",
    help: "what the agent says in <promise> tags when it is done (default: generated)",
    onResume: true,
    read: (value, { options }) => {
      if (!canBePromised(value)) return { problem: NOT_PROMISABLE, hint: PROMISE_HINT };
      options.completionPromise = value;
      return undefined;
    },
  },
  criteria: {
    value: "'NAME: COMMAND'",
    help: "not done until the engine has run COMMAND and it exits with 0",
    many: true,
    read: (value, { options }) => readCommand(value, options.criteria),
  },
  claim: {
    value: "'TEXT'",
    help: "a criterion that no command can check; the agent's word counts",
    many: true,
    read: (value, { options }) => void options.claims.push(value),
  },
  step: {
    value: "'TITLE'",
    help: "a step of the work, in order",
    many: true,
    read: (value, { options }) => void options.steps.push(value),
  },
  "must-not": {
    value: "'NAME: COMMAND'",
    help: "pause as soon as COMMAND succeeds",
    many: true,
    read: (value, { options }) => readCommand(value, options.mustNot),
  },
  protect: {
    value: "'GLOB'",
    help: "pause when a matching file changes",
    many: true,
    read: (value, { options }) => void options.protect.push(value),
  },
  "budget-usd": {
    value: "N",
    help: "pause when the session has spent N US dollars at list prices",
    onResume: true,
    read: (value, { options }) =>
      readLimit(
        value,
        /^\d{1,9}(?:\.\d{1,6})?$/,
        "an amount such as 25 or 2.50",
        (number) => (options.budgetUsd = number),
      ),
  },
  "budget-tokens": {
    value: "N",
    help: "pause when the session has used N tokens",
    onResume: true,
    read: (value, { options }) =>
      readLimit(value, /^\d{1,15}$/, "a whole number such as 2000000", (number) => (options.budgetTokens = number)),
  },
  "max-time": {
    value: "TIME",
    help: "pause after TIME: 90s, 30m, 12h, 3d, 1w",
    onResume: true,
    read: (value, { options }) => {
      const unit = UNITS[value.at(-1) ?? ""] ?? Number.NaN;
      return readLimit(
        value,
        /^\d{1,6}[smhdw]$/,
        "a time such as 90s, 30m or 12h",
        (number) => (options.maxTime = number * unit),
      );
    },
  },
  shape: {
    value: "SHAPE",
    help: "tool: unattended; colleague: with your regular review",
    read: (value, { options }) => {
      if (value !== "tool" && value !== "colleague") return notThis("tool or colleague", value);
      options.shape = value;
      return undefined;
    },
  },
  process: {
    value: "FILE#EXPORT",
    help: "run this process; only its completion proof ends the loop",
    read: (value, flags) => void (flags.process = value),
  },
  inputs: {
    value: "FILE",
    help: "JSON file with the inputs of the process",
    read: (value, flags) => void (flags.inputs = value),
  },
};

/** Reads every flag and collects everything that is wrong with them. */
export function readFlags(words: readonly FlagWord[]): ReadFlags & { problems: Problem[] } {
  const flags: ReadFlags = { options: { criteria: [], claims: [], steps: [], protect: [], mustNot: [] } };
  const problems: Problem[] = [];
  const seen = new Set<string>();
  for (const { name, value } of words) {
    const spec = BABYSIT_FLAGS[name] as FlagSpec;
    if (seen.has(name) && spec.many === undefined)
      problems.push({ problem: `--${name} is given twice.`, hint: "Remove one of them." });
    seen.add(name);
    const wrong =
      value.trim() === ""
        ? { problem: "the value is empty.", hint: `Add a value: --${name} ${spec.value}` }
        : spec.read(value, flags);
    if (wrong !== undefined) problems.push({ problem: `--${name}: ${wrong.problem}`, hint: wrong.hint });
  }
  return { ...flags, problems: [...problems, ...doubleNames(flags.options)] };
}

function readNumber(value: string, form: RegExp, words: string, set: (number: number) => void): Problem | undefined {
  if (!form.test(value)) return notThis(words, value);
  set(Number.parseFloat(value));
  return undefined;
}

/** A limit of 0 would be reached before the first turn. Without the flag there is no limit. */
function readLimit(value: string, form: RegExp, words: string, set: (number: number) => void): Problem | undefined {
  if (form.test(value) && Number.parseFloat(value) === 0)
    return { problem: "a limit of 0 would pause the loop immediately.", hint: "For no limit, omit the flag." };
  return readNumber(value, form, words, set);
}

function readCommand(value: string, into: NamedCommand[]): Problem | undefined {
  const criterion = criterionFrom(value);
  if ("problem" in criterion) return criterion;
  into.push(criterion);
  return undefined;
}

function notThis(words: string, value: string): Problem {
  return {
    problem: `it must be ${words}, not "${shownLine(value, 60)}".`,
    hint: "Use decimal digits only, without signs or exponents.",
  };
}

function doubleNames({ criteria, mustNot }: BabysitOptions): Problem[] {
  const seen = new Set<string>();
  const doubled = [...criteria, ...mustNot].find(({ id }) => seen.size === seen.add(id).size)?.id;
  if (doubled === undefined) return [];
  return [{ problem: `Two criteria are named "${doubled}".`, hint: "Give each a unique name." }];
}
