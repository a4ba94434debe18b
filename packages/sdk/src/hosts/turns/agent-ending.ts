/** How driving an agent ended, in words that say what to do next. */

import { commandsOf, endingOf, type StopReason } from "../../drive/ending.js";
import type { Ending } from "../../drive/progress.js";
import { loopExit } from "../../loop-runs/loop-exit.js";
import { ERROR_CODES } from "../../model/error-codes.js";
import { liftingOption } from "../../model/lifted-limits.js";
import type { Attestation } from "../../model/loop-events.js";
import { pauseWords } from "../../model/pause-words.js";
import { resumingWays } from "../../runs/next-ways.js";
import type { RunJournal } from "../../runs/run-journal.js";

const ENDED: Readonly<Record<Attestation, string>> = {
  verified: "The engine has checked every criterion on the current tree: the work is done.",
  proof: "The run has completed, and the agent has shown its proof.",
  claim: "The agent says that the work is done; the engine had nothing to check.",
};

/** `agent`: what was typed after `--agent`. */
export async function agentEnding(
  journal: RunJournal,
  reason: StopReason,
  { name, agent }: { name: string; agent: string },
): Promise<Ending> {
  const { loop, cancelled } = journal.summary;
  const ending = withAgent(await endingOf(journal, reason, name), { name, agent });
  if (loop === undefined) return ending;
  if (reason !== "finished") return loop.ended === undefined ? unended(ending, reason, { name, agent }) : ending;
  const exit = loopExit(loop, cancelled !== undefined);
  const report = { command: `babysitter run:report ${name}`, about: "show the result" };
  if (loop.ended !== undefined)
    return { ...ending, state: "completed", exit, why: ENDED[loop.ended.attestation], next: [report], waitingFor: [] };
  if (cancelled !== undefined || loop.paused === undefined) return { ...ending, exit };
  const command = `babysitter run ${name} --agent ${agent}${liftingOption(loop.paused)}`;
  return {
    ...ending,
    state: "paused",
    exit,
    why: pauseWords(loop.paused),
    next: [...commandsOf(resumingWays(loop.paused, name, { command }), "resume"), report],
  };
}

/** A process that has completed is not the end of the loop: its agent has not shown the proof. */
function unended(ending: Ending, reason: StopReason, { name, agent }: { name: string; agent: string }): Ending {
  if (ending.state !== "completed") return ending;
  const next = [{ command: `babysitter run ${name} --agent ${agent}`, about: "resume" }];
  if (typeof reason === "object") {
    const { code, message } = reason.error;
    return { ...ending, state: "error", exit: ERROR_CODES[code].exit, why: message, next };
  }
  return { ...ending, state: "interrupted", exit: "interrupted", why: "Interrupted; nothing is lost.", next };
}

/** Whoever resumes the run wants the agent to resume it. */
function withAgent(ending: Ending, { name, agent }: { name: string; agent: string }): Ending {
  const plain = `babysitter run ${name}`;
  const next = ending.next
    .filter(({ command }) => !command.startsWith(`${plain} --agent-command`))
    .map((one) => (one.command === plain ? { ...one, command: `${plain} --agent ${agent}` } : one));
  return { ...ending, next };
}
