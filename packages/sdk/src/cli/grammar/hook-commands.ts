/** The commands about hooks: those of a run, and those of agent hosts. */
import { HOOK_EVENTS } from "../../hosts/host.js";
import { type CommandSpec, SESSION_PLACE, text } from "./command-spec.js";

/** The one that hosts call all the time. */
export const HOOK_RUN: CommandSpec = {
  name: "hook:run",
  summary: "Answer a hook of an agent host: JSON in on stdin, JSON out on stdout.",
  positionals: [],
  options: {
    "hook-type": text("event", `One of ${HOOK_EVENTS.join(", ")}.`),
    harness: text("name", "Agent host: claude-code or null (default: detected)."),
    "deadline-ms": text(
      "n",
      "Maximum time in milliseconds before the host gets an answer (default: 60000; 24 days for hooks that wait).",
    ),
    "host-pid": text("pid", "PID of the host that called the hook; a watch ends when it does."),
    since: text("seconds", "Unix time in seconds of the stop that a watch belongs to (default: now)."),
    ...SESSION_PLACE,
  },
  details:
    "Prints exactly one JSON object and exits with 0, even when something fails, because a failing hook would end the loop silently. Errors go to ~/.a5c/log/hooks.jsonl, the journal and the first message of the next session. The two watches (stop-watch, stop-failure-watch) wait while a session is idle. When it should continue they exit with 2 and the reason on stderr, and the host wakes its agent.",
  examples: ["babysitter hook:run --hook-type stop --harness claude-code < input.json"],
};

export const HOOK_COMMANDS: readonly CommandSpec[] = [
  {
    name: "hook:list",
    summary: "Show which hooks run, in which order, and which are skipped and why.",
    positionals: [
      {
        name: "type",
        optional: true,
        help: "Hook type, such as on-run-complete (default: every type that has hooks).",
      },
    ],
    options: { "plugin-root": text("dir", "Root directory of a plugin whose hooks run last.") },
    examples: ["babysitter hook:list", "babysitter hook:list on-iteration-start --json"],
  },
  {
    name: "hook:dispatch",
    summary: "Call the hooks of a type and print their combined result.",
    positionals: [{ name: "type", help: "Hook type: one of the engine's, or a custom name." }],
    options: {
      payload: text("file", "JSON file with the payload; - for stdin (the default)."),
      run: text("run", "The run to pass to the hooks; its journal records HOOK_DISPATCHED."),
      "timeout-ms": text(
        "n",
        "Time limit of each hook (default: hooks.timeoutMs; if unset 60000, or 600000 for on-iteration-start).",
      ),
      "plugin-root": text("dir", "Root directory of a plugin whose hooks run last."),
    },
    details:
      "Exits with 0 even when hooks fail: see `ok`, `error` and `hooks` in the output. Without --run nothing is recorded.",
    examples: [
      'echo \'{"runId":"test"}\' | babysitter hook:dispatch on-run-complete --json',
      "babysitter hook:dispatch pre-commit --run run-20260120-example --payload payload.json",
    ],
  },
  HOOK_RUN,
];
