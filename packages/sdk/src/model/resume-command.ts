/** The command that continues a loop. */
import { liftingOption } from "./lifted-limits.js";
import type { LoopState } from "./loop-state.js";
import { shellQuoted } from "./shell-quoted.js";

/** What stands behind `--agent` to start the turns of its agent again; undefined for a loop whose turns no command starts. */
export function agentOptions(loop: LoopState | undefined): string | undefined {
  const { session, paused } = loop ?? {};
  if (session?.driver === undefined) return undefined;
  const { permissionMode } = session.driver;
  const mode = typeof permissionMode === "string" ? ` --permission-mode ${shellQuoted(permissionMode)}` : "";
  return `${shellQuoted(session.harness)}${mode}${liftingOption(paused)}`;
}

/** What resumes it where nobody works on it. */
export function resumeCommand(loop: LoopState, runName: string): string {
  const agent = agentOptions(loop);
  return agent === undefined
    ? `babysitter loop:resume ${runName}${liftingOption(loop.paused)}`
    : `babysitter run ${runName} --agent ${agent}`;
}
