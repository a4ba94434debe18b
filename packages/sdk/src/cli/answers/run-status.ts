import { renderStatusBlock } from "../../loop/texts/status-block.js";
import { reportOf } from "../../loop-runs/report-of.js";
import type { Environment } from "../../machine/caller.js";
import { localLoopPorts } from "../../machine/loops/local-loop-ports.js";
import type { LoopState } from "../../model/loop-state.js";
import { visibleLine } from "../../model/shown-text.js";
import { describeRun, type RunDescription } from "../../runs/describe-run.js";
import type { RunJournal } from "../../runs/run-journal.js";
import type { CommandResult } from "../grammar/invocation.js";
import { age, alignColumns } from "../output/output.js";
import type { Paint } from "../output/paint.js";
import { paintState } from "../output/paint.js";
import { type LoopDocument, loopDocument } from "./loop-document.js";

/** Where a run stands, and its loop where it has one. */
export async function statusAnswer(
  journal: RunJournal,
  { env, paint, runName }: { env: Environment; paint: Paint; runName: string },
): Promise<CommandResult> {
  const run = describeRun(journal, runName);
  const { loop } = journal.summary;
  const looked = loop === undefined ? undefined : await lookAtLoop(env, journal, loop);
  const facts = [alignColumns(factRows(paint, journal, run)), pendingRows(journal, run)];
  const parts = [
    facts.filter((lines) => lines !== "").join("\n"),
    ...(looked === undefined ? [] : ["", looked.block, ""]),
    ...(run.next === undefined || leadsHere(run) ? [] : [`${paint("bold", "next:")} ${run.next}`]),
  ];
  return {
    document: looked === undefined ? run : { ...run, loop: looked.document },
    text: parts.join("\n").trimEnd(),
  };
}

function factRows(paint: Paint, journal: RunJournal, run: RunDescription): string[][] {
  const now = journal.ports.clock.now();
  const { processId, entry, createdAt, lastEventAt, effects } = run.metadata;
  // A loop that has only a prompt has neither process nor effects.
  const isProcess = entry !== "";
  return [
    ["run", run.runId],
    ["state", paintState(paint, run.state)],
    ["why", run.why],
    ...(isProcess ? [["process", `${processId}  ${entry}`]] : []),
    ["age", `${age(createdAt, now)}, last event ${age(lastEventAt, now)} ago`],
    ...(isProcess
      ? [["effects", `${effects.ok} done, ${effects.error} failed, ${run.pendingEffects.length} pending`]]
      : []),
    ...(run.failedTurns === undefined ? [] : [["failed turns", failedTurnsText(run.failedTurns, now)]]),
    ...(run.completionProof === null ? [] : [["proof", run.completionProof]]),
    ...codeRows(journal, run),
  ];
}

function codeRows(journal: RunJournal, { codeChanges, codeAccepted }: RunDescription): string[][] {
  const now = journal.ports.clock.now();
  return [
    ...(codeChanges === undefined
      ? []
      : [["code", `${visibleLine(codeChanges.text)} Last change: ${codeChanges.lastDiff}`]]),
    ...(codeAccepted === undefined
      ? []
      : [["accepted", `by ${visibleLine(codeAccepted.by)} (${codeAccepted.via}), ${age(codeAccepted.at, now)} ago`]]),
  ];
}

function failedTurnsText({ count, error, at }: NonNullable<RunDescription["failedTurns"]>, now: Date): string {
  return `${count}, the last ${age(at, now)} ago: ${error}`;
}

function pendingRows(journal: RunJournal, { pendingEffects }: RunDescription): string {
  const now = journal.ports.clock.now();
  return alignColumns(
    pendingEffects
      .slice(0, 20)
      .map(({ effectId, kind, invocationKey, label, title, requestedAt }) => [
        "  ",
        effectId,
        kind,
        invocationKey,
        age(requestedAt, now),
        label ?? title ?? "",
      ]),
  );
}

/** Whoever reads this has just given that command. */
function leadsHere({ next }: RunDescription): boolean {
  return next?.startsWith("babysitter loop:status ") ?? false;
}

async function lookAtLoop(
  env: Environment,
  journal: RunJournal,
  loop: LoopState,
): Promise<{ document: LoopDocument; block: string }> {
  const { runDir } = journal;
  const world = localLoopPorts(env);
  const { projectRoot } = journal.place;
  // What was checked says something only about the files that it was checked on.
  const tree = loop.contract.criteria.length === 0 ? undefined : await world.tree({ projectRoot, runDir });
  const report = await reportOf(journal, loop, tree);
  const isVerifying = loop.verification !== undefined && world.isAlive(loop.verification);
  return { document: loopDocument(loop, report, isVerifying), block: renderStatusBlock(report) };
}
