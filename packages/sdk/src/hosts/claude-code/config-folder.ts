import path from "node:path";
import type { Environment } from "../host.js";

/** Where Claude Code keeps what belongs to a person. */
export function configFolder(env: Environment, home = env["HOME"] ?? ""): string {
  return env["CLAUDE_CONFIG_DIR"] || path.join(home, ".claude");
}
