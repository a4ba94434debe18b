/** Kinds and fields that nobody here knows, each at the first request that has it. */
import { isJsonObject } from "../model/json.js";
import { unknownWords } from "../model/task-words.js";
import type { NewRequest } from "../replay/call.js";
import { type Finding, finding } from "./finding.js";

export function wordFindings(requests: readonly NewRequest[], kinds: readonly string[]): Finding[] {
  const found = new Map<string, Finding>();
  const add = (name: string, one: Finding): void => void (found.has(name) || found.set(name, one));
  for (const { taskId, definition, location } of requests) {
    if (!isJsonObject(definition)) continue;
    const { kind, fields } = unknownWords(definition, kinds);
    if (kind !== undefined)
      add(
        `kind ${kind}`,
        finding(
          "UNKNOWN_KIND",
          location,
          `Task "${taskId}" has the kind ${JSON.stringify(kind)}, which is not built in: it waits until another program posts its result.`,
          `If that is intended, declare it in .a5c/config.json: ${JSON.stringify({ tasks: { kinds: [kind] } })}`,
        ),
      );
    for (const field of fields)
      add(
        `field ${field}`,
        finding(
          "UNKNOWN_FIELD",
          location,
          `Task "${taskId}" has the field ${JSON.stringify(field)}, which the engine does not read.`,
          "Check its spelling. What is meant for people or other tools belongs in `metadata`.",
        ),
      );
  }
  return [...found.values()];
}
