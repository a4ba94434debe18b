/** What the channel has to know about its chat later, also after a crash: numbers, and what its messages were about. */
import type { InboxDesk } from "@a5c-ai/babysitter-sdk/operate";
import { type NumberedQuestion, numberOf, readNumbers, withNumbers } from "../../rules/chat-numbers.js";

const CHANNEL = "telegram";
/** Older messages of the same question keep their buttons, which say what has become of it. */
const MOST_MESSAGES = 20;

/** What a message was about. `asks`: which text it asks for. */
export interface AboutMessage {
  question: string;
  asks?: "reason" | "words";
}

export class ChatMemory {
  readonly #chats: InboxDesk["chats"];

  constructor({ chats }: Pick<InboxDesk, "chats">) {
    this.#chats = chats;
  }

  numbers(): NumberedQuestion[] {
    return readNumbers(this.#chats.recall(CHANNEL, "numbers"));
  }

  /** Those that are about to be shown get numbers. */
  numberAll(shown: readonly string[], isOpen: (id: string) => boolean): NumberedQuestion[] {
    const known = this.numbers();
    if (shown.every((id) => numberOf(known, id) !== undefined)) return known;
    const numbers = withNumbers(known, shown, isOpen);
    this.#chats.remember(
      CHANNEL,
      "numbers",
      numbers.map(({ id, n }) => ({ id, n })),
    );
    return numbers;
  }

  /** Of a message that can be replied to, and changes when its question is decided, unless it only asks for a text. */
  note(message: number, about: AboutMessage): void {
    this.#chats.remember(CHANNEL, `message ${message}`, { ...about });
    if (about.asks !== undefined) return;
    const others = this.messagesOf(about.question).filter((one) => one !== message);
    this.#chats.remember(CHANNEL, `messages of ${about.question}`, [...others, message].slice(-MOST_MESSAGES));
  }

  about(message: number): AboutMessage | undefined {
    const { question, asks } = (this.#chats.recall(CHANNEL, `message ${message}`) ?? {}) as Record<string, unknown>;
    if (typeof question !== "string") return undefined;
    return { question, ...(asks === "reason" || asks === "words" ? { asks } : {}) };
  }

  messagesOf(question: string): number[] {
    const messages = this.#chats.recall(CHANNEL, `messages of ${question}`);
    return Array.isArray(messages) ? messages.filter((one) => typeof one === "number") : [];
  }

  /** It says now what has become of its question. */
  noteClosed(message: number): void {
    const about = this.about(message);
    if (about === undefined || this.isClosed(message)) return;
    this.#chats.remember(CHANNEL, `message ${message}`, { ...about, closed: true });
    const others = this.messagesOf(about.question).filter((one) => one !== message);
    this.#chats.remember(CHANNEL, `messages of ${about.question}`, others);
  }

  isClosed(message: number): boolean {
    const { closed } = (this.#chats.recall(CHANNEL, `message ${message}`) ?? {}) as Record<string, unknown>;
    return closed === true;
  }
}
