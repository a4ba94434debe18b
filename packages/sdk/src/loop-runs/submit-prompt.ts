/** A prompt comes into the session of a loop: is it steering, or did somebody stop the agent to say something else? */
import type { EventDraft } from "../model/events.js";
import type { PromptSubmitted } from "../model/loop-events.js";
import type { LoopState } from "../model/loop-state.js";
import type { RunJournal } from "../runs/run-journal.js";

/** What hosts say themselves when something in the background has ended. */
const NOTIFICATION = /^\s*<task-notification\b/u;

export interface SubmittedPrompt {
  sessionId: string;
  promptId: string | undefined;
  prompt: string;
}

/** Text that is typed while the agent works belongs to the turn that is open; a new one means that the turn was cut. */
function kindOfPrompt({ turn }: LoopState, { promptId, prompt }: SubmittedPrompt): PromptSubmitted["kind"] {
  if (NOTIFICATION.test(prompt)) return "notification";
  if (promptId === undefined || turn.promptId === undefined || !turn.open) return "turn";
  return promptId === turn.promptId ? "steering" : "interruption";
}

const INTERRUPTED = "interrupted";

/** Records it; an interruption pauses the loop in the same step. */
export async function submitPrompt(journal: RunJournal, submitted: SubmittedPrompt): Promise<PromptSubmitted["kind"]> {
  const timestamp = journal.ports.clock.now().toISOString();
  let kind: PromptSubmitted["kind"] = "turn";
  await journal.commit((summary, appended) => {
    const { loop } = summary;
    if (loop === undefined) return [];
    if (appended.length === 0) kind = kindOfPrompt(loop, submitted);
    return draftsFor(loop, submitted, { kind, timestamp }).slice(appended.length);
  });
  await journal.saveCaches();
  return kind;
}

function draftsFor(
  loop: LoopState,
  { sessionId, promptId }: SubmittedPrompt,
  { kind, timestamp }: { kind: PromptSubmitted["kind"]; timestamp: string },
): EventDraft[] {
  // A turn that begins as the last one has begun is nothing to write down.
  if (kind === "turn" && loop.turn.open && loop.turn.promptId === promptId) return [];
  const payload = { sessionId, kind, ...(promptId === undefined ? {} : { promptId }) };
  const submitted: EventDraft = { type: "PROMPT_SUBMITTED", timestamp, payload };
  if (kind !== "interruption") return [submitted];
  const message = "You interrupted the agent and typed something else.";
  return [{ type: "LOOP_PAUSED", timestamp, payload: { code: INTERRUPTED, message, by: "engine" } }, submitted];
}
