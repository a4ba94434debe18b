/** Skills and agents that Claude Code offers in a project, by the folders that it keeps them in. */
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import type { Environment } from "../host.js";

export function discoverNames(projectRoot: string, env: Environment): string[] {
  const homes = [path.join(projectRoot, ".claude"), path.join(env["HOME"] || os.homedir(), ".claude")];
  return homes.flatMap((home) => [...skillsIn(path.join(home, "skills")), ...agentsIn(path.join(home, "agents"))]);
}

function skillsIn(folder: string): string[] {
  return namesIn(folder)
    .filter((name) => fs.existsSync(path.join(folder, name, "SKILL.md")))
    .map((name) => `skill ${name}`);
}

function agentsIn(folder: string): string[] {
  return namesIn(folder)
    .filter((name) => name.endsWith(".md"))
    .map((name) => `agent ${name.slice(0, -3)}`);
}

/** Names are told to an agent: nothing but plain ones. */
function namesIn(folder: string): string[] {
  try {
    return fs
      .readdirSync(folder)
      .filter((name) => /^[\w.-]{1,64}$/u.test(name))
      .toSorted();
  } catch {
    return [];
  }
}
