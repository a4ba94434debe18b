/** Events as pages get them: without what only the chain needs, and with long values only by their size. */
import { type JournalEvent, STORED_FIELDS } from "../model/events.js";
import { isJsonObject, type Json, type JsonObject } from "../model/json.js";

/** Enough for a picture, a list and a fold; what is missing is asked for by its number. */
const LONGEST_VALUE = 2_000;
/** Nobody looks at these, and some are long. */
const LEFT_OUT: ReadonlySet<string> = new Set(["manifest", "fired", "group", "dir", "place", "argsHash", "late"]);

/** The same event, smaller. A fold of such events leads to the same state, but for the values themselves. */
export function viewEvent(event: JournalEvent, longest = LONGEST_VALUE): JournalEvent {
  const { format: _format, prev: _prev, batch: _batch, payload, ...rest } = event;
  return { ...rest, payload: slim(payload as unknown as JsonObject, longest) } as unknown as JournalEvent;
}

function slim(payload: JsonObject, longest: number): JsonObject {
  const kept = Object.entries(payload).filter(([name]) => !LEFT_OUT.has(name));
  return Object.fromEntries(kept.map(([name, value]) => [name, isStored(name) ? slimValue(value, longest) : value]));
}

function isStored(name: string): boolean {
  return (STORED_FIELDS as readonly string[]).includes(name);
}

function slimValue(stored: Json, longest: number): Json {
  if (!isJsonObject(stored) || !Object.hasOwn(stored, "value")) return stored;
  const { value = null } = stored;
  const bytes = new TextEncoder().encode(JSON.stringify(value)).length;
  if (bytes <= longest) return stored;
  // Whether a question was answered with yes is part of every picture.
  const { approved } = isJsonObject(value) ? value : {};
  return typeof approved === "boolean" ? { value: { approved }, bytes } : { blob: "", bytes };
}
