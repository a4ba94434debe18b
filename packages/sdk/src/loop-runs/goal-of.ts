import { BabysitterError } from "../model/errors.js";
import type { LoopState } from "../model/loop-state.js";
import type { RunJournal } from "../runs/run-journal.js";

/** The prompt of a loop, byte for byte. */
export async function goalOf(journal: RunJournal, { goal }: Pick<LoopState, "goal">): Promise<string> {
  const text = await journal.valueOf(goal);
  if (typeof text === "string") return text;
  throw new BabysitterError("JOURNAL_BROKEN", `The goal of ${journal.runId} is not text.`);
}
