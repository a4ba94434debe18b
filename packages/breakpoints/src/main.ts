/** `babysitter-breakpoints`: starts the server of this person, and tells whether it runs. */
import path from "node:path";
import { parseArgs } from "node:util";
import { BabysitterError } from "@a5c-ai/babysitter-sdk";
import { type InboxDesk, openDesk } from "@a5c-ai/babysitter-sdk/operate";
import { type Call, type Command, say, usage } from "./commands/command.js";
import { exportRun } from "./commands/export.js";
import { extension } from "./commands/extension.js";
import { notify } from "./commands/notify-test.js";
import { open } from "./commands/open.js";
import { start } from "./commands/start.js";
import { status } from "./commands/status.js";
import { stop } from "./commands/stop.js";
import { worker } from "./commands/worker.js";

const PORT = 3184;
const API_PORT = 3185;
const LARGEST_PORT = 65_535;

const HELP = `Usage: babysitter-breakpoints <command>

  start     serve the inbox on this machine, until Ctrl-C
  stop      stop the running server
  status    say whether a server is running, and where
  open      open the inbox in your browser, signed in; starts a server if none runs
  worker    send notifications, until Ctrl-C; a server does this itself
  extension enable|disable|link <channel>, or list
            how you are notified: telegram, ntfy, slack, discord, webhook
  notify test [channel…]
            send a test through each channel, and wait until you tap it
  export <run-directory> [--redact] [--preview] [--out <file>] [--force]
            write a run to one file that needs no server

  --port <n>       port for browsers (default: ${PORT})
  --api-port <n>   port for programs (default: ${API_PORT})
  --no-open        with open: print the link instead
  --no-worker      with start: leave notifications to a separate worker
  --json           print one JSON document
  --help           show this

  DB_PATH          file of the index (default: index.db in the inbox's folder)
  REPO_ROOT        a project that no command has registered yet
  WORKER_POLL_MS   how often to look for messages to send, in milliseconds (default: 2000)
  WORKER_BATCH_SIZE
                   how many messages to send at once, through different channels (default: 10)
  TELEGRAM_DEBUG   log what Telegram delivers

  For the flags of extension, notify and export: babysitter help extension, babysitter help notify:test,
  babysitter help run:export
`;

const COMMANDS: Readonly<Record<string, Command>> = { start, stop, status, open, worker };

/** Commands with words and flags of their own, which they read themselves. */
const WITH_WORDS: Readonly<Record<string, (call: Call, args: readonly string[]) => Promise<number>>> = {
  export: exportRun,
  extension,
  notify,
};

type Environment = NodeJS.ProcessEnv;

/** Answers the exit code. */
export async function main(args: readonly string[], env: Environment): Promise<number> {
  try {
    const [first = "", ...words] = args;
    const withWords = Object.hasOwn(WITH_WORDS, first) ? WITH_WORDS[first] : undefined;
    if (withWords !== undefined && !words.includes("--help"))
      return await withWords(callOf(env, { json: words.includes("--json") }), words);
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        port: { type: "string" },
        "api-port": { type: "string" },
        "no-open": { type: "boolean" },
        "no-worker": { type: "boolean" },
        json: { type: "boolean" },
        help: { type: "boolean" },
      },
    });
    const [name, ...others] = positionals;
    if (values.help === true || name === undefined) return say(HELP);
    const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
    if (command === undefined) throw usage(`There is no command ${JSON.stringify(name)}.`);
    if (others.length > 0) throw usage(`Unexpected argument: ${JSON.stringify(others[0])}.`);
    return await command(callOf(env, values));
  } catch (error) {
    return fail(error, args.includes("--json") || isJsonForNpm(env));
  }
}

interface Flags {
  port?: string | undefined;
  "api-port"?: string | undefined;
  "no-open"?: boolean | undefined;
  "no-worker"?: boolean | undefined;
  json?: boolean | undefined;
}

function callOf(env: Environment, flags: Flags): Call {
  return {
    desk: deskOf(env),
    env,
    port: portIn("--port", flags.port, PORT),
    apiPort: portIn("--api-port", flags["api-port"], API_PORT),
    indexFile: env["DB_PATH"] ? path.resolve(env["DB_PATH"]) : undefined,
    browser: flags["no-open"] !== true,
    json: flags.json === true || isJsonForNpm(env),
    worker: flags["no-worker"] !== true,
  };
}

/** npm takes --json for its own. */
function isJsonForNpm(env: Environment): boolean {
  return env["npm_lifecycle_event"] === "cli" && env["npm_config_json"] === "true";
}

/** The projects of this person, and the one that REPO_ROOT names. */
function deskOf(env: Environment): InboxDesk {
  const desk = openDesk({ env });
  const named = env["REPO_ROOT"];
  if (!named) return desk;
  const projectRoot = path.resolve(named);
  const runsDir = path.resolve(projectRoot, env["RUNS_DIR"] ?? path.join(".a5c", "runs"));
  const projects = (): ReturnType<InboxDesk["projects"]> => {
    const known = desk.projects();
    const isKnown = known.some((project) => project.runsDir === runsDir);
    return isKnown ? known : [...known, { projectRoot, runsDir, at: new Date().toISOString() }];
  };
  return { ...desk, projects };
}

function portIn(flag: string, text: string | undefined, usual: number): number {
  if (text === undefined) return usual;
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  if (!(port <= LARGEST_PORT))
    throw usage(`${flag} must be a number up to ${LARGEST_PORT}, not ${JSON.stringify(text)}.`);
  return port;
}

function fail(thrown: unknown, json: boolean): number {
  const error = coded(thrown);
  if (!BabysitterError.is(error)) throw error;
  const { code, message, hint, details, exitCode } = error;
  if (json) process.stdout.write(`${JSON.stringify({ error: { code, message, hint, details } })}\n`);
  else process.stderr.write(`${message}\n${hint === undefined ? "" : `${hint}\n`}`);
  return exitCode;
}

/** What was typed wrong, or what the system has refused, as one of our errors. */
function coded(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const { code = "", syscall } = error as NodeJS.ErrnoException;
  if (code.startsWith("ERR_PARSE_ARGS")) return usage(error.message);
  if (syscall === undefined) return error;
  return new BabysitterError("SYSTEM_REFUSED", `The system refused: ${error.message}.`, {
    hint: "Remove the cause, then run the command again.",
    details: { code, syscall },
  });
}
