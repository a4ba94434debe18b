/** `babysitter ui`: the inbox in the browser, and whether questions may start it. */
import { disableInbox, enableInbox, type InboxChange } from "../../machine/inbox/enable-inbox.js";
import { openInbox } from "../../machine/inbox/open-inbox.js";
import type { Command, CommandResult } from "../grammar/invocation.js";
import { usageError } from "../grammar/parse-arguments.js";

export const command: Command = async (invocation) => {
  const { options, env } = invocation;
  const [enable, disable] = [options.flag("enable"), options.flag("disable")];
  if (enable && disable) throw usageError(invocation, "--enable and --disable cannot be combined.");
  if (enable) return changed(enableInbox(env));
  if (disable) return changed(disableInbox(env));
  return openInbox({ env, browser: !options.flag("no-open") });
};

function changed(change: InboxChange): CommandResult {
  const { enabled, program, config, note } = change;
  const lines = enabled
    ? [`Questions now start the inbox: ${program}`, `recorded in ${config}`, ...(note === undefined ? [] : [note])]
    : ["Questions no longer start the inbox; a running server keeps running.", `recorded in ${config}`];
  return { document: change, text: lines.join("\n") };
}
