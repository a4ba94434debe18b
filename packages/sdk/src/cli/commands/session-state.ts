import { openSession, requiredSession, stateDocument } from "../arguments/session-command.js";
import type { Command } from "../grammar/invocation.js";

export const command: Command = async (invocation) => {
  const opened = openSession(invocation);
  if (opened === undefined) {
    const sessionId = requiredSession(invocation);
    return { document: { found: false, sessionId }, text: `No file for session ${sessionId}.` };
  }
  const { session, file } = opened;
  return {
    document: stateDocument(opened),
    text: [
      `${session.active ? "active" : "not active"}, iteration ${session.iteration} of ${session.maxIterations || "unlimited"}`,
      `run:  ${session.runId || "none yet"}`,
      `file: ${file}`,
    ].join("\n"),
  };
};
