/** What has become of a contract since the loop began: what was, what is, when, and by whom. */
import type { Criterion, LoopContract } from "./loop-contract.js";
import type { ChangeSource } from "./who-may-decide.js";

/** One term; without `was` it is new, without `is` it is gone. */
export interface ChangedTerm {
  term: string;
  was?: string;
  is?: string;
}

export interface ContractChange {
  at: string;
  /** Unknown in journals that were written before it was recorded. */
  source?: ChangeSource;
  terms: ChangedTerm[];
}

export function changedTerms(from: LoopContract, to: LoopContract): ChangedTerm[] {
  return [
    ...differences("criterion", criteriaOf(from), criteriaOf(to)),
    ...differences("limit", limitsOf(from), limitsOf(to)),
    ...differences("step", stepsOf(from), stepsOf(to)),
    ...differences("", new Map([["promise", from.promise.text]]), new Map([["promise", to.promise.text]])),
    ...differences("protects", listOf(from.protects), listOf(to.protects)),
    ...differences("accepted", ...bothKnown(thingsOf(from), thingsOf(to))),
  ];
}

function differences(kind: string, from: ReadonlyMap<string, string>, to: ReadonlyMap<string, string>): ChangedTerm[] {
  const names = [...new Set([...from.keys(), ...to.keys()])];
  return names.flatMap((name) => {
    const was = from.get(name);
    const is = to.get(name);
    if (was === is) return [];
    const term = kind === "" || kind === name ? name : `${kind} ${name}`;
    return [{ term, ...(was === undefined ? {} : { was }), ...(is === undefined ? {} : { is }) }];
  });
}

/** What comes under protection with a new criterion, or leaves it, has not changed itself. */
function bothKnown(from: Map<string, string>, to: Map<string, string>): [Map<string, string>, Map<string, string>] {
  const both = [...from.keys()].filter((name) => to.has(name));
  const kept = (all: Map<string, string>): Map<string, string> =>
    new Map(both.map((name) => [name, all.get(name) ?? ""]));
  return [kept(from), kept(to)];
}

function criteriaOf({ criteria }: LoopContract): Map<string, string> {
  return new Map(criteria.map((criterion) => [criterion.id, criterionText(criterion)]));
}

function criterionText(criterion: Criterion): string {
  if (criterion.kind === "command")
    return `${criterion.role === "must-not" ? "must not succeed: " : ""}${criterion.command}`;
  if (criterion.kind === "file")
    return `${criterion.path}${criterion.contains === undefined ? "" : ` contains ${JSON.stringify(criterion.contains)}`}`;
  return `the agent says: ${criterion.text}`;
}

function limitsOf({ limits }: LoopContract): Map<string, string> {
  return new Map(
    Object.entries(limits).flatMap(([name, value]): [string, string][] =>
      value === undefined ? [] : [[name, value === 0 ? "none" : String(value)]],
    ),
  );
}

function stepsOf({ steps }: LoopContract): Map<string, string> {
  return new Map(steps.map(({ id, title }) => [id, title]));
}

function listOf(values: readonly string[]): Map<string, string> {
  return new Map(values.map((value) => [value, "yes"]));
}

function thingsOf({ protectedThings }: LoopContract): Map<string, string> {
  return new Map(protectedThings.map(({ name, sha256 }) => [name, sha256.slice(0, 12)]));
}
