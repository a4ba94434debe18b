/** Commands of a terminal in the words that can be typed into a host that has the plugin. */
const TYPED_THERE: Readonly<Record<string, string>> = {
  resume: "resume",
  pause: "pause",
  cancel: "cancel",
  status: "status",
  // The few lines of the status say of a loop that has ended what the report says.
  report: "status",
};

export function inSlashWords(text: string): string {
  return text.replaceAll(
    /(?:\bbabysitter )?\b(?:loop|run):(resume|pause|cancel|status|report)\b/gu,
    (_, verb: string) => `/babysitter:${TYPED_THERE[verb]}`,
  );
}
