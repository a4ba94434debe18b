/** `babysitter run … --agent claude-code` with the real host, which talks to a scripted model. */
import fs from "node:fs";
import path from "node:path";
import { onTestFinished } from "vitest";
import { RunningDriver } from "../../fixtures/drive/driven-project.js";
import type { HostProject } from "./host-run.js";
import { installHost } from "./install-hosts.js";
import { type Scenario, ScriptedModel } from "./scripted-model.js";

interface DrivenOptions {
  scenario: Scenario;
  /** Whether the host has our plugin. */
  plugin: boolean;
  /** Only accounts with a subscription have limits that end at a time. */
  subscribed?: boolean;
  env?: Record<string, string>;
}

export async function driven(
  project: HostProject,
  args: string[],
  { scenario, plugin, subscribed = false, env = {} }: DrivenOptions,
): Promise<{ driver: RunningDriver; model: ScriptedModel }> {
  const program = await installHost(project.version);
  const model = await ScriptedModel.listen(scenario);
  onTestFinished(() => model.close());
  const wrapper = path.join(project.root, "claude-with-options");
  const options = ["--model", "claude-sonnet-4-5", ...(plugin ? ["--plugin-dir", project.plugin.dir] : [])];
  const account = subscribed ? "unset ANTHROPIC_API_KEY\nexport CLAUDE_CODE_OAUTH_TOKEN=sk-ant-oat01-none\n" : "";
  fs.writeFileSync(
    wrapper,
    `#!/bin/sh\n${account}echo $$ >> '${pidFile(project)}'\nexec '${program}' ${options.join(" ")} "$@"\n`,
    { mode: 0o755 },
  );
  const all = [...args, "--agent", "claude-code", "--agent-retry-ms", "1"];
  const driver = new RunningDriver(
    project,
    all,
    project.environment(model.url, { BABYSITTER_CLAUDE: wrapper, ...env }),
  );
  model.onProblem = () => driver.child.kill("SIGINT");
  return { driver, model };
}

/** Processes that hosts were started as, in order. */
export function hostPids(project: HostProject): number[] {
  const file = pidFile(project);
  return fs.existsSync(file) ? fs.readFileSync(file, "utf8").trim().split("\n").map(Number) : [];
}

function pidFile({ root }: HostProject): string {
  return path.join(root, "host-pids");
}
