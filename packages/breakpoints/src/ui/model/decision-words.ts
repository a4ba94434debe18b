/** States and decisions in words. */
import type { Decision, QuestionState } from "../../wire/inbox-wire.js";

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
  telegram: "by Telegram",
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

/** The first line is the question, what follows explains it. A very long line is cut at a word. */
export function splitQuestion(question: string): { head: string; rest: string } {
  const text = question.trim();
  const end = text.search(/\r?\n/u);
  const head = end < 0 ? text : text.slice(0, end);
  return { head, rest: end < 0 ? "" : text.slice(end).trim() };
}
