/** The commands about hooks: those of a run, and those of agent hosts. */
import { HOOK_EVENTS } from "../../hosts/host.js";
import { type CommandSpec, text } from "./command-spec.js";
import { SESSION_PLACE } from "./loop-commands.js";

export const HOOK_COMMANDS: readonly CommandSpec[] = [
  {
    name: "hook:list",
    summary: "Show which hooks run, in which order, and what is left out and why.",
    positionals: [
      { name: "type", optional: true, help: "Hook type, such as on-run-complete (default: all that have any)." },
    ],
    options: { "plugin-root": text("dir", "Root of a plugin whose hooks are the last tier.") },
    examples: ["babysitter hook:list", "babysitter hook:list on-iteration-start --json"],
  },
  {
    name: "hook:dispatch",
    summary: "Call the hooks of a type and print what they answer together.",
    positionals: [{ name: "type", help: "Hook type: one of the engine's, or any name of your own." }],
    options: {
      payload: text("file", "JSON file with the payload; - for stdin, which is the default."),
      run: text("run", "Run that it is about: hooks are told, and the journal gets HOOK_DISPATCHED."),
      "timeout-ms": text("n", "Time limit of each hook (default: 60000; on-iteration-start: 600000)."),
      "plugin-root": text("dir", "Root of a plugin whose hooks are the last tier."),
    },
    details:
      "Exit 0 also when hooks fail: `ok`, `error` and `hooks` say what became of them. Without --run nothing is recorded.",
    examples: [
      'echo \'{"runId":"test"}\' | babysitter hook:dispatch on-run-complete --json',
      "babysitter hook:dispatch pre-commit --run run-20260120-example --payload payload.json",
    ],
  },
  {
    name: "hook:run",
    summary: "Answer a hook of an agent host: its JSON on stdin, its answer on stdout.",
    positionals: [],
    options: {
      "hook-type": text("event", `One of ${HOOK_EVENTS.join(", ")}.`),
      harness: text("name", "Agent host: claude-code, or null (default: found out)."),
      "deadline-ms": text(
        "n",
        "The host is let go after this time (default: 60000, and 24 days where something is waited for).",
      ),
      "host-pid": text("pid", "Process of the host that has called the hook: a watch ends with it."),
      since: text("seconds", "When the stop came, in seconds since 1970: what a watch is about (default: now)."),
      ...SESSION_PLACE,
    },
    details:
      "Always prints exactly one JSON object and exits with 0: a hook that fails would end the loop in silence. What went wrong is in ~/.a5c/log/hooks.jsonl, in the journal, and in the next session's first message. The two watches wait while a session rests and exit with 2, the reason on stderr, when it is to go on: hosts that did not wait for them wake their agent with it.",
    examples: ["babysitter hook:run --hook-type stop --harness claude-code < input.json"],
  },
];
