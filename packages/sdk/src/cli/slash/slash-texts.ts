/** What the user and the agent are told when a slash command has started or resumed something. */

import type { Check } from "../../config/setting-types.js";
import type { HostWords } from "../../hosts/host.js";
import { isClaimOnly } from "../../loop/rules/criterion-kinds.js";
import { endsWhen, limitsText } from "../../loop/texts/contract-words.js";
import { PLAN_PROTOCOL } from "../../loop/texts/plan-protocol.js";
import type { LoopContract } from "../../model/loop-contract.js";
import { shownLine } from "../../model/shown-text.js";

export interface LoopFacts {
  /** How commands are typed into the host. */
  typed: HostWords["typed"];
  runId: string;
  /** How to name the run in a command. */
  run: string;
  contract: LoopContract;
  hasProcess: boolean;
  /** Commands with which the project could prove itself. */
  checks: readonly Check[];
}

/** The goal, how it ends, the limits, and how to stop it. */
export function banner({ typed, runId, contract, hasProcess, checks }: LoopFacts): string {
  return [
    `🔄 Babysitter loop ${runId}`,
    `goal:    ${shownLine(contract.title)}`,
    `ends:    ${hasProcess ? PROCESS_ENDS : endsWhen(contract)}`,
    `limits:  ${limitsText(contract.limits)}`,
    `to stop: press Esc, then ${typed("pause")} or ${typed("cancel")}`,
    `status:  ${typed("status")}`,
    ...(isPlan({ contract, hasProcess }) ? [PLAN_LINE] : []),
    ...offeredCheck({ typed, contract, hasProcess, checks }),
  ].join("\n");
}

const PLAN_LINE = "plan:    the agent writes a process, checks it, and asks you before it follows it";

function isPlan({ contract, hasProcess }: Pick<LoopFacts, "contract" | "hasProcess">): boolean {
  return contract.plan === true && !hasProcess;
}

const PROCESS_ENDS = "the process has completed, and the agent has shown the run's completion proof";

/** Named, never added: what has to hold is for the user to say. */
function offeredCheck({ typed, contract, hasProcess, checks }: Omit<LoopFacts, "runId" | "run">): string[] {
  const [check] = checks;
  if (check === undefined || hasProcess || !contract.criteria.every(isClaimOnly)) return [];
  const option = `--criteria '${check.name}: ${check.command}'`;
  return [
    `check:   this project has \`${check.command}\`, which is not one of the loop's criteria. To have the engine check it: ${typed("amend")} ${option}`,
  ];
}

/** What an agent needs to know that has never heard of loops. */
export function startContext(facts: LoopFacts): string {
  const intro =
    "The user has started a Babysitter loop in this session. It already exists: do not start one yourself. The task is what the user wrote after the command; any flags in it were for Babysitter and have been handled.";
  const protocol = facts.hasProcess ? processProtocol : isPlan(facts) ? planProtocol : loopProtocol;
  return [intro, "", banner(facts), "", ...protocol(facts)].join("\n");
}

function planProtocol(): string[] {
  return [...PLAN_PROTOCOL];
}

function loopProtocol({ run, contract }: LoopFacts): string[] {
  const hasChecks = !contract.criteria.every(isClaimOnly);
  return [
    "- Work on the task now. If you end a turn before it is done, you will be told to continue.",
    hasChecks
      ? `- To run the engine's checks at any time: babysitter loop:verify ${run}`
      : `- To see the loop's status: babysitter loop:status ${run}. To check criteria that the user adds: babysitter loop:verify ${run}`,
    ...(contract.steps.length === 0 ? [] : [`- After each step: babysitter loop:step ${run} <step> --done`]),
    `- Only when everything is really done, output this alone on a line: <promise>${contract.promise.text}</promise>`,
    "- Only the user may pause, cancel or change the loop.",
  ];
}

function processProtocol({ run }: LoopFacts): string[] {
  return [
    `- Next: babysitter run:iterate ${run} --json`,
    `- Do what its nextActions ask for, post each result (babysitter task:post ${run} <effect> --status ok --value <file>), and iterate again, until the run is completed.`,
    `- Then get completionProof from babysitter run:status ${run} --json and output it alone on a line in <promise> tags. Nothing else ends the loop.`,
    "- Only the user may answer the run's questions, and pause or cancel it.",
  ];
}
