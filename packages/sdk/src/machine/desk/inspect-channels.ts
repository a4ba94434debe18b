/** How the channels of a person fare, for commands that tell of it beside something else: nothing here may break them. */
import { createHash } from "node:crypto";
import path from "node:path";
import { SeenQuestions } from "../../inbox/seen-questions.js";
import { BabysitterError } from "../../model/errors.js";
import { defined } from "../../model/json.js";
import { Channels } from "../../notify/channels.js";
import { Chats } from "../../notify/chats.js";
import { type ChannelDescription, describeChannels } from "../../notify/describe-channels.js";
import { Outbox } from "../../notify/outbox.js";
import type { Receipt } from "../../notify/receipts.js";
import { sessionPlaces } from "../../sessions/session-places.js";
import type { Environment } from "../caller.js";
import { hasWorker } from "./worker-claim.js";

/** `problem`: why nothing is known, where something is in the way. */
export type ChannelFacts = { channels: ChannelDescription[]; isSending: boolean } | { problem: string; hint?: string };

/** Undefined when no channel is enabled. */
export async function inspectChannels(env: Environment): Promise<ChannelFacts | undefined> {
  const home = homeIn(env);
  try {
    const records = new Channels({ home }).all();
    if (Object.keys(records).length === 0) return undefined;
    const chats = new Chats({ home, now });
    const channels = describeChannels(records, new Outbox({ home, now }).state(), (name) => chats.bound(name));
    return { channels, isSending: await hasWorker(path.join(home, "inbox"), now) };
  } catch (error) {
    const hint = BabysitterError.is(error) ? error.hint : undefined;
    return { problem: error instanceof Error ? error.message : String(error), ...defined({ hint }) };
  }
}

/** What is known of the notifications about a question; nothing where that cannot be read. */
export function questionReceipts(
  env: Environment,
  { runDir, effectId }: { runDir: string; effectId: string },
): Receipt[] {
  const home = homeIn(env);
  try {
    const state = new Outbox({ home, now });
    const seen = new SeenQuestions({ home, now }).all();
    for (const id of inboxNames(runDir, effectId)) {
      const receipts = state.receipts(`question:${id}`, seen.get(id));
      if (receipts.length > 0) return receipts;
    }
    return [];
  } catch {
    return [];
  }
}

/** What the inbox calls a question: by its id, and where a copy of the run has the same one, by its place as well. */
function inboxNames(runDir: string, effectId: string): string[] {
  const [place, run] = [path.dirname(runDir), path.basename(runDir)];
  return [`${effectId}.${createHash("sha256").update(`${place}\0${run}`).digest("hex").slice(0, 8)}`, effectId];
}

function homeIn(env: Environment): string {
  return sessionPlaces({ env, cwd: "/" }).home;
}

function now(): Date {
  return new Date();
}
