/** `babysitter extension`: how this person is told of questions. The program of the inbox does it. */
import { runInboxProgram } from "../../machine/inbox/run-inbox-program.js";
import { defined } from "../../model/json.js";
import type { Command, Invocation } from "../grammar/invocation.js";

const TEXTS = ["token", "username", "api-root", "server", "topic", "reply-token", "url", "secret", "fields", "topics"];
const FLAGS = ["files", "no-files"];
/** What the inbox's program calls the variable. */
const OPTIONS = "BABYSITTER_EXTENSION_OPTIONS";

export const command: Command = async (invocation) => {
  const { env, json, positionals: words } = invocation;
  // Tokens and addresses, and so whatever was typed: never as arguments of another program.
  const given = { [OPTIONS]: JSON.stringify({ words, options: optionsOf(invocation) }) };
  const exitCode = await runInboxProgram(env, ["extension", ...(json ? ["--json"] : [])], given);
  return { document: {}, text: "", raw: "", exitCode };
};

/** What was given as an empty text is told as such: it is a mistake. */
function optionsOf({ options }: Invocation): object {
  const texts = TEXTS.map((name) => [name, options.isEmpty(name) ? "" : options.text(name)]);
  const flags = FLAGS.filter((name) => options.flag(name)).map((name) => [name, true]);
  return defined(Object.fromEntries([...texts, ...flags]) as Record<string, unknown>);
}
