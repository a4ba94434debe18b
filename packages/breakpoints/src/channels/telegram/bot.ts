/** The methods of Telegram's Bot API that are used here, each with one kind of error: a {@link DeliveryProblem}. */

import { shownLine } from "@a5c-ai/babysitter-sdk/notify";
import type { Api, InputFile } from "grammy";
import { DeliveryProblem } from "../channel.js";
import { type ApiRefusal, isHarmlessEdit, problemOfRefusal } from "./api-problems.js";
import { guardedFetch } from "./guarded-fetch.js";

const API_ROOT = "https://api.telegram.org";
/** For connecting, sending and the whole answer. */
const TIMEOUT_S = 25;
/** How long the service may wait before it answers that nothing has happened. */
const POLL_S = 10;
const MOST_UPDATES = 50;

export interface InlineButton {
  text: string;
  callback_data: string;
}

export interface ChatMessage {
  html: string;
  keyboard?: InlineButton[][];
  /** The message that it answers. */
  replyTo?: number;
  /** Asks for a reply, and says in the field what to write. */
  asksFor?: string;
}

export interface ChatDocument {
  name: string;
  content: Buffer;
  caption: string;
}

export interface RawUpdate {
  update_id: number;
}

type Settings = Readonly<Record<string, string>>;

export class Bot {
  readonly #api: Api;
  readonly #token: string;
  readonly #inputFile: typeof InputFile;

  readonly #trace: (what: string) => void;

  private constructor(api: Api, token: string, inputFile: typeof InputFile, trace: (what: string) => void) {
    this.#api = api;
    this.#token = token;
    this.#inputFile = inputFile;
    this.#trace = trace;
  }

  /** `settings`: `token`, and `apiRoot` where it is not the usual one. `trace` is told what is sent, without secrets. */
  static async open(settings: Settings, trace: (what: string) => void = () => undefined): Promise<Bot> {
    // Whoever does not use Telegram need not wait for it.
    const grammy = await import("grammy");
    const { token = "" } = settings;
    const apiRoot = (settings["apiRoot"] ?? API_ROOT).replace(/\/+$/u, "");
    const fetch = guardedFetch(hostOf(apiRoot)) as never;
    const api = new grammy.Api(token === "" ? "none" : token, { apiRoot, timeoutSeconds: TIMEOUT_S, fetch });
    return new Bot(api, token, grammy.InputFile, trace);
  }

  /** Who the bot is: shows that its token is good. */
  async me(signal?: AbortSignal): Promise<{ id: number; username: string }> {
    const { id, username } = await this.#call((own) => this.#api.getMe(own), signal);
    return { id, username };
  }

  /** Answers the number of the message. */
  async send(chat: string, { html, keyboard, replyTo, asksFor }: ChatMessage, signal?: AbortSignal): Promise<number> {
    const options = {
      ...FORMAT,
      ...keyboardIn(keyboard),
      ...(asksFor === undefined
        ? {}
        : { reply_markup: { force_reply: true as const, input_field_placeholder: asksFor } }),
      ...(replyTo === undefined
        ? {}
        : { reply_parameters: { message_id: replyTo, allow_sending_without_reply: true } }),
    };
    const sent = numberOf(await this.#call((own) => this.#api.sendMessage(chat, html, options, own), signal));
    this.#trace(`sent ${sent} to ${chat}: ${briefly(html)}`);
    return sent;
  }

  /** A message that is gone, or says that already, is no problem. */
  async edit(chat: string, message: number, { html, keyboard }: ChatMessage, signal?: AbortSignal): Promise<void> {
    // Without a keyboard the one that was there goes away.
    const options = { ...FORMAT, ...keyboardIn(keyboard) };
    await this.#call((own) => this.#api.editMessageText(chat, message, html, options, own), signal, isHarmlessEdit);
    this.#trace(`changed ${message} in ${chat}: ${briefly(html)}`);
  }

  async answerTap(tap: string, text: string, { alert }: { alert: boolean }): Promise<void> {
    await this.#call((own) => this.#api.answerCallbackQuery(tap, { text, show_alert: alert }, own));
    this.#trace(`answered a tap: ${briefly(text)}`);
  }

  async sendFile(chat: string, { name, content, caption }: ChatDocument): Promise<void> {
    const file = new this.#inputFile(content, name);
    const options = { caption, parse_mode: "HTML" as const };
    await this.#call((own) => this.#api.sendDocument(chat, file, options, own));
    this.#trace(`sent ${name} (${content.length} bytes) to ${chat}`);
  }

  /** What has happened from an update on; waits for a while if nothing has. */
  async updates(offset: number | undefined, signal: AbortSignal): Promise<RawUpdate[]> {
    const heard: unknown = await this.#call(
      (own) =>
        this.#api.getUpdates(
          {
            ...(offset === undefined ? {} : { offset }),
            timeout: POLL_S,
            limit: MOST_UPDATES,
            allowed_updates: ["message", "callback_query"],
          },
          own,
        ),
      signal,
    );
    if (Array.isArray(heard) && heard.every(isUpdate)) return heard;
    throw new DeliveryProblem("in-doubt", "Telegram sent a response that makes no sense");
  }

  /** `isFine`: refusals that are as good as a success. */
  async #call<T>(
    act: (signal: never) => Promise<T>,
    signal?: AbortSignal,
    isFine: (refusal: ApiRefusal) => boolean = () => false,
  ): Promise<T> {
    if (signal?.aborted === true) throw new DeliveryProblem("not-sent", "sending was stopped before it began");
    try {
      // grammY means signals of its own, and takes any.
      return await act(signal as never);
    } catch (error) {
      const refusal = refusalIn(error);
      if (refusal === undefined) throw problemIn(error);
      if (isFine(refusal)) return undefined as T;
      throw problemOfRefusal(refusal, this.#token);
    }
  }
}

const FORMAT = { parse_mode: "HTML" as const, link_preview_options: { is_disabled: true } };

function keyboardIn(rows: InlineButton[][] = []): { reply_markup?: { inline_keyboard: InlineButton[][] } } {
  return rows.length === 0 ? {} : { reply_markup: { inline_keyboard: rows } };
}

function briefly(text: string): string {
  return JSON.stringify(shownLine(text, 60));
}

function hostOf(apiRoot: string): string {
  return URL.canParse(apiRoot) ? new URL(apiRoot).host : "the address of the Bot API";
}

function numberOf(sent: { message_id?: unknown } | undefined): number {
  const number = sent?.message_id;
  if (Number.isSafeInteger(number)) return number as number;
  throw new DeliveryProblem("in-doubt", "Telegram sent a response that makes no sense");
}

function isUpdate(value: unknown): value is RawUpdate {
  return Number.isSafeInteger((value as { update_id?: unknown } | null | undefined)?.update_id);
}

/** What the service has said, if it has said something. */
function refusalIn(error: unknown): ApiRefusal | undefined {
  const { error_code: code, description, parameters } = (error ?? {}) as Record<string, unknown>;
  if (typeof code !== "number") return undefined;
  const wait = (parameters as { retry_after?: unknown } | undefined)?.retry_after;
  return {
    code,
    description: typeof description === "string" ? description : "",
    retryAfterSeconds: typeof wait === "number" ? wait : undefined,
  };
}

/** grammY wraps what fetch has thrown; what it throws itself is that the time is over. */
function problemIn(error: unknown): DeliveryProblem {
  const inner = (error as { error?: unknown } | null | undefined)?.error ?? error;
  if (inner instanceof DeliveryProblem) return inner;
  return new DeliveryProblem("in-doubt", `Telegram did not answer within ${TIMEOUT_S} s`);
}
