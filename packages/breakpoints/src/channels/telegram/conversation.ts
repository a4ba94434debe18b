/** Deals with what is heard: one update after the other, each as often as it comes. */
import { BabysitterError } from "@a5c-ai/babysitter-sdk";
import { readButton, reasonButtons, showButton, subjectOf, textButtons } from "../../rules/chat-buttons.js";
import type { ChatCommand } from "../../rules/chat-commands.js";
import type { Line } from "../../rules/chat-html.js";
import { type ChatIntent, intentOf } from "../../rules/chat-intent.js";
import { numberOf } from "../../rules/chat-numbers.js";
import { type ChatUpdate, type RepliedTo, readUpdate, type SaidUpdate } from "../../rules/chat-update.js";
import {
  boundNow,
  HINTS,
  helpLines,
  howToBind,
  isUnreadable,
  listLines,
  MOST_LISTED,
  MOVED_AWAY,
  NOTHING_HERE,
  outcomeWords,
  quoted,
  staleLink,
  titleOf,
} from "../../rules/chat-words.js";
import { CHANNEL, type ChatRoom } from "./chat-room.js";
import { sendFiles } from "./send-files.js";
import { dealWithTap } from "./taps.js";

/** Of those who are turned away so many are remembered. */
const MOST_STRANGERS = 1_000;

export class Conversation {
  readonly #room: ChatRoom;
  /** How often somebody was not answered, by who and why. */
  readonly #ignored = new Map<string, number>();
  readonly #turnedAway = new Set<string>();

  constructor(room: ChatRoom) {
    this.#room = room;
  }

  /** Nothing that is heard may keep the next from being heard. */
  async deal(raw: unknown): Promise<void> {
    const update = readUpdate(raw);
    try {
      await this.#act(update);
    } catch (error) {
      const what = error instanceof Error ? (error.stack ?? error.message) : String(error);
      this.#room.parts.log(`An update could not be handled: ${what}`);
    }
  }

  async #act(update: ChatUpdate): Promise<void> {
    const { record } = this.#room.parts;
    const intent = intentOf(update, { bound: this.#room.bound(), handle: record.settings["username"] || undefined });
    if (intent.kind === "ignore") return this.#logIgnored(update, intent.why);
    if (intent.kind === "tap") return dealWithTap(this.#room, intent.tap);
    if (update.kind === "said") return this.#answer(intent, update);
  }

  async #answer(intent: Exclude<ChatIntent, { kind: "ignore" | "tap" }>, update: SaidUpdate): Promise<void> {
    const room = this.#room;
    const chat = update.chat.id;
    switch (intent.kind) {
      case "turn-away":
        return this.#turnAway(update, intent.why);
      case "how-to-bind":
        await room.say(chat, howToBind());
        return;
      case "bind":
        return this.#bind(intent, update);
      case "command":
        return this.#command(chat, intent.command);
      case "reply":
        return this.#reply(chat, intent);
      case "loose":
        return this.#list(chat, [[HINTS.loose], [""]]);
      case "unusable":
        await room.say(chat, [[HINTS[intent.what]]]);
    }
  }

  async #bind(intent: ChatIntent & { kind: "bind" }, update: SaidUpdate): Promise<void> {
    const room = this.#room;
    const { from, chat } = update;
    const before = room.bound();
    const { chats } = room.parts.desk;
    if (chats.bind(intent.link, { channel: CHANNEL, user: from.id, chat: chat.id, name: from.name })) {
      room.parts.log(`The chat of ${from.name} (${from.id}) is bound.`);
      if (before !== undefined && before.chat !== chat.id) await room.say(before.chat, MOVED_AWAY);
      return this.#list(chat.id, [...boundNow(from.name), [""]]);
    }
    if (intent.isBound) return this.#list(chat.id, [["This chat is already bound."], [""]]);
    if (!intent.isExpected) return this.#turnAway(update, "the link is not valid");
    room.parts.log(`${from.name} (${from.id}) opened a link that is not valid.`);
    await room.say(chat.id, staleLink());
  }

  async #command(chat: string, command: ChatCommand): Promise<void> {
    if (!("number" in command)) {
      if (command.name === "list") return this.#list(chat);
      return void (await this.#room.say(chat, helpLines()));
    }
    const id = this.#named(command.number);
    if (id === undefined) return this.#list(chat, [[noSuch(command.number)], [""]]);
    this.#room.acknowledge([subjectOf(id)], "a message");
    await this.#telling(chat, () =>
      command.name === "file"
        ? sendFiles(this.#room, chat, { id, wanted: command.path })
        : this.#room.preview(chat, id),
    );
  }

  /** Without a number the only one is meant. */
  #named(number: number | undefined): string | undefined {
    if (number !== undefined) return this.#room.memory.numbers().find(({ n }) => n === number)?.id;
    const [only, ...others] = this.#room.parts.open();
    return others.length === 0 ? only?.id : undefined;
  }

  async #list(chat: string, before: readonly Line[] = []): Promise<void> {
    const rows = this.#room.parts.open();
    const shown = rows.slice(0, MOST_LISTED);
    const numbers = this.#room.number(shown.map(({ id }) => id));
    const buttons = shown.map((row) =>
      showButton(row.id, `${numberOf(numbers, row.id) ?? "?"} · ${titleOf(row)}`, [subjectOf(row.id)]),
    );
    await this.#room.say(chat, [...before, ...listLines(rows, numbers, new Date())], { buttons });
  }

  /** What the message was about is known from what was noted, or else from its buttons. */
  async #reply(chat: string, { to, text, command }: ChatIntent & { kind: "reply" }): Promise<void> {
    const room = this.#room;
    const noted = room.memory.about(to.message);
    if (noted?.asks === undefined && command !== undefined) return this.#command(chat, command);
    const { subjects, questions } = this.#tappable(chat, to);
    const question = noted?.question ?? (questions.length === 1 ? questions[0] : undefined);
    const acknowledged = new Set([...subjects, ...(question === undefined ? [] : [subjectOf(question)])]);
    if (acknowledged.size > 0) room.acknowledge([...acknowledged], "a reply");
    if (question !== undefined)
      return this.#telling(chat, () => this.#offerText(chat, { question, text, isReason: noted?.asks === "reason" }));
    if (questions.length > 1) return void (await room.say(chat, [[HINTS.which]]));
    if (subjects.length > 0) return void (await room.say(chat, [["Marked as seen."]]));
    await this.#list(chat, [[HINTS.unknownReply], [""]]);
  }

  /** The buttons below a message that are ours. */
  #tappable(chat: string, { buttons }: RepliedTo): { subjects: string[]; questions: string[] } {
    const { chats } = this.#room.parts.desk;
    const user = this.#room.bound()?.user ?? "";
    const known = buttons.flatMap((button) => {
      const tapped = chats.tapped({ channel: CHANNEL, user, chat, button });
      return readButton(tapped?.about) ?? [];
    });
    const questions = known.flatMap((button) => (button.does === "note" ? [] : [button.question]));
    return { subjects: [...new Set(known.flatMap(({ subjects }) => subjects))], questions: [...new Set(questions)] };
  }

  /** A text decides nothing: it is shown again, with what it may mean. */
  async #offerText(
    chat: string,
    { question, text, isReason }: { question: string; text: string; isReason: boolean },
  ): Promise<void> {
    const room = this.#room;
    const detail = await room.parts.questions.look(question);
    if (detail.state !== "open") {
      await room.say(chat, [[{ text: titleOf(detail), as: "b" }], [outcomeWords(detail, room.bound()?.name)]]);
      return room.close(detail);
    }
    const why = isUnreadable(text) ? HINTS.blank : detail.readOnly;
    if (why !== undefined) return void (await room.say(chat, [[why]]));
    const lines: Line[] = [
      [{ text: isReason ? "Reject with this reason?" : "You wrote:", as: "b" }],
      quoted(text),
      [{ text: `About: ${titleOf(detail)}`, as: "i" }],
      [isReason ? "Nothing is decided yet." : "What do you want to do with it? Nothing is decided yet."],
    ];
    const buttons = isReason ? reasonButtons(detail, text) : textButtons(detail, text);
    await room.sayAbout(chat, question, lines, { buttons });
  }

  /** Says why something cannot be done, where that is known. */
  async #telling(chat: string, act: () => Promise<void>): Promise<void> {
    try {
      await act();
    } catch (error) {
      if (!BabysitterError.is(error)) throw error;
      await this.#room.say(chat, [[error.message]]);
    }
  }

  /** Once: who asks again and again learns nothing. */
  async #turnAway(update: SaidUpdate, why: string): Promise<void> {
    this.#logIgnored(update, why);
    const { id } = update.from;
    if (this.#turnedAway.has(id) || this.#turnedAway.size >= MOST_STRANGERS) return;
    this.#turnedAway.add(id);
    await this.#room.say(update.chat.id, NOTHING_HERE);
  }

  /** Whoever writes without end must not fill the log: the first time, the tenth, the hundredth. */
  #logIgnored(update: ChatUpdate, why: string): void {
    const who = update.kind === "other" ? "" : ` from ${update.from.id} in ${update.chat.id}`;
    const key = `${who} ${why}`;
    if (this.#ignored.size >= MOST_STRANGERS) this.#ignored.clear();
    const times = (this.#ignored.get(key) ?? 0) + 1;
    this.#ignored.set(key, times);
    if (!/^10*$/u.test(String(times))) return;
    this.#room.parts.log(`Ignored${who}: ${why}${times === 1 ? "" : ` (${times} times)`}.`);
  }
}

function noSuch(number: number | undefined): string {
  return number === undefined ? "Which one? Give its number." : `I have not shown you question ${number}.`;
}
