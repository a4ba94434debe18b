import { type BreakpointQuestion, questionIn } from "../model/breakpoint-question.js";
import type { EffectRequested } from "../model/events.js";
import type { RunJournal } from "./run-journal.js";

/** What the process asked, from the event at this place. */
export async function readQuestion(
  journal: RunJournal,
  { request, title }: { request: { seq: number; id: string }; title?: string },
): Promise<BreakpointQuestion> {
  const event = await journal.ports.store.readAt(journal.runId, request);
  return questionIn(await journal.valueOf((event.payload as EffectRequested).definition), title);
}
