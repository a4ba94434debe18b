/** `session:last-message`: what the agent said last, from a transcript. */
import { knownFormat } from "../../hosts/host-parts.js";
import { findTags } from "../../loop/rules/promise-grammar.js";
import { readTurnFromFile } from "../../sessions/read-transcript.js";
import type { Command } from "../grammar/invocation.js";
import { usageError } from "../grammar/parse-arguments.js";

export const command: Command = async (invocation) => {
  const path = invocation.options.text("transcript-path");
  if (path === undefined) throw usageError(invocation, "--transcript-path is missing.");
  const turn = await readTurnFromFile({ path, format: knownFormat(), lastMessage: undefined, deadlineMs: 0 });
  if (turn.missing)
    return { document: { found: false, error: turn.why }, text: `The transcript cannot be read: ${turn.why}.` };
  const text = turn.lastText;
  if (text === undefined) return { document: { found: false }, text: "The agent has said nothing." };
  const promises = turn.lastWords.flatMap((block) => findTags(block, "promise"));
  return {
    document: { found: true, text, hasPromise: promises.length > 0, promiseValue: promises.at(-1) ?? null },
    text,
  };
};
