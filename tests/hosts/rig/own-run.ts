/** A session with a run of its own that waits for an agent and for a person, and what its agent may do about it. */
import { randomUUID } from "node:crypto";
import type { OwnRun } from "./forbidden-commands.js";
import type { HostProject, HostRun, HostRunOptions } from "./host-run.js";
import { bash, inTurn, says } from "./scripted-model.js";

export const OWN_PROCESS = `
export async function work(inputs, ctx) {
  await ctx.parallel.all([
    () => ctx.task({ kind: "agent", title: "draft", agent: { prompt: "draft" } }),
    () => ctx.breakpoint({ question: "Ship it?" }),
  ]);
}
`;

/** In a project with the process above as `p.mjs`. */
export async function beginOwnRun(project: HostProject): Promise<OwnRun & { sessionId: string }> {
  const sessionId = randomUUID();
  await project.create("p.mjs#work", "own", ["--harness", "claude-code", "--session-id", sessionId]);
  await project.run(["run:iterate", "own"]);
  const { tasks } = await project.ask(["task:list", "own"]);
  const idOf = (wanted: string): string => tasks.find(({ kind }) => kind === wanted)?.effectId ?? "";
  return { sessionId, agent: idOf("agent"), question: idOf("breakpoint") };
}

/** In mode auto the host asks a model whether a command may be run. */
const NO = says("<block>yes</block><reason>Nobody has asked for it.</reason>");

interface Given {
  run: HostRun;
  /** What the agent was told about each. */
  told: string[];
  /** Commands that the host itself did not allow. */
  denied: unknown[];
}

/** The agent gives these commands, one after the other, and is content then, whatever it is told. */
export async function gives(
  project: HostProject,
  commands: readonly string[],
  options: Omit<HostRunOptions, "scenario">,
): Promise<Given> {
  const script = inTurn(commands.map((command) => bash(command)));
  const run = await project.host({
    ...options,
    scenario: (request) => {
      if (request.kind === "aside") return NO;
      return request.number > commands.length ? says("That is all.") : script(request);
    },
  });
  const told = run.model.main.slice(1).map(({ news }) => news);
  const denials = run.result["permission_denials"] as { tool_input: { command: string } }[];
  return { run, told, denied: denials.map(({ tool_input: { command } }) => command) };
}
