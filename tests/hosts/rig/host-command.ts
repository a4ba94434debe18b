/** The host with any arguments, as from a shell. */
import { execFile } from "node:child_process";
import type { HostProject } from "./host-run.js";
import { installHost } from "./install-hosts.js";
import { HOST_MS } from "./patience.js";
import { inTurn, type Scenario, ScriptedModel } from "./scripted-model.js";

interface Ended {
  code: number;
  stdout: string;
  stderr: string;
  requests: ScriptedModel["main"];
}

export async function claude(project: HostProject, args: string[], scenario: Scenario = inTurn([])): Promise<Ended> {
  const program = await installHost(project.version);
  const model = await ScriptedModel.listen(scenario);
  try {
    const ended = await new Promise<Omit<Ended, "requests">>((resolve) => {
      const options = {
        cwd: project.dir,
        env: project.environment(model.url),
        timeout: HOST_MS,
        killSignal: "SIGKILL" as const,
      };
      const child = execFile(program, args, options, (error, stdout, stderr) =>
        resolve({ code: typeof error?.code === "number" ? error.code : error === null ? 0 : -1, stdout, stderr }),
      );
      child.stdin?.end();
    });
    if (model.problem !== undefined) throw model.problem;
    return { ...ended, requests: model.main };
  } finally {
    await model.close();
  }
}
