/** Whoever executes tasks on this machine. */

import { createAgentExecutor } from "../effects/agent-executor.js";
import type { Executor } from "../effects/executor.js";
import { createNodeExecutor } from "../effects/node-executor.js";
import { createShellExecutor } from "../effects/shell-executor.js";
import type { DriveSettings } from "./drive-settings.js";

export interface ExecutorOptions extends Pick<DriveSettings, "agent" | "taskTimeoutMs"> {
  env: Readonly<Record<string, string | undefined>>;
  session: string;
}

export function executorsFor({ env, session, agent, taskTimeoutMs }: ExecutorOptions): Executor[] {
  const shared = { env, session, timeoutMs: taskTimeoutMs };
  return [
    createNodeExecutor(shared),
    createShellExecutor(shared),
    ...(agent === undefined
      ? []
      : [createAgentExecutor({ env, session, command: agent.command, commandDir: agent.dir })]),
  ];
}
