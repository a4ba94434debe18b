/** `session:update`: changes fields of a session file. What a journal says is changed there, not in its view. */

import type { SessionFile } from "../../loop/formats/session-file.js";
import { busyRunOf } from "../../loop-runs/busy-session.js";
import { BabysitterError } from "../../model/errors.js";
import { loopMakerOf } from "../arguments/loop-maker-of.js";
import { requiredFile, stateDocument } from "../arguments/session-command.js";
import type { Command, Invocation } from "../grammar/invocation.js";
import { numberOption, usageError } from "../grammar/parse-arguments.js";

export const command: Command = async (invocation) => {
  const opened = requiredFile(invocation);
  const machine = loopMakerOf(invocation);
  const busy = await busyRunOf(machine, opened.sessionId);
  if (busy !== undefined) throw ownedByJournal(busy.runId);
  if (invocation.options.flag("delete")) {
    const moved = machine.sessions.end(opened.sessionId);
    return {
      document: { deleted: true, stateFile: moved ?? null },
      text: `Moved aside: ${moved ?? "it was already gone"}`,
    };
  }
  const session = { ...opened.session, ...changesFrom(invocation) };
  const file = machine.sessions.write(opened.sessionId, session);
  return {
    document: { success: true, ...stateDocument({ ...opened, file, session }) },
    text: `Updated ${file}`,
  };
};

function changesFrom(invocation: Invocation): Partial<SessionFile> {
  const { options, name } = invocation;
  const active = options.text("active");
  if (active !== undefined && active !== "true" && active !== "false")
    throw usageError(invocation, "--active must be true or false.");
  const times = options.text("iteration-times");
  if (times !== undefined && !/^\d+(?:,\d+)*$/u.test(times))
    throw usageError(invocation, "--iteration-times must be numbers separated by commas, such as 45,62,58.");
  const lastIterationAt = options.text("last-iteration-at");
  if (lastIterationAt !== undefined && Number.isNaN(Date.parse(lastIterationAt)))
    throw usageError(invocation, "--last-iteration-at must be a time such as 2026-01-20T10:00:00Z.");
  const given = {
    active: active === undefined ? undefined : active === "true",
    iteration: numberOption(name, options, "iteration"),
    maxIterations: numberOption(name, options, "max-iterations"),
    runId: options.text("run-id"),
    completionPromise: options.text("completion-promise"),
    lastIterationAt,
    iterationTimes: times?.split(",").map(Number).slice(-3),
  };
  const changes = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
  if (Object.keys(changes).length === 0) throw usageError(invocation, "Specify what to change.");
  return changes;
}

function ownedByJournal(runId: string): BabysitterError {
  return new BabysitterError("SESSION_BOUND", `The file is only a view of run ${runId}; the journal decides.`, {
    hint: `Use loop:amend, loop:pause, loop:resume or loop:cancel on ${runId}.`,
    details: { runId },
  });
}
