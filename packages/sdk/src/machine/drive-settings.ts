/** The settings that count for driving a run. */
import { folderOfSetting } from "../config/read-config.js";
import { overruledFlags } from "../config/resolve-config.js";
import { hookLimits } from "../config/settings.js";
import type { BreakpointPolicy } from "../drive/questions.js";
import { type AgentCommand, parseAgentCommand } from "../effects/agent-command.js";
import { type Caller, settingsFor } from "./caller.js";

export interface DriveSettings {
  concurrency: number;
  taskTimeoutMs: number;
  /** The command for agent tasks, and what a relative path in it is relative to. */
  agent: { command: AgentCommand; dir: string } | undefined;
  policy: BreakpointPolicy | undefined;
  hooksEnabled: boolean;
  hookLimits: { timeoutMs?: number };
  /** How long one iteration waits for tasks; null: nothing is set. */
  iterateWaitMs: number | null;
  /** Options that have no effect, and why. */
  notices: string[];
}

export function driveSettings(caller: Caller, projectRoot: string): DriveSettings {
  const { values, origins } = settingsFor(caller, projectRoot);
  const notices = overruledFlags({ origins });
  const command = values["driver.agentCommand"];
  const dir = folderOfSetting(origins["driver.agentCommand"], { projectRoot, cwd: caller.cwd });
  return {
    concurrency: values["driver.concurrency"],
    taskTimeoutMs: values["tasks.timeoutMs"],
    agent: command === null ? undefined : { command: parseAgentCommand(textOf(command)), dir },
    policy: policyOf(values["breakpoints.policy"]),
    hooksEnabled: values["hooks.enabled"],
    notices,
    hookLimits: hookLimits(values),
    iterateWaitMs: values["iterate.waitMs"],
  };
}

function textOf(command: string | string[]): string {
  return typeof command === "string" ? command : JSON.stringify(command);
}

/** `approve`, `reject`, or one of them with a name, such as `approve:nightly`. */
function policyOf(text: string): BreakpointPolicy | undefined {
  const [decision = "", name = decision] = text.split(":");
  return decision === "ask" ? undefined : { approve: decision === "approve", name };
}
