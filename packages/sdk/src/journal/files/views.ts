/** Readable copies of what the journal says, for people, agents and scripts. Never read back. */
import path from "node:path";
import type { JournalEvent, RunCreated, StoredValue } from "../../model/events.js";
import type { EffectId } from "../../model/ids.js";
import { isJsonObject, type Json, type JsonObject } from "../../model/json.js";
import { blobFile, blobValue } from "../rules/blobs.js";
import { diffFile } from "../rules/chain.js";
import { getBlob } from "./blobs.js";
import type { DurableFiles } from "./journal-fs.js";
import { LOOP_MARK, type RunLayout, taskDir } from "./layout.js";
import { refuseFalseFolder } from "./own-folders.js";

const SCHEMA_VERSION = 1;

/** Writes the copies that belong to an event. A copy that cannot be written is made again later. */
export function writeViews(files: DurableFiles, layout: RunLayout, event: JournalEvent): void {
  const { effectId } = event;
  if (event.type === "LOOP_STARTED" || event.type === "LOOP_AMENDED")
    tryWrite(files, path.join(layout.root, LOOP_MARK), event.payload.contract as unknown as Json);
  if (event.type === "CODE_CHANGED" || event.type === "RUN_BLOCKED") writeDiff(files, layout, event);
  if (effectId === undefined) return;
  try {
    if (event.type === "EFFECT_REQUESTED") {
      writeTaskView(files, layout, effectId, {
        "task.json": taskDocument(event),
        "inputs.json": inline(event.payload.args),
      });
    } else if (event.type === "EFFECT_RESOLVED") {
      writeTaskView(files, layout, effectId, { "result.json": resultDocument(event) });
    }
  } catch {
    // The event is recorded; its copy is not worth failing the command.
  }
}

/** True when a pending effect's copies are there and were not torn by a crash. */
export function isTaskWhole(files: DurableFiles, layout: RunLayout, effectId: EffectId): boolean {
  const dir = taskDir(layout, effectId);
  return ["task.json", "inputs.json"].every((name) => isWhole(files, path.join(dir, name)));
}

/** Writes run.json and inputs.json where they are missing. */
export function restoreRunViews(files: DurableFiles, layout: RunLayout, created: RunCreated & { at: string }): void {
  const { at, ...payload } = created;
  const documents = { "run.json": runDocument(payload, at), "inputs.json": inline(payload.inputs) };
  for (const [name, document] of Object.entries(documents)) {
    const file = path.join(layout.root, name);
    if (!files.fs.existsSync(file)) tryWrite(files, file, document);
  }
}

function tryWrite(files: DurableFiles, file: string, document: Json): void {
  try {
    files.writeView(file, renderJson(document));
  } catch {
    // A copy that cannot be written is not worth failing the command.
  }
}

/**
 * Writes the copies that belong to an event and are missing; copies that are there count as whole, unless an earlier
 * attempt may have left them.
 */
export function writeMissingViews(files: DurableFiles, layout: RunLayout, event: JournalEvent): void {
  if (isLaterAttempt(event) || copiesOf(layout, event).some((copy) => !files.fs.existsSync(copy)))
    writeViews(files, layout, event);
}

function isLaterAttempt({ type, payload }: JournalEvent): boolean {
  return (type === "EFFECT_REQUESTED" || type === "EFFECT_RESOLVED") && (payload.attempt ?? 1) > 1;
}

/** The diff of an event about changed code, as a file that other tools can show. */
function writeDiff(
  files: DurableFiles,
  layout: RunLayout,
  event: Extract<JournalEvent, { type: "CODE_CHANGED" | "RUN_BLOCKED" }>,
): void {
  const { diff } = event.payload;
  if (diff === undefined) return;
  try {
    const text = "value" in diff ? diff.value : blobValue(diff.blob, getBlob(files, layout, diff.blob));
    if (typeof text !== "string") return;
    files.makeDirBelow(layout.root, layout.codeChanges);
    files.writeView(path.join(layout.root, diffFile(event)), text);
  } catch {
    // The event is recorded; its copy is not worth failing the command.
  }
}

function copiesOf(layout: RunLayout, event: JournalEvent): string[] {
  const { type, effectId } = event;
  if (type === "LOOP_STARTED") return [path.join(layout.root, LOOP_MARK)];
  if (type === "CODE_CHANGED" || (type === "RUN_BLOCKED" && event.payload.diff !== undefined))
    return [path.join(layout.root, diffFile(event))];
  if (effectId === undefined) return [];
  const names =
    { EFFECT_REQUESTED: ["task.json", "inputs.json"], EFFECT_RESOLVED: ["result.json"] }[type as string] ?? [];
  return names.map((name) => path.join(taskDir(layout, effectId), name));
}

function isWhole(files: DurableFiles, file: string): boolean {
  try {
    return files.textOf(file)?.endsWith("\n") ?? false;
  } catch {
    return false;
  }
}

/** The content of run.json. */
export function runDocument(created: RunCreated, createdAt: string): JsonObject {
  const { inputs: _, manifest: __, ...fields } = created;
  return { schemaVersion: SCHEMA_VERSION, ...(fields as unknown as JsonObject), createdAt };
}

/** JSON as people read it. */
export function renderJson(value: Json): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

function writeTaskView(
  files: DurableFiles,
  layout: RunLayout,
  effectId: EffectId,
  documents: Record<string, Json>,
): void {
  const dir = taskDir(layout, effectId);
  refuseFalseFolder(files, dir);
  files.makeDirBelow(layout.root, dir);
  for (const [name, document] of Object.entries(documents)) files.writeView(path.join(dir, name), renderJson(document));
}

function taskDocument(event: Extract<JournalEvent, { type: "EFFECT_REQUESTED" }>): JsonObject {
  const definition = inline(event.payload.definition);
  const { title, label, labels } = event.payload;
  return {
    schemaVersion: SCHEMA_VERSION,
    effectId: event.effectId,
    invocationKey: event.invocationKey,
    taskId: event.taskId,
    kind: event.payload.kind,
    ...(title === undefined ? {} : { title }),
    ...(label === undefined ? {} : { label }),
    ...(labels === undefined ? {} : { labels }),
    requestedAt: event.timestamp,
    ...(isJsonObject(definition) ? definition : { definition }),
  };
}

function resultDocument(event: Extract<JournalEvent, { type: "EFFECT_RESOLVED" }>): JsonObject {
  const { result, ...rest } = event.payload;
  return {
    schemaVersion: SCHEMA_VERSION,
    effectId: event.effectId,
    ...(rest as unknown as JsonObject),
    ...(result === undefined ? {} : "value" in result ? { value: result.value } : { valueRef: blobFile(result.blob) }),
    recordedAt: event.timestamp,
  };
}

function inline(stored: StoredValue): Json {
  return "value" in stored ? stored.value : { blobRef: blobFile(stored.blob), bytes: stored.bytes };
}
