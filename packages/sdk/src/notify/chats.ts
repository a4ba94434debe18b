/** Binds a person's chat by a link that works once, and knows the buttons that were sent there. */
import path from "node:path";
import { isCurrent } from "../inbox/access-state.js";
import { EntryLog } from "../inbox/entry-log.js";
import { hashOf, newSecret } from "../inbox/secrets.js";
import type { Json } from "../model/json.js";
import {
  asChatEntry,
  type BoundChat,
  type ChatEntry,
  type ChatState,
  chatEntries,
  emptyChats,
  foldChats,
  noteKey,
} from "./chat-state.js";

const LINK_MS = 10 * 60_000;
/** Questions may wait for long. */
const OFFER_MS = 90 * 24 * 60 * 60_000;
/** With a prefix of the channel's own it still fits into the 64 bytes that a Telegram button may send. */
const SECRET_BYTES = 18;
const LONGEST_NAME = 200;

/** Who has tapped which button. */
export interface ChatTap {
  channel: string;
  user: string;
  chat: string;
  button: string;
}

export interface NewOffer {
  challenge?: string;
  about: Json;
  after?: ChatTap | undefined;
}

/** What is known of a button that was tapped. */
export interface Tapped {
  challenge: string;
  second: boolean;
  about: Json;
  /** Whose chat it is. */
  name: string;
}

export class Chats {
  readonly #log: EntryLog<ChatEntry, ChatState>;
  readonly #now: () => Date;

  /** `home`: what babysitter remembers for this person, as a rule ~/.a5c. */
  constructor({ home, now }: { home: string; now: () => Date }) {
    this.#log = new EntryLog(path.join(home, "inbox"), {
      name: "chats",
      loss: "chats have to be bound again, and old buttons do nothing",
      parse: asChatEntry,
      begin: emptyChats,
      fold: foldChats,
      entries: chatEntries,
    });
    this.#now = now;
  }

  /** For the one worker of this person: the log begins anew when it has grown long. */
  shorten(): void {
    this.#log.shorten(this.#now());
  }

  /** What a chat shows to be bound, once. Whoever calls this has seen that a person asks for it. */
  makeLink(channel: string): { link: string; expires: string } {
    const link = newSecret(SECRET_BYTES);
    const { at, expires } = this.#from(LINK_MS);
    this.#log.append({ type: "START_LINK_MADE", at, channel, link: hashOf(link), expires });
    return { link, expires };
  }

  /** Binds the chat that shows a link; false when the link was used before, is too old, or is none. */
  bind(link: string, { channel, user, chat, name }: Omit<BoundChat, "at">): boolean {
    const hash = hashOf(link);
    const made = this.#log.state().links.get(hash);
    if (made === undefined || made.channel !== channel || !isCurrent(made, this.#now())) return false;
    const { at } = this.#from(0);
    this.#log.append({ type: "CHAT_BOUND", at, channel, link: hash, user, chat, name: name.slice(0, LONGEST_NAME) });
    // Of two that show the same link the one whose entry comes first is bound.
    return this.isBound({ channel, user, chat });
  }

  bound(channel: string): BoundChat | undefined {
    return this.#log.state().bound.get(channel);
  }

  isBound({ channel, user, chat }: Pick<BoundChat, "channel" | "user" | "chat">): boolean {
    const known = this.bound(channel);
    return known !== undefined && known.user === user && known.chat === chat;
  }

  forget(channel: string): void {
    this.#log.append({ type: "CHAT_FORGOTTEN", at: this.#now().toISOString(), channel });
  }

  /**
   * What a button has to send back. It decides what `challenge` is about, or nothing if that is empty. `after`: the
   * button that was tapped first, when this one is to confirm it.
   */
  offer(channel: string, { challenge = "", about, after }: NewOffer): string {
    const button = newSecret(SECRET_BYTES);
    const second = after !== undefined && challenge !== "" && this.tapped(after)?.challenge === challenge;
    const { at, expires } = this.#from(OFFER_MS);
    this.#log.append({ type: "OFFERED", at, channel, offer: hashOf(button), challenge, about, expires, second });
    return button;
  }

  /** What a tap is about, if it comes from the bound chat and counts. A look-up by hash takes no longer for a better guess. */
  tapped(tap: ChatTap): Tapped | undefined {
    const known = this.bound(tap.channel);
    const offer = this.#log.state().offers.get(hashOf(tap.button));
    if (known === undefined || offer === undefined || offer.channel !== tap.channel) return undefined;
    if (!this.isBound(tap) || !isCurrent(offer, this.#now())) return undefined;
    const { challenge, second, about } = offer;
    return { challenge, second, about, name: known.name };
  }

  /** Keeps what a channel has to know later about its chat, also after a crash. The last one of a name counts. */
  remember(channel: string, name: string, about: Json): void {
    const { at, expires } = this.#from(OFFER_MS);
    this.#log.append({ type: "NOTED", at, channel, name, about, expires });
  }

  recall(channel: string, name: string): Json | undefined {
    const note = this.#log.state().notes.get(noteKey(channel, name));
    return note !== undefined && isCurrent(note, this.#now()) ? note.about : undefined;
  }

  #from(ms: number): { at: string; expires: string } {
    const now = this.#now();
    return { at: now.toISOString(), expires: new Date(now.getTime() + ms).toISOString() };
  }
}
