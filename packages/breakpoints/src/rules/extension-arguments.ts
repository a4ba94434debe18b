/** What was typed behind `extension`, as data: flags, plain words, or what npm has made of the flags. */
import { BabysitterError } from "@a5c-ai/babysitter-sdk";
import * as notices from "@a5c-ai/babysitter-sdk/notify";
import { nearestName } from "@a5c-ai/babysitter-sdk/notify";

/** The options by name; a text, or a switch. */
export const EXTENSION_OPTIONS = {
  token: "string",
  username: "string",
  "api-root": "string",
  server: "string",
  topic: "string",
  "reply-token": "string",
  url: "string",
  secret: "string",
  fields: "string",
  topics: "string",
  files: "boolean",
  "no-files": "boolean",
} as const;

export type OptionName = keyof typeof EXTENSION_OPTIONS;
export type Options = Partial<Record<OptionName, string | boolean>>;

/** Where `babysitter extension` puts what it was given: on a list of processes everybody could read it. */
export const HANDED_ON = "BABYSITTER_EXTENSION_OPTIONS";

export interface TypedExtension {
  words: readonly string[];
  options: Options;
}

/** What somebody wants done. What they have not mentioned is not there, and stays as it is. */
export type ExtensionRequest =
  | { act: "list" }
  | { act: "disable" | "link"; channel: notices.ChannelName }
  | EnableRequest;

export interface EnableRequest {
  act: "enable";
  channel: notices.ChannelName;
  settings: Record<string, string>;
  fields?: notices.Field[];
  topics?: notices.Topic[];
  files?: boolean;
}

type Environment = Readonly<Record<string, string | undefined>>;

const ACTS = ["enable", "disable", "list", "link"] as const;

interface ChannelForm {
  /** What its plain words mean, in their order. */
  words: readonly OptionName[];
  takes: readonly OptionName[];
}

const FORMS: Readonly<Record<notices.ChannelName, ChannelForm>> = {
  telegram: { words: ["token", "username"], takes: ["token", "username", "api-root"] },
  ntfy: { words: ["topic"], takes: ["server", "topic", "token", "reply-token"] },
  slack: { words: ["url"], takes: ["url"] },
  discord: { words: ["url"], takes: ["url"] },
  webhook: { words: ["url"], takes: ["url", "secret"] },
};
const COMMON: readonly OptionName[] = ["fields", "topics", "files", "no-files"];

/** Throws for whatever makes no sense; secrets are never quoted. */
export function parseExtension(typed: TypedExtension): ExtensionRequest {
  const [act = "list", name, ...rest] = typed.words;
  if (!isOneOf(act, ACTS)) throw wrong(`There is no "extension ${act}".`, didYouMean(act, ACTS));
  if (act === "list") {
    if (name !== undefined) throw wrong(`"extension list" lists all channels; leave ${JSON.stringify(name)} out.`);
    return { act };
  }
  const channel = channelNamed(name, act);
  if (act === "enable") return enableRequest(channel, rest, typed.options);
  if (rest.length > 0) throw wrong(`"extension ${act}" takes one channel, and nothing else.`);
  return { act, channel };
}

/** The channel of that name. */
export function channelNamed(name: string | undefined, act: string): notices.ChannelName {
  const all = notices.CHANNELS.join(", ");
  if (name === undefined || name === "") throw wrong(`Which channel? "extension ${act}" takes one of ${all}.`);
  if (isOneOf(name, notices.CHANNELS)) return name;
  throw wrong(
    `There is no channel ${JSON.stringify(name)}.`,
    didYouMean(name, notices.CHANNELS) ?? `There are ${all}.`,
  );
}

function enableRequest(channel: notices.ChannelName, words: readonly string[], typed: Options): EnableRequest {
  const form = FORMS[channel];
  const options = withWords(form, words, typed);
  const known = [...form.takes, ...COMMON];
  const foreign = (Object.keys(options) as OptionName[]).find((option) => !known.includes(option));
  if (foreign !== undefined)
    throw wrong(`${channel} takes no --${foreign}.`, `It takes ${known.map((option) => `--${option}`).join(", ")}.`);
  return {
    act: "enable",
    channel,
    settings: settingsIn(channel, options),
    ...listIn(options, "fields", notices.FIELDS),
    ...listIn(options, "topics", notices.TOPICS),
    ...filesIn(options),
  };
}

/** Words stand for the options that are missing, in their order. */
function withWords(form: ChannelForm, words: readonly string[], typed: Options): Options {
  const isComplete = words.length === form.words.length;
  const free = isComplete ? form.words : form.words.filter((option) => typed[option] === undefined);
  if (words.length > free.length)
    throw wrong(
      `Unexpected ${words.length - free.length === 1 ? "argument" : "arguments"} at the end.`,
      "With npm, put -- before flags: npm run cli -- extension enable …",
    );
  return { ...typed, ...Object.fromEntries(ordered(words).map((word, at) => [free[at], word])) };
}

/** A token is told from a name by its form. */
function ordered(words: readonly string[]): readonly string[] {
  const [first = "", second = ""] = words;
  return BOT_TOKEN.test(second) && !BOT_TOKEN.test(first) && first !== "-" ? [second, first] : words;
}

function settingsIn(channel: notices.ChannelName, options: Options): Record<string, string> {
  const { takes } = FORMS[channel];
  const found = takes.flatMap((option) => {
    const text = textOf(options, option);
    return text === undefined ? [] : [[KEYS[option] ?? option, READERS[option]?.(text, channel) ?? text] as const];
  });
  return Object.fromEntries(found);
}

/** What an option is called in the settings of a channel, where that differs. */
const KEYS: Partial<Record<OptionName, string>> = { "api-root": "apiRoot", "reply-token": "replyToken" };

type Reader = (text: string, channel: notices.ChannelName) => string;

const READERS: Partial<Record<OptionName, Reader>> = {
  token: (text, channel) => (channel === "telegram" ? botToken(text) : plainText("--token", text)),
  username: telegramName,
  "api-root": (text) => webAddress("--api-root", text),
  server: (text) => webAddress("--server", text),
  topic: ntfyTopic,
  url: (text) => webAddress("--url", text),
  "reply-token": (text) => plainText("--reply-token", text),
  secret: (text) => plainText("--secret", text),
};

/** Wide enough for whatever bots may get; it catches what was cut off, or is something else. */
const BOT_TOKEN = /^\d{1,20}:[\w-]{10,128}$/u;

function botToken(text: string): string {
  if (BOT_TOKEN.test(text)) return text;
  throw wrong(
    "This is not the token of a bot. A token looks like 123456789:AAE… and has no spaces.",
    "@BotFather in Telegram shows it (/mybots, API Token). To paste it without showing it: babysitter extension enable telegram --token -",
  );
}

/** The number of the bot, which every token of it begins with. */
export function botOf(token: string | undefined): string {
  return token?.split(":", 1)[0] ?? "";
}

function telegramName(text: string): string {
  const name = text.replace(/^@/u, "");
  if (/^[a-z]\w{2,31}$/iu.test(name)) return name;
  throw wrong(
    `${JSON.stringify(text)} is not a Telegram username: 3 to 32 letters, digits and underscores.`,
    "It is your own name there, not the bot's, and may be left out.",
  );
}

function ntfyTopic(text: string): string {
  if (/^[\w-]{1,64}$/u.test(text)) return text;
  throw wrong("A topic of ntfy has at most 64 letters, digits, underscores and dashes.");
}

function plainText(option: string, text: string): string {
  if (/^[!-~]{1,1000}$/u.test(text)) return text;
  throw wrong(`${option} has characters that cannot be sent, such as spaces, or is too long.`);
}

/** An address may be as secret as a password, so it is not quoted. */
function webAddress(option: string, text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !["http:", "https:"].includes(url.protocol))
    throw wrong(`${option} is not an address that begins with https:// or http://.`);
  if (url.username !== "" || url.password !== "")
    throw wrong(`${option} has a name or a password in it, which is not supported.`);
  if (url.hash !== "") throw wrong(`${option} has a # in it; copy the address again.`);
  return option === "--url" ? url.href : url.href.replace(/\/+$/u, "");
}

/** True for an address whose messages anyone on the way can read. */
export function isUnprotected(address: string): boolean {
  const { protocol, hostname } = new URL(address);
  return protocol === "http:" && !/^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/u.test(hostname);
}

function listIn<const Name extends "fields" | "topics", Word extends string>(
  options: Options,
  option: Name,
  known: readonly Word[],
): { [N in Name]?: Word[] } {
  const text = textOf(options, option);
  if (text === undefined) return {};
  const words = text.split(",").map((word) => word.trim());
  const chosen = option === "fields" && text === "none" ? [] : words;
  for (const word of chosen)
    if (!isOneOf(word, known))
      throw wrong(
        `--${option} does not know ${JSON.stringify(word)}.`,
        didYouMean(word, known) ?? `It takes one or more of ${known.join(", ")}, separated by commas.`,
      );
  return { [option]: known.filter((word) => chosen.includes(word)) } as { [N in Name]?: Word[] };
}

function filesIn(options: Options): { files?: boolean } {
  const [on, off] = [isOn(options.files), isOn(options["no-files"])];
  if (on && off) throw wrong("--files and --no-files contradict each other.");
  return on || off ? { files: on } : {};
}

function isOn(value: string | boolean | undefined): boolean {
  return value === true || value === "true" || value === "";
}

/** What was given without a text, as by a variable that is not set, is a mistake. */
function textOf(options: Options, option: OptionName): string | undefined {
  const value = options[option];
  if (value === undefined) return undefined;
  if (typeof value === "boolean" || value.trim() === "") throw wrong(`--${option} is empty.`);
  return value.trim();
}

/**
 * All that is known of what was typed. `npm run cli extension enable telegram --token T` hands on the words only: npm
 * takes flags for its own, and tells of them in variables.
 */
export function withHandedOn({ words, options }: TypedExtension, env: Environment): TypedExtension {
  const { words: more = [], options: given = {} } = handedOn(env[HANDED_ON]);
  const all = [...words, ...more];
  const byNpm = env["npm_lifecycle_event"] === undefined ? {} : npmOptions(env, all);
  return { words: all, options: { ...byNpm, ...given, ...options } };
}

function npmOptions(env: Environment, [act, channel = ""]: readonly string[]): Options {
  if (act !== "enable" || !isOneOf(channel, notices.CHANNELS)) return {};
  const found = [...FORMS[channel].takes, ...COMMON].flatMap((option) => {
    const texts = (NPM_NAMES[option] ?? [option]).map((name) => env[`npm_config_${name.replaceAll("-", "_")}`]);
    // Where npm takes it for a switch, its text has become a word.
    const isWord = (text: string): boolean => EXTENSION_OPTIONS[option] === "string" && text === "true";
    const text = texts.find((value) => value !== undefined && !isWord(value));
    return text === undefined ? [] : [[option, text]];
  });
  return Object.fromEntries(found) as Options;
}

/** What npm takes a flag for: some versions complete it to one of their own. */
const NPM_NAMES: Partial<Record<OptionName, readonly string[]>> = { token: ["token", "token-description"] };

function handedOn(text: string | undefined): Partial<TypedExtension> {
  if (!text) return {};
  try {
    return JSON.parse(text) as Partial<TypedExtension>;
  } catch {
    throw wrong(`${HANDED_ON} is for babysitter itself; unset it.`);
  }
}

/** Options that are to be read from the terminal; one at most. */
export function askedFor({ words, options }: TypedExtension): OptionName | undefined {
  const [act, channel = "", ...rest] = words;
  if (act !== "enable" || !isOneOf(channel, notices.CHANNELS)) return undefined;
  const byWord = rest.flatMap((word, at) => (word === "-" ? (FORMS[channel].words[at] ?? []) : []));
  const byOption = (Object.keys(options) as OptionName[]).filter((option) => options[option] === "-");
  const all = [...new Set([...byWord, ...byOption])];
  if (all.length > 1) throw wrong("Only one - can be read from the terminal.");
  return all[0];
}

/** The same with what the terminal said. */
export function withAnswer({ words, options }: TypedExtension, option: OptionName, answer: string): TypedExtension {
  return { words: words.map((word) => (word === "-" ? answer : word)), options: { ...options, [option]: answer } };
}

function didYouMean(word: string, known: readonly string[]): string | undefined {
  const near = nearestName(word, known);
  return near === undefined ? undefined : `Did you mean ${near}?`;
}

function isOneOf<Word extends string>(text: string, known: readonly Word[]): text is Word {
  return (known as readonly string[]).includes(text);
}

function wrong(message: string, hint = "babysitter extension --help"): BabysitterError {
  return new BabysitterError("USAGE", message, { hint });
}
