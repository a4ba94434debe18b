import { drivenHosts } from "../../hosts/host-parts.js";
import { whoDrives } from "../../machine/who-drives.js";
import type { LoopState } from "../../model/loop-state.js";
import { agentOptions } from "../../model/resume-command.js";
import { line } from "../../model/terminal-text.js";
import type { RunJournal } from "../../runs/run-journal.js";

/** How a loop that belongs to no session gets an agent. */
export function waysToWork(runName: string): string {
  return [line`In an agent's session, run: babysitter loop:resume ${runName}`, withoutSession(runName)].join("\n");
}

function withoutSession(runName: string): string {
  return line`Or without a session, run: babysitter run ${runName} --agent ${drivenHosts()[0] ?? ""} --permission-mode acceptEdits`;
}

/** What a person outside any session does to get a loop going that is not paused; `typed`: what its session understands. */
export async function waysOn(
  journal: RunJournal,
  loop: LoopState,
  { runName, resumed, typed }: { runName: string; resumed: boolean; typed: string | undefined },
): Promise<string> {
  const { runId } = journal;
  const { session } = loop;
  if (session === undefined) return `${runId} is active, but no agent is working on it. ${waysToWork(runName)}`;
  const standing = resumed ? line`${runId} is resumed.` : line`${runId} was not paused.`;
  const agent = agentOptions(loop);
  if (agent === undefined) {
    const there = typed === undefined ? "" : line`, or when you type ${typed} ${runName} there`;
    return [
      line`${standing} Session ${session.sessionId} (${session.harness}) continues it with its next prompt${there}.`,
      withoutSession(runName),
    ].join("\n");
  }
  const { by, who = "another program" } = await whoDrives(journal);
  return by === "driver"
    ? line`${standing} Its agent continues: ${who} is driving it.`
    : line`${standing} Nobody drives its agent. To start it again: babysitter run ${runName} --agent ${agent}`;
}
