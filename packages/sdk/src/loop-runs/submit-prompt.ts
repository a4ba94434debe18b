/** A prompt comes into the session of a loop: is it steering, or did someone stop the agent to say something else? */
import type { TurnBreak } from "../loop/transcript/turn.js";
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
  /** An agent has typed it, into a host that it has started itself: nobody was interrupted. */
  byAgent: boolean;
}

/** Called when a turn ended without a decision. */
export type BreakReader = () => TurnBreak | undefined;

/** Text that is typed while the agent works belongs to the turn that is open; a new one means that the turn was cut. */
function kindOfPrompt(
  { turn, lastStop }: LoopState,
  { promptId, prompt, byAgent }: SubmittedPrompt,
  readBreak: BreakReader,
): PromptSubmitted["kind"] {
  if (NOTIFICATION.test(prompt)) return "notification";
  if (promptId === undefined || turn.promptId === undefined || !turn.open) return "turn";
  if (byAgent) return "notification";
  return promptId === turn.promptId ? "steering" : afterBreak(readBreak(), lastStop?.at ?? "");
}

function afterBreak(broken: TurnBreak | undefined, decidedAt: string): PromptSubmitted["kind"] {
  if (broken?.kind === "failed") return "turn";
  if (broken?.kind === "cut") return "cut";
  // The hook that should have decided about it has failed; an end that was decided is that of the turn before.
  if (broken?.kind === "ended" && !(Date.parse(broken.at) <= Date.parse(decidedAt))) return "turn";
  return "interruption";
}

const PAUSES: Partial<Record<PromptSubmitted["kind"], { code: string; message: string }>> = {
  interruption: { code: "interrupted", message: "You interrupted the agent and typed something else." },
  cut: {
    code: "host_cut",
    message: "The host ended the turn itself, because hooks had made the agent continue too often without a tool call.",
  },
};

/** Records it; an interruption, or a cut by the host, pauses the loop in the same step. */
export async function submitPrompt(
  journal: RunJournal,
  submitted: SubmittedPrompt,
  readBreak: BreakReader,
): Promise<PromptSubmitted["kind"]> {
  const timestamp = journal.ports.clock.now().toISOString();
  let kind: PromptSubmitted["kind"] = "turn";
  let drafts: EventDraft[] = [];
  await journal.commit(({ loop }, appended) => {
    // What is begun is finished as it was decided: the pause that is in already would change the rest.
    if (appended.length === 0 && loop !== undefined) {
      kind = kindOfPrompt(loop, submitted, readBreak);
      drafts = draftsFor(loop, submitted, { kind, timestamp });
    }
    return drafts.slice(appended.length);
  });
  await journal.saveCaches();
  return kind;
}

function draftsFor(
  loop: LoopState,
  { sessionId, promptId }: SubmittedPrompt,
  { kind, timestamp }: { kind: PromptSubmitted["kind"]; timestamp: string },
): EventDraft[] {
  // A turn that starts just like the last one needs no record.
  if (kind === "turn" && loop.turn.open && loop.turn.promptId === promptId) return [];
  const payload = { sessionId, kind, ...(promptId === undefined ? {} : { promptId }) };
  const submitted: EventDraft = { type: "PROMPT_SUBMITTED", timestamp, payload };
  const pause = PAUSES[kind];
  // A hook of the same prompt may have paused it already, and people may have done so too.
  if (pause === undefined || loop.paused !== undefined) return [submitted];
  return [{ type: "LOOP_PAUSED", timestamp, payload: { ...pause, by: "engine" } }, submitted];
}
