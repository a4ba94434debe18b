/** What is true of many commands, told once: `babysitter help <topic>`. */
import { EXIT_CODES } from "../../model/error-codes.js";

interface HelpTopic {
  about: string;
  text: string;
}

export const HELP_TOPICS: Readonly<Record<string, HelpTopic>> = {
  names: {
    about: "How to name runs, tasks and questions.",
    text: `Every command that takes a run takes any of these:
  nothing            the only open run; a failed run only while it is the newest
  a1b2c3             any beginning or end of its ID that no other run has (3 letters or more)
  @2                 the second run that babysitter run:list shows; not for cancel and prune
  --last             the run with the newest event
  .a5c/runs/<id>     its directory

IDs of tasks and questions are shortened in the same way; the title of a task will do too. An
ID always means itself. If a short name means several, the command lists them and does nothing.`,
  },
  inputs: {
    about: "How to give inputs to a process.",
    text: `  babysitter run build --input count=3 --input name=web
  babysitter run build --inputs '{"count":3}'
  babysitter run build --inputs inputs.json
  generate | babysitter run build --inputs -

A value after --input is read as JSON if possible, otherwise as text. --input adds to --inputs.
"build" is .a5c/processes/build.mjs (or .js, .ts …); a path works too.

A process that exports an inputSchema (JSON Schema) gets only inputs that match it:
  babysitter run --help build     shows what it takes
  babysitter run build --dry-run  shows what it would ask for first, and creates nothing`,
  },
  "exit-codes": {
    about: "What the numbers mean.",
    text: [
      ...Object.values(EXIT_CODES).map(({ exit, meaning }) => `${String(exit).padStart(5)}  ${meaning}`),
      "",
      "run:iterate exits with 0 even when the run has failed; with --exit-code, the run's state decides.",
    ].join("\n"),
  },
  states: {
    about: "What the states of a run mean.",
    text: `  created    nothing was asked for yet
  running    the process can continue: babysitter run <run>
  waiting    for a task, an answer or a time: babysitter run:status <run> says for what
  paused     a loop that waits for you: babysitter loop:resume <run>
  blocked    code and journal disagree; nothing is lost, the report says what to do
  failed     the process threw; fix the cause and continue: babysitter run <run>
  completed  the process returned; its completion proof exists
  cancelled  ended for good; babysitter run:fork <run> continues in a copy`,
  },
  decisions: {
    about: "Who may answer questions, and how.",
    text: `  babysitter ui                                    all questions in the browser
  babysitter breakpoint:list                       what waits for you here, in every run
  babysitter breakpoint:show <id>                  the question with its files
  babysitter breakpoint:approve <id>
  babysitter breakpoint:reject <id> --reason "…"

babysitter run asks on the terminal. In a run that belongs to an agent's session, only a
person can decide: at a terminal, in the agent's own dialog or in the inbox. To decide a
high-risk question at a terminal, type the name of the run. The first decision is final.`,
  },
  scripts: {
    about: "How to use babysitter in scripts and CI.",
    text: `  --json         exactly one JSON document on stdout, errors included: {"error": {"code", …}}
  --plain        plain lines instead of the live view (the default without a terminal)
  --runs-dir     another folder for runs; env RUNS_DIR
  --verbose      on stderr, what is read and written

babysitter run exits with the code of the run's state (babysitter help exit-codes). Without
a terminal it does not ask: it exits with 3 and says how to answer. Codes and numbers stay
as they are; wording may change.`,
  },
};

export function renderTopics(): string {
  const width = Math.max(...Object.keys(HELP_TOPICS).map((name) => name.length));
  return [
    "Topics:",
    ...Object.entries(HELP_TOPICS).map(([name, { about }]) => `  ${name.padEnd(width)}  ${about}`),
    "",
    "babysitter help <topic> shows one of them.",
  ].join("\n");
}
