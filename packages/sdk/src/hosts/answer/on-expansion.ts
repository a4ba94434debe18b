/** Someone typed a slash command. Ours run here: no model reads them first, and no shell ever does. */
import type { HostAnswer } from "../host.js";
import type { HostHookCall } from "./host-call.js";

export async function onExpansion(call: HostHookCall): Promise<HostAnswer> {
  const { command } = call.input;
  const verb = command === undefined ? undefined : call.harness.words?.verbNamed(command.name);
  if (command === undefined || verb === undefined) return {};
  return call.machine.runSlashCommand(call, { verb, args: command.args });
}
