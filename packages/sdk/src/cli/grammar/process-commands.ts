/** The commands about processes that need no run. */
import { type CommandSpec, flag, INPUTS, text } from "./command-spec.js";

export const PROCESS_COMMANDS: readonly CommandSpec[] = [
  {
    name: "process:check",
    summary: "Check a process before it runs, and show what it would ask for.",
    positionals: [{ name: "file", many: true, help: "Process files (path#export)." }],
    options: {
      ...INPUTS,
      "max-steps": text("n", "End each play after this many results (default: 1000)."),
      strict: flag("Exit with 1 for warnings too."),
      replay: { type: "boolean", help: "Replay what another program has played.", hidden: true },
      here: { type: "boolean", help: "Check inside this process.", hidden: true },
    },
    details:
      "Loads the process and plays it with invented results, without executing a task or writing anything: once with every question approved, then with each question rejected. Results are invented from outputSchema, whose examples are used as they are. Reports wrong task definitions, missing awaits, requests that differ between plays, state kept in modules, and files, programs and connections used outside tasks (of these, only reads are allowed). Every finding has a code, a line and what to do. Exits with 0 when nothing is wrong, with 1 after errors; warnings and notes do not count.",
    examples: [
      "babysitter process:check .a5c/processes/example.mjs",
      "babysitter process:check .a5c/processes/*.mjs --strict --json",
    ],
  },
];
