/** The agent wants to use a tool. */

import { changedCodeTexts } from "../../loop/texts/changed-code.js";
import type { JsonObject } from "../../model/json.js";
import type { HostAnswer, ShellTool } from "../host.js";
import { partsOf } from "../host-parts.js";
import type { HostHookCall } from "./host-call.js";
import { PROGRAM_NAME } from "./host-machine.js";
import { onAskUser } from "./on-ask-user.js";
import { parseAllowedCall, parsePlainCommand, renderPlainCommand } from "./permission-grammar.js";
import { isPlanning, preApproval } from "./pre-approved-command.js";

const CREATES_RUN = "run:create";
/** The person agrees to the plan here, and nobody can do that for them. */
const FOLLOW_PLAN =
  "Babysitter: the agent wants to follow the process that it has planned. Allow it only if you agree.";

export async function onPreToolUse(call: HostHookCall): Promise<HostAnswer> {
  const { tool } = call.input;
  const { shell } = partsOf(call.harness);
  return tool !== undefined && tool.name === shell?.name ? onShell(call, shell, tool.input) : onAskUser(call);
}

/**
 * Harmless calls of our own command line about the session's own run go through without a question, and they go to
 * the program that this hook belongs to. About everything else the host decides as it always does. Hosts hold their
 * users' rules against what is written here and not against what the agent wrote, so nothing else is rewritten.
 */
async function onShell(call: HostHookCall, shell: ShellTool, input: JsonObject): Promise<HostAnswer> {
  const command = input[shell.commandField];
  const plain = typeof command === "string" ? parsePlainCommand(command) : undefined;
  const program = call.machine.ownProgram();
  const names = [PROGRAM_NAME, ...(program.length === 1 ? program : [])];
  if (plain === undefined || !names.includes(plain.words[0] ?? "") || !isHarmless(input, shell)) return {};
  if (plain.words[1] === CREATES_RUN && (await isPlanning(call))) return { ask: { input, reason: FOLLOW_PLAN } };
  const wanted = parseAllowedCall(plain);
  const approval = wanted === undefined ? undefined : await preApproval(call, program, wanted);
  if (approval === undefined) return {};
  if (!("words" in approval)) return changedCodeTexts(approval.changed);
  const written = { ...input, [shell.commandField]: renderPlainCommand({ ...plain, words: approval.words }) };
  return { allow: { reason: "Babysitter: a command for this session's own run.", input: written } };
}

function isHarmless(input: JsonObject, { harmlessFields }: ShellTool): boolean {
  return Object.entries(input).every(([name, value]) => harmlessFields.has(name) || value === false);
}
