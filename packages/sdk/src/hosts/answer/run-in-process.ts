/** Gives commands of ours inside of this process, in the name of the person who typed. */

import { COMMANDS, type CommandSpec } from "../../cli/grammar/command-table.js";
import type { Command, CommandResult, Invocation } from "../../cli/grammar/invocation.js";
import { parseArguments } from "../../cli/grammar/parse-arguments.js";
import { makePaint } from "../../cli/output/paint.js";
import { findPlaces, type Places } from "../../machine/file-places.js";
import { BabysitterError } from "../../model/errors.js";
import { isAgentEnvironment } from "../environments.js";
import type { CommandLine } from "./slash-commands.js";

export type CommandLoaders = Readonly<Record<string, () => Promise<{ command: Command }>>>;

interface Surroundings {
  cwd: string;
  env: Invocation["env"];
  loaders: CommandLoaders;
}

/** Answers what the command answers; what it throws is for the caller. */
export async function runInProcess(line: CommandLine, { cwd, env, loaders }: Surroundings): Promise<CommandResult> {
  const [name, ...rest] = line;
  const spec = COMMANDS.find((candidate) => candidate.name === name);
  const load = loaders[name];
  if (spec === undefined || load === undefined) throw new BabysitterError("USAGE", `There is no command "${name}".`);
  const { positionals, options } = parseArguments(withLoopOptions(spec), rest);
  const own = personalEnvironment(env);
  let places: Places | undefined;
  const { command } = await load();
  return command({
    name,
    positionals,
    options,
    json: false,
    verbose: false,
    paint: makePaint(false, own),
    cwd,
    env: own,
    places: () => (places ??= findPlaces({ runsDir: options.text("runs-dir"), cwd, env: own })),
  });
}

/**
 * A slash command is given for its session, with what is agreed on there. Where a command binds a run to a session,
 * it makes the contract from the same options as the command that begins a loop.
 */
function withLoopOptions(spec: CommandSpec): CommandSpec {
  const start = COMMANDS.find(({ name }) => name === "loop:start");
  return { ...spec, options: { ...start?.options, ...spec.options } };
}

/** The host marks its hooks as it marks the commands of its agent, but here it hands on what the user has typed. */
function personalEnvironment(env: Invocation["env"]): Invocation["env"] {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !isAgentEnvironment({ [name]: "" })));
}
