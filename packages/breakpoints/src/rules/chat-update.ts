/** What has happened in a chat, as far as it matters; whatever else a service may send is nothing of ours. */

export interface Sender {
  /** For ever the same; a handle may be given up, and taken by somebody else. */
  id: string;
  handle?: string;
  name: string;
  isBot: boolean;
}

interface ChatPlace {
  id: string;
  /** `private` is the only one where nobody listens. */
  type: string;
}

/** A message that somebody replies to: its number in the chat, and what its buttons would send. */
export interface RepliedTo {
  message: number;
  buttons: string[];
}

export interface SaidUpdate {
  kind: "said";
  from: Sender;
  chat: ChatPlace;
  text?: string;
  replyTo?: RepliedTo;
  /** Somebody else has written it: it was forwarded, or made by another bot. */
  isForeign: boolean;
}

export interface TapUpdate {
  kind: "tap";
  /** What the service calls the tap. */
  tap: string;
  from: Sender;
  chat: ChatPlace;
  message: number;
  data: string;
}

export type ChatUpdate = SaidUpdate | TapUpdate | { kind: "other"; what: string };

type Fields = Readonly<Record<string, unknown>>;

export function readUpdate(update: unknown): ChatUpdate {
  const { update_id: _, ...fields } = fieldsOf(update) ?? {};
  const [what = "nothing"] = Object.keys(fields);
  const said = readMessage(fieldsOf(fields["message"]));
  const tapped = readTap(fieldsOf(fields["callback_query"]));
  return said ?? tapped ?? { kind: "other", what: /^\w{1,40}$/u.test(what) ? what : "something" };
}

function readMessage(message: Fields | undefined): SaidUpdate | undefined {
  const [from, chat] = [senderOf(message?.["from"]), placeOf(message?.["chat"])];
  if (message === undefined || from === undefined || chat === undefined) return undefined;
  const { text } = message;
  const replyTo = repliedTo(fieldsOf(message["reply_to_message"]));
  const foreign = ["forward_origin", "forward_date", "forward_from", "via_bot", "sender_chat", "is_automatic_forward"];
  return {
    kind: "said",
    from,
    chat,
    ...(typeof text === "string" ? { text } : {}),
    ...(replyTo === undefined ? {} : { replyTo }),
    isForeign: foreign.some((name) => message[name] !== undefined),
  };
}

function readTap(query: Fields | undefined): TapUpdate | undefined {
  const { id, data, message: shown } = query ?? {};
  const message = fieldsOf(shown);
  const [from, chat] = [senderOf(query?.["from"]), placeOf(message?.["chat"])];
  const number = message?.["message_id"];
  if (from === undefined || chat === undefined || !isNumber(number)) return undefined;
  if (typeof id !== "string" || typeof data !== "string") return undefined;
  return { kind: "tap", tap: id, from, chat, message: number, data };
}

function repliedTo(message: Fields | undefined): RepliedTo | undefined {
  const number = message?.["message_id"];
  if (!isNumber(number)) return undefined;
  const rows = fieldsOf(message?.["reply_markup"])?.["inline_keyboard"];
  const buttons = (Array.isArray(rows) ? rows.flat() : []).flatMap((button: unknown) => {
    const data = fieldsOf(button)?.["callback_data"];
    return typeof data === "string" ? [data] : [];
  });
  return { message: number, buttons };
}

function senderOf(value: unknown): Sender | undefined {
  const { id, username, first_name: first, last_name: last, is_bot: isBot } = fieldsOf(value) ?? {};
  if (!isNumber(id)) return undefined;
  const names = [first, last].filter((name) => typeof name === "string").join(" ");
  const handle = typeof username === "string" && username !== "" ? username : undefined;
  return {
    id: String(id),
    ...(handle === undefined ? {} : { handle }),
    name: handle === undefined ? names || `user ${id}` : `@${handle}`,
    isBot: isBot === true,
  };
}

function placeOf(value: unknown): ChatPlace | undefined {
  const { id, type } = fieldsOf(value) ?? {};
  return isNumber(id) && typeof type === "string" ? { id: String(id), type } : undefined;
}

function isNumber(value: unknown): value is number {
  return Number.isSafeInteger(value);
}

function fieldsOf(value: unknown): Fields | undefined {
  return typeof value === "object" && value !== null ? (value as Fields) : undefined;
}
