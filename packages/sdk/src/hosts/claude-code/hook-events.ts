/** What Claude Code calls the events that we answer. */
import type { HookEvent } from "../host.js";

export const EVENT_NAMES: Readonly<Record<HookEvent, string>> = {
  stop: "Stop",
  "stop-watch": "Stop",
  "stop-failure": "StopFailure",
  "stop-failure-watch": "StopFailure",
  "subagent-stop": "SubagentStop",
  "session-start": "SessionStart",
  "session-end": "SessionEnd",
  "user-prompt-submit": "UserPromptSubmit",
  "user-prompt-expansion": "UserPromptExpansion",
  "pre-tool-use": "PreToolUse",
  "post-tool-use": "PostToolUse",
  "permission-request": "PermissionRequest",
  "config-change": "ConfigChange",
};
