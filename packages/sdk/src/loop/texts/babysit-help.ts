import { BABYSIT_FLAGS } from "../formats/babysit-flags.js";

const COLUMN = 34;

function flagLine([name, { value, help, many }]: [string, (typeof BABYSIT_FLAGS)[string]]): string {
  const shown = value.includes(" ") || value === "text" || value === "title" || value === "glob" ? `'${value}'` : value;
  return `  ${`--${name} ${shown}${many === true ? " …" : ""}`.padEnd(COLUMN)} ${help}`;
}

/** What `/babysit --help` shows. */
export const BABYSIT_HELP = `/babysit PROMPT [flags]              keep the agent working until the task is done
/babysit --plan TASK [flags]         have the agent write a process, check it, ask you, and follow it
/babysit --process FILE#EXPORT       run a process
/babysit resume RUN [flags]          resume a run (also /babysitter:resume RUN)
/babysit resume RUN --take [flags]   the same, even if another session is working on it
/babysit                             show the status
/babysitter:status, :report, :verify [RUN]        look at a loop, or check its criteria now
/babysitter:pause, :cancel, :resume, :amend [RUN] stop it, continue it, change its contract
/babysitter:approve, :reject QUESTION             answer a question of a run (without one: list them)

Flags may appear anywhere in the text:
${Object.entries(BABYSIT_FLAGS).map(flagLine).join("\n")}
  ${"-h, --help".padEnd(COLUMN)} show this help

--flag VALUE and --flag=VALUE are the same. Put a value with spaces in '…' or "…"; in "…" write \\" for a quote and
\\\\ for a backslash. Everything else is the prompt. It may contain any characters; quotes in it have no special meaning.
If a word of the prompt looks like a flag, put the flags first, then --, then the prompt, which is taken literally.

Examples:
  /babysit Fix the login bug --criteria 'tests: npm test' --max-iterations 20
  /babysit Write the changelog for 2.0 --completion-promise 'CHANGELOG READY' --max-time 30m
  /babysit Port src/api to Fastify --step 'routes' --step 'errors' --criteria 'tests: npm test' --protect 'tests/**'
  /babysit --max-iterations 5 -- Explain what --verbose does
  /babysit --process processes/release.js#release --inputs inputs.json

To stop: press Esc at any time, then use /babysitter:pause, /babysitter:cancel or /babysitter:resume. Nothing is lost.
The loop ends when the agent says that it is done and the engine has found all criteria, if any, met.
`;
