/** Short names of runs and effects: any beginning or end of an id that means exactly one of them. */

/** What `--last` stands for: the first row of run:list. */
export const LAST_RUN = "@last";

/** Shorter ones are more likely a slip than a name. */
const MIN_SHORT_NAME = 3;
/** What generated ids begin with: it tells nothing, so it may be left out and does not count. */
const NOUNS = /^(?:run|effect)-/;

/** The ids that a text can mean: the one that it is, else all that it begins or ends. */
export function idsMeant<Id extends string>(ids: readonly Id[], text: string): Id[] {
  const exact = ids.filter((id) => id === text);
  return exact.length > 0 ? exact : ids.filter((id) => isShortFor(id, text));
}

/** True for the id itself and for a beginning or end of it that is long enough. */
export function isShortFor(id: string, text: string): boolean {
  return id === text || (!isTooShort(text) && isPartOf(id, text));
}

/** What to say to somebody who means one of these ids by less than a short name; undefined when nobody does. */
export function tooShortHint(ids: readonly string[], text: string): string | undefined {
  if (!isTooShort(text) || !ids.some((id) => isPartOf(id, text))) return undefined;
  return `A short name needs at least ${MIN_SHORT_NAME} characters.`;
}

function isTooShort(text: string): boolean {
  return text.replace(NOUNS, "").length < MIN_SHORT_NAME;
}

function isPartOf(id: string, text: string): boolean {
  return id.startsWith(text) || id.endsWith(text) || id.replace(NOUNS, "").startsWith(text);
}
