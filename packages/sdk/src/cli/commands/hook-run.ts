/**
 * `hook:run`: answers a hook of an agent host. Whatever happens, the host gets one object and exit code 0; only a watch,
 * for which no host waits, ends with another one, to wake its session.
 */

import path from "node:path";
import { isGivenByAgent, projectDirIn } from "../../hosts/environments.js";
import { type AgentHost, HOOK_EVENTS, type HookEvent, type HostAnswer, type HostInput } from "../../hosts/host.js";
import { detectHost, HOSTS, hostNamed } from "../../hosts/registry.js";
import { type CompiledFile, runCompiled } from "../../load/code-cache.js";
import type { PlainHookCall } from "../../machine/agents/answer-hook.js";
import { readHostInput } from "../../machine/agents/read-host-input.js";
import { refusedBySystem } from "../../model/errno.js";
import { BabysitterError } from "../../model/errors.js";
import { defined } from "../../model/json.js";
import { visibleJson } from "../../model/shown-text.js";
import { logHookProblem } from "../../sessions/hook-log.js";
import { sessionPlaces } from "../../sessions/session-places.js";
import { SessionRegistry } from "../../sessions/session-registry.js";
import type { Command, CommandResult, Invocation } from "../grammar/invocation.js";
import { numberOption, usageError } from "../grammar/parse-arguments.js";
import { writeFully } from "../output/output.js";

/** Events that may concern a session without a loop. */
const ALWAYS_ANSWERED: ReadonlySet<HookEvent> = new Set(["session-start", "user-prompt-expansion"]);
/** Hosts give up on a hook after a while and say nothing; our own end must come before. */
const DEADLINE_MS = 60_000;
/** A dialog stays open, and a session rests, for as long as nobody has answered. No timer can be set for longer. */
const MAX_MS = 2 ** 31 - 1;
const LONG: ReadonlySet<HookEvent> = new Set(["permission-request", "stop-watch", "stop-failure-watch"]);

export const command: Command = async (invocation) => {
  const { options, env, cwd } = invocation;
  const event = eventOf(invocation);
  const harness = harnessOf(invocation);
  const stdin = await readHostInput(process.stdin);
  const input = harness.parse(event, stdin.ok ? stdin.value : undefined);
  const stateDir = options.text("state-dir");
  const pluginRoot = options.text("plugin-root");
  const places = sessionPlaces({
    env,
    cwd,
    ...(stateDir === undefined ? {} : { stateDir }),
    ...(pluginRoot === undefined ? {} : { pluginRoot }),
    projectRoot: projectDirIn(env) || input.cwd || cwd,
  });
  if (!stdin.ok) logBadInput(places.home, event, stdin.problem);
  const sessionId = askingSession(event, input, { env, home: places.home });
  if (sessionId === undefined) return printed(harness.render(event, {}, env));
  const registry = new SessionRegistry(places, () => new Date());
  // Most sessions have no loop; they must not notice that there could be one.
  if (!ALWAYS_ANSWERED.has(event) && !registry.exists(sessionId)) return printed(harness.render(event, {}, env));
  const call: PlainHookCall = {
    event,
    harness,
    input,
    sessionId,
    registry,
    places,
    explicitPlace: stateDir !== undefined || pluginRoot !== undefined,
    cwd: input.cwd ?? cwd,
    env,
    deadlineMs: deadlineOf(invocation, event),
    since: sinceOf(invocation),
    ...defined({ hostPid: numberOption(invocation.name, options, "host-pid") }),
    // Loaded when someone types one.
    runSlashCommand: async (...typed) =>
      (await import("../slash/run-slash-command.js")).runSlashCommand(...typed, commandNamed),
  };
  const given = await answerInTime(call);
  const result = printed(harness.render(event, given, env));
  const { wakeExitCode: exitCode } = harness;
  if (given.wake === undefined || exitCode === undefined) return result;
  writeFully(2, `${given.wake}\n`);
  return { ...result, exitCode };
};

/** The commands that slash commands pass on to. */
const PASSED_ON: Readonly<Record<string, () => Promise<{ command: Command }>>> = {
  "breakpoint:approve": () => import("./breakpoint-approve.js"),
  "breakpoint:list": () => import("./breakpoint-list.js"),
  "breakpoint:reject": () => import("./breakpoint-reject.js"),
  "breakpoint:show": () => import("./breakpoint-show.js"),
  "loop:amend": () => import("./loop-amend.js"),
  "loop:verify": () => import("./loop-verify.js"),
  "run:accept-code": () => import("./run-accept-code.js"),
  "run:cancel": () => import("./run-cancel.js"),
  "run:pause": () => import("./run-pause.js"),
  "run:report": () => import("./run-report.js"),
};

async function commandNamed(name: string): Promise<Command> {
  const load = PASSED_ON[name];
  if (load === undefined) throw new BabysitterError("INTERNAL", `${name} cannot be typed into a host.`);
  return (await load()).command;
}

function deadlineOf({ name, options }: Invocation, event: HookEvent): number {
  const usual = LONG.has(event) ? MAX_MS : DEADLINE_MS;
  return Math.min(numberOption(name, options, "deadline-ms") ?? usual, MAX_MS);
}

function sinceOf({ name, options }: Invocation): Date {
  const seconds = numberOption(name, options, "since");
  return seconds === undefined ? new Date() : new Date(seconds * 1_000);
}

async function answerInTime(call: PlainHookCall): Promise<HostAnswer> {
  const { deadlineMs: limitMs } = call;
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new BabysitterError("INTERNAL", `The hook did not answer within ${limitMs} ms.`)),
      limitMs,
    );
  });
  try {
    return await Promise.race([answer(call), late]);
  } catch (error) {
    return (await hostHooks(call)).failHookOpen(call, error);
  } finally {
    clearTimeout(timer);
  }
}

async function answer(call: PlainHookCall): Promise<HostAnswer> {
  const said = await (await hostHooks(call)).answerHook(call);
  // Of a hook that had nothing to decide the next one would learn too little.
  if (said.continueWith !== undefined || said.allow !== undefined) compiled?.remember();
  return said;
}

type HostHooks = typeof import("../../machine/agents/answer-hook.js");

let compiled: CompiledFile | undefined;

/** In a file of its own, compiled already where possible, for hosts wait. */
async function hostHooks({ event, places }: PlainHookCall): Promise<HostHooks> {
  const file = path.join(path.dirname(process.argv[1] ?? ""), "host-hooks.cjs");
  compiled ??= runCompiled(file, { cacheDir: path.join(places.home, "cache"), purpose: event });
  return compiled === undefined ? import("../../machine/agents/answer-hook.js") : (compiled.exports as HostHooks);
}

function eventOf(invocation: Invocation): HookEvent {
  const given = invocation.options.text("hook-type");
  const event = HOOK_EVENTS.find((name) => name === given);
  if (event !== undefined) return event;
  throw usageError(invocation, `--hook-type must be one of ${HOOK_EVENTS.join(", ")}.`);
}

function harnessOf(invocation: Invocation): AgentHost {
  const given = invocation.options.text("harness");
  if (given === undefined) return detectHost(invocation.env);
  const harness = hostNamed(given);
  if (harness !== undefined) return harness;
  throw usageError(invocation, `--harness must be one of ${HOSTS.map(({ name }) => name).join(", ")}.`);
}

function logBadInput(home: string, hookType: string, message: string): void {
  logHookProblem(home, { at: new Date().toISOString(), hookType, code: "input_invalid", message });
}

/**
 * The session whose host asks; undefined when nobody does who is to be answered. Whoever speaks for the host can end
 * loops, and what is typed there counts as a person's word: an agent that calls the hook by itself gets neither.
 */
function askingSession(
  hookType: HookEvent,
  { sessionId, subagent }: HostInput,
  { env, home }: { env: Invocation["env"]; home: string },
): string | undefined {
  if (!isGivenByAgent(env)) return subagent ? undefined : sessionId;
  const message = "An agent called this hook itself. Only its host may do that, so nothing was done.";
  const whose = sessionId === undefined ? {} : { sessionId };
  logHookProblem(home, { at: new Date().toISOString(), hookType, ...whose, code: "not_the_host", message });
  return undefined;
}

function printed(document: object): CommandResult {
  return { document, text: visibleJson(document) };
}

/** Not even a wrong command line may break a host: it is logged, and the host may continue. */
export function failOpenOnUsage(error: unknown, env: Invocation["env"], cwd: string): string {
  const { home } = sessionPlaces({ env, cwd });
  const known = BabysitterError.is(error) ? error : refusedBySystem(error);
  const { code, message } = known ?? { code: "INTERNAL", message: String(error) };
  logHookProblem(home, { at: new Date().toISOString(), hookType: "unknown", code, message });
  return "{}";
}
