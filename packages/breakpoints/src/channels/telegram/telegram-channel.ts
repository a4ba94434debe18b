/** Reaches a person by a bot in their private chat: they decide there by buttons, and ask for what waits. */
import { shownLine } from "@a5c-ai/babysitter-sdk/notify";
import { readUpdate } from "../../rules/chat-update.js";
import { LINK_COMMAND } from "../../rules/chat-words.js";
import { type Channel, DeliveryProblem, type Heard, type Outgoing } from "../channel.js";
import type { ChannelParts } from "../channel-parts.js";
import { Bot, type RawUpdate } from "./bot.js";
import { CHANNEL, ChatRoom } from "./chat-room.js";
import { Conversation } from "./conversation.js";
import { renderNotification } from "./notification.js";

const NOT_BOUND = `no chat is bound yet; to bind yours: ${LINK_COMMAND}`;
/** Whatever comes again so soon was dealt with. Further away the service has begun to count anew. */
const REPLAYED_WITHIN = 100_000;

type Ref = Parameters<NonNullable<Channel["edit"]>>[0];

export async function telegramChannel(given: ChannelParts): Promise<Channel> {
  const { record, desk } = given;
  const isDebugging = !["", "0", undefined].includes(desk.env["TELEGRAM_DEBUG"]);
  const debug = (text: () => string): void => void (isDebugging && given.log(text()));
  const room = new ChatRoom(given, await Bot.open(record.settings, (what) => debug(() => what)));
  const conversation = new Conversation(room);

  const chatOf = (): string => {
    const chat = room.bound()?.chat;
    if (chat === undefined) throw new DeliveryProblem("not-sent", NOT_BOUND);
    return chat;
  };

  return {
    name: CHANNEL,
    proves: "acknowledged",
    get target() {
      const { bot } = record.settings;
      return room.bound()?.name ?? `${bot === undefined ? "a bot" : `@${bot}`}, not bound yet`;
    },
    unready: () => (room.bound() === undefined ? NOT_BOUND : undefined),
    send: async (message, signal) => {
      const chat = chatOf();
      const rendered = await renderNotification(room, message);
      // Buttons take a while to make on a busy machine; what has not left by now has surely not arrived.
      if (signal.aborted) throw new DeliveryProblem("not-sent", "It was not ready in time.");
      const number = await room.bot.send(chat, rendered, signal);
      noteQuestion(room, message, number);
      return { ref: { chat, message: number } };
    },
    edit: async (ref, message, signal) => {
      const place = placeIn(ref);
      // Whoever is bound now did not get it.
      if (place === undefined || place.chat !== chatOf()) return;
      if (room.memory.isClosed(place.message)) return;
      room.memory.noteClosed(place.message);
      await room.bot.edit(place.chat, place.message, await renderNotification(room, message), signal);
      for (const { question, title, outcome } of message.items)
        if (question !== undefined && outcome !== undefined) await room.closeWith(question, { title, outcome });
    },
    poll: async (cursor, signal) => {
      const updates = await heardSince(room.bot, cursor, signal);
      const news = updates.filter(({ update_id }) => !isReplayed(update_id, cursor));
      if (news.length < updates.length) given.log(`Ignored ${updates.length - news.length} repeated updates.`);
      return news.map((update): Heard => {
        return {
          cursor: String(update.update_id),
          deal: async () => {
            debug(() => `heard ${update.update_id}: ${heardWords(update)}`);
            await conversation.deal(update);
          },
        };
      });
    },
  };
}

/** In their order; nothing when the worker stops. */
async function heardSince(bot: Bot, cursor: string | undefined, signal: AbortSignal): Promise<RawUpdate[]> {
  try {
    const updates = await bot.updates(cursor === undefined ? undefined : Number(cursor) + 1, signal);
    return updates.toSorted((a, b) => a.update_id - b.update_id);
  } catch (error) {
    if (signal.aborted) return [];
    throw error;
  }
}

function isReplayed(id: number, cursor: string | undefined): boolean {
  const last = Number(cursor ?? Number.NaN);
  return id <= last && id > last - REPLAYED_WITHIN;
}

/** A message about one question can be replied to. */
function noteQuestion(room: ChatRoom, { items, subjects }: Outgoing, number: number): void {
  const [only] = items;
  if (subjects.length === 1 && only?.question !== undefined) room.memory.note(number, { question: only.question });
}

function placeIn(ref: Ref): { chat: string; message: number } | undefined {
  const { chat, message } = (typeof ref === "object" && ref !== null ? ref : {}) as Record<string, unknown>;
  return typeof chat === "string" && typeof message === "number" ? { chat, message } : undefined;
}

/** Who, where and what kind; of links and buttons nothing that would work. */
function heardWords(raw: RawUpdate): string {
  const update = readUpdate(raw);
  if (update.kind === "other") return update.what;
  const where = `from ${update.from.id} in ${update.chat.type} ${update.chat.id}`;
  if (update.kind === "tap") return `a tap ${where} on ${update.message}`;
  const text = update.text?.replace(/^(\/start\S*)\s.*$/su, "$1 <link>") ?? "(no text)";
  return `a message ${where}: ${JSON.stringify(shownLine(text, 60))}`;
}
