/**
 * What somebody in a chat wants, and whether they are somebody. Only the bound person in their private chat is answered;
 * a text never decides, whatever it says.
 */
import { type ChatCommand, parseCommand, parseStart } from "./chat-commands.js";
import type { ChatUpdate, RepliedTo, SaidUpdate, Sender, TapUpdate } from "./chat-update.js";

/** What is known when something is heard. */
export interface ChatKnowledge {
  bound?: { user: string; chat: string } | undefined;
  /** Whose chat it is meant to be, with or without an @. */
  handle?: string | undefined;
}

export type ChatIntent =
  /** Nobody is answered, and there is a line in the log. */
  | { kind: "ignore"; why: string }
  /** The same, but once in a while they hear that there is nothing for them. */
  | { kind: "turn-away"; why: string }
  /** They show a link. `isExpected`: they may hear why it does not work. */
  | { kind: "bind"; link: string; isBound: boolean; isExpected: boolean }
  | { kind: "how-to-bind" }
  | { kind: "tap"; tap: TapUpdate }
  | { kind: "command"; command: ChatCommand }
  /** A text that replies to a message; `command` where it would be one by itself. */
  | { kind: "reply"; to: RepliedTo; text: string; command?: ChatCommand }
  | { kind: "loose" }
  /** It cannot be an answer. */
  | { kind: "unusable"; what: "forwarded" | "no-text" };

export function intentOf(update: ChatUpdate, known: ChatKnowledge): ChatIntent {
  if (update.kind === "other") return { kind: "ignore", why: `${update.what} is not read` };
  const { chat, from } = update;
  if (chat.type !== "private") return { kind: "ignore", why: `it comes from a ${wordOf(chat.type)}` };
  if (from.isBot) return { kind: "ignore", why: "it comes from a bot" };
  const isBound = known.bound !== undefined && known.bound.user === from.id && known.bound.chat === chat.id;
  if (update.kind === "tap")
    return isBound ? { kind: "tap", tap: update } : { kind: "ignore", why: "the chat is not the bound one" };
  return saidIntent(update, known, isBound);
}

function saidIntent(update: SaidUpdate, known: ChatKnowledge, isBound: boolean): ChatIntent {
  const { text, isForeign } = update;
  if (isForeign) return isBound ? { kind: "unusable", what: "forwarded" } : { kind: "ignore", why: "it is forwarded" };
  const link = text === undefined ? undefined : parseStart(text);
  if (link !== undefined) return startIntent(link, update, known, isBound);
  if (!isBound) return { kind: "ignore", why: "the chat is not the bound one" };
  return text === undefined ? { kind: "unusable", what: "no-text" } : textIntent(text, update);
}

function startIntent(link: string, { from, chat }: SaidUpdate, known: ChatKnowledge, isBound: boolean): ChatIntent {
  if (link === "" && isBound) return { kind: "command", command: { name: "list" } };
  // A private chat has the number of its person.
  if (from.id !== chat.id) return { kind: "ignore", why: "the chat is not that of its sender" };
  if (!isMeant(from, known)) return { kind: "turn-away", why: "the account is not the one that is expected" };
  const isExpected = known.handle !== undefined || known.bound === undefined;
  if (link !== "") return { kind: "bind", link, isBound, isExpected };
  return isExpected ? { kind: "how-to-bind" } : { kind: "turn-away", why: "another chat is bound" };
}

/** A handle alone proves nothing; it only keeps a link from binding the wrong account. */
function isMeant({ handle }: Sender, known: ChatKnowledge): boolean {
  return known.handle === undefined || (handle !== undefined && plainHandle(handle) === plainHandle(known.handle));
}

function plainHandle(handle: string): string {
  return handle.replace(/^@/u, "").toLowerCase();
}

function textIntent(text: string, { replyTo }: SaidUpdate): ChatIntent {
  const command = parseCommand(text);
  if (replyTo !== undefined) return { kind: "reply", to: replyTo, text, ...(command === undefined ? {} : { command }) };
  return command === undefined ? { kind: "loose" } : { kind: "command", command };
}

function wordOf(type: string): string {
  return /^\w{1,20}$/u.test(type) ? type : "strange chat";
}
