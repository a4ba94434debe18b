/** The user started a turn of the loop with one of our commands, however the previous turn ended. */
import type { RunJournal } from "../runs/run-journal.js";

/** Without the id of the prompt nothing is known of the turn that the journal does not say already. */
export async function beginTurn(
  journal: RunJournal,
  { sessionId, promptId }: { sessionId: string; promptId: string | undefined },
): Promise<void> {
  if (promptId === undefined) return;
  const timestamp = journal.ports.clock.now().toISOString();
  await journal.commit(({ loop }, appended) => {
    const isKnown = loop === undefined || (loop.turn.open && loop.turn.promptId === promptId);
    if (appended.length > 0 || isKnown) return [];
    return [{ type: "PROMPT_SUBMITTED", timestamp, payload: { sessionId, kind: "turn", promptId } }];
  });
  await journal.saveCaches();
}
