/** What is said when a run cannot be shown. */

/** An error of whatever was asked, as people read it. */
export interface Trouble {
  code: string;
  message: string;
  hint: string | undefined;
}

export function troubleOf(error: unknown): Trouble {
  const { code, message, hint, details } = fieldsOf<keyof Trouble | "details">(error);
  return {
    code: whyGone(details) ?? (typeof code === "string" ? code : "UNEXPECTED"),
    message: typeof message === "string" ? message : String(error),
    hint: typeof hint === "string" ? hint : undefined,
  };
}

/** A run that is not there may have been once. */
function whyGone(details: unknown): string | undefined {
  const { archived, deleted } = fieldsOf<"archived" | "deleted">(details);
  return archived === true ? "RUN_ARCHIVED" : deleted === true ? "RUN_DELETED" : undefined;
}

function fieldsOf<Name extends string>(value: unknown): Partial<Record<Name, unknown>> {
  return typeof value === "object" && value !== null ? value : {};
}

/** It was there, or was never: asking again does not help. */
export function isGone({ code }: Pick<Trouble, "code">): boolean {
  return /^RUN_(?:NOT_FOUND|ARCHIVED|DELETED|GONE)$/u.test(code);
}

interface GoneWords {
  icon: "inbox" | "none" | "search";
  /** Around the id of the run. */
  before: string;
  after: string;
  /** Above a page that still shows it. */
  there: string;
}

const GONE: Readonly<Record<string, GoneWords>> = {
  RUN_ARCHIVED: { icon: "inbox", before: "Run", after: " is archived", there: "This run was archived." },
  RUN_DELETED: { icon: "none", before: "Run", after: " was deleted", there: "This run was deleted." },
};
const NEVER: GoneWords = {
  icon: "search",
  before: "There is no run",
  after: "",
  there: "This run is no longer there.",
};

export function goneWords(code: string): GoneWords {
  return GONE[code] ?? NEVER;
}

const COMMAND = /`(?<quoted>babysitter [^`]+)`|\bbabysitter(?: [^\s.,;)]+(?:[.,][^\s.,;)]+)*)+/u;

/** The command in a hint, for whoever wants to copy it. */
export function commandIn(hint: string | undefined): string | undefined {
  const found = COMMAND.exec(hint ?? "");
  return found?.groups?.["quoted"] ?? found?.[0];
}
