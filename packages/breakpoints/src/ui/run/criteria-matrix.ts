/** The criteria of a loop over time: one row each, one column for every check and every change of the contract. */
import type { JournalEvent, RunSummary } from "@a5c-ai/babysitter-sdk/view";

type Loop = NonNullable<RunSummary["loop"]>;
type Criterion = Loop["contract"]["criteria"][number];
export type Check = Extract<JournalEvent, { type: "CRITERION_CHECKED" }>["payload"] & { seq: number };

export interface CriterionRow {
  id: string;
  text: string;
  /** Undefined for one that the contract no longer has. */
  criterion: Criterion | undefined;
  isMustNot: boolean;
}

/** `first` and `last`: the iterations of the loop in which it was checked. */
export type Column =
  | { kind: "checks"; at: string; seq: number; first: number; last: number; checks: ReadonlyMap<string, Check> }
  | { kind: "contract"; at: string; seq: number; terms: readonly { term: string; was?: string; is?: string }[] };

export interface Matrix {
  rows: CriterionRow[];
  columns: Column[];
}

export function criteriaMatrix(events: readonly JournalEvent[], loop: Loop): Matrix {
  const rows = new Map<string, CriterionRow>(
    loop.contract.criteria.map((criterion) => [criterion.id, rowOf(criterion.id, criterion)]),
  );
  const columns: Column[] = [];
  const changes = [...loop.contractChanges];
  let open: { verification: string; checks: Map<string, Check> } | undefined;
  let iteration = 1;
  for (const event of events) {
    if (event.type === "LOOP_STARTED") iteration = event.payload.iteration;
    if (event.type === "STOP_HOOK_INVOKED") iteration = event.payload.nextIteration;
    if (event.type === "CRITERION_CHECKED") {
      const { verification, criterion, text } = event.payload;
      if (open?.verification !== verification) {
        open = { verification, checks: new Map() };
        columns.push({
          kind: "checks",
          at: event.timestamp,
          seq: event.seq,
          first: iteration,
          last: iteration,
          checks: open.checks,
        });
      }
      open.checks.set(criterion, { ...event.payload, seq: event.seq });
      if (!rows.has(criterion)) rows.set(criterion, { ...rowOf(criterion, undefined), text: text ?? criterion });
    } else if (changes[0]?.at === event.timestamp && mayChange(event)) {
      columns.push({ kind: "contract", at: event.timestamp, seq: event.seq, terms: changes.shift()?.terms ?? [] });
      open = undefined;
    }
  }
  return { rows: [...rows.values()], columns };
}

function mayChange({ type }: JournalEvent): boolean {
  return type === "LOOP_AMENDED" || type === "LOOP_RESUMED";
}

function rowOf(id: string, criterion: Criterion | undefined): CriterionRow {
  return {
    id,
    text: criterion?.text ?? id,
    criterion,
    isMustNot: criterion?.kind === "command" && criterion.role === "must-not",
  };
}

/** Checks one after the other that all say the same become one column, where there are more than fit. */
export function joinColumns(columns: readonly Column[], most: number): Column[] {
  if (columns.length <= most) return [...columns];
  const joined: Column[] = [];
  for (const column of columns) {
    const before = joined.at(-1);
    if (before?.kind === "checks" && column.kind === "checks" && saysSame(before.checks, column.checks))
      joined[joined.length - 1] = { ...column, first: before.first };
    else joined.push(column);
  }
  return joined;
}

/** What stands above the columns: checks of the same iterations have one heading, which spans them. */
export function columnHeads(columns: readonly Column[]): { column: Column; span: number }[] {
  const heads: { column: Column; span: number }[] = [];
  for (const column of columns) {
    const before = heads.at(-1);
    if (before !== undefined && isOfSame(before.column, column)) before.span += 1;
    else heads.push({ column, span: 1 });
  }
  return heads;
}

function isOfSame(one: Column, other: Column): boolean {
  return one.kind === "checks" && other.kind === "checks" && one.first === other.first && one.last === other.last;
}

function saysSame(one: ReadonlyMap<string, Check>, other: ReadonlyMap<string, Check>): boolean {
  return (
    one.size === other.size &&
    [...one].every(([id, { outcome, flaky }]) => {
      const same = other.get(id);
      return same?.outcome === outcome && same.flaky === flaky;
    })
  );
}

export type Standing = "met" | "unmet" | "unknown" | "kept" | "violated" | "claimed";

/** What a check says about its criterion: a command that was not to succeed is the other way round. */
export function standingOf({ outcome, ok }: Pick<Check, "outcome" | "ok">, isMustNot: boolean): Standing {
  if (ok) return isMustNot ? "violated" : "met";
  if (outcome !== "unmet") return isMustNot ? "unknown" : "unmet";
  return isMustNot ? "kept" : "unmet";
}

/** Where a criterion stood after the last of these checks. */
export function standingAt(loop: Loop, { id, criterion, isMustNot }: CriterionRow): Standing {
  const results = Object.hasOwn(loop.results, id) ? loop.results[id] : undefined;
  const newest = results?.at(-1);
  if (criterion?.kind === "claim") return loop.ended === undefined ? "unknown" : "claimed";
  return newest === undefined ? "unknown" : standingOf(newest, isMustNot);
}
