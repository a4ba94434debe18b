/** What a hook has answered: the last complete JSON object among whatever it has printed. */
import { isJsonObject, type JsonObject } from "../model/json.js";
import { lastContainer } from "../model/json-scan.js";

export interface HookAnswer {
  value: JsonObject;
  /** There was nothing else but white space. */
  alone: boolean;
}

/**
 * An object inside something that was begun and never ended counts only at the beginning of a line: it
 * follows a response that was cut off, while a part of a half-printed answer is no answer.
 *
 * `cut`: the middle of the text is missing. What is inside an answer that is too large may look like an
 * answer then, so that only the very end counts.
 */
export function findHookAnswer(text: string, cut: boolean): HookAnswer | undefined {
  const span = lastContainer(
    text,
    ({ start }, complete) => text[start] === "{" && (complete || start === 0 || text[start - 1] === "\n"),
  );
  if (span === undefined) return undefined;
  const behind = text.slice(span.end).trim();
  if (cut && behind !== "") return undefined;
  const value: unknown = JSON.parse(text.slice(span.start, span.end));
  if (!isJsonObject(value)) return undefined;
  return { value, alone: !cut && behind === "" && text.slice(0, span.start).trim() === "" };
}
