/** Which chats belong to this person, and what their buttons decide. Secrets are there only as their hashes. */
import { isCurrent } from "../inbox/access-state.js";
import { isJsonObject, type Json } from "../model/json.js";

export type ChatEntry = { at: string } & (
  | { type: "START_LINK_MADE"; channel: string; link: string; expires: string }
  | { type: "CHAT_BOUND"; channel: string; link: string; user: string; chat: string; name: string }
  | { type: "CHAT_FORGOTTEN"; channel: string }
  /**
   * A button. `challenge` is what a passkey would sign for the same decision, so the button counts for this answer to
   * this question as it was shown, and for nothing else; it is empty for a button that decides nothing. `second`: it is
   * shown only after another one was tapped. `about`: whatever its channel has to know when it is tapped.
   */
  | {
      type: "OFFERED";
      channel: string;
      offer: string;
      challenge: string;
      about: Json;
      expires: string;
      second: boolean;
    }
  /** Whatever a channel has to know later about the chat, such as what a message was about; no secret. */
  | { type: "NOTED"; channel: string; name: string; about: Json; expires: string }
);

/** A private chat that has proved whose it is. */
export interface BoundChat {
  channel: string;
  /** What the service calls the person and their private chat. */
  user: string;
  chat: string;
  name: string;
  at: string;
}

interface Offer {
  channel: string;
  challenge: string;
  about: Json;
  second: boolean;
  at: string;
  expires: string;
}

export interface ChatState {
  links: Map<string, { channel: string; at: string; expires: string }>;
  /** By channel: a channel has one person. */
  bound: Map<string, BoundChat>;
  /** By the hashes of what their buttons send. */
  offers: Map<string, Offer>;
  /** By channel and name. */
  notes: Map<string, Note>;
}

interface Note {
  channel: string;
  name: string;
  about: Json;
  at: string;
  expires: string;
}

export function emptyChats(): ChatState {
  return { links: new Map(), bound: new Map(), offers: new Map(), notes: new Map() };
}

export function noteKey(channel: string, name: string): string {
  return `${channel}\0${name}`;
}

/** Adds one entry. One that was written twice, or by a newer version, changes nothing. */
export function foldChats(state: ChatState, entry: ChatEntry): void {
  const { at, channel } = entry;
  switch (entry.type) {
    case "START_LINK_MADE":
      state.links.set(entry.link, { channel, at, expires: entry.expires });
      break;
    case "CHAT_BOUND": {
      // A link binds the first one that shows it. A log that begins anew names none.
      if (entry.link !== "" && state.links.get(entry.link)?.channel !== channel) break;
      state.links.delete(entry.link);
      const { user, chat, name } = entry;
      // Whoever is bound from now on has not seen the buttons of the one before.
      if (state.bound.get(channel)?.chat !== chat) forgetChat(state, channel);
      state.bound.set(channel, { channel, user, chat, name, at });
      break;
    }
    case "CHAT_FORGOTTEN":
      state.bound.delete(channel);
      for (const [link, made] of state.links) if (made.channel === channel) state.links.delete(link);
      forgetChat(state, channel);
      break;
    case "OFFERED": {
      const { offer, challenge, about, expires, second } = entry;
      state.offers.set(offer, { channel, challenge, about, expires, second, at });
      break;
    }
    case "NOTED": {
      const { name, about, expires } = entry;
      state.notes.set(noteKey(channel, name), { channel, name, about, at, expires });
      break;
    }
  }
}

function forgetChat({ offers, notes }: ChatState, channel: string): void {
  for (const [offer, made] of offers) if (made.channel === channel) offers.delete(offer);
  for (const [key, note] of notes) if (note.channel === channel) notes.delete(key);
}

/** The entries that lead to the same state, for a log that begins anew. */
export function chatEntries({ links, bound, offers, notes }: ChatState, now: Date): ChatEntry[] {
  return [
    ...[...links]
      .filter(([, link]) => isCurrent(link, now))
      .map(([link, made]): ChatEntry => ({ type: "START_LINK_MADE", ...made, link })),
    ...[...bound.values()].map((chat): ChatEntry => ({ type: "CHAT_BOUND", ...chat, link: "" })),
    ...[...offers]
      .filter(([, offer]) => isCurrent(offer, now))
      .map(([offer, made]): ChatEntry => ({ type: "OFFERED", ...made, offer })),
    ...[...notes.values()]
      .filter((note) => isCurrent(note, now))
      .map((note): ChatEntry => ({ type: "NOTED", ...note })),
  ];
}

const TEXTS: Readonly<Record<ChatEntry["type"], readonly string[]>> = {
  START_LINK_MADE: ["link", "expires"],
  CHAT_BOUND: ["link", "user", "chat", "name"],
  CHAT_FORGOTTEN: [],
  OFFERED: ["offer", "challenge", "expires"],
  NOTED: ["name", "expires"],
};

/** What a line of the log says; undefined for one that is damaged or of a type that is not known here. */
export function asChatEntry(value: Json): ChatEntry | undefined {
  if (!isJsonObject(value)) return undefined;
  const { type } = value;
  if (typeof type !== "string" || !Object.hasOwn(TEXTS, type)) return undefined;
  const texts = ["at", "channel", ...TEXTS[type as ChatEntry["type"]]];
  if (!texts.every((name) => typeof value[name] === "string")) return undefined;
  if (type === "OFFERED" && typeof value["second"] !== "boolean") return undefined;
  if ((type === "OFFERED" || type === "NOTED") && value["about"] === undefined) return undefined;
  return value as unknown as ChatEntry;
}
