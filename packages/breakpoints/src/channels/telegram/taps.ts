/** What follows when the bound person taps a button. Doing it twice decides once. */
import { BabysitterError } from "@a5c-ai/babysitter-sdk";
import type * as notices from "@a5c-ai/babysitter-sdk/notify";
import { QuestionMovedOn } from "../../desk/inbox-questions.js";
import { type ChatButton, leaveButton, readButton, repeatingButton } from "../../rules/chat-buttons.js";
import type { TapUpdate } from "../../rules/chat-update.js";
import { alreadyWords, confirmLines, outcomeWords, titleOf } from "../../rules/chat-words.js";
import type { QuestionDetail } from "../../wire/inbox-wire.js";
import { CHANNEL, type ChatRoom } from "./chat-room.js";

const PROMPTS = {
  reason: { asks: "Why are you rejecting it?", asksFor: "Why it is rejected" },
  words: { asks: "What is your answer?", asksFor: "Your answer" },
} as const;

type Deciding = ChatButton & { does: "decide" };

const TOO_OLD = "This button has expired. To see the question again, send: list";
const CHANGED = "The question has changed. Here is the current version; nothing is decided.";

export async function dealWithTap(room: ChatRoom, update: TapUpdate): Promise<void> {
  const tap = { channel: CHANNEL, user: update.from.id, chat: update.chat.id, button: update.data };
  const button = readButton(room.parts.desk.chats.tapped(tap)?.about);
  if (button === undefined) {
    room.parts.log(`An unknown button was tapped by ${update.from.id}.`);
    await room.toast(update.tap, TOO_OLD, { alert: true });
    return;
  }
  room.acknowledge(button.subjects, "a button");
  try {
    await act(room, update, { tap, button });
  } catch (error) {
    const why = BabysitterError.is(error) ? error.message : "something went wrong. Try again, or use the inbox.";
    await room.toast(update.tap, `Not done: ${why}`, { alert: true });
    if (!BabysitterError.is(error)) throw error;
  }
}

interface Tap {
  tap: notices.ChatTap;
  button: ChatButton;
}

async function act(room: ChatRoom, update: TapUpdate, { tap, button }: Tap): Promise<void> {
  const { chat, message } = update;
  switch (button.does) {
    case "decide":
      return decide(room, update, { tap, button });
    case "comment":
      await room.parts.questions.comment(button.question, { text: button.text }, { kind: "chat", tap });
      await room.toast(update.tap, "Comment added. The question is still open.");
      return room.replace(chat.id, message, "Added as a comment. The question is still open.");
    case "ask":
      return ask(room, update, button);
    case "show":
      await room.toast(update.tap, "");
      return room.preview(chat.id, button.question, message);
    case "leave":
      await room.toast(update.tap, "Nothing is decided.");
      return room.replace(chat.id, message, "Left open. Nothing is decided.");
    case "note":
      return room.toast(update.tap, "Marked as seen.");
  }
}

async function decide(
  room: ChatRoom,
  update: TapUpdate,
  { tap, button }: { tap: notices.ChatTap; button: Deciding },
): Promise<void> {
  const { questions } = room.parts;
  const before = await questions.look(button.question);
  if (before.state !== "open") return tooLate(room, update, before);
  try {
    const { outcome, question } = await questions.decide(button.question, button.words, { kind: "chat", tap });
    if (outcome === "duplicate") return await tooLate(room, update, question);
    await room.toast(update.tap, outcomeWords(question, room.bound()?.name));
    await room.close(question, update.message);
  } catch (error) {
    if (error instanceof QuestionMovedOn) return movedOn(room, update, error.question);
    const code = BabysitterError.is(error) ? error.code : undefined;
    // What was shown with the button is not what is asked now, or it was decided in between.
    if (code === "SIGN_IN_REFUSED") return movedOn(room, update, await questions.look(button.question));
    if (!wantsSecondTap(error)) throw error;
    await room.toast(update.tap, "Not decided yet: please confirm.");
    await confirm(room, update, { tap, button, detail: before });
  }
}

/** The rule is the engine's: it takes only a button that was made after a tap on the same decision. */
function wantsSecondTap(error: unknown): boolean {
  if (!BabysitterError.is(error) || error.code !== "DECISION_NOT_ALLOWED") return false;
  return (error.details as { why?: unknown } | undefined)?.why === "second-tap";
}

async function confirm(
  room: ChatRoom,
  { chat, message }: TapUpdate,
  { tap, button, detail }: { tap: notices.ChatTap; button: Deciding; detail: QuestionDetail },
): Promise<void> {
  const { question, words } = button;
  await room.sayAbout(chat.id, question, confirmLines(detail, words), {
    buttons: [repeatingButton(question, words, titleOf(detail)), leaveButton(question)],
    after: tap,
    replyTo: message,
  });
}

async function tooLate(room: ChatRoom, update: TapUpdate, question: QuestionDetail): Promise<void> {
  await room.toast(update.tap, alreadyWords(question, room.bound()?.name), { alert: true });
  await room.close(question, update.message);
}

async function movedOn(room: ChatRoom, update: TapUpdate, question: QuestionDetail): Promise<void> {
  if (question.state !== "open") return tooLate(room, update, question);
  await room.toast(update.tap, CHANGED, { alert: true });
  await room.preview(update.chat.id, question.id, update.message);
}

async function ask(room: ChatRoom, update: TapUpdate, button: ChatButton & { does: "ask" }): Promise<void> {
  const { chat, message, tap } = update;
  const { question, what } = button;
  const detail = await room.parts.questions.look(question);
  if (detail.state !== "open") return tooLate(room, update, detail);
  await room.toast(tap, "");
  const { asks, asksFor } = PROMPTS[what];
  const prompt = await room.say(
    chat.id,
    [
      [{ text: asks, as: "b" }, " Reply to this message. Nothing is decided yet."],
      [{ text: titleOf(detail), as: "blockquote" }],
    ],
    { replyTo: message, asksFor },
  );
  if (prompt !== undefined) room.memory.note(prompt, { question, asks: what });
}
