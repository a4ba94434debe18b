import { inspect } from "node:util";
import { type Json, toJson } from "../model/json.js";
import { lossOf } from "../model/json-losses.js";
import type { Checkpoint } from "./process-context.js";

interface Line {
  message: string;
  label?: string;
  data?: Json;
}

/** What ctx.log was called with, as a line of the journal. */
export function logEntry(message: unknown[]): Line {
  const [first, second, ...more] = message;
  if (message.length === 2 && typeof first === "string" && typeof second === "string") {
    return { label: first, message: second };
  }
  const text = typeof first === "string" ? first : textOf(first);
  return message.length < 2
    ? { message: text }
    : { message: text, data: dataOf(more.length === 0 ? second : [second, ...more]) };
}

/** A line in the log is not worth failing a run: what is no JSON is logged as text. */
function dataOf(value: unknown): Json {
  try {
    const text = JSON.stringify(value, (_key, part: unknown) => asData(part));
    return text === undefined ? null : toJson(JSON.parse(text), "The data of ctx.log");
  } catch {
    return inspect(value);
  }
}

function asData(part: unknown): unknown {
  if (part instanceof Error) return toJson(part, "An error in the data of ctx.log");
  const isHeld = lossOf(part, false)?.endsWith("(recorded as a plain object)") ?? true;
  return isHeld ? part : inspect(part);
}

function textOf(value: unknown): string {
  const data = dataOf(value);
  return typeof data === "string" ? data : JSON.stringify(data);
}

/** A milestone as a line of the journal. */
export function checkpointEntry(milestone: Checkpoint | string): Line {
  if (typeof milestone === "string") return { label: "checkpoint", message: milestone };
  const { title, message, context, ...rest } = milestone;
  const data = Object.keys(rest).length === 0 ? context : { ...(context === undefined ? {} : { context }), ...rest };
  return {
    label: title ?? "checkpoint",
    message: message ?? title ?? "checkpoint",
    ...(data === undefined ? {} : { data: dataOf(data) }),
  };
}
