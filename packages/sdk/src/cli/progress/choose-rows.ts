/** Which rows of the tree are shown when not all of them fit. */
import {
  type BranchNode,
  type Counts,
  EFFECT_STATES,
  type EffectNode,
  noCounts,
  openIn,
  type ParallelNode,
  type ProgressModel,
} from "./progress-model.js";
import type { Guide } from "./symbols.js";

/** A line of the tree, with what is drawn to its left. */
export interface Row {
  guides: readonly Guide[];
  node: EffectNode | ParallelNode | Gap;
}

/** Effects that are not shown one by one. */
interface Gap {
  readonly type: "gap";
  readonly counts: Counts;
}

/**
 * At most `limit` rows, in the order of the tree. What is finished goes first: groups become one row, then rows
 * become a count. Questions, failures and running tasks stay as long as there is any room.
 */
export function chooseRows(model: ProgressModel, limit: number): Row[] {
  if (limit <= 0) return [];
  if (model.effects.size + model.parallels.size <= limit)
    return rowsOf(model.root, { isShown: () => true, hasGaps: true });
  const important = mostImportant(model, limit);
  const wanted = [...important, ...lessImportant(model, limit)].slice(0, limit);
  const roomy = mostThatFit(wanted, limit, (items) => rowsAround(model, items));
  if (roomy.items >= important.length) return roomy.rows;
  // Too many counts in between: one at the end must suffice.
  const tight = mostThatFit(wanted, limit, (items) => rowsWithOneGap(model, items));
  return (tight.items > roomy.items ? tight : roomy).rows;
}

type Item = EffectNode | ParallelNode;

interface Fitting {
  items: number;
  rows: Row[];
}

/** The rows for as many of the items, from the first on, as there is room for. */
function mostThatFit(wanted: readonly Item[], limit: number, rowsFor: (items: readonly Item[]) => Row[]): Fitting {
  let best: Fitting = { items: 0, rows: rowsFor([]) };
  let tooMany = wanted.length + 1;
  while (tooMany - best.items > 1) {
    const items = Math.floor((best.items + tooMany) / 2);
    const rows = rowsFor(wanted.slice(0, items));
    if (rows.length > limit) tooMany = items;
    else best = { items, rows };
  }
  return best;
}

function mostImportant(model: ProgressModel, limit: number): Item[] {
  const failed = [...model.failed].slice(-limit).toReversed();
  return [
    ...openOnes(model, limit, ["asking"]),
    ...alternately<Item>(openOnes(model, limit, ["running", "retrying"]), failed),
  ];
}

function lessImportant(model: ProgressModel, limit: number): Item[] {
  const finished: Item[] = [];
  collectFinished(model.root, limit, finished);
  // Of what has not begun the next few are enough.
  return [...openOnes(model, limit, ["sleeping"]), ...openOnes(model, Math.ceil(limit / 4), ["queued"]), ...finished];
}

function openOnes(model: ProgressModel, limit: number, states: readonly EffectNode["state"][]): EffectNode[] {
  const found: EffectNode[] = [];
  for (const effect of model.open) {
    if (found.length === limit) break;
    if (states.includes(effect.state)) found.push(effect);
  }
  return found;
}

function alternately<T>(one: readonly T[], other: readonly T[]): T[] {
  return Array.from({ length: Math.max(one.length, other.length) }, (_, index) => [
    ...one.slice(index, index + 1),
    ...other.slice(index, index + 1),
  ]).flat();
}

/** The latest first. Groups in which nothing is open count as one. */
function collectFinished(branch: BranchNode, limit: number, found: Item[]): void {
  for (let index = branch.items.length - 1; index >= 0 && found.length < limit; index -= 1) {
    const item = branch.items[index] as Item;
    if (item.type === "effect") {
      if (item.state === "done" || item.state === "rejected" || item.state === "abandoned") found.push(item);
    } else if (openIn(item.counts) === 0) {
      found.push(item);
    } else {
      for (const lane of item.lanes.toReversed()) collectFinished(lane, limit, found);
    }
  }
}

/** The rows when these items, and the groups around them, are shown. */
function rowsAround(model: ProgressModel, items: readonly Item[]): Row[] {
  return rowsOf(model.root, { isShown: shownWith(items), hasGaps: true });
}

/** The same, with everything that is not shown counted in one last row. */
function rowsWithOneGap(model: ProgressModel, items: readonly Item[]): Row[] {
  const isShown = shownWith(items);
  const rows = rowsOf(model.root, { isShown, hasGaps: false });
  const counts = { ...model.root.counts };
  for (const { node } of rows) {
    if (node.type === "effect") counts[node.state] -= 1;
    else if (node.type === "parallel" && !node.lanes.some(isShown))
      for (const state of EFFECT_STATES) counts[state] -= node.counts[state];
  }
  return [...rows, { guides: [], node: { type: "gap", counts } }];
}

type IsShown = (node: Item | BranchNode) => boolean;

function shownWith(items: readonly Item[]): IsShown {
  const shown = new Set<Item | BranchNode>();
  for (const item of items) {
    shown.add(item);
    for (let branch = item.branch; branch.parallel !== undefined; branch = branch.parallel.branch)
      shown.add(branch).add(branch.parallel);
  }
  return (node) => shown.has(node);
}

interface Choice {
  isShown: IsShown;
  hasGaps: boolean;
}

function rowsOf(branch: BranchNode, choice: Choice): Row[] {
  const rows: Row[] = [];
  const gap = new OpenGap(choice.hasGaps);
  for (const item of branch.items) {
    if (!choice.isShown(item)) {
      gap.add(item);
      continue;
    }
    rows.push(...gap.take(), { guides: [], node: item });
    if (item.type === "parallel" && item.lanes.some(choice.isShown)) rows.push(...rowsOfLanes(item, choice));
  }
  rows.push(...gap.take());
  return rows;
}

function rowsOfLanes(parallel: ParallelNode, choice: Choice): Row[] {
  const parts: Row[][] = [];
  const gap = new OpenGap(choice.hasGaps);
  for (const lane of parallel.lanes) {
    if (choice.isShown(lane)) parts.push(gap.take(), rowsOf(lane, choice));
    else for (const item of lane.items) gap.add(item);
  }
  parts.push(gap.take());
  const drawn = parts.filter((part) => part.length > 0);
  return drawn.flatMap((part, index) => withGuides(part, index === drawn.length - 1));
}

function withGuides(rows: readonly Row[], isLast: boolean): Row[] {
  const [first, later]: [Guide, Guide] = isLast ? ["firstOfLast", "laterOfLast"] : ["first", "later"];
  return rows.map(({ guides, node }, index) => ({ guides: [index === 0 ? first : later, ...guides], node }));
}

/** Collects what is left out between two rows. */
class OpenGap {
  #items = 0;
  #only: Item | undefined;
  #counts = noCounts();
  readonly #isWanted: boolean;

  constructor(isWanted: boolean) {
    this.#isWanted = isWanted;
  }

  add(item: Item): void {
    this.#items += 1;
    this.#only = item;
    if (item.type === "effect") this.#counts[item.state] += 1;
    else for (const state of EFFECT_STATES) this.#counts[state] += item.counts[state];
  }

  /** One row, if anything was left out; a single item needs no more room than its own row. */
  take(): Row[] {
    if (this.#items === 0 || !this.#isWanted) return [];
    const node: Row["node"] =
      this.#items === 1 && this.#only !== undefined ? this.#only : { type: "gap", counts: this.#counts };
    this.#items = 0;
    this.#counts = noCounts();
    return [{ guides: [], node }];
  }
}
