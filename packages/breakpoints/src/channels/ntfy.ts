/**
 * ntfy: a topic that a phone is subscribed to, and a second one that the action of each message publishes to. What is
 * heard there can show that a message was read; it never decides.
 */
import { createHash } from "node:crypto";
import type * as notices from "@a5c-ai/babysitter-sdk/notify";
import { describeChannel } from "@a5c-ai/babysitter-sdk/notify";
import { type Channel, DeliveryProblem, type Heard, type Outgoing } from "./channel.js";
import type { ChannelParts } from "./channel-parts.js";
import { deliver, type Limits, listen, USUAL_LIMITS } from "./http-delivery.js";
import { bodyLines, closingLines, fittingText, headingOf, linksIn, PLAIN } from "./message-text.js";

/** What a server takes, as long as nobody has set it up otherwise: of a message, and of the document around it. */
const MESSAGE_BYTES = 4096;
const DOCUMENT_BYTES = 2 * MESSAGE_BYTES;
/** How long one listens before asking anew. */
const LISTEN_MS = 25_000;
/** Nobody is asked more often than this when there is nothing to hear. ntfy.sh allows one request every 5 seconds. */
const PAUSE_MS = 10_000;

const MOST_DEALT = 1_000;

const MESSAGE_ID = /^[-_A-Za-z0-9]{1,64}$/u;

/** Whoever else answers, such as a page that wants a sign-in, has neither published nor heard anything. */
const NOT_NTFY = "the response is not from ntfy";

const LOOKS: Readonly<Record<notices.MessageKind, { tags: string[]; priority: number }>> = {
  questions: { tags: ["question"], priority: 4 },
  reminder: { tags: ["bell"], priority: 4 },
  trouble: { tags: ["warning"], priority: 4 },
  report: { tags: ["sunrise"], priority: 3 },
  test: { tags: ["wave"], priority: 4 },
};
/** What a message becomes when it is changed makes no sound. */
const QUIET = 2;

interface Settings {
  server: string;
  topic: string;
  replyTopic: string;
  token?: string;
  replyToken?: string;
}

/** How long it waits for what. */
export interface Pace {
  limits: Limits;
  listenMs: number;
  pauseMs: number;
}

interface Ntfy {
  parts: ChannelParts;
  settings: Settings;
  pace: Pace;
  /** The last that were dealt with: a server may tell of them again. */
  dealt: Set<string>;
}

const USUAL_PACE: Pace = { limits: USUAL_LIMITS, listenMs: LISTEN_MS, pauseMs: PAUSE_MS };

export function ntfyChannel(
  parts: ChannelParts,
  pace: Partial<Pace> = {},
): Channel & Required<Pick<Channel, "edit" | "poll">> {
  const ntfy: Ntfy = { parts, settings: settingsIn(parts.record), pace: { ...USUAL_PACE, ...pace }, dealt: new Set() };
  return {
    name: "ntfy",
    ...describeChannel("ntfy", parts.record),
    send: (message, signal) => publish(ntfy, message, signal),
    edit: (ref, message, signal) => replace(ntfy, ref, message, signal),
    poll: (cursor, signal) => hear(ntfy, cursor, signal),
  };
}

function settingsIn({ settings }: notices.ChannelRecord): Settings {
  const { server = "https://ntfy.sh", topic = "", replyTopic = "", token, replyToken } = settings;
  return {
    server: server.replace(/\/+$/u, ""),
    topic,
    replyTopic,
    ...(token === undefined ? {} : { token }),
    ...(replyToken === undefined ? {} : { replyToken }),
  };
}

async function publish({ settings, pace }: Ntfy, message: Outgoing, signal: AbortSignal): Promise<{ ref: string }> {
  const { server, topic } = settings;
  const body = JSON.stringify(documentOf(settings, message));
  const text = await deliver(
    { url: `${server}/`, method: "POST", headers: headersOf(settings), body, reads: true },
    signal,
    pace.limits,
  );
  const answer = messageIn(text);
  if (answer?.topic !== topic) throw new DeliveryProblem("in-doubt", NOT_NTFY);
  return { ref: answer.id };
}

/** Since ntfy 2.16. Older servers do not know the address, so that no second message comes of it. */
async function replace({ settings, pace }: Ntfy, ref: unknown, message: Outgoing, signal: AbortSignal): Promise<void> {
  const { server, topic } = settings;
  if (typeof ref !== "string" || !MESSAGE_ID.test(ref))
    throw new DeliveryProblem("refused", "the message is no longer known");
  const { message: body, topic: _, actions, tags, ...rest } = documentOf(settings, message);
  const query = new URLSearchParams({ ...rest, tags: tags.join(","), priority: String(QUIET) });
  if (actions !== undefined) query.set("actions", JSON.stringify(actions));
  const url = `${server}/${encodeURIComponent(topic)}/${ref}?${query.toString()}`;
  await deliver({ url, method: "POST", headers: headersOf(settings), body }, signal, pace.limits);
}

function headersOf({ token }: Settings): Record<string, string> {
  return token === undefined ? {} : { Authorization: `Bearer ${token}` };
}

interface NtfyDocument {
  topic: string;
  title: string;
  message: string;
  tags: string[];
  priority: number;
  click?: string;
  actions?: object[];
}

/** What is published; text is shown as it is. */
function documentOf(settings: Settings, message: Outgoing): NtfyDocument {
  const [click] = linksIn(message.link ?? message.items[0]?.link);
  const around = {
    topic: settings.topic,
    title: headingOf(message),
    message: "",
    ...LOOKS[message.kind],
    ...(click === undefined ? {} : { click }),
    ...(message.tap === undefined || isOver(message) ? {} : { actions: [gotIt(settings, message.tap)] }),
  };
  const room = DOCUMENT_BYTES - Buffer.byteLength(JSON.stringify(around));
  const fits = (text: string): boolean =>
    Buffer.byteLength(text) <= MESSAGE_BYTES && Buffer.byteLength(JSON.stringify(text)) <= room;
  return { ...around, message: fittingText(bodyLines(message, PLAIN), closingLines(message, PLAIN), fits) };
}

/** Nobody needs to show any more that they know of it. */
function isOver({ items }: Outgoing): boolean {
  return items.length > 0 && items.every(({ outcome }) => outcome !== undefined);
}

function gotIt({ server, replyTopic, replyToken }: Settings, tap: string): object {
  return {
    action: "http",
    label: "Got it",
    url: `${server}/${encodeURIComponent(replyTopic)}`,
    method: "POST",
    body: tap,
    clear: true,
    ...(replyToken === undefined ? {} : { headers: { Authorization: `Bearer ${replyToken}` } }),
  };
}

/**
 * First what was missed, then what comes while one listens: a proxy may hold back an answer that goes on, and asking
 * alone would be slow or too often.
 */
async function hear(ntfy: Ntfy, cursor: string | undefined, signal: AbortSignal): Promise<Heard[]> {
  const { settings, pace } = ntfy;
  const { server, replyTopic } = settings;
  // At first everything: the clocks of two machines need not agree, and what is not known here is ignored.
  const since = cursor !== undefined && MESSAGE_ID.test(cursor) ? cursor : "all";
  const url = `${server}/${encodeURIComponent(replyTopic)}/json?since=${since}`;
  const began = performance.now();
  const missed = await deliver(
    { url: `${url}&poll=1`, method: "GET", headers: headersOf(settings), reads: true },
    signal,
    pace.limits,
  );
  if (!isOfNtfy(missed)) throw new DeliveryProblem("in-doubt", NOT_NTFY);
  const heard = heardIn(ntfy, missed);
  if (heard.length > 0) return heard;
  const limits = { timeMs: pace.listenMs, bytes: pace.limits.bytes };
  let read = 0;
  const isEnough = (text: string): boolean => {
    const end = text.lastIndexOf("\n") + 1;
    const isNew = end > read;
    read = end;
    return isNew && heardIn(ntfy, text).length > 0;
  };
  const live = await listen({ url, method: "GET", headers: headersOf(settings) }, signal, { ...limits, isEnough });
  const now = heardIn(ntfy, live);
  if (now.length === 0) await pause(pace.pauseMs - (performance.now() - began), signal);
  return now;
}

/** Nothing at all is an answer, too. */
function isOfNtfy(text: string): boolean {
  const [first = ""] = text.split("\n", 1);
  return text === "" || first.startsWith("{");
}

/** The taps in an answer, and its last message, so that the next answer begins after it. */
function heardIn({ parts, settings, dealt }: Ntfy, text: string): Heard[] {
  // What follows the last line end has not come yet.
  const messages = text
    .split("\n")
    .slice(0, -1)
    .flatMap((line) => messageIn(line) ?? [])
    .filter(({ topic, id }) => topic === settings.replyTopic && !dealt.has(id));
  return messages.flatMap(({ id, message }, at) => {
    const subjects = subjectsOf(parts, message);
    if (subjects.length === 0 && at < messages.length - 1) return [];
    const deal = async (): Promise<void> => {
      if (subjects.length > 0) parts.acknowledge(subjects, "the action in ntfy");
      dealt.add(id);
      const [oldest = ""] = dealt;
      if (dealt.size > MOST_DEALT) dealt.delete(oldest);
    };
    return [{ cursor: id, deal }];
  });
}

/** What the message was about whose tap this is; nothing for anything else. */
function subjectsOf({ desk }: ChannelParts, said: string): notices.Subject[] {
  const hash = createHash("sha256").update(said).digest("hex");
  const tapped = [...desk.outbox.state().messages.values()].find(
    ({ channel, tap }) => channel === "ntfy" && tap === hash,
  );
  return tapped?.subjects ?? [];
}

function messageIn(line: string): { id: string; topic: string; message: string } | undefined {
  try {
    const { id, topic, message, event } = JSON.parse(line) as Record<string, unknown>;
    const isOne = event === "message" && typeof id === "string" && MESSAGE_ID.test(id) && typeof topic === "string";
    return isOne ? { id, topic, message: typeof message === "string" ? message : "" } : undefined;
  } catch {
    return undefined;
  }
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      signal.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, Math.max(ms, 0));
    if (signal.aborted) end();
    else signal.addEventListener("abort", end, { once: true });
  });
}
