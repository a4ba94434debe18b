/** The command line. What is imported here is loaded by every command: keep it small. */

import type { Trace } from "../machine/caller.js";
import { PROCESS_WORKER, TASK_RUNNER, VERIFIER } from "../machine/children/program-names.js";
import { findPlaces, type Places } from "../machine/file-places.js";
import { refusedBySystem } from "../model/errno.js";
import { BabysitterError } from "../model/errors.js";
import { quotedLines, shownMessage } from "../model/shown-text.js";
import { forTerminal } from "../model/terminal-text.js";
import { VERSION } from "../model/version.js";
import { withTypedWay } from "./arguments/typed-way.js";
import { failOpenOnUsage, command as hookRun } from "./commands/hook-run.js";
import type { FoundCommand } from "./grammar/find-command.js";
import { HOOK_RUN } from "./grammar/hook-commands.js";
import type { Command, CommandResult, Invocation } from "./grammar/invocation.js";
import { parseArguments } from "./grammar/parse-arguments.js";
import { errorDocument } from "./output/error-document.js";
import { isTerminal } from "./output/is-terminal.js";
import { writeFully } from "./output/output.js";
import { makePaint } from "./output/paint.js";

/** Taken before any process can replace it. */
const exit = process.exit.bind(process);

async function main(argv: string[]): Promise<void> {
  if (argv.length === 1 && (argv[0] === "--version" || argv[0] === "-v")) return finish(VERSION, 0);
  if (argv[0] === PROCESS_WORKER) return (await (await programs()).processWorker()).runProcessWorker(argv.slice(1));
  if (argv[0] === TASK_RUNNER) return (await (await programs()).taskRunner()).runTasks(argv.slice(1));
  if (argv[0] === VERIFIER) return (await (await programs()).verifier()).runVerification(argv.slice(1));
  const json = argv.includes("--json");
  const verbose = argv.includes("--verbose");
  try {
    const result = await dispatch(argv, { json, verbose });
    if (result.raw !== undefined) return finish(result.raw, result.exitCode ?? 0);
    finish(json ? JSON.stringify(result.document, null, 2) : await shown(result.text), result.exitCode ?? 0);
  } catch (error) {
    const command = await commandOf(argv);
    // A host must not be held, or told nonsense, because its hook was called in a wrong way.
    if (command === HOOK_RUN.name) return finish(failOpenOnUsage(error, process.env, folderOfCall(command)), 0);
    await fail(error, { json, verbose, command });
  }
}

async function shown(text: string): Promise<string> {
  if (!isTerminal(1)) return forTerminal(text);
  const { forScreen, screenHere } = await import("./output/for-screen.js");
  return forScreen(forTerminal(text, { colours: true }), screenHere(), "add --json, or write it to a file with >");
}

async function dispatch(
  argv: string[],
  { json, verbose }: { json: boolean; verbose: boolean },
): Promise<CommandResult> {
  const found = await findNamed(argv.filter((argument) => argument !== "-h"));
  const wantsHelp = argv.includes("--help") || argv.includes("-h");
  if (found === undefined || (wantsHelp && !isAboutProcess(found))) return help(argv, found?.spec);
  if (argv.includes("--version")) return { document: { version: VERSION }, text: VERSION };
  const { spec, positionals, options } = parseArguments(found.spec, found.rest);
  const { calledAs } = found;
  const { env } = process;
  const cwd = folderOfCall(spec.name);
  const trace = traceOf(spec.name, verbose);
  let places: Places | undefined;
  const invocation: Invocation = {
    name: spec.name,
    calledAs,
    positionals,
    options,
    json,
    verbose,
    paint: makePaint(!json && isTerminal(1), env),
    cwd,
    env,
    places: () => (places ??= traced(findPlaces({ runsDir: options.text("runs-dir"), cwd, env }), trace)),
    trace,
    notice: spec.name === HOOK_RUN.name ? undefined : (line) => writeFully(2, `note: ${forTerminal(line)}\n`),
  };
  const result = wantsHelp
    ? await (await (await programs()).runPreview()).helpAbout(invocation, spec)
    : await (await commandOfSpec(spec.name))(invocation);
  trace?.(`exit code ${result.exitCode ?? 0}`);
  return result;
}

/** `run --help <process>` is about the process, too. */
function isAboutProcess({ spec, rest }: FoundCommand): boolean {
  return spec.name === "run" && rest.some((argument) => !argument.startsWith("-"));
}

/** Every line says how long after the start of the program it was written. Hosts take what their hooks say there. */
function traceOf(command: string, verbose: boolean): Trace | undefined {
  if (!verbose || command === HOOK_RUN.name) return undefined;
  return (line) => writeFully(2, `${String(Math.round(performance.now())).padStart(5)} ms  ${forTerminal(line)}\n`);
}

function traced(places: Places, trace: Trace | undefined): Places {
  trace?.(`project ${places.projectRoot}, runs in ${places.runsDir}`);
  return places;
}

/** Agents delete the folders they are in; their host must still get its answer. */
function folderOfCall(command: string): string {
  try {
    return process.cwd();
  } catch (error) {
    if (command === HOOK_RUN.name) return "/";
    throw error;
  }
}

/** Read when there is something to do. */
function programs(): Promise<typeof import("./command-loaders.js")> {
  return import("./command-loaders.js");
}

async function commandOfSpec(name: string): Promise<Command> {
  if (name === HOOK_RUN.name) return hookRun;
  const load = (await programs()).COMMAND_LOADERS[name];
  if (load === undefined) throw new BabysitterError("INTERNAL", `${name} is not implemented.`);
  return (await load()).command;
}

/** Hosts call their hook all the time, so the table of all commands is not read for it. */
async function findNamed(argv: string[]): Promise<FoundCommand | undefined> {
  const [calledAs, ...rest] = argv;
  if (calledAs === HOOK_RUN.name) return { spec: HOOK_RUN, calledAs, rest };
  return (await programs()).findCommand(argv);
}

async function help(
  argv: string[],
  spec: Parameters<typeof import("./grammar/help.js").renderCommandHelp>[0] | undefined,
): Promise<CommandResult> {
  const { renderCommandHelp, renderOverview } = await import("./grammar/help.js");
  if (spec !== undefined) return { document: { help: renderCommandHelp(spec) }, text: renderCommandHelp(spec) };
  const unknown = argv.find(
    (argument) => argument.startsWith("-") && !["--help", "-h", "--json", "--verbose", "--version"].includes(argument),
  );
  if (unknown !== undefined)
    throw new BabysitterError("USAGE", `Option ${unknown} needs a command.`, {
      hint: "`babysitter --help` lists the commands.",
    });
  if (argv.includes("--version")) return { document: { version: VERSION }, text: VERSION };
  return { document: { help: renderOverview() }, text: renderOverview(), exitCode: argv.length === 0 ? 2 : 0 };
}

/** The command that was meant, as far as that can be said. */
async function commandOf(argv: string[]): Promise<string | undefined> {
  try {
    return (await findNamed(argv))?.spec.name;
  } catch {
    return undefined;
  }
}

async function fail(
  thrown: unknown,
  { json, verbose, command }: { json: boolean; verbose: boolean; command: string | undefined },
): Promise<void> {
  const error = BabysitterError.is(thrown) ? withTypedWay(thrown, process.env) : internalError(thrown);
  if (json) return finish(JSON.stringify(errorDocument(command, error), null, 2), error.exitCode);
  const trace = verbose && thrown instanceof Error ? quotedLines(thrown.stack ?? "") : [];
  const hint = error.hint === undefined ? [] : [`  ${shownMessage(error.hint)}`];
  const paint = makePaint(isTerminal(2), process.env);
  const message = `${paint("red", `error ${error.code}`)}: ${shownMessage(error.message)}`;
  const text = `${[message, ...hint, ...trace].join("\n")}\n`;
  writeFully(2, isTerminal(2) ? await cutError(text) : text);
  exit(error.exitCode);
}

const MAX_ERROR_LINES = 100;

async function cutError(text: string): Promise<string> {
  const { forScreen, screenHere } = await import("./output/for-screen.js");
  return forScreen(text, screenHere(), "add --json, or write them to a file with 2>", MAX_ERROR_LINES);
}

function internalError(thrown: unknown): BabysitterError {
  const refused = refusedBySystem(thrown);
  if (refused !== undefined) return refused;
  const message = thrown instanceof Error ? `${thrown.name}: ${thrown.message}` : String(thrown);
  const stack = thrown instanceof Error ? (thrown.stack ?? "") : "";
  return new BabysitterError("INTERNAL", message, {
    hint: "This is a bug in babysitter; please report it with the command and its --verbose output.",
    details: { stack },
    cause: thrown,
  });
}

/** Prints and ends: whatever a process has left open must not keep the command alive. */
function finish(text: string, exitCode: number): void {
  writeFully(1, text.endsWith("\n") || text === "" ? text : `${text}\n`);
  exit(exitCode);
}

// A program that imports `./operate` shares files with this one, and does not want to become it (tools/bundle.mjs).
if (!Object.hasOwn(globalThis, Symbol.for("@a5c-ai/babysitter-sdk/loading"))) {
  // A umask that takes rights from the owner would keep us from reading what we have written.
  process.umask(process.umask(0o077) & 0o077);
  void main(process.argv.slice(2));
}
