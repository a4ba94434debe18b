/** Starts the program that checks criteria, in a session of its own: no host waits for it, none can kill it. */
import { spawn } from "node:child_process";
import { withoutHooks } from "../../spawn/spawn-marker.js";
import { VERIFIER } from "./program-names.js";

/** Without criteria all of them are checked. The name is for the verification before any work. */
export function startVerifier(runDir: string, criteria: readonly string[], name = ""): void {
  const child = spawn(process.execPath, [process.argv[1] as string, VERIFIER, runDir, name, ...criteria], {
    detached: true,
    stdio: "ignore",
    cwd: "/",
    env: withoutHooks(process.env),
  });
  // Whoever waits sees that no result comes.
  child.on("error", () => undefined);
  child.unref();
}
