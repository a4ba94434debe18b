/** Somebody has typed a slash command. Ours are carried out here: no model reads them first, no shell ever. */
import type { HostAnswer } from "../../harness/harness-adapter.js";
import type { HostCall } from "./host-call.js";
import { slashVerb } from "./slash-command-names.js";

export async function onExpansion(call: HostCall): Promise<HostAnswer> {
  const { command } = call.input;
  const verb = command === undefined ? undefined : slashVerb(command.name);
  if (command === undefined || verb === undefined) return {};
  const { COMMAND_LOADERS, slashCommands } = await import("../command-loaders.js");
  const { carryOut } = await slashCommands();
  return carryOut(call, { verb, args: command.args }, COMMAND_LOADERS);
}
