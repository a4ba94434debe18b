/** Checks that change the working tree, in words: their results are about a tree that is no longer there. */
import type { Criterion } from "../../model/loop-contract.js";
import type { CriterionChecked } from "../../model/loop-events.js";
import { shownLine } from "../../model/shown-text.js";
import { resultsOf, uncheckedCriteria } from "../rules/criteria-standing.js";
import type { Situation } from "../rules/situation.js";

const NAME_LENGTH = 80;
/** The first time may be the only one, as when a snapshot or a cache is made. */
const TIMES = 2;

/** Criteria without a valid result whose checks have changed files each time, and which files. */
function changingChecks({ state, probes }: Situation): { criterion: Criterion; files: string[] }[] {
  return uncheckedCriteria(state, probes.tree).flatMap((criterion) => {
    const last = resultsOf(state, criterion.id).slice(-TIMES);
    if (last.length < TIMES || !last.every(changedTree)) return [];
    return [{ criterion, files: last.at(-1)?.written ?? [] }];
  });
}

function changedTree({ before, after }: CriterionChecked): boolean {
  return before !== after;
}

/** Such as "tests changes files itself (report.xml, out/a.js)". */
export function changingWords(situation: Situation): string {
  return changingChecks(situation)
    .map(({ criterion, files }) => `the check ${criterion.id} changes files itself${listed(files)}`)
    .join("; ");
}

function listed(files: readonly string[]): string {
  return files.length === 0 ? "" : ` (${writtenWords(files)})`;
}

export function writtenWords(files: readonly string[]): string {
  return files.map((name) => shownLine(name, NAME_LENGTH)).join(", ");
}
