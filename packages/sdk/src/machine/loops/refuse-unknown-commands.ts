/** A criterion that can never run would hold an agent forever: it is refused at the start. */

import { spawnSync } from "node:child_process";
import { traitsOf } from "../../loop/rules/criterion-kinds.js";
import { BabysitterError } from "../../model/errors.js";
import type { Criterion } from "../../model/loop-contract.js";

/** A word that needs no shell to be understood. */
const PLAIN = /^[\w./+@-]+$/u;

export function refuseUnknownCommands(projectRoot: string, criteria: readonly Criterion[]): void {
  for (const criterion of criteria) {
    const word = traitsOf(criterion).command?.trim().split(/\s/u)[0];
    if (word === undefined || !PLAIN.test(word) || word.includes("=") || isThere(projectRoot, word)) continue;
    throw new BabysitterError(
      "CRITERION_INVALID",
      `The criterion ${criterion.id} cannot be run: there is no command ${word}.`,
      {
        hint: "Install it, or fix the criterion; if no command can check it, use --claim.",
        details: { criterion: criterion.id, command: word },
      },
    );
  }
}

function isThere(projectRoot: string, word: string): boolean {
  const { status } = spawnSync("/bin/sh", ["-c", 'command -v "$1" >/dev/null', "sh", word], {
    cwd: projectRoot,
    stdio: "ignore",
  });
  return status === 0;
}
