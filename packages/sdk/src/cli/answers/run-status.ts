import type { Environment } from "../../machine/caller.js";
import { whoDrives } from "../../machine/who-drives.js";
import { type Failure, isThrownBy } from "../../model/failure.js";
import { defined, type Json } from "../../model/json.js";
import { visibleLine } from "../../model/shown-text.js";
import { line } from "../../model/terminal-text.js";
import { describeFailures } from "../../runs/describe-failures.js";
import { describeRun, type RunDescription } from "../../runs/describe-run.js";
import type { RunJournal } from "../../runs/run-journal.js";
import type { CommandResult } from "../grammar/invocation.js";
import { failureFacts, section, valueLines } from "../output/facts.js";
import { fitColumns } from "../output/for-screen.js";
import { age, alignColumns } from "../output/output.js";
import type { Paint } from "../output/paint.js";
import { paintState } from "../output/paint.js";
import type { SeenLoop } from "./see-loop.js";

/** A run as it is shown. */
export interface SeenRun {
  run: RunDescription;
  /** Of a completed run; undefined otherwise. */
  output: Json | undefined;
  failures: Failure[];
  loop: SeenLoop | undefined;
}

interface How {
  env: Environment;
  paint: Paint;
  runName: string;
}

/** Everything there is to show of a run. */
export async function seeRun(journal: RunJournal, { env, runName }: How): Promise<SeenRun> {
  const { completed, loop } = journal.summary;
  return {
    run: await describeRun(journal, runName, await whoDrives(journal)),
    output: completed === undefined ? undefined : await journal.valueOf(completed.output),
    failures: await describeFailures(journal),
    // Takes much that runs without a loop can do without.
    loop: loop === undefined ? undefined : await (await import("./see-loop.js")).seeLoop(env, journal, loop),
  };
}

/** Where a run stands, and its loop where it has one. */
export async function statusAnswer(journal: RunJournal, how: How): Promise<CommandResult> {
  const seen = await seeRun(journal, how);
  const { run, output, loop } = seen;
  const { paint, runName } = how;
  const failures = run.state === "failed" ? seen.failures.slice(0, 1) : [];
  const isShownBelow = failures.some(({ invocationKey }) => isThrownBy(journal.summary.failed?.error, invocationKey));
  const rows = [
    ...factRows(paint, journal, run).filter(([word]) => word !== "why" || !isShownBelow),
    ...(output === undefined ? [] : section("output", valueLines(output, `babysitter run:output ${runName}`))),
    ...failures.flatMap((failure) => failureFacts(failure, { runDir: run.runDir, name: runName })),
  ];
  const parts = [
    ...[alignColumns(rows), pendingRows(journal, run)].filter((lines) => lines !== ""),
    ...(loop === undefined ? [] : ["", loop.block, ""]),
    ...(run.next === undefined || leadsHere(run) ? [] : [line`${paint("bold", "next:")} ${run.next}`]),
  ];
  return { document: documentOf(seen), text: parts.join("\n").trimEnd() };
}

export function documentOf({ run, output, failures, loop }: SeenRun): object {
  return {
    ...run,
    ...defined({ output, loop: loop?.document }),
    ...(run.state === "failed" ? { failures } : {}),
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
  return fitColumns(
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
