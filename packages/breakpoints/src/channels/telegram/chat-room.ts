/** The private chat of the bound person: writes to it, makes its buttons, keeps its messages about questions true. */
import { BabysitterError, type Json } from "@a5c-ai/babysitter-sdk";
import type * as notices from "@a5c-ai/babysitter-sdk/notify";
import { shownLine } from "@a5c-ai/babysitter-sdk/notify";
import { decidingButtons, isDecidable, type LabelledButton, wordsButton } from "../../rules/chat-buttons.js";
import { htmlOf, type Line } from "../../rules/chat-html.js";
import { numberOf } from "../../rules/chat-numbers.js";
import { outcomeWords, previewFoot, previewLines, titleOf } from "../../rules/chat-words.js";
import type { QuestionDetail } from "../../wire/inbox-wire.js";
import type { ChannelParts } from "../channel-parts.js";
import type { Bot, InlineButton } from "./bot.js";
import { ChatMemory } from "./chat-memory.js";

export const CHANNEL = "telegram";

export interface Said {
  /** What must not be cut. */
  foot?: readonly Line[];
  buttons?: readonly LabelledButton[];
  /** The tap that these buttons are to confirm. */
  after?: notices.ChatTap;
  replyTo?: number;
  asksFor?: string;
}

export class ChatRoom {
  readonly parts: ChannelParts;
  readonly bot: Bot;
  readonly memory: ChatMemory;

  constructor(parts: ChannelParts, bot: Bot) {
    this.parts = parts;
    this.bot = bot;
    this.memory = new ChatMemory(parts.desk);
  }

  bound(): notices.BoundChat | undefined {
    return this.parts.desk.chats.bound(CHANNEL);
  }

  /** That it cannot be recorded must not keep anything from being decided. */
  acknowledge(subjects: readonly string[], how: string): void {
    try {
      this.parts.acknowledge(subjects, how);
    } catch (error) {
      this.#complain("An acknowledgement was not recorded", error);
    }
  }

  /** One below the other: thumbs are wide. A button that cannot be made is left out. */
  async keyboard(buttons: readonly LabelledButton[], after?: notices.ChatTap): Promise<InlineButton[][]> {
    const rows: InlineButton[][] = [];
    for (const { label, button } of buttons) {
      const callback_data = await this.#offer({ label, button }, after);
      if (callback_data !== undefined) rows.push([{ text: label, callback_data }]);
    }
    return rows;
  }

  /** Says something in a chat. That it cannot be said is logged: whoever waits for it asks again. */
  async say(chat: string, lines: readonly Line[], said: Said = {}): Promise<number | undefined> {
    const { buttons = [], foot = [], after, replyTo, asksFor } = said;
    try {
      return await this.bot.send(chat, {
        html: htmlOf(lines, { foot }),
        keyboard: await this.keyboard(buttons, after),
        ...(replyTo === undefined ? {} : { replyTo }),
        ...(asksFor === undefined ? {} : { asksFor }),
      });
    } catch (error) {
      this.#complain("An answer was not sent", error);
      return undefined;
    }
  }

  /** Like {@link say}, about a question: a reply to it is about that question too. */
  async sayAbout(chat: string, question: string, lines: readonly Line[], said: Said = {}): Promise<void> {
    const message = await this.say(chat, lines, said);
    if (message !== undefined) this.memory.note(message, { question });
  }

  /** A message says something else from now on, and has no buttons. */
  async replace(chat: string, message: number, text: string): Promise<void> {
    try {
      await this.bot.edit(chat, message, { html: htmlOf([[text]]) });
    } catch (error) {
      this.#complain("A message was not changed", error);
    }
  }

  /** The few words that a tap is answered with. */
  async toast(tap: string, text: string, { alert = false }: { alert?: boolean } = {}): Promise<void> {
    try {
      await this.bot.answerTap(tap, shownLine(text, LONGEST_TOAST), { alert });
    } catch (error) {
      // The service answers only for a while that it knows the tap.
      this.#complain("A tap was not answered", error);
    }
  }

  /** A question in full, with everything that decides it. */
  async preview(chat: string, id: string, replyTo?: number): Promise<void> {
    const detail = await this.parts.questions.look(id);
    const n = this.numberOf(detail);
    const isOpen = detail.state === "open";
    const foot = [
      ...previewFoot(detail, { now: new Date(), publicUrl: this.parts.publicUrl }),
      ...(isOpen ? [] : [[outcomeWords(detail, this.bound()?.name)]]),
    ];
    const buttons = isDecidable(detail) ? decidingButtons(detail, wordsButton(id)) : [];
    const more = replyTo === undefined ? {} : { replyTo };
    await this.sayAbout(chat, id, previewLines(detail, n), { foot, buttons, ...more });
  }

  numberOf({ id }: Pick<QuestionDetail, "id">): number | undefined {
    return numberOf(this.number([id]), id);
  }

  /** Gives numbers to what is about to be shown. */
  number(ids: readonly string[]): ReturnType<ChatMemory["numberAll"]> {
    const open = new Set(this.parts.open().map((row) => row.id));
    return this.memory.numberAll(ids, (id) => open.has(id));
  }

  /** All messages about a question say what has become of it, and have no buttons any more. */
  async close(detail: QuestionDetail, tapped?: number): Promise<void> {
    const title = this.#mayName() ? titleOf(detail) : "A question";
    await this.closeWith(detail.id, { title, outcome: outcomeWords(detail, this.bound()?.name), tapped });
  }

  async closeWith(
    question: string,
    { title, outcome, tapped }: { title: string; outcome: string; tapped?: number | undefined },
  ): Promise<void> {
    const chat = this.bound()?.chat;
    if (chat === undefined) return;
    const n = numberOf(this.memory.numbers(), question);
    const html = htmlOf([[{ text: n === undefined ? title : `${n} · ${title}`, as: "b" }], [outcome]]);
    const messages = new Set([...this.memory.messagesOf(question), ...(tapped === undefined ? [] : [tapped])]);
    try {
      for (const message of messages) {
        // Whoever heard of it first has changed it.
        if (this.memory.isClosed(message)) continue;
        this.memory.noteClosed(message);
        await this.bot.edit(chat, message, { html });
      }
    } catch (error) {
      this.#complain("A message was not changed", error);
    }
  }

  /** What an unasked message may say. */
  #mayName(): boolean {
    return this.parts.record.fields.includes("title") || this.parts.record.fields.includes("question");
  }

  async #offer({ button }: LabelledButton, after: notices.ChatTap | undefined): Promise<string | undefined> {
    const { questions, desk } = this.parts;
    const about = button as unknown as Json;
    try {
      if (button.does === "decide") {
        const place = { channel: CHANNEL, about, ...(after === undefined ? {} : { after }) };
        return await questions.offerDecision(button.question, button.words, place);
      }
      if (button.does === "comment")
        return await questions.offerComment(button.question, button.text, { channel: CHANNEL, about });
      return desk.chats.offer(CHANNEL, { about });
    } catch (error) {
      if (!BabysitterError.is(error)) throw error;
      this.#complain("A button was not made", error);
      return undefined;
    }
  }

  #complain(what: string, error: unknown): void {
    this.parts.log(`${what}: ${error instanceof Error ? error.message : String(error)}`);
  }
}

const LONGEST_TOAST = 190;
