/** `babysitter-breakpoints`: starts the server of this person, and tells whether it runs. */
import path from "node:path";
import { parseArgs } from "node:util";
import { BabysitterError, VERSION } from "@a5c-ai/babysitter-sdk";
import { type InboxDesk, openDesk, openInbox } from "@a5c-ai/babysitter-sdk/operate";
import { Questions } from "./desk/questions.js";
import { machineApi } from "./http/machine-api.js";
import { whyNotForMachines } from "./rules/refuse-request.js";
import { listen } from "./server/listen.js";
import { readServerRecord, removeServerRecord, type ServerRecord, writeServerRecord } from "./server/server-record.js";

const API_PORT = 3185;
const LARGEST_PORT = 65_535;
/** A server that is told to end answers nobody else, and ends. */
const PATIENCE_MS = 10_000;
const LOOK_MS = 20;

const HELP = `Usage: babysitter-breakpoints <command>

  start     take questions and answers on this machine, until Ctrl-C
  stop      end the server that runs
  status    say whether one runs, and where
  open      open the inbox in your browser, signed in; starts a server if none runs

  --api-port <n>   port for programs (default: ${API_PORT})
  --no-open        with open: print the link instead
  --json           print one JSON document
  --help           show this
`;

type Environment = NodeJS.ProcessEnv;

/** Answers the exit code. */
export async function main(args: readonly string[], env: Environment): Promise<number> {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        port: { type: "string" },
        "api-port": { type: "string" },
        "no-open": { type: "boolean" },
        json: { type: "boolean" },
        help: { type: "boolean" },
      },
    });
    const [command, ...others] = positionals;
    if (values.help === true || command === undefined) return say(HELP);
    if (others.length > 0) throw usage(`There is nothing to do with ${JSON.stringify(others[0])}.`);
    const desk = deskOf(env);
    if (command === "start") return await start(desk, portOf(values["api-port"]), values.json === true);
    if (command === "stop") return await stop(desk, values.json === true);
    if (command === "status") return await status(desk, values.json === true);
    if (command === "open") return await open(env, values.json === true, values["no-open"] !== true);
    throw usage(`There is no command ${JSON.stringify(command)}.`);
  } catch (error) {
    return fail(error, args.includes("--json"));
  }
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

async function start(desk: InboxDesk, port: number, json: boolean): Promise<number> {
  const running = await runningServer(desk);
  if (running !== undefined) return tell(json, { ...running, running: true }, `It runs already: ${placeOf(running)}`);
  desk.access.shorten();
  const questions = new Questions(desk);
  const api = await listen(machineApi({ questions, version: VERSION, onError: logError }), {
    port,
    guard: whyNotForMachines,
  });
  try {
    const record: ServerRecord = { ...desk.self(), apiPort: api.port, since: new Date().toISOString() };
    writeServerRecord(desk.folder, record);
    tell(json, { ...record, running: true }, `Questions are answered at ${placeOf(record)}\nCtrl-C ends it.`);
    await new Promise<void>((resolve) => {
      for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => resolve());
    });
    removeServerRecord(desk.folder);
    return 0;
  } finally {
    await api.close();
  }
}

function logError(error: unknown): void {
  process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
}

async function stop(desk: InboxDesk, json: boolean): Promise<number> {
  const running = await runningServer(desk);
  if (running === undefined) return tell(json, { running: false }, "No server runs.");
  process.kill(running.pid, "SIGTERM");
  for (const patience = Date.now() + PATIENCE_MS; (await runningServer(desk)) !== undefined; ) {
    if (Date.now() > patience) throw stillRunning(running);
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
  return tell(json, { ...running, running: false }, `Ended: ${placeOf(running)}`);
}

function stillRunning({ pid }: ServerRecord): BabysitterError {
  return new BabysitterError("SYSTEM_REFUSED", `Process ${pid} was told to end, and has not.`, {
    hint: `End it by hand: kill -9 ${pid}`,
    details: { pid },
  });
}

async function status(desk: InboxDesk, json: boolean): Promise<number> {
  const running = await runningServer(desk);
  if (running === undefined)
    return tell(json, { running: false }, "No server runs. To start one: babysitter-breakpoints start");
  return tell(json, { ...running, running: true }, `It runs: ${placeOf(running)}`);
}

async function open(env: Environment, json: boolean, browser: boolean): Promise<number> {
  const { document, text } = await openInbox({ env, program: process.argv[1], browser });
  return tell(json, document, text);
}

/** The server of this person, if it answers: a record alone may be what a crash has left. */
async function runningServer({ folder }: InboxDesk): Promise<ServerRecord | undefined> {
  const record = readServerRecord(folder);
  if (record === undefined) return undefined;
  try {
    const response = await fetch(`http://127.0.0.1:${record.apiPort}/health`, { signal: AbortSignal.timeout(2_000) });
    const { pid } = (await response.json()) as { pid?: unknown };
    return pid === record.pid ? record : undefined;
  } catch {
    return undefined;
  }
}

function placeOf({ apiPort, pid }: ServerRecord): string {
  return `http://localhost:${apiPort} (process ${pid})`;
}

function portOf(text: string | undefined): number {
  if (text === undefined) return API_PORT;
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  if (!(port <= LARGEST_PORT))
    throw usage(`--api-port is a number up to ${LARGEST_PORT}, not ${JSON.stringify(text)}.`);
  return port;
}

function tell(json: boolean, document: object, text: string): number {
  return say(json ? JSON.stringify(document) : text);
}

function say(text: string): number {
  process.stdout.write(text.endsWith("\n") ? text : `${text}\n`);
  return 0;
}

function usage(message: string): BabysitterError {
  return new BabysitterError("USAGE", message, { hint: "babysitter-breakpoints --help" });
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
  return new BabysitterError("SYSTEM_REFUSED", `The system refuses: ${error.message}.`, {
    hint: "Remove the cause, then run the command again.",
    details: { code, syscall },
  });
}
