/** What a person in a chat is told: plain text, line by line. */
import { shownLine } from "@a5c-ai/babysitter-sdk/notify";
import type { DecisionWords, QuestionDetail, QuestionRow } from "../wire/inbox-wire.js";
import { actionOf } from "./chat-buttons.js";
import { shownBytes } from "./chat-files.js";
import type { Line } from "./chat-html.js";
import { type NumberedQuestion, numberOf } from "./chat-numbers.js";

const LONGEST_TITLE = 120;
const LONGEST_QUESTION = 2_000;
const LONGEST_QUOTE = 1_500;
const LONGEST_DETAIL = 300;
const MOST_COMMENTS = 3;
const MOST_FACTS = 8;
export const MOST_LISTED = 20;

export const LINK_COMMAND = "babysitter extension link telegram";

/** What a question is called where there is room for one line. */
export function titleOf({ title, question }: Pick<QuestionRow, "title" | "question">): string {
  const [first = ""] = question.trim().split(/\r?\n/u);
  return shownLine(title?.trim() || first, LONGEST_TITLE) || "A question";
}

export function howToBind(): Line[] {
  return [
    ["This chat is not bound to you yet. On the machine where Babysitter runs, type"],
    [{ text: LINK_COMMAND, as: "code" }],
    ["and open the link that it prints, on this phone, within 10 minutes."],
  ];
}

export function staleLink(): Line[] {
  return [
    ["This link was already used, or is older than 10 minutes. Get a new one:"],
    [{ text: LINK_COMMAND, as: "code" }],
  ];
}

/** Says nothing about whose bot it is. */
export const NOTHING_HERE: readonly Line[] = [["There is nothing here for this account."]];

export const MOVED_AWAY: readonly Line[] = [
  ["Another chat was bound to this bot, with a link from your machine. This chat gets no more messages."],
  ["If that was not you, run: ", { text: "babysitter extension disable telegram", as: "code" }],
];

export function boundNow(name: string): Line[] {
  return [
    [{ text: `This chat is bound to ${shownLine(name, 60)}.`, as: "b" }, " Questions from your runs now arrive here."],
  ];
}

export function helpLines(): Line[] {
  return [
    explained("list", "the questions waiting for you"),
    explained("preview 1", "one of them in full, with buttons"),
    explained("file 1", "its files"),
    ["Reply to a question to answer it in words, or to comment. Only buttons decide; text alone never does."],
  ];
}

function explained(word: string, what: string): Line {
  return [{ text: word, as: "code" }, ` – ${what}`];
}

export const HINTS = {
  loose: "Text alone decides nothing. Use the buttons, or reply to a question's message.",
  forwarded: "Forwarded messages are ignored. Write it yourself, as a reply to a question's message.",
  "no-text": "Only text can be an answer.",
  which: "Which question is this about? Reply to that question's message.",
  unknownReply: "I no longer know what that message was about. Reply to a question's message.",
  blank: "That message is empty.",
} as const;

/** Nobody could read any of it. */
export function isUnreadable(text: string): boolean {
  return /^[\s\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]*$/u.test(text);
}

/** The first questions of the inbox, with their numbers. */
export function listLines(rows: readonly QuestionRow[], numbers: readonly NumberedQuestion[], now: Date): Line[] {
  if (rows.length === 0) return [["Nothing is waiting for you."]];
  const shown = rows.slice(0, MOST_LISTED);
  const more = rows.length - shown.length;
  return [
    [
      {
        text: rows.length === 1 ? "One question is waiting for you." : `${rows.length} questions are waiting for you.`,
        as: "b",
      },
    ],
    ...shown.flatMap((row): Line[] => [
      [""],
      [{ text: `${numberOf(numbers, row.id) ?? "?"}.`, as: "b" }, ` ${titleOf(row)}`],
      [{ text: placeWords(row, now), as: "i" }],
    ]),
    ...(more > 0 ? [[""], [`… and ${more} more in the inbox.`]] : []),
  ];
}

function placeWords({ project, run, risk, askedAt }: QuestionRow, now: Date): string {
  const parts = [project.name, run.id, agoWords(askedAt, now), ...(risk === "high" ? ["high risk"] : [])];
  return parts.map((part) => shownLine(part, 60)).join(" · ");
}

function agoWords(at: string, now: Date): string {
  const minutes = Math.floor((now.getTime() - Date.parse(at)) / 60_000);
  if (Number.isNaN(minutes) || minutes < 1) return "just now";
  if (minutes < 60) return `${minutes} min ago`;
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `${hours} h ago` : `${Math.floor(hours / 24)} days ago`;
}

/** A question in full, as far as a message can hold it. */
export function previewLines(detail: QuestionDetail, n: number | undefined): Line[] {
  const { question, risk, consequences, readOnly } = detail;
  return [
    [{ text: n === undefined ? titleOf(detail) : `${n} · ${titleOf(detail)}`, as: "b" }],
    ...(question.trim() === titleOf(detail)
      ? []
      : [[{ text: cutText(question, LONGEST_QUESTION), as: "blockquote" as const }]]),
    ...labelled("Risk", risk),
    ...labelled("If approved", consequences.approve),
    ...labelled("If rejected", consequences.reject),
    ...factLines(detail),
    ...fileLines(detail, n),
    ...commentLines(detail),
    ...labelled("Cannot be decided here", readOnly),
  ];
}

/** What stands below a question, however long it is. */
export function previewFoot(
  detail: QuestionDetail,
  { now, publicUrl }: { now: Date; publicUrl: string | undefined },
): Line[] {
  const href = `${publicUrl}/questions/${encodeURIComponent(detail.id)}`;
  return [
    // How high the risk is stands above.
    [{ text: placeWords({ ...detail, risk: "" }, now), as: "i" }],
    ...cutLines(detail),
    ...(publicUrl === undefined ? [] : [[{ text: "Open in the inbox", href }]]),
  ];
}

function labelled(label: string, text: string | undefined): Line[] {
  return text === undefined ? [] : [[{ text: `${label}: `, as: "b" }, shownLine(text, LONGEST_DETAIL)]];
}

/** Whoever decides has to know that there is more. */
function cutLines({ question, command }: QuestionDetail): Line[] {
  if (question.length <= LONGEST_QUESTION) return [];
  const show = command.replace("breakpoint:approve", "breakpoint:show");
  return [["The question is longer than shown here. Read it in the inbox, or: ", { text: show, as: "code" }]];
}

function factLines({ facts }: QuestionDetail): Line[] {
  return Object.entries(facts)
    .slice(0, MOST_FACTS)
    .map(([name, value]) => [
      { text: `– ${shownLine(name, 60)}: `, as: "b" },
      shownLine(typeof value === "string" ? value : (JSON.stringify(value) ?? ""), LONGEST_DETAIL),
    ]);
}

function fileLines({ files }: QuestionDetail, n: number | undefined): Line[] {
  if (files.length === 0) return [];
  const lines = files.slice(0, 10).map(({ path, bytes, refused, now, n: place }): Line => {
    const notes = [bytes === undefined ? undefined : shownBytes(bytes), refused, now].filter(
      (note) => note !== undefined,
    );
    const about = notes.length === 0 ? "" : ` (${notes.map((note) => shownLine(note, 80)).join(", ")})`;
    return [`${place + 1}) `, { text: shownLine(path, 120), as: "code" }, about];
  });
  return [
    [
      { text: "Files", as: "b" },
      ...(n === undefined ? [] : [" – ", { text: `file ${n}`, as: "code" as const }, " sends them"]),
    ],
    ...lines,
    ...(files.length > 10 ? [[`… and ${files.length - 10} more`]] : []),
  ];
}

function commentLines({ comments }: QuestionDetail): Line[] {
  return comments
    .slice(-MOST_COMMENTS)
    .map(({ author, text }) => [{ text: `– ${shownLine(author, 40)}: `, as: "b" }, shownLine(text, LONGEST_DETAIL)]);
}

export function quoted(text: string): Line {
  return [{ text: cutText(text, LONGEST_QUOTE), as: "blockquote" }];
}

export function cutText(text: string, longest: number): string {
  return text.length <= longest ? text : `${text.slice(0, longest).replace(/[\ud800-\udbff]$/u, "")}…`;
}

const WAYS: Readonly<Record<string, string>> = {
  web: "in the inbox",
  cli: "in a terminal",
  terminal: "in a terminal",
  hook: "in the agent's dialog",
  telegram: "via Telegram",
  policy: "by a policy",
  "task:post": "by a program",
};

type Outcome = Pick<QuestionRow, "state" | "by" | "via" | "option" | "reason">;

/** What came of a question, in one sentence. `me`: what the bound person is called in journals. */
export function outcomeWords({ state, by, via, option, reason }: Outcome, me: string | undefined): string {
  if (state === "open") return "It is still open.";
  if (state === "failed" || state === "abandoned") return "It is no longer asked.";
  const who = via === "telegram" && by === me ? "you" : shownLine(by ?? "someone", 60);
  const how = via === undefined ? "" : `, ${WAYS[via] ?? `by ${shownLine(via, 20)}`}`;
  const choice = option === undefined ? "" : ` (${shownLine(option, 60)})`;
  const why = reason === undefined || reason === option ? "." : `: ${shownLine(reason, 100)}`;
  return `${state === "approved" ? "Approved" : "Rejected"}${choice} by ${who}${how}${why}`;
}

/** The same for somebody who came too late. */
export function alreadyWords(outcome: Outcome, me: string | undefined): string {
  const words = outcomeWords(outcome, me);
  const isDecided = outcome.state === "approved" || outcome.state === "rejected";
  return isDecided ? `Already ${words.charAt(0).toLowerCase()}${words.slice(1)}` : words;
}

/** Asked before something of high risk is decided. */
export function confirmLines(detail: QuestionDetail, words: DecisionWords): Line[] {
  const text = words.response ?? words.feedback;
  const action = shownLine(actionOf(words), LONGEST_TITLE);
  return [
    [{ text: `Really ${action.charAt(0).toLowerCase()}${action.slice(1)}?`, as: "b" }],
    [{ text: titleOf(detail), as: "blockquote" }],
    ...labelled("What happens next", consequenceOf(detail, words)),
    ...(text === undefined ? [] : [["With these words:"], quoted(text)]),
    ["It is marked as high risk, so one tap is not enough. Nothing is decided yet."],
  ];
}

function consequenceOf({ consequences, options }: QuestionDetail, { decision }: DecisionWords): string | undefined {
  const chosen = typeof decision === "string" ? undefined : decision.option;
  const rejects = options.some(({ id, label, rejects: isNo }) => isNo && (id ?? label) === chosen);
  return decision === "reject" || rejects ? consequences.reject : consequences.approve;
}
