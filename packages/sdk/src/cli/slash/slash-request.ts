/** What was typed after a slash command, as data. Nothing is executed here. */

import type { SlashCommand } from "../../hosts/answer/host-machine.js";
import {
  type BabysitRequest,
  parseBabysitArguments,
  parseResumeArguments,
} from "../../loop/formats/babysit-arguments.js";
import type { LoopTerms } from "../../loop/formats/loop-terms.js";
import { BABYSIT_HELP } from "../../loop/texts/babysit-help.js";
import { isRunId } from "../../model/ids.js";
import { shownMessage } from "../../model/shown-text.js";
import { isPassed, type PassedCommand, parsePassed } from "./passed-command.js";

export type SlashRequest =
  /** Only said to the user. */
  | { kind: "say"; text: string }
  | { kind: "overview" }
  | { kind: "start"; prompt: string; terms: LoopTerms }
  | { kind: "process"; entry: string; inputs?: string; prompt?: string; terms: LoopTerms }
  | SlashResume
  | { kind: "status" | "pause" | "cancel"; run?: string }
  | PassedCommand
  | { kind: "doctor" };

export interface SlashResume {
  kind: "resume";
  run: string;
  /** Even if another session seems to be working on it. */
  take: boolean;
  terms: LoopTerms;
  /** When there is no such run, the words were a task. */
  prompt?: string;
}

/** @param own the run of the session in which it was typed */
export function slashRequest({ verb, args }: SlashCommand, own?: string): SlashRequest {
  if (verb === "babysit") return babysitRequest(args);
  if (verb === "resume") return resumption(args, own);
  if (isPassed(verb)) return passedRequest(verb, args);
  const words = args.trim() === "" ? [] : args.trim().split(/\s+/u);
  if (words.includes("--help") || words.includes("-h")) return { kind: "say", text: BABYSIT_HELP };
  if (verb === "doctor")
    return words.length === 0 ? { kind: "doctor" } : tooMuch("/babysitter:doctor takes no arguments.");
  const [run, ...rest] = words;
  if (run === undefined) return { kind: verb };
  return rest.length === 0 && isRunId(run)
    ? { kind: verb, run }
    : tooMuch(`/babysitter:${verb} takes a run ID, or nothing for this session's run.`);
}

function passedRequest(verb: Parameters<typeof parsePassed>[0], args: string): SlashRequest {
  const request = parsePassed(verb, args);
  if (request.kind === "command") return request;
  return { kind: "say", text: request.kind === "help" ? request.text : refusalText(request.problem, request.hint) };
}

function tooMuch(hint: string): SlashRequest {
  return { kind: "say", text: refusalText("Invalid command.", hint) };
}

/** What the user is told when nothing was done. */
export function refusalText(problem: string, hint: string | undefined): string {
  const said = `Babysitter: ${shownMessage(problem)}`;
  return hint === undefined ? said : `${said}\n${shownMessage(hint)}`;
}

/** Right after the run or at the very end, where it cannot be part of a value. */
const TAKE = /^(\s*\S+)\s+--take(?=\s|$)|(?:^|\s)--take\s*$/u;

/** No task has this flag, so that a run is meant. */
const TAKEN_RUN = /^\s*resume(\s+\S+\s+--take(?:\s[^]*)?)$/u;

function babysitRequest(args: string): SlashRequest {
  const taken = TAKEN_RUN.exec(args)?.[1];
  return taken === undefined ? requestOf(parseBabysitArguments(args)) : resumption(taken, undefined);
}

/** Here a run is meant, never a task; it may be taken from another session. */
function resumption(args: string, own: string | undefined): SlashRequest {
  const request = requestOf(parseResumeArguments(args.replace(TAKE, "$1"), own));
  if (request.kind !== "resume") return request;
  const { prompt: _, ...resume } = request;
  return { ...resume, take: TAKE.test(args) };
}

function requestOf(request: BabysitRequest): SlashRequest {
  switch (request.kind) {
    case "help":
      return { kind: "say", text: BABYSIT_HELP };
    case "status":
      return { kind: "overview" };
    case "error":
      return { kind: "say", text: refusalText(request.problem, request.hint) };
    case "start":
      return request;
    case "process":
      return request.inputs === "-"
        ? { kind: "say", text: refusalText("--inputs must name a file here.", "There is no stdin to read from.") }
        : request;
    case "resume":
      break;
  }
  return { ...request, take: false };
}
