/** Someone has typed into the session of a loop. */

import { decideGuard } from "../../loop/rules/decide.js";
import { submitPrompt } from "../../loop-runs/submit-prompt.js";
import type { PromptSubmitted } from "../../model/loop-events.js";
import { readTurnBreak } from "../../sessions/read-transcript.js";
import type { HostAnswer } from "../host.js";
import { partsOf } from "../host-parts.js";
import type { HostHookCall } from "./host-call.js";
import { isForged } from "./is-forged.js";
import { sessionLoop } from "./session-loop.js";
import { takeFailures } from "./take-failures.js";
import { unusableLoop } from "./unusable-loop.js";
import { writeView } from "./write-view.js";

export async function onUserPrompt(call: HostHookCall): Promise<HostAnswer> {
  const { input, sessionId } = call;
  // Some hosts report a prompt before they report that it is a command; the command decides what it does to a loop.
  if (call.harness.words?.verbTyped(input.prompt ?? "") !== undefined) return {};
  const found = await sessionLoop(call);
  const { journal, standing } = found;
  // The file has been moved aside: the end of the turn will no longer find it.
  if (standing.kind === "corrupt") return unusableLoop(call, found);
  if (journal === undefined || decideGuard(input, standing) !== undefined) return {};
  if (isForged(call, ["person", "host", "nested"])) return {};
  await takeFailures(call, journal);
  const byAgent = call.machine.calledBy() === "nested";
  const submitted = { sessionId, promptId: input.promptId, prompt: input.prompt ?? "", byAgent };
  const { transcripts } = partsOf(call.harness);
  const kind = await submitPrompt(journal, submitted, () => readTurnBreak(input.transcriptPath ?? "", transcripts));
  const why = WHY_PAUSED[kind];
  if (why === undefined) return {};
  await writeView(call, journal);
  const resume = `babysitter loop:resume ${call.machine.runName(journal)}`;
  return {
    message: `⏸ Babysitter run: paused, because ${why.forUser}. To resume: ${resume}`,
    context: `${why.forAgent(journal.runId)} Do what the user says now. Only if the user wants to resume the loop: ${resume}`,
  };
}

const WHY_PAUSED: Partial<Record<PromptSubmitted["kind"], { forUser: string; forAgent: (run: string) => string }>> = {
  interruption: {
    forUser: "you interrupted it",
    forAgent: (run) => `The user interrupted the loop of run ${run}; it is paused.`,
  },
  cut: {
    forUser: "the host ended its turn itself (hooks may make an agent continue only so many times without a tool call)",
    forAgent: (run) =>
      `The host ended your last turn itself, because you had not called a tool for several turns; the loop of run ${run} is paused.`,
  },
};
