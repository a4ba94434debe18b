/** `babysitter notify:test`: a real message by each channel, until it is tapped. The program of the inbox does it. */
import { runInboxProgram } from "../../machine/inbox/run-inbox-program.js";
import type { Command } from "../grammar/invocation.js";

export const command: Command = async ({ env, json, positionals, options }) => {
  const timeout = options.text("timeout");
  const flags = [...(timeout === undefined ? [] : ["--timeout", timeout]), ...(json ? ["--json"] : [])];
  const exitCode = await runInboxProgram(env, ["notify", "test", ...positionals, ...flags]);
  return { document: {}, text: "", raw: "", exitCode };
};
