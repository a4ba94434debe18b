/** Commands of a terminal in the words that can be typed into a host. */
import type { HostWords, TypedVerb } from "./host.js";

const TYPED_THERE: Readonly<Record<string, TypedVerb>> = {
  resume: "resume",
  pause: "pause",
  cancel: "cancel",
  status: "status",
  // The few lines of the status say of a loop that has ended what the report says.
  report: "status",
};

export function inTypedWords(text: string, words: HostWords | undefined): string {
  if (words === undefined) return text;
  return text.replaceAll(
    /(?:\bbabysitter )?\b(?:loop|run):(resume|pause|cancel|status|report)\b/gu,
    (_, verb: string) => words.typed(TYPED_THERE[verb] as TypedVerb),
  );
}
