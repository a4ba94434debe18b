/** Typed commands that are the terminal's own, given by the person in front of the host. */
import { hasRun } from "../../machine/choose-run.js";
import { BabysitterError } from "../../model/errors.js";
import { findCommand } from "../grammar/find-command.js";
import { parseArguments } from "../grammar/parse-arguments.js";
import { makePaint } from "../output/paint.js";
import type { PassedCommand } from "./passed-command.js";
import { refusalText } from "./slash-request.js";
import { ownRun, type Typing, typistOf } from "./typing.js";

/** Text for a host has no colours. */
export const PLAIN = makePaint(false, {});

/** What the terminal's command of the same kind answers, given by the person in front of this host. */
export async function passOn(typing: Typing, request: PassedCommand): Promise<string> {
  const { verb, command, name, options } = request;
  const own = ownRun(typing.call);
  switch (verb) {
    case "amend":
      if (name === undefined && own === undefined) return nameOne(verb);
      break;
    case "approve":
    case "reject":
      if (name === undefined) return carryOut(typing, "breakpoint:list", own === undefined ? [] : [own]);
      return decide(typing, command, { name, options });
    case "verify":
    case "report":
      break;
  }
  const run = name ?? own;
  const patience = verb === "verify" ? [`--timeout=${PATIENCE}`] : [];
  return carryOut(typing, command, [...options, ...patience, "--", ...(run === undefined ? [] : [run])]);
}

/** Hosts wait for the hook no longer than a minute; checks run on without it. */
const PATIENCE = "40s";

/** Approving a run means its changed code; there is nothing to reject in that: the old code can be put back. */
async function decide(
  typing: Typing,
  command: string,
  answer: { name: string; options: readonly string[] },
): Promise<string> {
  const isCode = command === "breakpoint:approve" && hasRun(typing.caller, answer.name);
  return isCode ? carryOut(typing, "run:accept-code", ["--", answer.name]) : aboutQuestion(typing, command, answer);
}

/** One of the session's own run, which may be in another project, else of any run here. */
async function aboutQuestion(
  typing: Typing,
  command: string,
  { name, options }: { name: string; options: readonly string[] },
): Promise<string> {
  const own = ownRun(typing.call);
  if (own !== undefined)
    try {
      return await carryOut(typing, command, [...options, `--run=${own}`, "--", name]);
    } catch (error) {
      if (!BabysitterError.is(error) || error.code !== "BREAKPOINT_NOT_FOUND") throw error;
    }
  return carryOut(typing, command, [...options, "--", name]);
}

async function carryOut({ call, caller, commands }: Typing, name: string, args: string[]): Promise<string> {
  const { spec, rest } = findCommand([name, ...args]) as NonNullable<ReturnType<typeof findCommand>>;
  const { positionals, options } = parseArguments(spec, rest);
  const { cwd, env, places } = caller;
  const command = await commands(spec.name);
  const typed = { ...typistOf(call), sessions: call.registry };
  const world = { cwd, env, places, paint: PLAIN, json: false, verbose: false, typed };
  return (await command({ name: spec.name, positionals, options, ...world })).text;
}

/** Only the session's own run, unless another is named: nobody has mentioned others. */
export async function stopWork(typing: Typing, verb: "pause" | "cancel", run = ownRun(typing.call)): Promise<string> {
  return run === undefined ? nameOne(verb) : carryOut(typing, `run:${verb}`, ["--", run]);
}

function nameOne(verb: "pause" | "cancel" | "amend"): string {
  return refusalText(
    "this session has no loop.",
    `To ${verb} another one, name it: babysitter loop:${verb} RUN. /babysit shows the open runs.`,
  );
}

/** A question has a status, too; what is neither is a run that does not exist. */
export async function questionText(typing: Typing, id: string, noRun: BabysitterError): Promise<string> {
  try {
    return await aboutQuestion(typing, "breakpoint:show", { name: id, options: [] });
  } catch (error) {
    throw BabysitterError.is(error) && error.code === "BREAKPOINT_NOT_FOUND" ? noRun : error;
  }
}
