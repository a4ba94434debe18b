/** Slash commands of the plugin, by the names under which Claude Code knows them. */
import { type HostWords, TYPED_VERBS, type TypedVerb } from "../host.js";

export const words: HostWords = {
  typed: (verb) => `/babysitter:${verb}`,
  // The plugin's programs are on the PATH of that shell.
  inShell: (command) => `!${command}`,
  verbNamed,
  verbTyped: (prompt) => verbNamed(/^\s*\/(\S+)/u.exec(prompt)?.[1] ?? ""),
};

/** Short names belong to the host, all but one. */
function verbNamed(name: string): TypedVerb | undefined {
  return name === "babysit" ? "babysit" : TYPED_VERBS.find((verb) => name === `babysitter:${verb}`);
}
