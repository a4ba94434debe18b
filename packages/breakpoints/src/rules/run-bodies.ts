/** Reads what a page wants to change about a run. Strict: nothing is guessed. */
import { BabysitterError } from "@a5c-ai/babysitter-sdk";
import type { RunChange } from "../wire/run-wire.js";

const FIELDS: Readonly<Record<RunChange["change"], readonly string[]>> = {
  cancel: ["reason"],
  pause: ["reason"],
  resume: [],
  retry: ["step"],
  fork: ["at"],
};
const MAX_TEXT = 2_000;

export function parseRunChange(body: Readonly<Record<string, unknown>>): RunChange {
  const { change, ...rest } = body;
  if (typeof change !== "string" || !Object.hasOwn(FIELDS, change))
    throw usage(`"change" must be one of ${Object.keys(FIELDS).join(", ")}.`);
  const known = FIELDS[change as RunChange["change"]];
  for (const [name, value] of Object.entries(rest)) {
    if (!known.includes(name)) throw usage(`${JSON.stringify(name.slice(0, 100))} is not known here.`);
    if (!fits(name, value)) throw usage(`"${name}" is not valid.`);
  }
  if (change === "fork" && rest["at"] === undefined) throw usage('"at" is missing.');
  return { change, ...rest } as unknown as RunChange;
}

function fits(name: string, value: unknown): boolean {
  if (name === "at") return Number.isSafeInteger(value) && (value as number) > 0;
  return typeof value === "string" && value.trim() !== "" && value.length <= MAX_TEXT;
}

function usage(message: string): BabysitterError {
  return new BabysitterError("USAGE", message);
}
