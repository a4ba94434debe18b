/** What the bodies of requests say. A wrong one is refused with the field that is wrong; nothing is guessed. */
import { BabysitterError, type JsonObject } from "@a5c-ai/babysitter-sdk";

export type Body = Readonly<Record<string, unknown>>;

/** A decision, or words that decide nothing. */
export type Answer =
  | { kind: "comment"; author: string | undefined; text: string }
  | {
      kind: "decision";
      author: string | undefined;
      decision: "approve" | "reject" | { option: string };
      feedback?: string;
      response?: string;
    };

/** `{ author, comment, release }`: `release: true` approves, anything else is a comment. */
export function parseFeedback(body: Body): Answer {
  const author = textIn(body, "author");
  const comment = textIn(body, "comment");
  const option = textIn(body, "option");
  const response = textIn(body, "response");
  const release = body["release"];
  if (release !== undefined && typeof release !== "boolean") throw wrong("release", "true or false", release);
  if (option !== undefined || release === true)
    return {
      kind: "decision",
      author,
      decision: option === undefined ? "approve" : { option },
      ...given({ feedback: comment, response }),
    };
  if (response !== undefined)
    throw new BabysitterError("USAGE", '"response" is an answer, so it needs "release": true.', {
      hint: 'Words that decide nothing belong in "comment".',
    });
  if (comment === undefined) throw missing("comment");
  return { kind: "comment", author, text: comment };
}

/** A question without a run. */
export interface NewAsking {
  /** The project that it belongs to. */
  project: string | undefined;
  /** What a process would give to ctx.breakpoint. */
  payload: JsonObject;
}

/** `{ question, … }`, with `project` where there are several. */
export function parseAsking({ project, ...payload }: Body): NewAsking {
  const question = textIn(payload, "question");
  if (question === undefined || question.trim() === "") throw missing("question");
  return { project: textIn({ project }, "project"), payload: payload as JsonObject };
}

/** `{ author, reason }`. */
export function parseRejection(body: Body): Answer {
  const reason = textIn(body, "reason") ?? textIn(body, "comment");
  if (reason === undefined || reason.trim() === "") throw missing("reason");
  return { kind: "decision", author: textIn(body, "author"), decision: "reject", feedback: reason };
}

/** Giving a question up, or saying that its time is over, answers it with no. */
export function parseEnding(body: Body, ending: "cancelled" | "expired"): Answer {
  const reason = textIn(body, "reason");
  const feedback =
    reason === undefined || reason.trim() === "" ? `The question was ${ending}.` : `${ending}: ${reason}`;
  return { kind: "decision", author: textIn(body, "author"), decision: "reject", feedback };
}

function textIn(body: Body, name: string): string | undefined {
  const value = body[name];
  if (value === undefined || value === null) return undefined;
  if (typeof value !== "string") throw wrong(name, "a text", value);
  return value;
}

function given<T extends Record<string, string | undefined>>(fields: T): { [K in keyof T]?: string } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: string;
  };
}

function wrong(name: string, wanted: string, value: unknown): BabysitterError {
  return new BabysitterError("USAGE", `"${name}" must be ${wanted}, not ${JSON.stringify(value)?.slice(0, 100)}.`);
}

function missing(name: string): BabysitterError {
  return new BabysitterError("USAGE", `"${name}" is missing.`);
}
