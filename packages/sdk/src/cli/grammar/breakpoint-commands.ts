/** The commands about questions to humans. */
import { type CommandSpec, flag, text } from "./command-spec.js";

const BREAKPOINT = { name: "breakpoint", help: "ID of the question, or the start of it." };
const ITS_RUN = text("run", "Run ID or run directory (default: all runs of the project).");

export const BREAKPOINT_COMMANDS: readonly CommandSpec[] = [
  {
    name: "ui",
    summary: "Open the inbox in your browser, signed in: the questions of all your projects.",
    positionals: [],
    options: {
      "no-open": flag("Print the link instead of opening the browser."),
      enable: flag("Let questions start the inbox's server from now on; opens nothing."),
      disable: flag("Let questions start nothing; opens nothing."),
    },
    details:
      "Starts the server if none runs. Without a display, and over SSH, it prints a link that signs in one browser, once, within ten minutes. Only a person at a terminal gets a link: in an agent's environment the command fails (exit 7). The inbox is a package of its own, found where your personal settings say (inbox.program), else beside this command.",
    examples: ["babysitter ui", "babysitter ui --no-open", "babysitter ui --enable"],
  },
  {
    name: "breakpoint:list",
    summary: "List the questions waiting for a human, oldest first.",
    positionals: [{ name: "run", optional: true, help: "Run ID or run directory (default: all runs of the project)." }],
    options: { "all-runs": flag("Include answered questions and questions of ended runs.") },
  },
  {
    name: "breakpoint:show",
    summary: "Show a question with its files, comments and answer.",
    positionals: [BREAKPOINT],
    options: { run: ITS_RUN },
    details:
      "Files are shown as they were when the question was asked; `changed since asked` marks a file that is different now.",
    examples: ["babysitter breakpoint:show effect-abc123"],
  },
  {
    name: "breakpoint:approve",
    summary: "Answer a question with yes, or with one of its options.",
    positionals: [BREAKPOINT],
    options: {
      run: ITS_RUN,
      option: text("label", "One of the offered answers; an option that means no is a rejection."),
      response: text("text", "A free-text answer."),
      shown: text("hash", "Fail unless the question still has this content hash."),
    },
    details:
      "The first decision is final; later ones get an error that quotes it (exit 7). In a run that belongs to an agent's session, only a person at a terminal can decide.",
    examples: ["babysitter breakpoint:approve effect-abc123", "babysitter breakpoint:approve abc123 --option later"],
  },
  {
    name: "breakpoint:reject",
    summary: "Answer a question with no, and give a reason.",
    positionals: [BREAKPOINT],
    options: {
      run: ITS_RUN,
      reason: text("text", "The reason; the process and its agents can read it."),
      shown: text("hash", "Fail unless the question still has this content hash."),
    },
    examples: ['babysitter breakpoint:reject effect-abc123 --reason "the plan misses the migration"'],
  },
  {
    name: "breakpoint:comment",
    summary: "Comment on a question without deciding it.",
    positionals: [BREAKPOINT],
    options: {
      run: ITS_RUN,
      text: text("text", "The comment."),
      file: text("path", "The file that it is about, one of those shown."),
      lines: text("n|n-m", "With --file: the lines that it is about; they are quoted to whoever reads it."),
      base: flag("With --file: the lines are those of the file before the change."),
    },
    examples: ['babysitter breakpoint:comment abc123 --file plan.md --lines 12-14 --text "the migration comes first"'],
  },
  {
    name: "breakpoint:wait",
    summary: "Wait until a question is decided.",
    positionals: [BREAKPOINT],
    options: { run: ITS_RUN, timeout: text("time", "Give up after 90s, 30m, 12h or 2d (default: never).") },
    details:
      "Exit codes: 0 approved, 10 rejected, 11 not decided in time, 12 the run was cancelled or ended without a decision.",
  },
  {
    name: "breakpoint:create",
    summary: "Ask a human a question without writing a process.",
    positionals: [],
    options: {
      question: text("text", "The question."),
      title: text("text", "A short heading."),
      file: { ...text("path", "A file to review; repeatable."), many: true },
      option: { ...text("label", "An answer to choose from; repeatable."), many: true },
      risk: text("low|medium|high", "Risk level; high requires an identified person."),
      "run-id": text("id", "ID for the run that holds the question."),
      wait: flag("Wait for the decision, with the exit codes of breakpoint:wait."),
      timeout: text("time", "With --wait: give up after 90s, 30m, 12h or 2d."),
    },
    examples: ['babysitter breakpoint:create --question "Deploy to production?" --file CHANGELOG.md --wait'],
  },
  {
    name: "report",
    summary: "Show what happened while you were away and what needs your input.",
    positionals: [],
    options: { since: text("time", "12h, 3d, or a date such as 2026-01-20 (default: 24h).") },
    examples: ["babysitter report --since 12h"],
  },
];
