import { line } from "../../model/terminal-text.js";
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
      line`run:  ${session.runId || "none yet"}`,
      line`file: ${file}`,
    ].join("\n"),
  };
};
