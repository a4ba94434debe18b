/** Somebody has typed a slash command. Ours are carried out here: no model reads them first, no shell ever. */
import type { HostAnswer } from "../host.js";
import type { HostHookCall } from "./host-call.js";
import { slashVerb } from "./slash-command-names.js";

export async function onExpansion(call: HostHookCall): Promise<HostAnswer> {
  const { command } = call.input;
  const verb = command === undefined ? undefined : slashVerb(command.name);
  if (command === undefined || verb === undefined) return {};
  return call.machine.runSlashCommand(call, { verb, args: command.args });
}
