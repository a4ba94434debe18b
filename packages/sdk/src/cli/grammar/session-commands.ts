/** The commands about session files, for scripts and hooks that work with them. */
import { type CommandSpec, flag, SESSION_PLACE, text } from "./command-spec.js";

const SESSION = {
  "session-id": text("id", "Session of the agent host (default: the session this shell belongs to)."),
  ...SESSION_PLACE,
};
const RUN_ID = { "run-id": text("run", "Run ID or run directory.") };

export const SESSION_COMMANDS: readonly CommandSpec[] = [
  {
    name: "session:init",
    summary: "Write a session file.",
    positionals: [{ name: "prompt", optional: true, many: true, help: "The task for the agent." }],
    options: {
      ...SESSION,
      ...RUN_ID,
      prompt: text("text", "The task for the agent."),
      "prompt-file": text("file", "File with the task; - for stdin."),
      "max-iterations": text("n", "Pause the loop after this many turns (default: 50; 0: no limit)."),
      "completion-promise": text("text", "What the agent says in <promise> tags when it is done."),
    },
    details: "The loop becomes a run when the session's next turn ends.",
  },
  {
    name: "session:associate",
    summary: "Bind a session to a run.",
    positionals: [{ name: "run", optional: true, help: "Run ID or run directory." }],
    options: {
      ...SESSION,
      ...RUN_ID,
      harness: text("name", "Agent host, such as claude-code (default: detected)."),
      take: flag("Take the run even if another session seems to be working on it."),
    },
    details: "A session works on one run at a time: `Session already associated with run: …` (exit 7).",
  },
  {
    name: "session:resume",
    summary: "Resume a run in a session.",
    positionals: [{ name: "run", optional: true, help: "Run ID or run directory." }],
    options: {
      ...SESSION,
      ...RUN_ID,
      harness: text("name", "Agent host, such as claude-code (default: detected)."),
      take: flag("Take the run even if another session seems to be working on it."),
      "max-iterations": text("n", "Pause the loop after this many turns (default: 256; 0: no limit)."),
      "completion-promise": text("text", "What the agent says in <promise> tags when it is done."),
    },
  },
  {
    name: "session:state",
    summary: "Show the contents of a session file.",
    positionals: [],
    options: SESSION,
  },
  {
    name: "session:update",
    summary: "Change fields of a session file.",
    positionals: [],
    options: {
      ...SESSION,
      ...RUN_ID,
      active: text("true|false", "Whether the loop is active."),
      iteration: text("n", "Number of the turn."),
      "max-iterations": text("n", "Pause the loop after this many turns; 0: no limit."),
      "completion-promise": text("text", "What the agent says in <promise> tags when it is done."),
      "last-iteration-at": text("iso8601", "When the last turn ended."),
      "iteration-times": text("a,b,c", "Durations of the last turns in seconds."),
      delete: flag("Move the file aside."),
    },
    details: "The file of an active run is a view of its journal; use the loop commands to change that run.",
  },
  {
    name: "session:check-iteration",
    summary: "Check whether the limits allow another turn.",
    positionals: [],
    options: SESSION,
  },
  {
    name: "session:last-message",
    summary: "Show the agent's last message from a transcript.",
    positionals: [],
    options: { "transcript-path": text("file", "The transcript.") },
  },
  {
    name: "session:iteration-message",
    summary: "Print the message that continues a loop.",
    positionals: [{ name: "run", optional: true, help: "Run ID or run directory (default: the only open run)." }],
    options: { ...RUN_ID, iteration: text("n", "Number of the turn."), ...SESSION_PLACE },
  },
];
