import { eventFile } from "../journal/rules/chain.js";
import { BabysitterError } from "../model/errors.js";
import type { EffectRequested } from "../model/events.js";
import { isJsonObject, type Json, type JsonObject } from "../model/json.js";
import type { RecordedRequest } from "../model/replay-index.js";
import type { NewRequest } from "../replay/call.js";
import type { ProcessStanding } from "../replay/process-standing.js";
import type { RunJournal } from "./run-journal.js";
import { hasFailed, isUnused } from "./step-facts.js";

type Diverged = Extract<ProcessStanding, { is: "diverged" }>;

/** Lists longer than this are cut in reports; the first entries tell the story. */
const SHOWN = 5;

/** What the journal says, what the code asked, where they differ, and the ways on. */
export async function divergenceReport(
  journal: RunJournal,
  diverged: Diverged,
  code: { hash: string },
): Promise<JsonObject> {
  const missing = await Promise.all(
    diverged.missing.slice(0, SHOWN).map((request) => describeRecorded(journal, request)),
  );
  const unexpected = diverged.unexpected.slice(0, SHOWN).map(describeAsked);
  const differences: JsonObject[] = [];
  const unpaired = [...missing];
  for (const asked of unexpected) {
    const index = unpaired.findIndex(({ taskId, scope }) => taskId === asked["taskId"] && scope === asked["scope"]);
    if (index < 0) continue;
    const [recorded] = unpaired.splice(index, 1) as [JsonObject];
    // The same step with another definition: it keeps the name that the journal gave it.
    asked["invocationKey"] = recorded["invocationKey"] as string;
    differences.push({ invocationKey: recorded["invocationKey"] as string, changes: changesOf(recorded, asked) });
  }
  return {
    afterEvent: diverged.turn,
    journalSays: missing,
    codeAsked: unexpected,
    differences,
    ...(diverged.ended === undefined
      ? {}
      : { processEnded: "error" in diverged.ended ? `threw: ${firstLine(diverged.ended.error)}` : "returned" }),
    ...waysOn(journal, diverged, journal.summary.code.hash !== code.hash),
  };
}

/** Where the same step differs; by what it is asked with, or by what is to be done. */
function changesOf(recorded: JsonObject, asked: JsonObject): string[] {
  const changes = [
    ...jsonDifferences(recorded["args"] as Json, asked["args"] as Json, "arguments"),
    ...jsonDifferences(recorded["definition"] as Json, asked["definition"] as Json, "task"),
  ];
  return changes.length > 0 ? changes : [`asked for once more than the journal has it`];
}

/** The ways that work, the most likely first, and the command that always does. */
function waysOn(journal: RunJournal, diverged: Diverged, isChanged: boolean): { waysOn: string[]; fork?: string } {
  const { runId } = journal;
  const { ended, missing, unexpected } = diverged;
  const restore = "Restore the code as it was when the run made these requests; the run then continues.";
  // A copy would end with the same error.
  if (ended !== undefined && "error" in ended && unexpected.length === 0) {
    const fix = "Fix the error and iterate again; its cause may be temporary, such as a missing file or the network.";
    return { waysOn: isChanged ? [fix, restore] : [fix] };
  }
  const failed = missing.find(hasFailed);
  if (failed !== undefined && isUnused(journal, failed))
    return {
      waysOn: [
        `Retry the failed step with the new code: babysitter run:retry ${runId} --task ${failed.effectId}`,
        restore,
      ],
    };
  const place = failed === undefined ? `--at ${diverged.turn || 1}` : `--at-task ${failed.effectId}`;
  const fork = `babysitter run:fork ${runId} ${place}`;
  if (!isChanged) {
    return {
      waysOn: [
        "The code has not changed since: the process depends on something that can be different in a replay, such as a file, an environment variable, the network or a variable outside its function. Put that back as it was, or read it in a task.",
        `Continue in a copy, from before the difference: ${fork}`,
      ],
      fork,
    };
  }
  const patch =
    'Guard the change with `if (ctx.patched("a-name")) { new code } else { old code }`: runs that are already past it keep the old path.';
  const copy = `Continue with the new code in a copy: ${fork}`;
  return { waysOn: failed === undefined ? [restore, patch, copy] : [copy, restore, patch], fork };
}

/** The error that tells a person about a divergence. */
export function divergedError(runId: string, report: JsonObject): BabysitterError {
  const threw =
    typeof report["processEnded"] === "string" &&
    report["processEnded"].startsWith("threw") &&
    (report["codeAsked"] as Json[]).length === 0;
  const what = threw ? "threw before it reached the requests recorded in its journal" : "no longer matches its journal";
  const lines = [`The process of run ${runId} ${what}.`];
  const [recorded, asked] = [report["journalSays"] as JsonObject[], report["codeAsked"] as JsonObject[]];
  for (const request of recorded) lines.push(`  journal (${request["file"] as string}): ${sketch(request)}`);
  if (recorded.length === 0) lines.push("  journal has no more requests at this point");
  for (const request of asked)
    lines.push(`  code    (${(request["location"] as string | undefined) ?? "unknown location"}): ${sketch(request)}`);
  if (asked.length === 0 && report["processEnded"] === undefined) lines.push("  code    does not ask for this");
  for (const { changes } of report["differences"] as { changes: string[] }[])
    for (const change of changes) lines.push(`    ${change}`);
  if (typeof report["processEnded"] === "string") lines.push(`  code    ${report["processEnded"]}`);
  return new BabysitterError("RUN_DIVERGED", lines.join("\n"), {
    hint: ["Nothing was executed or changed. Options:", ...(report["waysOn"] as string[])].join("\n  - "),
    details: report,
  });
}

async function describeRecorded(journal: RunJournal, request: RecordedRequest): Promise<JsonObject> {
  const event = await journal.ports.store.readAt(journal.runId, request);
  const payload = event.payload as EffectRequested;
  return {
    invocationKey: request.invocationKey,
    taskId: request.taskId,
    scope: request.scope,
    kind: request.kind,
    args: await journal.valueOf(payload.args),
    definition: journal.relocated(await journal.valueOf(payload.definition)),
    file: eventFile(request),
    ...(payload.location === undefined ? {} : { location: payload.location }),
  };
}

function describeAsked(request: NewRequest): JsonObject {
  return {
    invocationKey: request.invocationKey,
    taskId: request.taskId,
    scope: request.scope,
    kind: request.kind,
    args: request.args,
    definition: request.definition,
    ...(request.location === undefined ? {} : { location: request.location }),
  };
}

/** Where two JSON values differ, one line a place. */
function jsonDifferences(before: Json, after: Json, path: string): string[] {
  if (isJsonObject(before) && isJsonObject(after)) {
    return [...new Set([...Object.keys(before), ...Object.keys(after)])]
      .toSorted()
      .flatMap((key) => fieldDifferences(before[key], after[key], `${path}.${key}`));
  }
  if (Array.isArray(before) && Array.isArray(after)) {
    const length = Math.max(before.length, after.length);
    return Array.from({ length }, (_, index) =>
      fieldDifferences(before[index], after[index], `${path}[${index}]`),
    ).flat();
  }
  return JSON.stringify(before) === JSON.stringify(after) ? [] : [`${path}: ${brief(before)} → ${brief(after)}`];
}

function fieldDifferences(before: Json | undefined, after: Json | undefined, path: string): string[] {
  if (before === undefined && after === undefined) return [];
  if (before === undefined) return [`${path}: absent → ${brief(after as Json)}`];
  if (after === undefined) return [`${path}: ${brief(before)} → absent`];
  return jsonDifferences(before, after, path);
}

function sketch(request: JsonObject): string {
  return `${request["kind"] as string} ${request["invocationKey"] as string} ${brief(request["args"] as Json)}`;
}

function brief(value: Json): string {
  const text = JSON.stringify(value);
  return text.length > 120 ? `${text.slice(0, 119)}…` : text;
}

function firstLine(error: unknown): string {
  return (error instanceof Error ? `${error.name}: ${error.message}` : String(error)).split("\n")[0] as string;
}
