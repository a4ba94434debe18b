/** What a user means by typing `/babysit …` or `/babysitter:resume …`. The grammar is in flag-words.ts. */
import { isRunId } from "../../model/ids.js";
import { defined } from "../../model/json.js";
import { shownLine } from "../../model/shown-text.js";
import type { Problem } from "../rules/criterion-text.js";
import { BABYSIT_FLAGS, readFlags } from "./babysit-flags.js";
import { type FlagWords, splitFlagWords } from "./flag-words.js";
import type { LoopTerms } from "./loop-terms.js";
import { nearestFlag } from "./nearest-flag.js";

export type BabysitRequest =
  | { kind: "help" }
  /** Nothing was typed. */
  | { kind: "status" }
  | { kind: "start"; prompt: string; terms: LoopTerms }
  | { kind: "process"; entry: string; inputs?: string; prompt?: string; terms: LoopTerms }
  | ResumeRequest
  | ArgumentError;

/** `prompt`: the same words as a prompt, for `/babysit resume editing` when there is no run of that name. */
export type ResumeRequest = { kind: "resume"; run: string; prompt: string; terms: LoopTerms };
export type ArgumentError = { kind: "error" } & Problem;

const KNOWN = new Set(Object.keys(BABYSIT_FLAGS));
const PLAN = "plan";
const SWITCHES = new Set([PLAN]);
const RESUME_WORDS = /^resume[ \t\n\v\f\r]+([^ \t\n\v\f\r]+)$/;
const IN_PROMPT =
  "If it is part of the prompt, put all flags first, then --, then the prompt: /babysit [flags] -- the prompt";

/** The text behind `/babysit`, as it was typed. */
export function parseBabysitArguments(text: string): BabysitRequest {
  if (text.trim() === "") return { kind: "status" };
  const words = splitFlagWords(text, KNOWN, SWITCHES);
  if (words.help) return { kind: "help" };
  const { terms, process, inputs, problems } = readFlags(words.flags, { mayLift: false });
  const wrong = firstProblem(words, problems);
  if (wrong !== undefined) return { kind: "error", ...wrong };
  const { prompt } = words;
  const hasPrompt = prompt.trim() !== "";
  if (words.switches.includes(PLAN)) return planRequest({ prompt, hasPrompt, process }, terms);
  if (process !== undefined)
    return { kind: "process", entry: process, ...defined({ inputs, prompt: hasPrompt ? prompt : undefined }), terms };
  if (inputs !== undefined)
    return error("--inputs needs a process, but none is given.", "Add --process FILE#EXPORT, or omit --inputs.");
  if (!hasPrompt) return error("There are flags, but no prompt.", "Describe the task: /babysit PROMPT [flags]");
  const run = RESUME_WORDS.exec(prompt)?.[1];
  if (run === undefined || !isRunId(run) || words.isVerbatim) return { kind: "start", prompt, terms };
  return resumeRequest(words, run, terms);
}

/** A process is written for the task; one that is there already needs no plan. */
function planRequest(
  { prompt, hasPrompt, process }: { prompt: string; hasPrompt: boolean; process: string | undefined },
  terms: LoopTerms,
): BabysitRequest {
  if (process !== undefined)
    return error("--plan and --process cannot be combined.", "To run an existing process, omit --plan.");
  if (!hasPrompt) return error("--plan needs a task.", "Describe it: /babysit --plan TASK");
  return { kind: "start", prompt, terms: { ...terms, plan: true } };
}

/**
 * The text behind `/babysitter:resume`: a run, and the limits from here on.
 * @param own the run of the session itself, which is meant when none is named
 */
export function parseResumeArguments(text: string, own?: string): { kind: "help" } | ResumeRequest | ArgumentError {
  const words = splitFlagWords(text, KNOWN);
  if (words.help) return { kind: "help" };
  const { terms, problems } = readFlags(words.flags, { mayLift: true });
  const wrong = firstProblem(words, problems);
  if (wrong !== undefined) return { kind: "error", ...wrong };
  const [named = "", ...rest] = words.prompt.trim().split(/[ \t\n\v\f\r]+/);
  const run = named === "" ? own : named;
  if (run === undefined)
    return error(
      "No run is given, and this session has none.",
      "Use /babysitter:resume RUN; /babysit lists the open runs.",
    );
  if (rest.length > 0)
    return error(
      `Too many words: ${shownLine(rest.join(" "), 60)}`,
      "/babysitter:resume takes a run ID and flags, but no prompt.",
    );
  if (named !== "" && !isRunId(named))
    return error(`"${shownLine(named, 60)}" is not a run ID.`, "/babysit lists the open runs and their IDs.");
  return resumeRequest(words, run, terms);
}

function firstProblem({ unknown: [unknown], problems }: FlagWords, others: readonly Problem[]): Problem | undefined {
  return unknown === undefined ? (problems[0] ?? others[0]) : unknownFlag(unknown);
}

/** Only limits and the promise change with a resumption; the rest is a change of what was agreed. */
function resumeRequest({ flags, prompt }: FlagWords, run: string, terms: LoopTerms): ResumeRequest | ArgumentError {
  const fixed = flags.find(({ name }) => BABYSIT_FLAGS[name]?.onResume === undefined);
  if (fixed === undefined) return { kind: "resume", run, prompt, terms };
  return error(
    `--${fixed.name} cannot be set when a run is resumed.`,
    "Change the contract first: babysitter loop:amend. If you meant a new prompt: /babysit [flags] -- resume …",
  );
}

function unknownFlag(name: string): Problem {
  const near = nearestFlag(name, [...KNOWN, ...SWITCHES, "help"]);
  const meant = near === undefined ? "/babysit --help lists the flags." : `Did you mean --${near}?`;
  return { problem: `Unknown flag --${shownLine(name, 60)}.`, hint: `${meant} ${IN_PROMPT}` };
}

function error(problem: string, hint: string): ArgumentError {
  return { kind: "error", problem, hint };
}
