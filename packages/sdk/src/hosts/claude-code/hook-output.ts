/** Our answer to a hook, in the words of Claude Code; versions that do not know the newer form get the older one. */

import { defined } from "../../model/json.js";
import { shownLine } from "../../model/shown-text.js";
import { atLeast } from "../../model/version-numbers.js";
import type { Environment, HookEvent, HostAnswer } from "../host.js";
import { inTypedWords } from "../typed-words.js";
import { HOST_NAME, PLUGIN_ROOT, versionIn } from "./environment.js";
import { EVENT_NAMES } from "./hook-events.js";
import { words } from "./words.js";

/** The first version that takes context from a Stop hook. */
const CONTEXT_SINCE = "2.1.163";

export function render(event: HookEvent, answer: HostAnswer, env: Environment): object {
  const { continueWith, message, context, refusal } = answer;
  const show = (text: string | undefined): object => (text === undefined ? {} : { systemMessage: forUser(text, env) });
  const shown = show(message);
  if (event === "stop-failure") return message === undefined ? {} : { terminalSequence: terminalNotice(message) };
  if (continueWith !== undefined && event === "stop")
    return takesContext(env)
      ? { ...specific(event, { additionalContext: continueWith.delta }), ...show(continueWith.line ?? message) }
      : { decision: "block", reason: continueWith.reason, ...shown };
  if (refusal !== undefined) return { decision: "block", reason: refusal, ...shown };
  if (event === "pre-tool-use") return { ...forTool(answer), ...shown };
  if (event === "permission-request") return { ...dialogDecision(answer), ...shown };
  if (context !== undefined && TAKES_CONTEXT.has(event))
    return { ...specific(event, { additionalContext: context }), ...shown };
  return shown;
}

/** What a failed turn's hook says is not shown; what it has the terminal show is: a notification, and a window title. */
function terminalNotice(text: string): string {
  // Control characters would end the sequence.
  const line = shownLine(text, 500);
  return `\u001B]9;${line}\u0007\u001B]2;${line}\u0007`;
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

function forTool(answer: HostAnswer): object {
  const fields = { ...toolDecision(answer), ...defined({ additionalContext: answer.context }) };
  return Object.keys(fields).length === 0 ? {} : specific("pre-tool-use", fields);
}

function toolDecision({ allow, ask, deny }: HostAnswer): object {
  if (deny !== undefined) return { permissionDecision: "deny", permissionDecisionReason: deny };
  // The host takes "allow" for the answer to a question of its own, and nobody would ever see the dialog.
  if (ask !== undefined)
    return {
      permissionDecision: "ask",
      updatedInput: ask.input,
      ...defined({ permissionDecisionReason: ask.reason }),
    };
  if (allow === undefined) return {};
  const { reason, input } = allow;
  return { permissionDecision: "allow", permissionDecisionReason: reason, ...defined({ updatedInput: input }) };
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
