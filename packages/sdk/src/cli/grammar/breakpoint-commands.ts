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
      disable: flag("Stop questions from starting the server; opens nothing."),
    },
    details:
      "Starts the server if it is not running. Without a display, and over SSH, it prints a link that signs in one browser, once, within ten minutes. Only a person at a terminal gets a link: in an agent's environment the command fails (exit 7). The inbox is a separate package: the program that inbox.program in your personal settings names, else the one installed next to this command.",
    examples: ["babysitter ui", "babysitter ui --no-open", "babysitter ui --enable"],
  },
  {
    name: "extension",
    summary: "Choose how you are notified of questions: Telegram, ntfy, Slack, Discord or a webhook.",
    positionals: [
      { name: "action", optional: true, help: "enable, disable, link or list (default: list)." },
      { name: "channel", optional: true, help: "telegram, ntfy, slack, discord or webhook." },
      {
        name: "value",
        optional: true,
        many: true,
        help: "Instead of flags: token and username, a topic, or the address.",
      },
    ],
    options: {
      token: text(
        "token",
        "Token of a Telegram bot or of an account on an ntfy server; - asks for it on the terminal.",
      ),
      username: text("name", "Telegram: your username."),
      "api-root": text("url", "Telegram: the address of another Bot API server."),
      server: text("url", "ntfy: the server (default: https://ntfy.sh)."),
      topic: text("name", "ntfy: the topic to publish to (default: a random one)."),
      "reply-token": text("token", "ntfy: a token that can only write to the reply topic; it is sent to your phone."),
      url: text("url", "Slack, Discord, webhook: the address; - asks for it on the terminal."),
      secret: text(
        "text",
        "Webhook: secret for signing each document, so that the receiver can check where it comes from.",
      ),
      fields: text("list", "What a message says: some of title,question,run,project,link,options,risk, or none."),
      topics: text("list", "What is sent: some of questions,trouble,report (default: all)."),
      files: flag("Let a bound chat fetch the files of a question."),
      "no-files": flag("Send no files (the default)."),
    },
    details:
      "Enabling, disabling and linking are for people at a terminal (exit 7 otherwise). Enabling again changes what you name and keeps the rest. `link telegram` makes a new link that binds your chat, once, within ten minutes; `link ntfy` shows the topic to subscribe to. Disabling forgets tokens, addresses, bound chats and what was sent. Secrets are never passed to another program as arguments.",
    examples: [
      "babysitter extension enable telegram --token - --username mia",
      "babysitter extension enable ntfy",
      "babysitter extension enable slack --url -",
      "babysitter extension list",
      "babysitter extension disable telegram",
    ],
  },
  {
    name: "notify:test",
    summary: "Send a test message through each channel, and wait until you tap it.",
    positionals: [
      { name: "channel", optional: true, many: true, help: "Only these channels (default: all enabled ones)." },
    ],
    options: { timeout: text("time", "Give up after 90s or 5m (default: 3m).") },
    details:
      "Shows the receipt of each test as it changes. Slack, Discord and webhooks get no further than accepted, because they do not report whether anyone has seen a message. Exit codes: 0 every receipt got as far as its channel allows, 1 a test failed, 11 not tapped in time.",
    examples: ["babysitter notify:test", "babysitter notify:test telegram --timeout 5m"],
  },
  {
    name: "breakpoint:list",
    summary: "List the questions waiting for a human, oldest first.",
    positionals: [{ name: "run", optional: true, help: "Run ID or run directory (default: all runs of the project)." }],
    options: {
      "all-runs": flag("Include answered questions and questions of ended runs."),
      "all-projects": flag("Every project in which you have runs, not only this one."),
    },
  },
  {
    name: "breakpoint:show",
    summary: "Show a question with its files, comments and answer.",
    positionals: [BREAKPOINT],
    options: { run: ITS_RUN },
    details:
      "Files are shown as they were when the question was asked; `changed since asked` marks a file that is different now. If you have enabled a channel (babysitter extension), it also shows the receipt of the notification: accepted by the service, tapped, unknown or failed.",
    examples: ["babysitter breakpoint:show effect-abc123"],
  },
  {
    name: "breakpoint:approve",
    summary: "Approve a question, or choose one of its options.",
    positionals: [BREAKPOINT],
    options: {
      run: ITS_RUN,
      option: text("label", "Choose one of the options; an option that means no is a rejection."),
      response: text("text", "A free-text answer."),
      shown: text("hash", "Fail unless the question still has this content hash."),
    },
    details:
      "The first decision is final; later ones get an error that quotes it (exit 7). In a run that belongs to an agent's session, only a person at a terminal can decide.",
    examples: ["babysitter breakpoint:approve effect-abc123", "babysitter breakpoint:approve abc123 --option later"],
  },
  {
    name: "breakpoint:reject",
    summary: "Reject a question, with a reason.",
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
      file: text("path", "The file the comment is about; must be one of those shown."),
      lines: text("n|n-m", "With --file: the lines the comment is about; they are quoted with it."),
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
    options: {
      since: text("time", "12h, 3d, or a date such as 2026-01-20 (default: 24h)."),
      "all-projects": flag("Every project in which you have runs, not only this one."),
    },
    examples: ["babysitter report --since 12h", "babysitter report --all-projects"],
  },
];
