/** Messages in plain words, with nothing in them but what their channel may say. */
import type * as notices from "@a5c-ai/babysitter-sdk/notify";
import { shownLine } from "@a5c-ai/babysitter-sdk/notify";
import type { QuestionRow } from "../wire/inbox-wire.js";
import type { TroubleRow } from "../wire/notify-wire.js";
import type { Outgoing, OutgoingItem } from "./notify-outgoing.js";
import { idOf, kindOf, type Situation } from "./notify-situation.js";
import { textHash } from "./text-hash.js";

/** What is known of what a message is about. */
export interface MessageFacts {
  questions: ReadonlyMap<string, QuestionRow>;
  /** The answers that can be chosen, by question, where the channel may name them. */
  options: ReadonlyMap<string, readonly string[]>;
  troubles: ReadonlyMap<string, TroubleRow>;
  /** What came of a subject, once that is known. */
  outcomeOf: (subject: notices.Subject) => string | undefined;
  /** Of a report. */
  lines: readonly string[];
}

export interface MessageFrame {
  id: string;
  kind: notices.MessageKind;
  subjects: readonly notices.Subject[];
  repeat: boolean;
  fields: readonly notices.Field[];
  publicUrl: string | undefined;
  tap?: string | undefined;
}

/** More of them are counted, and not named. */
export const MAX_ITEMS = 20;
const LONGEST_TITLE = 120;
const LONGEST_TEXT = 600;

export function composeMessage(frame: MessageFrame, facts: MessageFacts): Outgoing {
  const { id, kind, repeat, subjects, tap } = frame;
  const items = subjects.slice(0, MAX_ITEMS).flatMap((subject) => itemOf(subject, frame, facts) ?? []);
  const link = linkOf(frame, items);
  return {
    id,
    kind,
    repeat,
    heading: headingOf(frame, facts),
    subjects: [...subjects],
    items,
    lines: linesOf(frame, facts),
    ...(link === undefined ? {} : { link }),
    ...(tap === undefined ? {} : { tap }),
  };
}

const HEADINGS: Readonly<Record<notices.MessageKind, { one: string; many: string; over: string; allOver: string }>> = {
  questions: {
    one: "A question is waiting for you",
    many: "# questions are waiting for you",
    over: "The question is answered",
    allOver: "All # questions are answered",
  },
  reminder: {
    one: "A question is still waiting for you",
    many: "# questions are still waiting for you",
    over: "The question is answered",
    allOver: "All # questions are answered",
  },
  trouble: {
    one: "A run needs you",
    many: "# runs need you",
    over: "The run no longer needs you",
    allOver: "The # runs no longer need you",
  },
  report: { one: "Your report", many: "Your report", over: "Your report", allOver: "Your report" },
  test: { one: "A test", many: "A test", over: "A test", allOver: "A test" },
};

function headingOf({ kind, subjects }: MessageFrame, { outcomeOf }: MessageFacts): string {
  const all = subjects.length;
  const left = subjects.filter((subject) => outcomeOf(subject) === undefined).length;
  const { one, many, over, allOver } = HEADINGS[kind];
  if (left === 0) return all === 1 ? over : allOver.replace("#", String(all));
  if (left === all) return all === 1 ? one : many.replace("#", String(all));
  return kind === "trouble"
    ? `${left} of ${all} runs still need you`
    : `${left} of ${all} questions are still waiting for you`;
}

function linesOf({ kind, subjects }: MessageFrame, { lines }: MessageFacts): string[] {
  if (kind === "test") return ["Notifications from Babysitter reach you here."];
  const more = subjects.length - MAX_ITEMS;
  return [...lines.map((line) => shownLine(line, LONGEST_TEXT)), ...(more > 0 ? [`… and ${more} more`] : [])];
}

function linkOf({ publicUrl, fields, kind }: MessageFrame, items: readonly OutgoingItem[]): string | undefined {
  if (publicUrl === undefined || !fields.includes("link") || kind === "test") return undefined;
  const [only, ...others] = items;
  if (only?.link !== undefined && others.length === 0) return only.link;
  return kind === "report" ? `${publicUrl}/report` : `${publicUrl}/`;
}

function itemOf(subject: notices.Subject, frame: MessageFrame, facts: MessageFacts): OutgoingItem | undefined {
  const outcome = facts.outcomeOf(subject);
  const over = outcome === undefined ? {} : { outcome };
  const question = facts.questions.get(idOf(subject));
  if (kindOf(subject) === "question" && question !== undefined)
    return { ...questionItem(question, frame, facts.options.get(question.id) ?? []), subject, ...over };
  const trouble = facts.troubles.get(subject);
  if (trouble !== undefined) return { ...troubleItem(trouble, frame), subject, ...over };
  return outcome === undefined ? undefined : { subject, title: nameOf(subject, frame), details: [], ...over };
}

/** Of what is over, and not known any more. */
function nameOf(subject: notices.Subject, { fields }: MessageFrame): string {
  return kindOf(subject) === "run" && fields.includes("run")
    ? shownLine(idOf(subject).replace(/@\d*$/u, ""), LONGEST_TITLE)
    : nameless(subject);
}

function nameless(subject: notices.Subject): string {
  return kindOf(subject) === "run" ? "A run" : "A question";
}

function questionItem(
  { id, title, question, risk, run, project }: QuestionRow,
  { fields, publicUrl }: MessageFrame,
  options: readonly string[],
): Omit<OutgoingItem, "subject"> {
  // Most questions have no title, and begin with what they are about.
  const name = fields.includes("title") ? shownLine(title ?? question, LONGEST_TITLE) : nameless("question:");
  const whole = shownLine(question, LONGEST_TEXT);
  const texts: Partial<Record<notices.Field, string | undefined>> = {
    question: whole === name ? undefined : whole,
    risk: risk && shownLine(risk, LONGEST_TITLE),
    options: options.length === 0 ? undefined : shownLine(options.join(" · "), LONGEST_TEXT),
    ...placeOf({ run, project }),
  };
  const link = publicUrl === undefined ? undefined : `${publicUrl}/questions/${encodeURIComponent(id)}`;
  return {
    question: id,
    title: name,
    details: detailsOf(texts, fields),
    ...(link !== undefined && fields.includes("link") ? { link } : {}),
  };
}

const STATES: Readonly<Record<TroubleRow["state"], string>> = {
  failed: "A run has failed",
  blocked: "A run is blocked",
  paused: "A run was paused",
};

function troubleItem(
  { state, why, run, project }: TroubleRow,
  { fields }: MessageFrame,
): Omit<OutgoingItem, "subject"> {
  // Why a run has failed is told by whatever it ran, in words that may quote anything.
  const mayTell = fields.includes(state === "failed" ? "question" : "title");
  const title = mayTell ? shownLine(`${STATES[state]}: ${why}`, LONGEST_TITLE) : STATES[state];
  return { title, details: detailsOf(placeOf({ run, project }), fields) };
}

function placeOf({ run, project }: Pick<QuestionRow, "run" | "project">): { run: string; project: string } {
  return {
    run: shownLine(`${run.process}, ${run.id}`, LONGEST_TITLE),
    project: shownLine(project.name, LONGEST_TITLE),
  };
}

/** In this order, and without those that are missing or not for this channel. */
function detailsOf(
  texts: Partial<Record<notices.Field, string | undefined>>,
  fields: readonly notices.Field[],
): OutgoingItem["details"] {
  const order: notices.Field[] = ["question", "risk", "options", "run", "project"];
  return order.flatMap((name) => {
    const text = fields.includes(name) ? texts[name] : undefined;
    return text ? [{ name, text }] : [];
  });
}

/** What came of something that a message was about, in one line; undefined while it still waits, or is not known. */
export function outcomeOfSubject(
  { decided, overcome }: Pick<Situation, "decided" | "overcome">,
  subject: notices.Subject,
): string | undefined {
  if (kindOf(subject) === "run") return overcome.has(subject) ? "It resumed." : undefined;
  const row = kindOf(subject) === "question" ? decided.get(idOf(subject)) : undefined;
  return row === undefined ? undefined : decisionOf(row);
}

const WAYS: Readonly<Record<string, string>> = {
  web: "in the inbox",
  cli: "in a terminal",
  telegram: "in Telegram",
};

function decisionOf({ state, by, via = "" }: QuestionRow): string | undefined {
  const way = Object.hasOwn(WAYS, via) ? ` ${WAYS[via]}` : "";
  const who = by === undefined ? "" : ` by ${shownLine(by, LONGEST_TITLE)}`;
  const decisions: Readonly<Record<QuestionRow["state"], string | undefined>> = {
    open: undefined,
    approved: `Approved${who}${way}.`,
    rejected: `Rejected${who}${way}.`,
    failed: "It was closed without an answer.",
    abandoned: "Its run ended before anyone answered.",
  };
  return decisions[state];
}

/** Changes whenever the message has to say something else. */
export function shownBy(
  subjects: readonly notices.Subject[],
  outcome: (subject: notices.Subject) => string | undefined,
): string {
  return textHash(JSON.stringify(subjects.map((subject) => [subject, outcome(subject) ?? ""])));
}
