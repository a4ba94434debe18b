/** The flags of `/babysit` and `/babysitter:resume`. */
import type { Problem } from "../rules/criterion-text.js";
import type { FlagWord } from "./flag-words.js";
import { LOOP_FLAGS, type LoopFlag } from "./loop-flags.js";
import { type GivenFlag, type LoopTerms, readLoopTerms } from "./loop-terms.js";

const PROCESS_FLAGS = {
  process: { value: "file#export", help: "Run this process; only its completion proof ends the loop." },
  inputs: { value: "file", help: "JSON file with the inputs of the process." },
} as const satisfies Readonly<Record<string, LoopFlag>>;

export const BABYSIT_FLAGS: Readonly<Record<string, LoopFlag>> = { ...LOOP_FLAGS, ...PROCESS_FLAGS };

/** What the flags of one text say. */
export interface ReadFlags {
  terms: LoopTerms;
  process?: string;
  inputs?: string;
  problems: Problem[];
}

/** Reads every flag; what is wrong with any of them comes back as problems. `mayLift`: see readLoopTerms. */
export function readFlags(words: readonly FlagWord[], options: { mayLift: boolean }): ReadFlags {
  const { terms, problems } = readLoopTerms(words.filter(isLoopFlag), options);
  const read: ReadFlags = { terms, problems: [...problems] };
  for (const { name, value } of words.filter((word) => !isLoopFlag(word))) {
    const flag = name as keyof typeof PROCESS_FLAGS;
    if (read[flag] !== undefined)
      read.problems.push({ problem: `--${flag} is given twice.`, hint: "Remove one of them." });
    if (value.trim() === "")
      read.problems.push({
        problem: `--${flag}: the value is empty.`,
        hint: `Give a value: --${flag} ${PROCESS_FLAGS[flag].value}`,
      });
    read[flag] = value;
  }
  return read;
}

function isLoopFlag(word: FlagWord): word is GivenFlag {
  return Object.hasOwn(LOOP_FLAGS, word.name);
}
