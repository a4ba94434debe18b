/** The slash commands that our hooks carry out, by the names under which a host knows them. */
const VERBS = ["babysit", "resume", "status", "pause", "cancel", "doctor"] as const;

export type SlashVerb = (typeof VERBS)[number];

/** Undefined for commands of others. Short names belong to hosts, all but one. */
export function slashVerb(name: string): SlashVerb | undefined {
  return name === "babysit" ? "babysit" : VERBS.find((verb) => name === `babysitter:${verb}`);
}

/** True when a prompt, as it was typed, is one of ours. */
export function isSlashPrompt(prompt: string): boolean {
  const name = /^\s*\/(\S+)/u.exec(prompt)?.[1];
  return name !== undefined && slashVerb(name) !== undefined;
}
