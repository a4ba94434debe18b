/** What Claude Code says to a hook on stdin, in our words. */
import { parseSessionId } from "../../loop/formats/session-id.js";
import { isJsonObject, type JsonObject } from "../../model/json.js";
import type { HookEvent, HostInput } from "../host.js";
import { EVENT_NAMES } from "./hook-events.js";

export function parse(event: HookEvent, value: unknown): HostInput {
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
    ...(EVENT_NAMES[event] === "StopFailure" ? named("error", text(value, "error")) : {}),
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
