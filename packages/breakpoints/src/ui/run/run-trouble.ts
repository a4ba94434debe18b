/** What is said when a run cannot be shown. */

/** An error of whatever was asked, as people read it. */
export interface Trouble {
  code: string;
  message: string;
  hint: string | undefined;
}

export function troubleOf(error: unknown): Trouble {
  const { code, message, hint } = typeof error === "object" && error !== null ? (error as Partial<Trouble>) : {};
  return {
    code: typeof code === "string" ? code : "UNEXPECTED",
    message: typeof message === "string" ? message : String(error),
    hint: typeof hint === "string" ? hint : undefined,
  };
}

/** It was there, or was never: asking again does not help. */
export function isGone({ code }: Pick<Trouble, "code">): boolean {
  return /^RUN_(?:NOT_FOUND|ARCHIVED|DELETED|GONE)$/u.test(code);
}

/** A run that was put away is missing in its own way, and only the words say so. */
export function codeOf({ code, message }: Pick<Trouble, "code" | "message">): string {
  const [, how] = /\bwas (archived|deleted)\b/u.exec(message) ?? [];
  return code === "RUN_NOT_FOUND" && how !== undefined ? `RUN_${how.toUpperCase()}` : code;
}

const COMMAND = /\bbabysitter(?: [^\s.,;)]+(?:[.,][^\s.,;)]+)*)+/u;

/** The command in a hint, for whoever wants to copy it. */
export function commandIn(hint: string | undefined): string | undefined {
  return COMMAND.exec(hint ?? "")?.[0];
}
