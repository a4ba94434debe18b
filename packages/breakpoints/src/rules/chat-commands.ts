/** The words that mean something in a chat. None of them decides anything. */

export type ChatCommand =
  | { name: "list" | "help" }
  | { name: "preview"; number: number | undefined }
  | { name: "file"; number: number | undefined; path: string };

const PLAIN = /^\/?(list|help)(?:@\w+)?$/iu;
const NUMBERED = /^\/?(preview|file)(?:@\w+)?(?:\s+#?(\d{1,5})(?:\s+(\S.*))?)?$/iu;

/** Undefined for whatever is no command as a whole: "list them all" is just a text. */
export function parseCommand(text: string): ChatCommand | undefined {
  const said = text.trim();
  const [, plain] = PLAIN.exec(said) ?? [];
  if (plain !== undefined) return { name: plain.toLowerCase() === "list" ? "list" : "help" };
  const [, word, digits, path = ""] = NUMBERED.exec(said) ?? [];
  if (word === undefined) return undefined;
  const number = digits === undefined ? undefined : Number(digits);
  if (word.toLowerCase() === "file") return { name: "file", number, path: path.trim() };
  return path === "" ? { name: "preview", number } : undefined;
}

const START = /^\/start(?:@\w+)?(?:\s+(\S+))?$/u;

/** What `/start` was given, if it is one; empty when it was given nothing. */
export function parseStart(text: string): string | undefined {
  const found = START.exec(text.trim());
  return found === null ? undefined : (found[1] ?? "");
}
