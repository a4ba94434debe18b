import { BabysitterError } from "./errors.js";

/** Id of a run: also the name of its directory. */
export type RunId = string & { readonly __id: "run" };
/** Id of an effect: also the name of its directory under `tasks/`. */
export type EffectId = string & { readonly __id: "effect" };

const SAFE_ID = /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/;

/** True for a word that can be the id of a run. */
export function isRunId(text: string): text is RunId {
  return isSafe(text);
}

/** Checks a run id before it can touch a path. */
export function parseRunId(text: string): RunId {
  return parseId("run id", text) as RunId;
}

/** Checks an effect id before it can touch a path. */
export function parseEffectId(text: string): EffectId {
  return parseId("effect id", text) as EffectId;
}

function isSafe(text: string): boolean {
  return SAFE_ID.test(text) && !text.includes("..");
}

function parseId(what: string, text: string): string {
  if (isSafe(text)) return text;
  const shown = JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text);
  throw new BabysitterError("INVALID_ID", `${shown} is not a valid ${what}.`, {
    hint: "Use 1 to 128 letters, digits, dots, dashes and underscores, starting with a letter or digit, without '..'.",
  });
}

/** A new run id that people can read: date, time, process and a random tail. */
export function makeRunId(processId: string, now: Date, randomTail: string): RunId {
  const [date = "", time = ""] = now.toISOString().split("T");
  const slug = processId
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+|-+$/g, "")
    .slice(0, 40);
  const parts = ["run", date.replaceAll("-", ""), time.slice(0, 8).replaceAll(":", ""), slug, randomTail];
  return parseRunId(parts.filter((part) => part !== "").join("-"));
}
