/** What Claude Code has beyond its hooks; apart from them, because most calls of a hook need none of it. */
import type { HostParts } from "../host.js";
import { discoverNames } from "./discover-names.js";
import { exportSession, hasEnvFolder, startingSession } from "./env-file.js";
import { escapeInSettings } from "./escape-settings.js";
import { questionTool } from "./question-dialog.js";
import { transcripts } from "./transcripts.js";

export const claudeCodeParts: HostParts = {
  startingSession,
  exportSession,
  hasSession: (sessionId, env) => hasEnvFolder(sessionId, env) || transcripts.ofSession(sessionId, env) !== undefined,
  shell: {
    name: "Bash",
    commandField: "command",
    harmlessFields: new Set(["command", "description", "timeout", "run_in_background"]),
  },
  question: questionTool,
  escapeInSettings,
  transcripts,
  discover: discoverNames,
};
