/** A notification as a message with buttons. */
import { BabysitterError } from "@a5c-ai/babysitter-sdk";
import { shownLine } from "@a5c-ai/babysitter-sdk/notify";
import { decidingButtons, type LabelledButton, noteButton, showButton, subjectOf } from "../../rules/chat-buttons.js";
import { htmlOf, type Line } from "../../rules/chat-html.js";
import { numberOf } from "../../rules/chat-numbers.js";
import { cutText } from "../../rules/chat-words.js";
import type { QuestionDetail } from "../../wire/inbox-wire.js";
import type { Outgoing, OutgoingItem } from "../channel.js";
import type { ChatMessage } from "./bot.js";
import type { ChatRoom } from "./chat-room.js";

const LONGEST_TITLE = 200;
const LONGEST_DETAIL = 300;
const LONGEST_QUESTION = 2_000;

const LABELS: Readonly<Record<OutgoingItem["details"][number]["name"], string>> = {
  title: "Title",
  question: "Question",
  run: "Run",
  project: "Project",
  link: "Link",
  options: "Answers",
  risk: "Risk",
};

/** The numbers by which a person names questions are given out here. */
export async function renderNotification(room: ChatRoom, message: Outgoing): Promise<ChatMessage> {
  const { items } = message;
  const numbers = room.number(items.flatMap(({ question }) => question ?? []));
  const titled = items.map((item) => {
    const n = item.question === undefined ? undefined : numberOf(numbers, item.question);
    const title = shownLine(item.title, LONGEST_TITLE) || "A question";
    return { item, title: n === undefined ? title : `${n} · ${title}` };
  });
  const lines = [
    ...headLines(message),
    ...titled.flatMap(({ item, title }) => itemLines(item, title, message.link)),
    ...tail(message),
  ];
  const keyboard = await room.keyboard(await buttonsOf(room, message, titled));
  return { html: htmlOf(lines, { foot: linkLines(message.link, "Open the inbox") }), keyboard };
}

function headLines({ heading, repeat }: Outgoing): Line[] {
  return [
    [{ text: shownLine(heading, LONGEST_TITLE), as: "b" }],
    ...(repeat ? [[{ text: "You may have received this before.", as: "i" as const }]] : []),
  ];
}

function itemLines({ details, link, outcome }: OutgoingItem, title: string, foot: string | undefined): Line[] {
  return [
    [""],
    [{ text: title, as: "b" }],
    ...(outcome === undefined ? [] : [[{ text: shownLine(outcome, LONGEST_DETAIL), as: "i" as const }]]),
    ...details.map(
      ({ name, text }): Line =>
        name === "question"
          ? [{ text: cutText(text, LONGEST_QUESTION), as: "blockquote" }]
          : [`${LABELS[name]}: ${shownLine(text, LONGEST_DETAIL)}`],
    ),
    ...(link === foot ? [] : linkLines(link, "Open in the inbox")),
  ];
}

function tail({ lines }: Outgoing): Line[] {
  return lines.length === 0 ? [] : [[""], ...lines.map((line): Line => [line.replaceAll(/[\r\n]+/gu, " ")])];
}

function linkLines(link: string | undefined, text: string): Line[] {
  return link === undefined || !/^https?:\/\//u.test(link) ? [] : [[{ text, href: link }]];
}

type Titled = readonly { item: OutgoingItem; title: string }[];

/** One question is decided at once; of several, each opens as a message of its own. */
async function buttonsOf(room: ChatRoom, { items, subjects }: Outgoing, titled: Titled): Promise<LabelledButton[]> {
  const [only] = items;
  if (items.every(({ outcome }) => outcome !== undefined) && items.length > 0) return [];
  if (subjects.length === 1 && only?.question !== undefined) return questionButtons(room, only.question);
  const open = titled.flatMap(({ item: { question, outcome }, title }) =>
    question === undefined || outcome !== undefined ? [] : [showButton(question, title, subjects)],
  );
  const isAboutQuestions = items.some(({ question }) => question !== undefined);
  return isAboutQuestions || subjects.length === 0 ? open : [noteButton(subjects)];
}

/** Answers that the question offers are shown here only if this channel may say them unasked. */
async function questionButtons(room: ChatRoom, id: string): Promise<LabelledButton[]> {
  const detail = await lookAt(room, id);
  const details = showButton(id, "Details", [subjectOf(id)]);
  if (detail === undefined) return [details];
  const isSecret = detail.options.length > 0 && !room.parts.record.fields.includes("options");
  return isSecret ? [showButton(id, "Details and answers", [subjectOf(id)])] : decidingButtons(detail, details);
}

/** That there is a question is told even if it cannot be read now. */
async function lookAt(room: ChatRoom, id: string): Promise<QuestionDetail | undefined> {
  try {
    return await room.parts.questions.look(id);
  } catch (error) {
    if (BabysitterError.is(error)) return undefined;
    throw error;
  }
}
