/** What the user and the agent are told when a slash command has begun or resumed something. */

import type { Check } from "../../config/setting-types.js";
import { isClaimOnly } from "../../loop/rules/criterion-kinds.js";
import type { LoopContract } from "../../model/loop-contract.js";
import { shownCount, shownDuration, shownUsd } from "../../model/shown-amounts.js";
import { shownLine } from "../../model/shown-text.js";

export interface Begun {
  runId: string;
  /** How to name the run in a command. */
  run: string;
  contract: LoopContract;
  hasProcess: boolean;
  /** Commands with which the project could prove itself. */
  checks: readonly Check[];
}

/** The goal, how it ends, the limits, and how to stop it. */
export function banner({ runId, run, contract, hasProcess, checks }: Begun): string {
  return [
    `🔄 Babysitter loop ${runId}`,
    `goal:    ${contract.title}`,
    `ends:    ${hasProcess ? PROCESS_ENDS : endsWhen(contract)}`,
    `limits:  ${limitsText(inForce(contract.limits))}`,
    "to stop: press Esc, then /babysitter:pause or /babysitter:cancel",
    "status:  /babysitter:status",
    ...offeredCheck({ run, contract, hasProcess, checks }),
  ].join("\n");
}

/** A limit of 0 is one that somebody has lifted. */
function inForce({ iterations, rejections, ...others }: LoopContract["limits"]): LoopContract["limits"] {
  return { iterations, rejections, ...Object.fromEntries(Object.entries(others).filter(([, value]) => value > 0)) };
}

const PROCESS_ENDS = "the process has completed, and the agent has shown the run's completion proof";

function endsWhen({ criteria, promise, steps }: LoopContract): string {
  const checked = criteria.filter((criterion) => !isClaimOnly(criterion)).map(({ id }) => id);
  const said = `the agent says <promise>${shownLine(promise.text, 200)}</promise>`;
  const done = steps.length === 0 ? "" : `, all ${steps.length} steps are done`;
  return checked.length === 0
    ? `${said}${done}; its word is all there is, for nothing was given that the engine could check`
    : `${said}${done}, and the engine has checked: ${checked.join(", ")}`;
}

function limitsText({ iterations, usd, tokens, wallMs, reviewEvery }: LoopContract["limits"]): string {
  return [
    iterations === 0 ? "no limit of iterations" : `${iterations} iterations`,
    ...(usd === undefined ? [] : [shownUsd(usd)]),
    ...(tokens === undefined ? [] : [`${shownCount(tokens)} tokens`]),
    ...(wallMs === undefined ? [] : [shownDuration(wallMs)]),
    ...(reviewEvery === undefined ? [] : [`a look of yours every ${reviewEvery} iterations`]),
  ].join(", ");
}

/** Named, never added: what has to hold is for the user to say. */
function offeredCheck({ run, contract, hasProcess, checks }: Omit<Begun, "runId">): string[] {
  const [check] = checks;
  if (check === undefined || hasProcess || !contract.criteria.every(isClaimOnly)) return [];
  const option = `--criteria '${check.name}: ${check.command}'`;
  return [
    `check:   this project has \`${check.command}\`, which is not part of the agreement. To have the engine check it, in a terminal: babysitter loop:amend ${run} ${option}`,
  ];
}

/** What an agent needs to know that has never heard of loops. */
export function startContext(begun: Begun): string {
  const intro =
    "The user has begun a Babysitter loop in this session. It exists already: do not begin one yourself. The task is what the user wrote behind the command; flags in it were for Babysitter and are taken care of.";
  return [intro, "", banner(begun), "", ...(begun.hasProcess ? processProtocol(begun) : loopProtocol(begun))].join(
    "\n",
  );
}

function loopProtocol({ run, contract }: Begun): string[] {
  const hasChecks = !contract.criteria.every(isClaimOnly);
  return [
    "- Work on the task now. Whenever you end a turn before it is done, you are told to go on.",
    hasChecks
      ? `- What the engine finds, also while you work: babysitter loop:verify ${run}`
      : `- Where the loop stands: babysitter loop:status ${run}. Criteria that the user adds are checked by: babysitter loop:verify ${run}`,
    ...(contract.steps.length === 0 ? [] : [`- After each step: babysitter loop:step ${run} <step> --done`]),
    `- Only when all of it is really done, output this alone on a line: <promise>${contract.promise.text}</promise>`,
    "- Pausing, cancelling or changing the loop is for the user alone.",
  ];
}

function processProtocol({ run }: Begun): string[] {
  return [
    `- Next: babysitter run:iterate ${run} --json`,
    `- Do what its nextActions ask for, post each result (babysitter task:post ${run} <effect> --status ok --value <file>), and iterate again, until the run is completed.`,
    `- Then babysitter run:status ${run} --json has the field completionProof: output it alone on a line in <promise> tags. Nothing else ends the loop.`,
    "- Questions of the run are for the user to answer; pausing or cancelling it is for the user alone.",
  ];
}
