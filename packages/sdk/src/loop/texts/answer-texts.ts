/** What the agent and the user are told at the end of a turn. */

import type { CriterionChecked } from "../../model/loop-events.js";
import { shownUsd } from "../../model/shown-amounts.js";
import { quotedLines, shownLine } from "../../model/shown-text.js";
import { resultOn, resultsOf, sortCriteria } from "../rules/criteria-standing.js";
import { type Decision, nextIteration } from "../rules/decide.js";
import type { Situation } from "../rules/situation.js";
import { changingWords } from "./check-words.js";
import { claimHint } from "./claim-hint.js";
import { endingWords } from "./ending-texts.js";
import { outcomeWords } from "./outcome-words.js";
import { outOf, progressLine } from "./progress-line.js";
import { unmetLine } from "./unmet-criteria.js";

/** Names and paths for texts that mention commands. */
export interface TextContext {
  runId: string;
  /** How to name the run in a command. */
  run: string;
  /** The prompt, byte for byte. */
  goal: string;
  /** Names of skills and agents that the host can use here. */
  discovered: readonly string[];
}

/** What a host is to be told. */
export interface StopAnswer {
  /** For the agent, when it must continue: the full form with the whole prompt, and a short form with only what is new. */
  reason?: string;
  delta?: string;
  /** For the user: why the agent may stop, and the same with how to continue. */
  why?: string;
  message?: string;
  /** For the user while the loop continues, where the host shows it to a person; `message` is what scripts know. */
  line?: string;
}

/** Hosts cut longer texts, and a delta must arrive whole. */
const DELTA_LIMIT = 9_000;
const TAIL_LINES = 15;
const TAIL_LIMIT = 1_500;

export function answerFor(situation: Situation, decision: Decision, context: TextContext): StopAnswer {
  if (decision.action !== "block") {
    const words = endingWords(situation, decision, context);
    if (words === undefined) return {};
    return { why: words.why, message: [words.why, ...words.onward].join("\n") };
  }
  return {
    reason: fullReason(situation, decision, context),
    delta: deltaText(situation, decision, context),
    message: progressMessage(situation, decision, context),
    line: `${progressLine(situation, decision)}${gatesNotice(situation, context.run)}`,
  };
}

/** The line that scripts and older hosts know. */
function progressMessage(situation: Situation, decision: Decision, { run: name }: TextContext): string {
  const { state, run } = situation;
  const next = nextIteration(situation, decision);
  if (run.hasProcess)
    return `🔄 Babysitter iteration ${outOf(situation, next)} [${run.state}]${gatesNotice(situation, name)}`;
  return `🔄 Babysitter iteration ${next} | To stop: output <promise>${state.contract.promise.text}</promise> (ONLY when TRUE!)`;
}

/** What only a person can do. */
function gatesNotice({ run: { gatesMissing } }: Situation, name: string): string {
  if (gatesMissing === undefined) return "";
  return `\n⚠️ The changed process lacks ${gatesMissing === 1 ? "a breakpoint" : `${gatesMissing} breakpoints`} that you agreed to. To see it: babysitter run:status ${name}. To accept it: /babysitter:approve ${name} here, or babysitter run:accept-code ${name} in a terminal.`;
}

/** The full form: context of the iteration, available skills and agents, and the whole prompt again. */
function fullReason(situation: Situation, decision: Decision, context: TextContext): string {
  const discovered = context.discovered.length === 0 ? [] : [discoveredText(context.discovered)];
  if (situation.run.hasProcess) {
    const head = `Babysitter iteration ${nextIteration(situation, decision)} | ${runContext(situation)}`;
    // How to find the proof is part of the head already.
    const more = decision.code === "proof_missing" ? [] : special(situation, decision, context);
    return [head, ...more, ...discovered, context.goal].join("\n\n");
  }
  return [...special(situation, decision, context), ...discovered, context.goal].join("\n\n");
}

/** The state of the run, in the words that scripts and agents know. */
export function runContext({ run }: Pick<Situation, "run">): string {
  if (run.state === "completed")
    return "Run completed! To finish: call 'run:status --json', extract 'completionProof', output in <promise>SECRET</promise> tags.";
  if (run.state === "blocked") return blockedContext(run);
  if (run.state === "failed") return "Run failed. Fix the run, journal or process and proceed.";
  if (run.state === "waiting" && run.pendingKinds.length > 0)
    return `Waiting on: ${run.pendingKinds.join(", ")}. Check if pending effects are resolved, then call run:iterate.`;
  return "Continue orchestration (run:iterate).";
}

function blockedContext({ gatesMissing, pendingKinds }: Situation["run"]): string {
  const question = pendingKinds.includes("breakpoint") ? ", not even with an answer to its open question" : "";
  const first = `and nothing continues until that is fixed${question}.`;
  return gatesMissing === undefined
    ? `Run blocked: its process no longer matches its journal, ${first} 'run:status' shows what differs; restore the process, then call run:iterate.`
    : `Run blocked (GATES_CHANGED): the process no longer has breakpoints that people agreed to, ${first} Restore them exactly as they were and call run:iterate, or stop and ask the user; only the user can accept the changed code.`;
}

const MAX_DISCOVERED = 10;

function discoveredText(names: readonly string[]): string {
  return `Available skills and agents: ${names.slice(0, MAX_DISCOVERED).join(", ")}`;
}

/** What this decision says besides "continue". */
function special(situation: Situation, decision: Decision, context: TextContext): string[] {
  const said = SPECIAL[decision.code]?.(situation, decision, context) ?? "";
  return [said, claimHint(situation) ?? ""].filter((text) => text !== "");
}

type Words = (situation: Situation, decision: Decision, context: TextContext) => string;

const BREAKER_WORDS: Readonly<Record<string, string>> = {
  oscillation: "The working tree has returned to an earlier state twice",
  same_failure: "The last three turns changed files, but the checks found exactly the same failures",
  no_progress: "Nothing happened in the last three turns: no file changed, no step done, no result",
  too_fast: "The last turns were very short and nothing happened in them",
  plateau: "For five turns no check has shown an improvement",
};

const SPECIAL: Readonly<Record<string, Words>> = {
  claim_rejected: (situation) =>
    `You said that you are done, but the engine checked and found that the current tree does not meet the criteria.\n${unmetText(situation)}`,
  verifying: (situation, _, { run }) =>
    `You said that you are done. The engine is checking the criteria. ${changingHint(situation)}Run this command and wait for its result without changing any file: babysitter loop:verify ${run} --wait\nIf everything is met, repeat your claim; otherwise fix what is not met.`,
  steps_remaining: ({ state }, _, { run }) =>
    `You said that you are done, but these steps are open: ${openSteps(state.steps)}. Do the first one. When it is done, run: babysitter loop:step ${run} <step> --done`,
  run_incomplete: (situation) =>
    `A promise does not end this loop: the run has not completed. ${runContext(situation)} Once it completes, its completion proof ends the loop.`,
  proof_missing: (_, __, { run }) =>
    `The proof is in: babysitter run:status ${run} --json (field completionProof). Output it alone on a line, in <promise> tags.`,
  breaker_half_open: (situation, { breaker = "no_progress" }, { run }) =>
    `${BREAKER_WORDS[breaker] ?? "You seem to be stuck"}. Change your approach: say in one sentence what does not work and why, then try something different. If nothing changes in the next turn, the loop will be paused.\n${breakerFacts(situation, run)}`,
  continue_loop: unmetLine,
  idle_warning: (situation, _, { run }) =>
    [
      `You have ended several turns without calling a tool. Work on the task, or check its status: babysitter loop:status ${run}. If this continues, the loop will be paused.`,
      unmetLine(situation),
    ]
      .join("\n")
      .trimEnd(),
  criteria_met_confirm: ({ state }) =>
    `Every criterion is met. If the whole task is done, output <promise>${state.contract.promise.text}</promise> alone on a line; otherwise say what is left and do it.`,
  ask_human: ({ run, host: { questionTool } }) =>
    questionTool === undefined
      ? `Only a question for a human is left (${run.openQuestions.join(", ")}). Do not answer it yourself, just stop; the person has been notified.`
      : `Only a question for a human is left (${run.openQuestions.join(", ")}). Ask it with ${questionTool}: give \`${run.openQuestions[0] ?? ""}\` as the question, any header and two placeholder options; the run's own text and options replace them. Do not answer it yourself. If you cannot ask, just stop; the person has been notified.`,
};

/** What is known to be unmet; and where nothing is known about these files, how to know it. */
function breakerFacts(situation: Situation, run: string): string {
  const { unknown } = sortCriteria(situation.state, situation.probes.tree);
  if (situation.run.hasProcess || unknown.length === 0) return unmetText(situation);
  return `${unmetLine(situation)}\nTo check these files: babysitter loop:verify ${run} --wait`;
}

function changingHint(situation: Situation): string {
  const words = changingWords(situation);
  if (words === "") return "";
  return `But ${words}, so its result is about files that are no longer there and does not count. First make it write only to paths that git ignores.\n`;
}

function openSteps(steps: Situation["state"]["steps"]): string {
  return steps
    .filter(({ status }) => status !== "done")
    .map(({ id, title }) => (title === id ? id : `${id} (${shownLine(title)})`))
    .join(", ");
}

/** The unmet criteria with exit code, last lines and the location of the whole output. */
export function unmetText({ state, probes }: Situation): string {
  const { red } = sortCriteria(state, probes.tree);
  return red
    .flatMap(({ id, text }) => {
      const result = resultOn(resultsOf(state, id), probes.tree);
      return result === undefined
        ? []
        : [`Not met: ${id} (${shownLine(text, 200)}): ${outcomeWords(result)}${evidenceText(result)}`];
    })
    .join("\n");
}

function evidenceText({ tail, evidence }: CriterionChecked): string {
  const lines = tail.trimEnd().split("\n").slice(-TAIL_LINES).join("\n").slice(-TAIL_LIMIT);
  if (lines === "") return "";
  const rest = evidence === undefined ? "" : `\n(whole output: ${evidence} in the run directory)`;
  return `\nlast lines:\n${quotedLines(lines).join("\n")}${rest}`;
}

/** Decisions whose own text says what to do next. */
const SAYS_IT_ALL: ReadonlySet<string> = new Set(["verifying", "ask_human", "proof_missing"]);

/** Only what is new and what to do next: hosts that accept it as context do not need the prompt again. */
function deltaText(situation: Situation, decision: Decision, context: TextContext): string {
  const { state, run } = situation;
  const nextStep = state.steps.find(({ status }) => status !== "done");
  const above = [
    `Babysitter iteration ${outOf(situation, nextIteration(situation, decision))} | goal: ${shownLine(state.contract.title)}`,
    ...(run.hasProcess ? [runContext(situation)] : []),
  ];
  const below = [
    ...(context.discovered.length === 0 ? [] : [discoveredText(context.discovered)]),
    ...(nextStep === undefined
      ? []
      : [
          `Next step: ${shownLine(nextStep.title)} (when done: babysitter loop:step ${context.run} ${nextStep.id} --done)`,
        ]),
    ...budgetLines(situation),
    ...(SAYS_IT_ALL.has(decision.code) ? [] : [whatNow(situation, context)]),
  ];
  // Cut long outputs, but never the instructions.
  const room = DELTA_LIMIT - [...above, ...below].reduce((sum, line) => sum + line.length + 1, 0);
  const said = special(situation, decision, context).map((text) => fitted(text, room));
  return fitted([...above, ...said, ...below].join("\n"), DELTA_LIMIT);
}

function whatNow({ run, state }: Situation, { run: name }: TextContext): string {
  if (run.gatesMissing !== undefined)
    return `Now: restore the breakpoints, then babysitter run:iterate ${name} --json; babysitter run:status ${name} names them.`;
  if (run.hasProcess)
    return `Now: babysitter run:iterate ${name} --json, then do the pending tasks and post their results.`;
  // Always name one of our commands: a turn without a tool call counts as idle, for us and for hosts.
  const call =
    state.contract.criteria.length > 0
      ? `and check it with: babysitter loop:verify ${name} --wait`
      : `and check the status with: babysitter loop:status ${name}`;
  return `Now: continue with the task, ${call}. Only when everything is really done, output <promise>${state.contract.promise.text}</promise> alone on a line.`;
}

function budgetLines({ state, probes }: Situation): string[] {
  const { usd } = state.contract.limits;
  const { spend } = probes;
  if (usd === undefined || usd === 0 || spend === undefined || spend.calls === 0) return [];
  return [`Budget: ${shownUsd(spend.knownUsd)} of ${shownUsd(usd)} used.`];
}

const CUT = "\n… (babysitter loop:status shows all of it)";

function fitted(text: string, longest: number): string {
  return text.length <= longest ? text : `${text.slice(0, Math.max(0, longest - CUT.length))}${CUT}`;
}
