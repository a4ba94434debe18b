/** States and decisions in words. */
import type { Decision, QuestionRow, QuestionState } from "../../wire/inbox-wire.js";

export type Tone = "needs" | "good" | "bad" | "quiet";

export interface StateWords {
  word: string;
  tone: Tone;
}

const STATES: Record<QuestionState, StateWords> = {
  open: { word: "Needs you", tone: "needs" },
  approved: { word: "Approved", tone: "good" },
  rejected: { word: "Rejected", tone: "bad" },
  failed: { word: "Failed", tone: "bad" },
  abandoned: { word: "No longer asked", tone: "quiet" },
};

export function stateWords(state: QuestionState): StateWords {
  return STATES[state];
}

const WAYS: Record<string, string> = {
  web: "in the inbox",
  cli: "in a terminal",
  terminal: "in a terminal",
  hook: "in the agent's dialog",
  telegram: "via Telegram",
  policy: "by a policy",
  "task:post": "by a program",
};

export function wayWords(via: string | undefined, verified?: boolean): string {
  // Whoever decides in the inbox is signed in.
  if (via === "web" && verified === false) return "through the API";
  return via === undefined ? "" : (WAYS[via] ?? `by ${via}`);
}

/** How sure it is who decided. */
export function proofWords({ verified, proof }: Pick<Decision, "verified" | "proof">): string {
  if (proof === "passkey") return "by passkey";
  if (proof === "session") return "none; decided in a signed-in browser";
  return verified ? "none; who decided was checked" : "none; who decided was not checked";
}

/** "(3) Babysitter". */
export function titleOf(open: number | undefined, screen = ""): string {
  const name = screen === "" ? "Babysitter" : `${screen} · Babysitter`;
  return open === undefined || open === 0 ? name : `(${open}) ${name}`;
}

/** The beginning of a list, a table, a quotation or code: part of a text, and no headline for it. */
const BLOCK = /^(?:[-*+>|#]|\d+[.)]\s|```|~~~)/u;

/**
 * The first line is the question, what follows explains it, and a title stands above. Where the first line only begins a
 * longer text, or only the title asks, the title is the question.
 */
export function splitQuestion({ question, title }: Pick<QuestionRow, "question" | "title">): {
  head: string;
  rest: string;
  above?: string;
} {
  const text = question.trim();
  const end = text.search(/\r?\n/u);
  const name = title?.trim() ?? "";
  const isAskedByName = name.endsWith("?") && !text.includes("?");
  if (isAskedByName || (name !== "" && end >= 0 && BLOCK.test(text))) return { head: name, rest: text };
  const head = end < 0 ? text : text.slice(0, end);
  const rest = end < 0 ? "" : text.slice(end).trim();
  return { head, rest, ...(name === "" || name === text ? {} : { above: name }) };
}
