/** A run as its page shows it. */
import path from "node:path";
import { type InboxDesk, RunJournal, type reportLoop } from "@a5c-ai/babysitter-sdk/operate";
import type { CriterionView, FailingStep, LoopView, RunDetail } from "../wire/run-wire.js";

type RunLook = Awaited<ReturnType<InboxDesk["look"]>>;
type LoopReport = NonNullable<Awaited<ReturnType<typeof reportLoop>>>;

/** Nobody reads more of it on a page; the command line prints all of it. */
const LONGEST_OUTPUT = 100_000;
const LONGEST_TAIL = 8_000;

export async function describeRun(
  { id, projectRoot }: { id: string; projectRoot: string },
  journal: RunJournal,
  { description, driving, loop, failing, can }: RunLook,
): Promise<RunDetail> {
  const { summary } = journal;
  const { created, head, newer } = summary;
  const { state, why, ways, error, runDir, iterationCount, codeChanges } = description;
  return {
    id,
    project: { name: path.basename(projectRoot) || projectRoot, root: projectRoot },
    process: created.processId,
    state,
    why,
    ways,
    drivenBy: driving.by === "nobody" ? null : (driving.who ?? driving.by),
    createdAt: created.at,
    lastEventAt: head.timestamp,
    events: head.seq,
    agent: created.session !== undefined || (summary.loop?.sessions.length ?? 0) > 0,
    forkedFrom: created.forkedFrom === undefined ? null : { run: created.forkedFrom.runId, at: created.forkedFrom.at },
    error: error === undefined ? null : errorIn(error),
    output: await outputOf(journal),
    loop: loop === null ? null : loopView(loop),
    readOnly:
      newer === undefined ? null : `This run was written by version ${newer.writer}, which is newer than this server.`,
    runDir,
    iterationCount,
    can,
    ...(codeChanges === undefined ? {} : { codeChanges: changesIn(codeChanges) }),
    ...(failing === undefined ? {} : { failing: failingIn(failing) }),
  };
}

type Described<Key extends keyof RunLook["description"]> = NonNullable<RunLook["description"][Key]>;

function changesIn({
  count,
  files,
  lastAt,
  lastDiff,
  text,
}: Described<"codeChanges">): RunDetail["codeChanges"] & object {
  return { count, files, lastAt, lastDiff, text };
}

function failingIn(failure: NonNullable<RunLook["failing"]>): FailingStep {
  const { invocationKey: _, ...shown } = failure;
  return shown;
}

async function outputOf(journal: RunJournal): Promise<string | null> {
  const { completed } = journal.summary;
  if (completed === undefined) return null;
  const text = JSON.stringify(await journal.valueOf(completed.output), null, 2) ?? "null";
  return text.length <= LONGEST_OUTPUT ? text : `${text.slice(0, LONGEST_OUTPUT)}…`;
}

/** From a journal, where anything may stand. */
function errorIn(error: Readonly<Record<string, unknown>>): RunDetail["error"] {
  const { message, code, stack } = error;
  return {
    message: typeof message === "string" ? message : "No reason given.",
    ...(typeof code === "string" ? { code } : {}),
    ...(typeof stack === "string" ? { stack } : {}),
  };
}

function loopView(loop: LoopReport): LoopView {
  const { title, goal, outcome, message, iteration, limits, spend, criteria, mustNot, contractChanges } = loop;
  return {
    title,
    goal,
    outcome,
    message: message ?? null,
    iteration,
    maxIterations: limits.iterations,
    spend: spend === null ? null : { usd: spend.usd, knownUsd: spend.knownUsd, tokens: spend.totalTokens },
    budgetUsd: limits.usd ?? null,
    criteria: [...criteria, ...mustNot].map(criterionView),
    contractChanges: contractChanges.map(({ at, terms }) => ({ at, text: terms.map(termText).join("; ") })),
  };
}

function criterionView({ id, text, command, view, check }: LoopReport["criteria"][number]): CriterionView {
  return {
    id,
    text,
    command: command ?? null,
    view,
    check:
      check === undefined
        ? null
        : { at: check.at, tree: check.after, exitCode: check.exitCode, tail: check.tail.slice(-LONGEST_TAIL) },
  };
}

function termText({ term, was, is }: LoopReport["contractChanges"][number]["terms"][number]): string {
  return `${term}: ${was ?? "nothing"} → ${is ?? "nothing"}`;
}
