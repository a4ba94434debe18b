/** What the end of a play says about the process. */
import { BabysitterError, recordError } from "../model/errors.js";
import { isJsonObject, type Json } from "../model/json.js";
import { stoppedError } from "../replay/process-standing.js";
import { type Finding, finding } from "./finding.js";
import { outputSchemaOf } from "./invent-result.js";
import type { Play } from "./play.js";
import { inProject, placeOfError } from "./process-place.js";

/** The process, as far as findings name it. */
export interface ProcessFiles {
  /** The entry, relative to the project. */
  entry: string;
  projectRoot: string;
  /** Absolute paths. */
  paths: ReadonlySet<string>;
  /** Somebody has given the inputs, so they are not to blame. */
  hasInputs: boolean;
}

export function endFindings(play: Play, files: ProcessFiles, isRefused: boolean): Finding[] {
  const { end } = play;
  if (end.is === "failed") return thrownFinding(play, end.error, files, isRefused);
  if (end.is === "bounded") return [bounded(play, files)];
  if (end.is !== "stalled" && end.is !== "refused") return [];
  const error = stoppedError(end, files.entry);
  if (isRefused) return [stopped(play, error.message, files.entry)];
  return [finding(error.code, files.entry, error.message, error.hint ?? "")];
}

function bounded({ requests, last }: Play, { entry }: ProcessFiles): Finding {
  return finding(
    "PLAY_BOUNDED",
    last?.location ?? entry,
    `The check stopped after ${requests.length} requests; the process would have continued.`,
    "A loop may be waiting for a result that the check never invents: list possible results of its task in outputSchema.examples, or raise --max-steps.",
  );
}

function thrownFinding(play: Play, thrown: unknown, files: ProcessFiles, isRefused: boolean): Finding[] {
  const { name, message } = recordError(thrown);
  const at = inProject(placeOfError(thrown, files.paths), files.projectRoot) ?? locationIn(thrown) ?? files.entry;
  if (BabysitterError.is(thrown)) {
    // Stopping at a no that nobody looks at is what the engine is for.
    if (thrown.code === "BREAKPOINT_REJECTED") return [];
    return [refusedCall(thrown, at)];
  }
  const said = `The process throws ${name}: ${message}`;
  if (name === "ReferenceError") return [finding("REFERENCE_ERROR", at, said, "Declare or import that name.")];
  if (isRefused) return [stopped(play, said, at)];
  if (name !== "TypeError") return [];
  return [{ ...finding("PLAY_ENDED_EARLY", at, said, typeErrorHint(play, files)), ...levelOf(play, files) }];
}

/** A call that the engine refuses. */
export function refusedCall(error: BabysitterError, at: string): Finding {
  return finding(error.code, locationIn(error) ?? at, error.message, error.hint ?? "Fix the call and check again.");
}

/** With given inputs and before any result was invented, nothing but the process can be wrong. */
function levelOf({ last }: Play, { hasInputs }: ProcessFiles): Partial<Finding> {
  return last === undefined && hasInputs ? { level: "error" } : {};
}

function typeErrorHint({ last }: Play, { hasInputs }: ProcessFiles): string {
  const unclear = "If that cannot happen in a run, the check needs better data.";
  if (last !== undefined && !isDescribed(last.definition))
    return `${unclear} The result of "${last.taskId}" was invented as {}: describe it with outputSchema, whose examples are used as they are.`;
  return hasInputs ? unclear : `${unclear} The inputs were {}: give others with --inputs.`;
}

function isDescribed(definition: Json): boolean {
  return isJsonObject(definition) && (outputSchemaOf(definition) !== undefined || definition["kind"] === "shell");
}

function stopped({ requests }: Play, why: string, at: string): Finding {
  return finding(
    "PLAY_ENDED_EARLY",
    at,
    `The check stopped after ${requests.length} requests, because it blocks what the process does outside tasks. ${why}`,
    "Move that work into a task; then the rest of the process can be checked.",
  );
}

/** Errors of the engine may say themselves where the call was. */
function locationIn(thrown: unknown): string | undefined {
  const { location } = BabysitterError.is(thrown) ? thrown.details : {};
  return typeof location === "string" ? location : undefined;
}
