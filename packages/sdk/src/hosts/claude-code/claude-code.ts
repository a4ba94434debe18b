/** Claude Code, from version 2.1.197 on; older ones get the older form of answers. */
import { parseSessionId } from "../../loop/formats/session-id.js";
import { isJsonObject, type JsonObject } from "../../model/json.js";
import { atLeast } from "../../model/version-numbers.js";
import type { AgentHost, Environment, HookEvent, HostAnswer, HostInput } from "../host.js";
import { inTypedWords } from "../typed-words.js";
import { environment, HOST_NAME, PLUGIN_ROOT, versionIn } from "./environment.js";
import { limits } from "./limits.js";
import { words } from "./words.js";

const EVENT_NAMES: Readonly<Record<HookEvent, string>> = {
  stop: "Stop",
  "stop-watch": "Stop",
  "stop-failure-watch": "StopFailure",
  "subagent-stop": "SubagentStop",
  "session-start": "SessionStart",
  "session-end": "SessionEnd",
  "user-prompt-submit": "UserPromptSubmit",
  "user-prompt-expansion": "UserPromptExpansion",
  "pre-tool-use": "PreToolUse",
  "post-tool-use": "PostToolUse",
  "permission-request": "PermissionRequest",
};

/** The first version that takes context from a Stop hook. */
const CONTEXT_SINCE = "2.1.163";

export const claudeCode: AgentHost = {
  name: "claude-code",
  environment,
  words,
  wakeExitCode: 2,
  limits,
  parse,
  render,
};

function parse(event: HookEvent, value: unknown): HostInput {
  if (!isJsonObject(value) || !isEvent(event, value["hook_event_name"]))
    return { valid: false, subagent: false, background: 0 };
  const sessionId = parseSessionId(value["session_id"]);
  return {
    valid: true,
    ...(sessionId === undefined ? {} : { sessionId }),
    subagent: event === "subagent-stop" || text(value, "agent_id") !== undefined,
    background: backgroundOf(value),
    ...named("promptId", text(value, "prompt_id")),
    ...named("lastMessage", text(value, "last_assistant_message")),
    ...named("transcriptPath", text(value, "transcript_path")),
    ...named("cwd", text(value, "cwd")),
    ...named("source", text(value, "source")),
    ...named("reason", text(value, "reason")),
    ...named("prompt", text(value, "prompt")),
    ...(event === "stop-failure-watch" ? named("error", text(value, "error")) : {}),
    ...commandOf(value),
    ...toolOf(value),
  };
}

function commandOf(value: JsonObject): Pick<HostInput, "command"> {
  const name = text(value, "command_name");
  const args = value["command_args"];
  return name === undefined ? {} : { command: { name, args: typeof args === "string" ? args : "" } };
}

function toolOf(value: JsonObject): Pick<HostInput, "tool"> {
  const name = text(value, "tool_name");
  const { tool_input: input, tool_response: response } = value;
  if (name === undefined) return {};
  return {
    tool: { name, input: isJsonObject(input) ? input : {}, ...(response === undefined ? {} : { response }) },
  };
}

/** Scripts that call us by hand leave the name of the event out. */
function isEvent(event: HookEvent, name: unknown): boolean {
  return name === undefined || name === EVENT_NAMES[event];
}

function text(value: JsonObject, name: string): string | undefined {
  const field = value[name];
  return typeof field === "string" && field !== "" ? field : undefined;
}

function named<N extends string>(name: N, value: string | undefined): Partial<Record<N, string>> {
  return value === undefined ? {} : ({ [name]: value } as Record<N, string>);
}

/** What runs on and wakes the session at its end; monitors and timetables never end. */
function backgroundOf(value: JsonObject): number {
  const tasks = listOf(value["background_tasks"]).filter(
    ({ type, status }) => type !== "monitor" && (status === undefined || status === "running" || status === "pending"),
  );
  const wakeUps = listOf(value["session_crons"]).filter(({ recurring }) => recurring === false);
  return tasks.length + wakeUps.length;
}

function listOf(value: unknown): JsonObject[] {
  return Array.isArray(value) ? value.filter((item) => isJsonObject(item)) : [];
}

function render(event: HookEvent, answer: HostAnswer, env: Environment): object {
  const { goOn, message, context, refusal } = answer;
  const shown = message === undefined ? {} : { systemMessage: forUser(message, env) };
  if (goOn !== undefined && event === "stop")
    return takesContext(env)
      ? { ...specific(event, { additionalContext: goOn.delta }), ...shown }
      : { decision: "block", reason: goOn.reason, ...shown };
  if (refusal !== undefined) return { decision: "block", reason: refusal, ...shown };
  if (event === "pre-tool-use") return { ...toolDecision(answer), ...shown };
  if (event === "permission-request") return { ...dialogDecision(answer), ...shown };
  if (context !== undefined && TAKES_CONTEXT.has(event))
    return { ...specific(event, { additionalContext: context }), ...shown };
  return shown;
}

/** Whoever has the plugin types its commands, and may have no other. */
function forUser(message: string, env: Environment): string {
  return env[PLUGIN_ROOT] ? inTypedWords(message, words) : message;
}

const TAKES_CONTEXT: ReadonlySet<HookEvent> = new Set([
  "session-start",
  "user-prompt-submit",
  "user-prompt-expansion",
  "post-tool-use",
]);

function specific(event: HookEvent, fields: object): object {
  return { hookSpecificOutput: { hookEventName: EVENT_NAMES[event], ...fields } };
}

function toolDecision({ allow, ask, deny, rewritten }: HostAnswer): object {
  if (deny !== undefined)
    return specific("pre-tool-use", { permissionDecision: "deny", permissionDecisionReason: deny });
  // The host takes "allow" for the answer to a question of its own, and nobody would ever see the dialog.
  if (ask !== undefined) return specific("pre-tool-use", { permissionDecision: "ask", updatedInput: ask.input });
  if (allow === undefined) return rewritten === undefined ? {} : specific("pre-tool-use", { updatedInput: rewritten });
  const { reason, input } = allow;
  return specific("pre-tool-use", {
    permissionDecision: "allow",
    permissionDecisionReason: reason,
    ...(input === undefined ? {} : { updatedInput: input }),
  });
}

/** The host's dialog is open meanwhile; whoever answers first has answered. */
function dialogDecision({ allow }: HostAnswer): object {
  if (allow === undefined) return {};
  const { input } = allow;
  return specific("permission-request", {
    decision: { behavior: "allow", ...(input === undefined ? {} : { updatedInput: input }) },
  });
}

function takesContext(env: Environment): boolean {
  const version = versionIn(env[HOST_NAME]);
  return version !== undefined && atLeast(version, CONTEXT_SINCE);
}
