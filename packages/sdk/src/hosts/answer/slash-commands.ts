/** What was typed behind a slash command, as command lines of ours. Nothing is done here. */
import {
  type BabysitRequest,
  parseBabysitArguments,
  parseResumeArguments,
} from "../../loop/formats/babysit-arguments.js";
import type { BabysitOptions } from "../../loop/formats/babysit-flags.js";
import type { NamedCommand } from "../../loop/rules/criterion-text.js";
import { BABYSIT_HELP } from "../../loop/texts/babysit-help.js";
import type { TypedVerb } from "../host.js";

/** A command and its arguments, one word each, whatever is in it. */
export type CommandLine = readonly [command: string, ...args: string[]];

export type SlashRequest =
  /** Only said to the user. */
  | { kind: "say"; text: string }
  | { kind: "overview" }
  | { kind: "start"; line: CommandLine }
  | { kind: "process"; entry: string; line: CommandLine; hasContract: boolean }
  | ResumeLines
  | { kind: "status" | "pause" | "cancel"; run?: string }
  | { kind: "doctor" };

export interface ResumeLines {
  kind: "resume";
  run: string;
  line: CommandLine;
  /** For a run that no session has worked on yet. */
  bind: CommandLine;
  /** What has to be changed in the contract as well. */
  amend?: CommandLine;
  /** When there is no such run, the words were a task. */
  otherwise?: CommandLine;
}

export interface SlashCommand {
  verb: TypedVerb;
  /** Byte for byte. */
  args: string;
}

/**
 * @param session the options that say for which session a command is given
 * @param own the run of that session
 */
export function slashRequest({ verb, args }: SlashCommand, session: readonly string[], own?: string): SlashRequest {
  if (verb === "babysit") return babysitRequest(args, session);
  if (verb === "resume") return resumption(args, session, own);
  const words = args.trim() === "" ? [] : args.trim().split(/\s+/u);
  if (words.includes("--help") || words.includes("-h")) return { kind: "say", text: BABYSIT_HELP };
  if (verb === "doctor") return words.length === 0 ? { kind: "doctor" } : tooMuch("/babysitter:doctor takes nothing.");
  const [run, ...rest] = words;
  if (run === undefined) return { kind: verb };
  return rest.length === 0 && RUN_ID.test(run) && !run.includes("..")
    ? { kind: verb, run }
    : tooMuch(`/babysitter:${verb} takes the id of a run, or nothing for the run of this session.`);
}

const RUN_ID = /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/u;

function tooMuch(hint: string): SlashRequest {
  return { kind: "say", text: refusalText("This was not understood.", hint) };
}

/** What the user is told when nothing was done. */
export function refusalText(problem: string, hint: string | undefined): string {
  return hint === undefined ? `Babysitter: ${problem}` : `Babysitter: ${problem}\n${hint}`;
}

/** Right behind the run or at the very end, where it cannot be part of a value. */
const TAKE = /^(\s*\S+)\s+--take(?=\s|$)|(?:^|\s)--take\s*$/u;

/** No task has this flag, so that a run is meant. */
const TAKEN_RUN = /^\s*resume(\s+\S+\s+--take(?:\s[^]*)?)$/u;

function babysitRequest(args: string, session: readonly string[]): SlashRequest {
  const taken = TAKEN_RUN.exec(args)?.[1];
  return taken === undefined ? requestOf(parseBabysitArguments(args), session) : resumption(taken, session, undefined);
}

/** Here a run is meant, never a task; it may be taken from another session. */
function resumption(args: string, session: readonly string[], own: string | undefined): SlashRequest {
  const request = requestOf(parseResumeArguments(args.replace(TAKE, "$1"), own), session);
  if (request.kind !== "resume") return request;
  const { otherwise: _, line, bind, ...others } = request;
  const take = TAKE.test(args) ? ["--take"] : [];
  return { ...others, line: [...line, ...take], bind: [...bind, ...take] };
}

function requestOf(request: BabysitRequest, session: readonly string[]): SlashRequest {
  switch (request.kind) {
    case "help":
      return { kind: "say", text: BABYSIT_HELP };
    case "status":
      return { kind: "overview" };
    case "error":
      return { kind: "say", text: refusalText(request.problem, request.hint) };
    case "start":
      return { kind: "start", line: startLine(request.prompt, request.options, session) };
    case "process":
      return processRequest(request, session);
    case "resume":
      break;
  }
  return resumeLines(request, session);
}

function startLine(prompt: string, options: BabysitOptions, session: readonly string[]): CommandLine {
  // Joined to its name a value may begin with dashes, and hold whatever it likes.
  return ["loop:start", `--prompt=${prompt}`, ...contractOptions(options), ...session];
}

function processRequest(
  { entry, inputs, prompt, options }: Extract<BabysitRequest, { kind: "process" }>,
  session: readonly string[],
): SlashRequest {
  if (inputs === "-")
    return { kind: "say", text: refusalText("--inputs must be a file here.", "There is no stdin to read from.") };
  const contract = contractOptions(options);
  return {
    kind: "process",
    entry,
    hasContract: contract.length > 0,
    line: [
      "run:create",
      `--entry=${entry}`,
      ...given("inputs", inputs),
      ...given("prompt", prompt),
      ...contract,
      ...session,
    ],
  };
}

function resumeLines(
  { run, prompt, options }: Extract<BabysitRequest, { kind: "resume" }>,
  session: readonly string[],
): ResumeLines {
  const promise = given("completion-promise", options.completionPromise);
  const limits = limitOptions(options);
  return {
    kind: "resume",
    run,
    line: ["run:resume", run, ...limits, ...session],
    bind: ["session:resume", run, ...limits, ...promise, ...session],
    ...(promise.length === 0 ? {} : { amend: ["loop:amend", run, ...promise, ...session] as const }),
    otherwise: startLine(prompt, options, session),
  };
}

function contractOptions(options: BabysitOptions): string[] {
  const { criteria, mustNot, claims, steps, protect, shape, completionPromise } = options;
  return [
    ...limitOptions(options),
    ...given("completion-promise", completionPromise),
    ...criteria.flatMap((named) => given("criteria", labelOf(named))),
    ...mustNot.flatMap((named) => given("must-not", labelOf(named))),
    ...claims.flatMap((text) => given("claim", text)),
    ...steps.flatMap((title) => given("step", title)),
    ...protect.flatMap((glob) => given("protect", glob)),
    ...given("shape", shape),
  ];
}

function labelOf({ id, command }: NamedCommand): string {
  return `${id}: ${command}`;
}

function limitOptions({ maxIterations, budgetUsd, budgetTokens, maxTime }: BabysitOptions): string[] {
  return [
    ...given("max-iterations", maxIterations),
    ...given("budget-usd", budgetUsd),
    ...given("budget-tokens", budgetTokens),
    ...given("max-time", maxTime === undefined ? undefined : durationText(maxTime)),
  ];
}

function given(name: string, value: string | number | undefined): string[] {
  return value === undefined ? [] : [`--${name}=${value}`];
}

const UNITS = [
  [604_800_000, "w"],
  [86_400_000, "d"],
  [3_600_000, "h"],
  [60_000, "m"],
] as const;

/** The largest unit that leaves nothing over: what was typed in any unit has few enough digits in this one. */
function durationText(ms: number): string {
  const [size, unit] = UNITS.find(([length]) => ms % length === 0) ?? [1_000, "s"];
  return `${ms / size}${unit}`;
}
