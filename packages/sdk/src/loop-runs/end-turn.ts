/** The end of a turn: find out what happened, decide, record it, and say what to tell the host. */

import {
  everyTurnCriteria,
  requiredCriteria,
  resultOn,
  resultsOf,
  uncheckedCriteria,
} from "../loop/rules/criteria-standing.js";
import { type Decision, decide, decideGuard, recordOf } from "../loop/rules/decide.js";
import { awaitsVerification } from "../loop/rules/decision-rules.js";
import { withEarlierSpend } from "../loop/rules/earlier-spend.js";
import type { HostLimits, Probes, Situation, StopInput } from "../loop/rules/situation.js";
import { answerFor, type StopAnswer } from "../loop/texts/answer-texts.js";
import type { EventDraft, JournalEvent } from "../model/events.js";
import type { CriterionChecked, ProgressSample, StopHookInvoked } from "../model/loop-events.js";
import type { LoopState } from "../model/loop-state.js";
import type { RunSummary } from "../model/run-state.js";
import type { RunJournal } from "../runs/run-journal.js";
import { waitFor } from "../runs/wait-for.js";
import { goalOf } from "./goal-of.js";
import type { LoopPorts, TurnReading, TurnRequest } from "./loop-ports.js";
import { runViewOf } from "./run-view.js";

export interface TurnEnd {
  code: string;
  action: Decision["action"];
  answer: StopAnswer;
}

export interface TurnOptions {
  ports: LoopPorts;
  host: HostLimits;
  /** How to name the run in a command. */
  runName: string;
  projectRoot: string;
  /** How long the host may be kept waiting for a verification. */
  patienceMs: number;
  /** Ends that waiting. */
  signal?: AbortSignal;
}

/** A second hook for the same stop comes at most this much later. */
const DUPLICATE_MS = 10_000;

/** The journal must be that of a run with a loop that is bound to the session of the input. */
export async function endTurn(journal: RunJournal, input: StopInput, options: TurnOptions): Promise<TurnEnd> {
  const openedAt = journal.summary.head.seq;
  const guarded = guardOf(journal, input);
  if (guarded !== undefined) return { ...guarded, answer: {} };
  // Both are waited for, the one in git and the other in the host: at the same time.
  const tree = treeNow(journal, options);
  const reading = await options.ports.turn(turnRequest(journal, input));
  const twin = earlierAnswer(journal.summary, input, reading, journal.ports.clock.now());
  let situation = await look(journal, input, { reading, tree }, options);
  if (twin !== undefined) return repeated(journal, twin, { situation, options });
  const end = performance.now() + options.patienceMs;
  let isOther = true;
  // One that somebody has begun earlier may be about older files; the next one is about these.
  while (isOther && wantsVerification(situation)) {
    isOther = situation.probes.verifying;
    await verify(journal, situation, { ...options, patienceMs: end - performance.now() });
    situation = await look(journal, input, { reading, tree: treeNow(journal, options) }, options);
    isOther &&= performance.now() < end;
  }
  return record(journal, situation, { ...options, openedAt, reading });
}

/**
 * Words before the last ones, and what they cost, matter where they can end the loop. A run that has not completed
 * ends by nothing that is said.
 */
function turnRequest(journal: RunJournal, { transcriptPath: path, lastMessage }: StopInput): TurnRequest {
  const { lastStop, contract } = loopOf(journal.summary);
  const run = runViewOf(journal);
  const { usd = 0, tokens = 0 } = contract.limits;
  const isUnderWay = run.hasProcess && run.state !== "completed" && usd === 0 && tokens === 0;
  return { path, lastMessage, after: isUnderWay ? lastStop?.key : undefined };
}

function guardOf(journal: RunJournal, input: StopInput): Pick<TurnEnd, "code" | "action"> | undefined {
  return decideGuard(input, { kind: "bound", state: loopOf(journal.summary), run: runViewOf(journal) });
}

/** Records a decision that needed no look at the turn, once: a session may keep talking after its loop. */
export async function noteGuard(journal: RunJournal, input: StopInput, { code }: Decision): Promise<void> {
  const { sessionId } = input;
  if (sessionId === undefined) return;
  const now = journal.ports.clock.now().toISOString();
  await journal.commit((summary, appended) => {
    const state = loopOf(summary);
    // A loop that has ended is told by its end, also to the second hook of the same stop.
    if (appended.length > 0 || state.ended !== undefined || state.lastStop?.code === code) return [];
    const run = runViewOf(journal);
    const payload: StopHookInvoked = {
      sessionId,
      iteration: state.iteration,
      decision: "approve",
      reason: code,
      runState: run.state,
      pendingKinds: run.pendingKinds.join(", "),
      hasPromise: false,
      timestamp: now,
      nextIteration: state.iteration,
    };
    return [{ type: "STOP_HOOK_INVOKED", timestamp: now, payload }];
  });
  await journal.saveCaches();
}

function loopOf(summary: RunSummary): LoopState {
  return summary.loop as LoopState;
}

interface TreeNow {
  tree: string | undefined;
  tampered: Probes["tampered"];
}

/** Starts hashing the working tree; undefined if nobody needs it. */
function treeNow(journal: RunJournal, { ports, projectRoot }: TurnOptions): Promise<TreeNow> | undefined {
  const { summary, runDir } = journal;
  if (!wantsTree(journal)) return undefined;
  const tree = ports.tree({ projectRoot, runDir });
  const tampered = ports.changed(projectRoot, loopOf(summary).contract.protectedThings);
  const both = Promise.all([tree, tampered]).then(([hash, things]) => ({ tree: hash, tampered: things }));
  // Whoever waits for it hears of a failure; before that it must not end the process.
  both.catch(() => undefined);
  return both;
}

async function look(
  journal: RunJournal,
  input: StopInput,
  { reading, tree }: { reading: TurnReading; tree: Promise<TreeNow> | undefined },
  options: TurnOptions,
): Promise<Situation> {
  const { summary, runDir } = journal;
  const state = loopOf(summary);
  const { ports, host } = options;
  const now = journal.ports.clock.now();
  const lastMessage = input.lastMessage === undefined ? [] : [input.lastMessage];
  const probes: Probes = {
    blocks: [...lastMessage, ...reading.blocks],
    lastWords: reading.lastWords ?? lastMessage,
    silent: input.lastMessage === undefined && reading.missing,
    tampered: [],
    denied: reading.denied,
    sample: sampleOf(summary, reading, now),
    verifying: state.verification !== undefined && ports.isAlive(state.verification, journal.runDir),
    ...(reading.commandWaiting === true ? { commandWaiting: true } : {}),
    ...(reading.broken === undefined ? {} : { broken: reading.broken }),
  };
  const situation: Situation = { input, state, run: runViewOf(journal), probes, host, now };
  const spend = await ports.spend({
    transcriptPath: input.transcriptPath,
    sessions: state.sessions,
    since: state.startedAt,
    runDir,
    prices: state.contract.settings.prices,
  });
  if (spend !== undefined) probes.spend = withEarlierSpend(spend, state.contract);
  const seen = await tree;
  if (seen?.tree !== undefined) {
    probes.tree = seen.tree;
    probes.sample = { ...probes.sample, tree: seen.tree, ...signaturesOn(state, seen.tree) };
  }
  probes.tampered = seen?.tampered ?? [];
  return situation;
}

function sampleOf(summary: RunSummary, reading: TurnReading, now: Date): ProgressSample {
  const state = loopOf(summary);
  const newest = newestResults(state);
  const red = newest.filter(({ ok }) => !ok);
  return {
    at: now.toISOString(),
    work: workOf(summary),
    ...(newest.length === 0 ? {} : { failing: red.map(({ criterion }) => criterion), ...countOf(red) }),
    stepsDone: state.steps.filter(({ status }) => status === "done").length,
    ...(reading.tools === undefined ? {} : { tools: reading.tools }),
    seconds: Math.floor((now.getTime() - Date.parse(state.lastIterationAt)) / 1000),
  };
}

/** How far the run has got. */
function workOf({ processHead, lastResolution }: RunSummary): number {
  return Math.max(processHead, lastResolution);
}

function newestResults(state: LoopState): CriterionChecked[] {
  return requiredCriteria(state.contract.criteria).flatMap(({ id }) => resultsOf(state, id).slice(-1));
}

function countOf(red: readonly CriterionChecked[]): Pick<ProgressSample, "failures"> {
  const counts = red.flatMap(({ failures }) => (failures === undefined ? [] : [failures]));
  return counts.length === 0 ? {} : { failures: counts.reduce((sum, count) => sum + count, 0) };
}

/**
 * Failures that were found at the end of this turn or after the one before. What an older check has found says nothing
 * about what was changed since: an agent that works on for several turns before it claims anything is not stuck.
 */
function signaturesOn(state: LoopState, tree: string): Pick<ProgressSample, "signatures"> {
  const trees = new Set([tree, state.progress.at(-1)?.tree]);
  const found = newestResults(state).filter(({ ok, after }) => !ok && trees.has(after));
  return { signatures: found.flatMap(({ signature }) => (signature === undefined ? [] : [signature])).toSorted() };
}

/** Hashing the tree takes its time; where the journal itself shows that work continues, nobody needs it. */
function wantsTree(journal: RunJournal): boolean {
  const { summary } = journal;
  const state = loopOf(summary);
  const run = runViewOf(journal);
  if (!run.hasProcess || state.contract.criteria.length > 0) return true;
  if (run.tasksRunning) return false;
  return state.progress.at(-1)?.work === workOf(summary);
}

/** What is decided whatever the criteria say. */
const DECIDED_ANYHOW: ReadonlySet<string> = new Set([
  "command_waiting",
  "contract_tampered",
  "must_not_violated",
  "verification_unsettled",
]);

/** Something must be checked before this turn can be judged; at a limit as well, where only a true claim still ends it. */
function wantsVerification(situation: Situation): boolean {
  return awaitsVerification(situation) && !DECIDED_ANYHOW.has(decide(situation).code);
}

/** Starts a verification, or joins the running one, and waits for it as long as the host allows. */
async function verify(
  journal: RunJournal,
  situation: Situation,
  { ports, patienceMs, signal }: TurnOptions,
): Promise<void> {
  const criteria = uncheckedCriteria(situation.state, situation.probes.tree).map(({ id }) => id);
  const since = journal.summary.head.seq;
  if (!situation.probes.verifying) ports.startVerification(journal.runDir, criteria);
  const isFinished = (news: readonly JournalEvent[]): true | undefined =>
    news.some(
      ({ type, payload, seq }) => type === "VERIFICATION_FINISHED" && payload.outcome !== "lost" && seq > since,
    ) || undefined;
  await waitFor(journal, isFinished, { timeoutMs: patienceMs, signal });
}

async function record(
  journal: RunJournal,
  first: Situation,
  options: TurnOptions & { openedAt: number; reading: TurnReading },
): Promise<TurnEnd> {
  const { openedAt, reading, ports, projectRoot, runName } = options;
  const goal = await goalOf(journal, first.state);
  const discovered = ports.discovered(projectRoot);
  let end: TurnEnd | undefined;
  await journal.commit((summary, appended) => {
    if (appended.length > 0) return [];
    // What was decided before someone else wrote no longer counts.
    end = undefined;
    const state = loopOf(summary);
    // Another hook of this very stop was faster: hosts continue only when all of them have answered.
    if ((state.lastStop?.seq ?? 0) > openedAt) return [];
    const guarded = guardOf(journal, first.input);
    if (guarded !== undefined) {
      end = { ...guarded, answer: {} };
      return [];
    }
    const situation = { ...first, state, run: runViewOf(journal) };
    const decision = decide(situation);
    const answer = answerFor(situation, decision, { runId: journal.runId, run: runName, goal, discovered });
    end = { code: decision.code, action: decision.action, answer };
    return [draftOf(situation, decision, { answer, reading })];
  });
  await journal.saveCaches();
  if (end === undefined) return repeated(journal, loopOf(journal.summary).lastStop, { situation: first, options });
  if (end.action === "block") startEveryTurnChecks(journal, first, ports);
  return end;
}

function draftOf(
  situation: Situation,
  decision: Decision,
  { answer, reading }: { answer: StopAnswer; reading: TurnReading },
): EventDraft {
  const { promptId } = situation.input;
  const turn = {
    ...(promptId === undefined ? {} : { promptId }),
    ...(reading.key === undefined ? {} : { key: reading.key }),
  };
  const payload: StopHookInvoked = {
    ...recordOf(situation, decision),
    ...(Object.keys(turn).length === 0 ? {} : { turn }),
    ...(answer.delta === undefined ? {} : { told: answer.delta }),
    ...(decision.action === "pause" ? { paused: answer.why ?? "" } : {}),
    ...(decision.attestation === undefined ? {} : { ended: decision.attestation }),
  };
  return { type: "STOP_HOOK_INVOKED", timestamp: situation.now.toISOString(), payload };
}

/** Checks that run after every turn start now; their results count at the end of the next turn. */
function startEveryTurnChecks(journal: RunJournal, { probes }: Situation, ports: LoopPorts): void {
  const state = loopOf(journal.summary);
  const due = everyTurnCriteria(state.contract.criteria).filter(
    ({ id }) => resultOn(resultsOf(state, id), probes.tree) === undefined,
  );
  if (due.length > 0 && !probes.verifying)
    ports.startVerification(
      journal.runDir,
      due.map(({ id }) => id),
    );
}

function earlierAnswer(
  summary: RunSummary,
  { sessionId }: StopInput,
  { key }: TurnReading,
  now: Date,
): LoopState["lastStop"] {
  const { lastStop } = loopOf(summary);
  const isTwin =
    key !== undefined &&
    lastStop?.key === key &&
    lastStop.sessionId === sessionId &&
    Math.abs(now.getTime() - Date.parse(lastStop.at)) < DUPLICATE_MS;
  return isTwin ? lastStop : undefined;
}

/** The answer that the other hook of the same stop has given: made again, from what was decided then. */
async function repeated(
  journal: RunJournal,
  stop: LoopState["lastStop"],
  { situation, options }: { situation: Situation; options: TurnOptions },
): Promise<TurnEnd> {
  if (stop === undefined) return { code: "no_active_loop", action: "allow", answer: {} };
  const { code } = stop;
  const event: JournalEvent = await journal.ports.store.readAt(journal.runId, stop);
  if (event.type !== "STOP_HOOK_INVOKED") return { code, action: "allow", answer: {} };
  const { payload } = event;
  const action = actionOf(payload);
  if (payload.paused !== undefined) return { code, action, answer: { message: payload.paused } };
  const state = { ...loopOf(journal.summary), iteration: payload.iteration };
  const decision = { code, action, ...(payload.warned === undefined ? {} : { breaker: payload.warned }) };
  const answer = answerFor({ ...situation, state, run: runViewOf(journal) }, decision, {
    runId: journal.runId,
    run: options.runName,
    goal: await goalOf(journal, state),
    discovered: options.ports.discovered(options.projectRoot),
  });
  return { code, action, answer: { ...answer, ...(payload.told === undefined ? {} : { delta: payload.told }) } };
}

function actionOf({ decision, ended, paused }: StopHookInvoked): Decision["action"] {
  if (decision === "block") return "block";
  if (ended !== undefined) return "done";
  return paused === undefined ? "allow" : "pause";
}
