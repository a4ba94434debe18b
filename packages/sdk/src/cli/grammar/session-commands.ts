/** The commands about session files, for scripts and hooks that work with them. */
import { type CommandSpec, flag, text } from "./command-spec.js";
import { SESSION_PLACE } from "./loop-commands.js";

const SESSION = {
  "session-id": text("id", "Session of the agent host (default: the one in whose shell this runs)."),
  ...SESSION_PLACE,
};
const RUN_ID = { "run-id": text("run", "Run id or run directory.") };

export const SESSION_COMMANDS: readonly CommandSpec[] = [
  {
    name: "session:init",
    summary: "Write a session file.",
    positionals: [{ name: "prompt", optional: true, many: true, help: "What the agent is to do." }],
    options: {
      ...SESSION,
      ...RUN_ID,
      prompt: text("text", "What the agent is to do."),
      "prompt-file": text("file", "File with it; - for stdin."),
      "max-iterations": text("n", "After so many turns the loop is paused (default: 50; 0: no limit)."),
      "completion-promise": text("text", "What the agent says in <promise> tags when it is done."),
    },
    details: "The loop becomes a run at the end of the session's next turn.",
  },
  {
    name: "session:associate",
    summary: "Bind a session to a run.",
    positionals: [{ name: "run", optional: true, help: "Run id or run directory." }],
    options: {
      ...SESSION,
      ...RUN_ID,
      harness: text("name", "Agent host, such as claude-code (default: found out)."),
      take: flag("Also when another session seems to be at work on it."),
    },
    details: "A session works on one run at a time: `Session already associated with run: …` (exit 7).",
  },
  {
    name: "session:resume",
    summary: "Go on with a run in a session.",
    positionals: [{ name: "run", optional: true, help: "Run id or run directory." }],
    options: {
      ...SESSION,
      ...RUN_ID,
      harness: text("name", "Agent host, such as claude-code (default: found out)."),
      take: flag("Also when another session seems to be at work on it."),
      "max-iterations": text("n", "After so many turns the loop is paused (default: 256; 0: no limit)."),
      "completion-promise": text("text", "What the agent says in <promise> tags when it is done."),
    },
  },
  {
    name: "session:state",
    summary: "Show what a session file says.",
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
      active: text("true|false", "Whether the loop goes on."),
      iteration: text("n", "Number of the turn."),
      "max-iterations": text("n", "After so many turns the loop is paused; 0: no limit."),
      "completion-promise": text("text", "What the agent says in <promise> tags when it is done."),
      "last-iteration-at": text("iso8601", "When the last turn ended."),
      "iteration-times": text("a,b,c", "Lengths of the last turns in seconds."),
      delete: flag("Put the file aside."),
    },
    details: "A file whose run is under way is a view of the journal; use the loop commands for that.",
  },
  {
    name: "session:check-iteration",
    summary: "Say whether another turn is within the limits.",
    positionals: [],
    options: SESSION,
  },
  {
    name: "session:last-message",
    summary: "Show what the agent said last, from a transcript.",
    positionals: [],
    options: { "transcript-path": text("file", "The transcript.") },
  },
  {
    name: "session:iteration-message",
    summary: "Print the words with which a loop goes on.",
    positionals: [{ name: "run", optional: true, help: "Run id or run directory (default: the only open run)." }],
    options: { ...RUN_ID, iteration: text("n", "Number of the turn."), ...SESSION_PLACE },
  },
];
