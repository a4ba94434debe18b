/** What the words for events are made of. Pure. */

const LONGEST = 240;
/** Around words of others in a sentence of ours: characters that are for programs, and that texts do not have. */
const [BEGIN, END] = ["\ufdd0", "\ufdd1"];
const MARKS = /[\ufdd0\ufdd1]/gu;

/** A sentence in pieces: our own words first, then those of others, and so on in turns. */
export function piecesOf(sentence: string): string[] {
  return sentence.split(MARKS);
}

/** The first line of what somebody has written, up to a length, as words of others. */
export function line(text: unknown): string {
  const said = typeof text === "string" ? text : (JSON.stringify(text) ?? "?");
  const first = (said.trimStart().split("\n", 1)[0] ?? "").replaceAll(MARKS, "\ufffd");
  return BEGIN + (first.length <= LONGEST ? first : `${first.slice(0, LONGEST)}…`) + END;
}

export function times(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}

export function listed(names: readonly string[], most = 4): string {
  const shown = names.slice(0, most).map(line).join(", ");
  return names.length > most ? `${shown} and ${names.length - most} more` : shown;
}

export function behind(text: string | undefined, before = ": "): string {
  return text === undefined || text === "" ? "" : `${before}${line(text)}`;
}

type Words = Readonly<Record<string, string>>;
export const ATTEMPT_ENDS: Words = { failed: "failed", "timed-out": "took too long", interrupted: "was interrupted" };
export const REOPENED: Words = {
  "code-changed": "its code has changed",
  retry: "failed steps are retried",
  unblocked: "its code matches its journal again",
};
export const BOUND: Words = {
  start: "started working on it",
  resume: "continues it",
  adoption: "took it over",
  return: "came back to it",
};
export const CHECKS: Words = { done: "are done", lost: "were lost", stopped: "were stopped" };
export const OUTCOMES: Words = {
  met: "met",
  unmet: "not met",
  "timed-out": "took too long",
  "not-started": "could not be checked",
};
export const PROMPTS: Words = {
  steering: "A person wrote while the agent worked",
  interruption: "A person interrupted the agent and wrote",
  cut: "A person wrote after the turn was cut off",
  turn: "A turn of the agent started",
  notification: "The agent was notified",
};

/** Of a question: what people said to it. */
export function answerOf(result: unknown): string | undefined {
  const { value } = (result ?? {}) as { value?: unknown };
  const { approved } = (typeof value === "object" && value !== null ? value : {}) as { approved?: unknown };
  return approved === true ? "was approved" : approved === false ? "was rejected" : undefined;
}
