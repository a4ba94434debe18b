import { eventFile } from "../journal/rules/chain.js";
import { BabysitterError } from "../model/errors.js";
import type { EffectRequested } from "../model/events.js";
import { isJsonObject, type Json, type JsonObject } from "../model/json.js";
import type { RecordedRequest } from "../model/run-state.js";
import type { NewRequest } from "../replay/call.js";
import type { ProcessStanding } from "../replay/interpreter.js";
import type { RunJournal } from "./run-journal.js";

type Diverged = Extract<ProcessStanding, { is: "diverged" }>;

/** Lists longer than this are cut in reports; the first entries tell the story. */
const SHOWN = 5;

/** What the journal says, what the code asked, where they differ, and the ways on. */
export async function divergenceReport(journal: RunJournal, diverged: Diverged): Promise<JsonObject> {
  const missing = await Promise.all(
    diverged.missing.slice(0, SHOWN).map((request) => describeRecorded(journal, request)),
  );
  const unexpected = diverged.unexpected.slice(0, SHOWN).map(describeAsked);
  const differences: JsonObject[] = [];
  for (const asked of unexpected) {
    const recorded = missing.find((other) => other["taskId"] === asked["taskId"] && other["scope"] === asked["scope"]);
    if (recorded === undefined) continue;
    // The same step with other arguments: it keeps the name that the journal gave it.
    asked["invocationKey"] = recorded["invocationKey"] as string;
    const changes = jsonDifferences(recorded["args"] as Json, asked["args"] as Json);
    differences.push({ invocationKey: recorded["invocationKey"] as string, changes });
  }
  const threw = diverged.ended?.error !== undefined && unexpected.length === 0;
  const forkAt = diverged.turn === 0 ? 1 : diverged.turn;
  return {
    afterEvent: diverged.turn,
    journalSays: missing,
    codeAsked: unexpected,
    differences,
    ...(diverged.ended === undefined
      ? {}
      : {
          processEnded: diverged.ended.error === undefined ? "returned" : `threw: ${firstLine(diverged.ended.error)}`,
        }),
    waysOn: [
      ...(threw ? ["If the cause was temporary (a missing file, the network), fix it and iterate again."] : []),
      "Restore the code as it was when the run made these requests; the run then continues.",
      'Guard the change with `if (ctx.patched("a-name")) { new code } else { old code }`: runs that are already past it keep the old path.',
      `Continue with the new code in a copy: babysitter run:fork ${journal.runId} --at ${forkAt}`,
    ],
  };
}

/** The error that tells a person about a divergence. */
export function divergedError(runId: string, report: JsonObject): BabysitterError {
  const threw =
    typeof report["processEnded"] === "string" &&
    report["processEnded"].startsWith("threw") &&
    (report["codeAsked"] as Json[]).length === 0;
  const what = threw ? "threw before it reached the requests recorded in its journal" : "no longer matches its journal";
  const lines = [`The process of run ${runId} ${what}.`];
  for (const recorded of report["journalSays"] as JsonObject[]) {
    lines.push(`  journal (${recorded["file"] as string}): ${sketch(recorded)}`);
  }
  for (const asked of report["codeAsked"] as JsonObject[])
    lines.push(`  code    (${(asked["location"] as string | undefined) ?? "unknown location"}): ${sketch(asked)}`);
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
    ...(request.location === undefined ? {} : { location: request.location }),
  };
}

/** Where two JSON values differ, one line a place. */
function jsonDifferences(before: Json, after: Json, path = "arguments"): string[] {
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
