/** Every key of the inbox, once: what is pressed, what it does, and what the help says. */

export type KeyAction =
  | "down"
  | "up"
  | "open"
  | "approve"
  | "reject"
  | "options"
  | "words"
  | "option"
  | "comment"
  | "next"
  | "new"
  | "pick"
  | "files"
  | "earlier"
  | "later"
  | "search"
  | "inbox"
  | "history"
  | "runs"
  | "report"
  | "settings"
  | "help"
  | "back";

export interface KeyRow {
  /** What is pressed, one after the other. */
  press: readonly string[];
  action: KeyAction;
  says: string;
  group: "Move" | "Decide" | "Run" | "Go to";
}

export const KEYS: readonly KeyRow[] = [
  { press: ["j"], action: "down", says: "Next in the list", group: "Move" },
  { press: ["k"], action: "up", says: "Previous in the list", group: "Move" },
  { press: ["Enter"], action: "open", says: "Open the question or the run", group: "Move" },
  { press: ["n"], action: "next", says: "Next open question", group: "Move" },
  { press: ["[ ]"], action: "files", says: "Previous, next file", group: "Move" },
  { press: ["."], action: "new", says: "Show what is new", group: "Move" },
  { press: ["x"], action: "pick", says: "Pick a run to compare", group: "Move" },
  { press: ["Escape"], action: "back", says: "Close, or back to the list", group: "Move" },
  { press: ["a"], action: "approve", says: "Approve", group: "Decide" },
  { press: ["r"], action: "reject", says: "Reject with a reason", group: "Decide" },
  { press: ["o"], action: "options", says: "Show the answers to choose from", group: "Decide" },
  { press: ["1–9"], action: "option", says: "Choose an answer by its number", group: "Decide" },
  { press: ["w"], action: "words", says: "Answer in words", group: "Decide" },
  { press: ["c"], action: "comment", says: "Comment", group: "Decide" },
  { press: ["h"], action: "earlier", says: "One event back in time", group: "Run" },
  { press: ["l"], action: "later", says: "One event forward in time", group: "Run" },
  { press: ["/"], action: "search", says: "Search", group: "Go to" },
  { press: ["g", "i"], action: "inbox", says: "Inbox", group: "Go to" },
  { press: ["g", "h"], action: "history", says: "History", group: "Go to" },
  { press: ["g", "u"], action: "runs", says: "Runs", group: "Go to" },
  { press: ["g", "r"], action: "report", says: "Report", group: "Go to" },
  { press: ["g", "s"], action: "settings", says: "Settings", group: "Go to" },
  { press: ["?"], action: "help", says: "Show these keys", group: "Go to" },
];

/** Submits what is being typed; the only combination that works in a text field, besides Escape. */
export const SUBMIT_KEYS = "Ctrl+Enter";

export interface PressedKey {
  key: string;
  /** Ctrl, Alt or Meta: those belong to the browser. */
  modified: boolean;
  /** The key is held down. */
  repeated: boolean;
  /** The focus is in something that takes letters. */
  typing: boolean;
  /** The focus is on something that Enter presses. */
  onControl: boolean;
}

export interface KeyMeaning {
  action?: KeyAction;
  /** For `option`, from 0. */
  number?: number;
  /** The beginning of a sequence, to be given with the next key. */
  pending: string;
}

const NONE: KeyMeaning = { pending: "" };
/** Held down, these must not go on: each press decides something. */
const ONCE: readonly KeyAction[] = ["approve", "reject", "option", "next", "options", "words", "comment"];

/** What a key means after the keys that were pressed before it. */
export function meaningOf(pressed: PressedKey, pending: string): KeyMeaning {
  const { key, modified, repeated, typing, onControl } = pressed;
  if (key === "Escape") return { action: "back", pending: "" };
  if (modified || typing || (key === "Enter" && onControl)) return NONE;
  if (pending === "" && /^[1-9]$/u.test(key))
    return repeated ? NONE : { action: "option", number: Number(key) - 1, pending: "" };
  return meaningInTable(key, repeated, pending);
}

function meaningInTable(key: string, repeated: boolean, pending: string): KeyMeaning {
  const wanted = pending === "" ? [key] : [pending, key];
  const row = KEYS.find(({ press }) => press.length === wanted.length && press.every((one, n) => one === wanted[n]));
  if (row !== undefined) return repeated && ONCE.includes(row.action) ? NONE : { action: row.action, pending: "" };
  if (pending === "" && KEYS.some(({ press }) => press.length > 1 && press[0] === key)) return { pending: key };
  return NONE;
}
