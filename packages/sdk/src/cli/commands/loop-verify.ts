/** `loop:verify`: has the engine check the criteria, and says what it found. */

import {
  criterionStanding,
  mustNotCriteria,
  requiredCriteria,
  resultOn,
  resultsOf,
  uncheckedCriteria,
} from "../../loop/rules/criteria-standing.js";
import { traitsOf } from "../../loop/rules/criterion-kinds.js";
import { writtenWords } from "../../loop/texts/check-words.js";
import { outcomeWords } from "../../loop/texts/outcome-words.js";
import { openLoop } from "../../loop-runs/change-loop.js";
import type { LoopPorts } from "../../loop-runs/loop-ports.js";
import { localLoopPorts } from "../../machine/loops/local-loop-ports.js";
import { writeLoopViews } from "../../machine/loops/loop-views.js";
import { runName } from "../../machine/run-name.js";
import { EXIT_CODES } from "../../model/error-codes.js";
import type { JournalEvent } from "../../model/events.js";
import type { Criterion } from "../../model/loop-contract.js";
import type { CriterionChecked } from "../../model/loop-events.js";
import type { LoopState } from "../../model/loop-state.js";
import { quotedLines } from "../../model/shown-text.js";
import { line } from "../../model/terminal-text.js";
import type { RunJournal } from "../../runs/run-journal.js";
import { waitFor } from "../../runs/wait-for.js";
import { chooseLoop } from "../arguments/choose-loop.js";
import { durationOf } from "../grammar/durations.js";
import type { Command, CommandResult, Invocation } from "../grammar/invocation.js";
import { usageError } from "../grammar/parse-arguments.js";

/** The shells of agents end a command after two minutes or so. */
const USUAL_WAIT_MS = 90_000;
/** A verifier that has not begun after this time will not. */
const BEGIN_MS = 20_000;
/** A verifier that was killed writes nothing down. */
const LOOK_MS = 250;

/** A running verification may cover other criteria or files; after this many tries someone else decides. */
const MAX_ROUNDS = 5;

export const command: Command = async (invocation) => {
  const { journal, loop } = await chooseLoop(invocation);
  const criteria = chosen(invocation, loop);
  const waiting = { limitMs: waitOf(invocation), begun: performance.now(), world: localLoopPorts(invocation.env) };
  const place = {
    projectRoot: journal.place.projectRoot,
    runDir: journal.runDir,
  };
  openLoop(journal);
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const due = invocation.options.flag("again")
      ? criteria
      : stillDue(invocation, journal.summary.loop as LoopState, await waiting.world.tree(place));
    if (due.length === 0 || (await isChecked(journal, due, waiting))) break;
  }
  const tree = await waiting.world.tree(place);
  // What is known already may be about other files than the last result.
  await writeLoopViews(journal, tree);
  return answer(invocation, journal, criteria, tree);
};

function stillDue(invocation: Invocation, loop: LoopState, tree: string | undefined): Criterion[] {
  const named = invocation.options.texts("criterion");
  return uncheckedCriteria(loop, tree).filter(({ id }) => named.length === 0 || named.includes(id));
}

function chosen(invocation: Invocation, { contract }: LoopState): Criterion[] {
  const all = [...requiredCriteria(contract.criteria), ...mustNotCriteria(contract.criteria)];
  const named = invocation.options.texts("criterion");
  const unknown = named.find((id) => !all.some((criterion) => criterion.id === id));
  if (unknown !== undefined)
    throw usageError(
      invocation,
      `There is no criterion ${JSON.stringify(unknown)} to check; available: ${all.map(({ id }) => id).join(", ") || "none"}.`,
    );
  return named.length === 0 ? all : all.filter(({ id }) => named.includes(id));
}

function waitOf({ options, name }: Invocation): number {
  if (options.flag("no-wait")) return 0;
  if (options.flag("wait")) return Number.POSITIVE_INFINITY;
  const given = options.text("timeout");
  return given === undefined ? USUAL_WAIT_MS : durationOf(name, "timeout", given);
}

interface Waiting {
  /** How long to wait, from when on. */
  limitMs: number;
  begun: number;
  world: LoopPorts;
}

/** Starts a verification, or joins the running one. True when these criteria were checked, or waiting is pointless. */
async function isChecked(journal: RunJournal, due: readonly Criterion[], waiting: Waiting): Promise<boolean> {
  const { world, limitMs, begun } = waiting;
  const ids = due.map(({ id }) => id);
  const before = journal.summary.loop?.verification;
  const joins = before !== undefined && world.isAlive(before, journal.runDir);
  if (!joins) world.startVerification(journal.runDir, ids);
  const events = await finished(journal, { ...waiting, ...(joins ? {} : { dead: before?.verification }) });
  const isOurs = events.some(
    ({ type, payload }) => type === "VERIFICATION_STARTED" && ids.every((id) => payload.criteria.includes(id)),
  );
  const isOver = journal.summary.loop?.verification === undefined;
  // One that was begun earlier may have ended first, and the one about these files is under way.
  return (isOurs && isOver) || events.length === 0 || performance.now() - begun >= limitMs;
}

/** The events up to the end of a verification, or until nobody waits any longer. */
async function finished(
  journal: RunJournal,
  { begun, limitMs, world, dead }: Waiting & { dead?: string | undefined },
): Promise<JournalEvent[]> {
  const events: JournalEvent[] = [];
  const since = performance.now();
  const look = (news: readonly JournalEvent[]): true | undefined => {
    events.push(...news);
    const { verification } = journal.summary.loop as LoopState;
    const hasBegun = verification !== undefined && verification.verification !== dead;
    const isGone = hasBegun ? !world.isAlive(verification, journal.runDir) : performance.now() - since > BEGIN_MS;
    const hasFinished = events.some(
      ({ type, payload }) => type === "VERIFICATION_FINISHED" && payload.outcome !== "lost",
    );
    return isGone || hasFinished || undefined;
  };
  await waitFor(journal, look, { timeoutMs: begun + limitMs - since, lookAgainMs: () => LOOK_MS });
  // What a program has written down just before it ended may have come since the last look.
  events.push(...(await journal.catchUp()));
  return events;
}

function answer(
  invocation: Invocation,
  journal: RunJournal,
  criteria: readonly Criterion[],
  tree: string | undefined,
): CommandResult {
  const loop = journal.summary.loop as LoopState;
  const rows = criteria.map((criterion) => {
    const { id, text } = criterion;
    const result = resultOn(resultsOf(loop, id), tree);
    return {
      id,
      text,
      role: traitsOf(criterion).role,
      standing: criterionStanding(loop, criterion, tree),
      result: result ?? null,
      newest: resultsOf(loop, id).at(-1) ?? null,
    };
  });
  const isRunning = loop.verification !== undefined;
  const met = rows.every(({ standing }) => standing === "green");
  // What is still being checked may be others, and a verification ends a little after its last result.
  const isOpen = isRunning && rows.some(({ standing }) => standing === "unknown");
  const status = rows.length === 0 ? "nothing-to-check" : isOpen ? "verifying" : met ? "met" : "unmet";
  const lines = rows.map(({ id, role, standing, result, newest }) => {
    const mark = { green: "✓", red: "✗", unknown: "?" }[standing];
    const why = result === null ? unknownWhy(isRunning, newest) : outcomeWords(result);
    const tail = standing === "red" && result !== null ? `\n${quotedLines(lastPart(result.tail)).join("\n")}` : "";
    const where = result?.evidence === undefined ? "" : `  (${result.evidence})`;
    const name = role === "must-not" ? `must not: ${id}` : id;
    return line`${mark} ${name}: ${why}${where}` + tail;
  });
  const again = `babysitter loop:verify ${runName(invocation, journal)}`;
  return {
    document: { runId: journal.runId, runDir: journal.runDir, status, tree: tree ?? null, criteria: rows },
    text: [
      ...(rows.length === 0 ? ["There is nothing for the engine to check."] : lines),
      ...(status === "verifying" ? [`Still checking; try again: ${again}`] : []),
    ].join("\n"),
    exitCode: EXIT_CODES[status === "unmet" ? "failed" : status === "verifying" ? "busy" : "ok"].exit,
  };
}

function unknownWhy(isRunning: boolean, newest: CriterionChecked | null): string {
  if (isRunning) return "being checked";
  if (newest === null) return "not checked";
  return newest.written === undefined
    ? "the tree has changed since, or the check itself changed it"
    : `${outcomeWords(newest)}, but the tree changed while it ran: ${writtenWords(newest.written)}; files that a check writes must be ignored by git`;
}

function lastPart(text: string): string {
  return text
    .replace(/^(?:[ \t]*\n)+/u, "")
    .trimEnd()
    .split("\n")
    .slice(-20)
    .join("\n");
}
