import { BabysitterError } from "./errors.js";
import { EVENT_RULES, type FieldRule, isKnownType } from "./event-rules.js";
import { EVENT_FORMAT, type JournalEvent } from "./events.js";
import { isJsonObject, type JsonObject } from "./json.js";

/**
 * Parsed JSON as an event. Payloads of unknown types or newer formats pass unchecked: such journals
 * can be read, not continued.
 */
export function parseEvent(value: unknown, where: string): JournalEvent {
  if (!isJsonObject(value)) throw malformed(where, "it is not a JSON object");
  checkFields(
    value,
    {
      seq: "number",
      id: "string",
      timestamp: "string",
      type: "string",
      payload: "object",
      format: "number",
      writer: "string",
      checksum: "string",
    },
    where,
  );
  if (value["prev"] !== null && typeof value["prev"] !== "string")
    throw malformed(where, "prev is neither a checksum nor null");
  const type = value["type"] as string;
  if (isKnownType(type) && (value["format"] as number) <= EVENT_FORMAT) {
    checkFields(value["payload"] as JsonObject, EVENT_RULES[type].fields, `${where} (${type})`);
    if (/^(EFFECT|BREAKPOINT)_/.test(type))
      checkFields(value, { effectId: "string", invocationKey: "string", taskId: "string" }, where);
  }
  return value as unknown as JournalEvent;
}

function checkFields(value: JsonObject, fields: Readonly<Record<string, FieldRule>>, where: string): void {
  for (const [name, rule] of Object.entries(fields)) {
    const field = value[name];
    if (field === undefined && rule.endsWith("?")) continue;
    if (rule !== "any?" && kindOf(field) !== rule.replace("?", ""))
      throw malformed(where, `${name} must be ${rule}, not ${kindOf(field)}`);
  }
}

function kindOf(value: unknown): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : typeof value;
}

function malformed(where: string, why: string): BabysitterError {
  return new BabysitterError("JOURNAL_BROKEN", `${where} is not a valid event: ${why}.`, {
    hint: "Restore the file from version control or a backup.",
    details: { where, why },
  });
}
