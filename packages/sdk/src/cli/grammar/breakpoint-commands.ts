/** The commands about questions to humans. */
import { type CommandSpec, flag, text } from "./command-spec.js";

const BREAKPOINT = { name: "breakpoint", help: "Id of the question, or the beginning of it." };
const ITS_RUN = text("run", "Run id or run directory (default: all runs of the project).");

export const BREAKPOINT_COMMANDS: readonly CommandSpec[] = [
  {
    name: "breakpoint:list",
    summary: "List the questions that wait for a human, the oldest first.",
    positionals: [{ name: "run", optional: true, help: "Run id or run directory (default: all runs of the project)." }],
    options: { "all-runs": flag("Answered questions and those of ended runs too.") },
  },
  {
    name: "breakpoint:show",
    summary: "Show a question: what is asked, the files as they were then, comments, the answer.",
    positionals: [BREAKPOINT],
    options: { run: ITS_RUN },
    details:
      "Files are shown as they were when the question was asked; `changed since asked` says that one is different now.",
    examples: ["babysitter breakpoint:show effect-abc123"],
  },
  {
    name: "breakpoint:approve",
    summary: "Answer a question with yes, or with one of its options.",
    positionals: [BREAKPOINT],
    options: {
      run: ITS_RUN,
      option: text("label", "One of the offered answers; one that means no is a rejection."),
      response: text("text", "An answer in words."),
      shown: text("hash", "Refuse unless this is what the question shows."),
    },
    details:
      "The first decision stays; whoever comes later is told what it was (exit 7). In a run of an agent's session only a person at a terminal counts.",
    examples: ["babysitter breakpoint:approve effect-abc123", "babysitter breakpoint:approve abc123 --option later"],
  },
  {
    name: "breakpoint:reject",
    summary: "Answer a question with no, and say why.",
    positionals: [BREAKPOINT],
    options: {
      run: ITS_RUN,
      reason: text("text", "Why; the process and its agents get to read it."),
      shown: text("hash", "Refuse unless this is what the question shows."),
    },
    examples: ['babysitter breakpoint:reject effect-abc123 --reason "the plan misses the migration"'],
  },
  {
    name: "breakpoint:comment",
    summary: "Say something about a question without deciding it.",
    positionals: [BREAKPOINT],
    options: { run: ITS_RUN, text: text("text", "The comment.") },
  },
  {
    name: "breakpoint:wait",
    summary: "Wait until a question is decided.",
    positionals: [BREAKPOINT],
    options: { run: ITS_RUN, timeout: text("time", "Give up after 90s, 30m, 12h or 2d (default: never).") },
    details: "Exit 0 approved, 10 rejected, 11 not decided in time, 12 the run was cancelled or ended without it.",
  },
  {
    name: "breakpoint:create",
    summary: "Ask a human something, without a process of your own.",
    positionals: [],
    options: {
      question: text("text", "What is asked."),
      title: text("text", "A short heading."),
      file: { ...text("path", "A file to look at; may be given several times."), many: true },
      option: { ...text("label", "An answer to choose from; may be given several times."), many: true },
      risk: text("low|medium|high", "What is at stake; high needs an identified person."),
      "run-id": text("id", "Id of the run that the question becomes."),
      wait: flag("Wait for the decision, with the exit codes of breakpoint:wait."),
      timeout: text("time", "With --wait: give up after 90s, 30m, 12h or 2d."),
    },
    examples: ['babysitter breakpoint:create --question "Deploy to production?" --file CHANGELOG.md --wait'],
  },
  {
    name: "report",
    summary: "What happened while you were away, and what waits for you.",
    positionals: [],
    options: { since: text("time", "12h, 3d, or a date such as 2026-01-20 (default: 24h).") },
    examples: ["babysitter report --since 12h"],
  },
];
