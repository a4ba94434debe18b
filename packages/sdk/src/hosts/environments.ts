/**
 * What an environment says, over all hosts that we know. Apart from the rest of the registry: the library needs this
 * much of hosts to find a project, and no more.
 */
import { environment as claudeCode } from "./claude-code/environment.js";
import { FOREIGN_AGENT_MARKS, FOREIGN_PROGRAMS, FOREIGN_VARIABLES, SHARED_SESSION_MARKS } from "./foreign-marks.js";
import type { Environment, HostEnvironment, ProcessFacts, ProgramMarks } from "./host.js";

/** In the order of the registry. */
export const ENVIRONMENTS: readonly HostEnvironment[] = [claudeCode];

/** True when an agent runs this command, so that nobody who types here may answer for a human. */
export function isAgentEnvironment(env: Environment): boolean {
  return Object.keys(env).some((name) => isMark(name, "agentMarks", FOREIGN_AGENT_MARKS));
}

/** True for a command that an agent has given: it must not speak for its host by calling a hook itself. */
export function isGivenByAgent(env: Environment): boolean {
  return ENVIRONMENTS.some((environment) => environment.isGivenByAgent?.(env) === true);
}

/** Run other people's programs: what counts is the script. */
const INTERPRETERS: ReadonlySet<string> = new Set(["node", "nodejs", "bun", "deno", "python", "python3"]);

/** True when this process is the host of an agent. */
export function isAgentProgram(one: ProcessFacts): boolean {
  const marks = [...ENVIRONMENTS.flatMap(({ programs = [] }) => programs), FOREIGN_PROGRAMS];
  return marks.some((mark) => hasMark(one, mark));
}

/** True when such a host was started for nobody to look at. */
export function isUnattended({ argv }: ProcessFacts, env: Environment): boolean {
  return ENVIRONMENTS.some((environment) => environment.isUnattended?.(argv, env) === true);
}

/** True for a shell in which a host runs a command of its agent. */
export function isToolShell({ argv }: ProcessFacts): boolean {
  const line = argv.join(" ");
  return ENVIRONMENTS.some(({ toolShell }) => toolShell?.test(line) === true);
}

function hasMark({ argv, program }: ProcessFacts, { names, path }: ProgramMarks): boolean {
  const [first = "", ...rest] = argv;
  const isInterpreter = INTERPRETERS.has(baseName(first)) || INTERPRETERS.has(baseName(program ?? ""));
  const script = isInterpreter ? rest.find((word) => !word.startsWith("-")) : undefined;
  const files = [first, program, script].filter((file) => file !== undefined);
  return files.some(
    (file) => names.includes(baseName(file).replace(/\.(?:exe|[cm]?js)$/u, "")) || path?.test(file) === true,
  );
}

function baseName(file: string): string {
  return file.slice(file.lastIndexOf("/") + 1);
}

/** The variable by which a host says where its project is, where one does. */
export function projectVariableIn(env: Environment): string | undefined {
  return variableIn(env, "projectVariable");
}

/** The folder of the project, as the host says it. */
export function projectDirIn(env: Environment): string | undefined {
  return valueIn(env, projectVariableIn(env));
}

/** The folder of our plugin, as the host says it to the plugin's hooks. */
export function pluginRootIn(env: Environment): string | undefined {
  return valueIn(env, variableIn(env, "pluginVariable"));
}

/** Without the marks of agents, for what a host hands on from its person. */
export function withoutAgentMarkers<E extends Environment>(env: E): E {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !isAgentEnvironment({ [name]: "" }))) as E;
}

/** Without anything that tells a tool that an agent is running. */
export function withoutAgents(env: Environment): Environment {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !isMark(name, "ownVariables", FOREIGN_VARIABLES)));
}

/** Without what says which session this is, for a host that is started with a session of its own. */
export function withoutSession(env: Environment): Environment {
  return Object.fromEntries(
    Object.entries(env).filter(([name]) => !isMark(name, "sessionMarks", SHARED_SESSION_MARKS)),
  );
}

function isMark(name: string, kind: "agentMarks" | "ownVariables" | "sessionMarks", others: RegExp): boolean {
  return others.test(name) || ENVIRONMENTS.some((environment) => environment[kind]?.test(name) === true);
}

function variableIn(
  env: Environment,
  kind: keyof Pick<HostEnvironment, "projectVariable" | "pluginVariable">,
): string | undefined {
  return ENVIRONMENTS.map((environment) => environment[kind]).find((name) => name !== undefined && Boolean(env[name]));
}

function valueIn(env: Environment, name: string | undefined): string | undefined {
  return name === undefined ? undefined : env[name];
}
