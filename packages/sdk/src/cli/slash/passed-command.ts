/**
 * Slash commands that are commands of the terminal under another name: what was typed, as the arguments of those.
 * Every value is one argument from here on; no shell ever reads it.
 */
import { type FlagWords, splitFlagWords } from "../../loop/formats/flag-words.js";
import { nearestFlag } from "../../loop/formats/nearest-flag.js";
import type { Problem } from "../../loop/rules/criterion-text.js";
import { isRunId } from "../../model/ids.js";
import { shownLine } from "../../model/shown-text.js";
import type { CommandSpec } from "../grammar/command-spec.js";
import { COMMANDS } from "../grammar/command-table.js";
import { renderCommandHelp } from "../grammar/help.js";

interface Passed {
  command: string;
  /** Options that a host, which waits for the answer, or a session, which has a run of its own, leaves no use for. */
  without?: readonly string[];
}

const PASSED = {
  amend: { command: "loop:amend" },
  approve: { command: "breakpoint:approve", without: ["run"] },
  reject: { command: "breakpoint:reject", without: ["run"] },
  report: { command: "run:report" },
  verify: { command: "loop:verify", without: ["wait", "no-wait", "timeout"] },
} as const satisfies Readonly<Record<string, Passed>>;

export type PassedVerb = keyof typeof PASSED;

export interface PassedCommand {
  kind: "command";
  verb: PassedVerb;
  /** The same in a terminal. */
  command: string;
  /** The run or the question that was named. */
  name?: string;
  /** Its options, each as one argument. */
  options: string[];
}

export type PassedRequest = PassedCommand | { kind: "help"; text: string } | ({ kind: "error" } & Problem);

export function isPassed(verb: string): verb is PassedVerb {
  return Object.hasOwn(PASSED, verb);
}

export function parsePassed(verb: PassedVerb, args: string): PassedRequest {
  const spec = specOf(verb);
  if (/^\s*(?:--help|-h)\s*$/u.test(args)) return { kind: "help", text: renderCommandHelp(spec) };
  const { text, reason } = verb === "reject" ? withoutReason(args) : { text: args, reason: [] };
  const names = (type: "string" | "boolean"): Set<string> =>
    new Set(Object.keys(spec.options).filter((name) => spec.options[name]?.type === type));
  const words = splitFlagWords(text, names("string"), names("boolean"));
  const [named = "", ...rest] = words.prompt.trim().split(/\s+/u);
  const wrong = problemOf(words, { spec, named, rest });
  if (wrong !== undefined) return { kind: "error", ...wrong };
  return {
    kind: "command",
    verb,
    command: spec.name,
    ...(named === "" ? {} : { name: named }),
    options: [
      ...words.flags.map(({ name, value }) => `--${name}=${value}`),
      ...words.switches.map((name) => `--${name}`),
      ...reason,
    ],
  };
}

function specOf(verb: PassedVerb): CommandSpec {
  const { command, without = [] }: Passed = PASSED[verb];
  const spec = COMMANDS.find(({ name }) => name === command) as CommandSpec;
  const options = Object.entries(spec.options).filter(([name]) => !without.includes(name));
  return { ...spec, options: Object.fromEntries(options) };
}

/** People give a reason as they would write it: what follows the question is one, byte for byte, flags and all. */
function withoutReason(args: string): { text: string; reason: string[] } {
  const [, id = "", rest = ""] = /^(\S*)\s*([^]*)$/u.exec(args.trim()) ?? [];
  return rest === "" || id.startsWith("--") || /^--(?:reason|shown)(?=[\s=]|$)/u.test(rest)
    ? { text: args, reason: [] }
    : { text: id, reason: [`--reason=${rest}`] };
}

function problemOf(
  { unknown: [unknown], problems, flags, isVerbatim }: FlagWords,
  { spec, named, rest }: { spec: CommandSpec; named: string; rest: string[] },
): Problem | undefined {
  const help = `See: babysitter ${spec.name} --help`;
  if (unknown !== undefined) {
    const near = nearestFlag(unknown, Object.keys(spec.options));
    const hint = near === undefined ? help : `Did you mean --${near}?`;
    return { problem: `Unknown flag --${shownLine(unknown, 60)}.`, hint };
  }
  if (problems[0] !== undefined) return problems[0];
  const twice = flags.find(
    ({ name }, index) => !spec.options[name]?.many && flags.findIndex((flag) => flag.name === name) !== index,
  );
  if (twice !== undefined) return { problem: `--${twice.name} is given twice.`, hint: "Remove one of them." };
  if (rest.length > 0 || isVerbatim)
    return {
      problem: `Too many words: ${shownLine([...(isVerbatim ? [named] : []), ...rest].join(" "), 60)}`,
      hint: help,
    };
  const what = spec.positionals[0]?.name === "run" ? "a run ID" : "the ID of a question";
  return named === "" || isRunId(named)
    ? undefined
    : { problem: `"${shownLine(named, 60)}" is not ${what}.`, hint: help };
}
