/** What people are told about a contract that was changed after the loop began. */
import type { ChangedTerm, ContractChange } from "../../model/contract-changes.js";
import { shownLine } from "../../model/shown-text.js";

const TEXT_LENGTH = 200;

/** One line for each term: what it was, what it is, when, and by whom. */
export function contractChangeLines(changes: readonly ContractChange[]): string[] {
  return changes.flatMap((change) => change.terms.map((term) => `${termText(term)} (${authorText(change)})`));
}

function termText({ term, was, is }: ChangedTerm): string {
  const name = shownLine(term, TEXT_LENGTH);
  if (was === undefined) return `${name}: new, ${shown(is)}`;
  if (is === undefined) return `${name}: removed, was ${shown(was)}`;
  return `${name}: was ${shown(was)}, is ${shown(is)}`;
}

function shown(text = ""): string {
  return JSON.stringify(shownLine(text, TEXT_LENGTH));
}

function authorText({ at, source }: ContractChange): string {
  if (source === undefined) return shownLine(at);
  return `${shownLine(at)} by ${shownLine(source.by, 60)}, ${WAYS[source.via] ?? source.via}`;
}

const WAYS: Partial<Record<string, string>> = {
  cli: "on the command line",
  terminal: "in a terminal",
  hook: "in the agent's host",
};

/** For the end of a loop: how much of it is not as it was agreed. */
export function contractChangedNote(changes: readonly ContractChange[]): string[] {
  if (changes.length === 0) return [];
  return ["Contract changed after the loop began:", ...contractChangeLines(changes).map((line) => `  ${line}`)];
}
