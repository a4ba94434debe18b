import { BABYSIT_FLAGS } from "../formats/babysit-flags.js";

const COLUMN = 32;

function flagLine([name, { value, help, many }]: [string, (typeof BABYSIT_FLAGS)[string]]): string {
  return `  ${`--${name} ${value}`.padEnd(COLUMN)} ${help}${many === true ? "; may be repeated" : ""}`;
}

/** What `/babysit --help` shows. */
export const BABYSIT_HELP = `/babysit PROMPT [flags]              keep the agent at it until the work is done
/babysit --process FILE#EXPORT       run a process
/babysit resume RUN [flags]          go on with a run (also /babysitter:resume RUN)
/babysit resume RUN --take [flags]   the same, although another session works on it
/babysit                             where it stands

Flags, anywhere in the text:
${Object.entries(BABYSIT_FLAGS).map(flagLine).join("\n")}
  ${"-h, --help".padEnd(COLUMN)} this text

--flag VALUE and --flag=VALUE are the same. A value with spaces goes into '…' or "…"; in "…" write \\" for a quote and
\\\\ for a backslash. Everything else is the prompt, with any characters in it; quotes in the prompt are just quotes.
A word of the prompt that looks like a flag: put the flags first, then --, then the prompt, which is taken as it is.

Examples:
  /babysit Fix the login bug --criteria 'tests: npm test' --max-iterations 20
  /babysit Write the changelog for 2.0 --completion-promise 'CHANGELOG READY' --max-time 30m
  /babysit Port src/api to Fastify --step 'routes' --step 'errors' --criteria 'tests: npm test' --protect 'tests/**'
  /babysit --max-iterations 5 -- Explain what --verbose does
  /babysit --process processes/release.js#release --inputs inputs.json

To stop: press Esc at any time; then /babysitter:pause, /babysitter:cancel or /babysitter:resume. Nothing is lost.
The loop ends when the agent says that it is done and, where there are criteria, the engine has found them met.
`;
