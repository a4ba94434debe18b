/** When each question was first looked at in an inbox. The runs do not hear of it. */
import path from "node:path";
import { BabysitterError } from "../model/errors.js";
import { isJsonObject, type Json } from "../model/json.js";
import { EntryLog } from "./entry-log.js";

interface SeenEntry {
  type: "QUESTION_SEEN";
  at: string;
  question: string;
}

/** Of older ones nobody asks any more. */
const MAX_KEPT = 5_000;
const MAX_ID = 300;

export class SeenQuestions {
  readonly #log: EntryLog<SeenEntry, Map<string, string>>;
  readonly #now: () => Date;

  /** `home`: what babysitter remembers for this person, as a rule ~/.a5c. */
  constructor({ home, now }: { home: string; now: () => Date }) {
    this.#log = new EntryLog(path.join(home, "inbox"), {
      name: "seen",
      loss: "questions that were seen before count as new",
      parse: asSeenEntry,
      begin: () => new Map(),
      fold: (state, { question, at }) => void (state.has(question) || state.set(question, at)),
      entries: (state) =>
        [...state].slice(-MAX_KEPT).map(([question, at]) => ({ type: "QUESTION_SEEN", at, question }) as const),
    });
    this.#now = now;
  }

  /** For the one server of this person: the log begins anew when it has grown long. */
  shorten(): void {
    this.#log.shorten(this.#now());
  }

  /** By question; the first time counts. */
  all(): ReadonlyMap<string, string> {
    return unlessRefused(() => this.#log.state(), NOTHING);
  }

  /** Answers when it was seen first. */
  note(question: string): string {
    const known = this.all().get(question);
    if (known !== undefined) return known;
    const at = this.#now().toISOString();
    unlessRefused(() => this.#log.append({ type: "QUESTION_SEEN", at, question }), undefined);
    return this.all().get(question) ?? at;
  }
}

const NOTHING: ReadonlyMap<string, string> = new Map();

/** A full disk, or whatever else is in the place of the log, must not keep anybody from reading and deciding. */
function unlessRefused<T>(act: () => T, otherwise: T): T {
  try {
    return act();
  } catch (error) {
    if (BabysitterError.is(error) && error.code === "SYSTEM_REFUSED") return otherwise;
    throw error;
  }
}

function asSeenEntry(value: Json): SeenEntry | undefined {
  if (!isJsonObject(value) || value["type"] !== "QUESTION_SEEN") return undefined;
  const { at, question } = value;
  if (typeof at !== "string" || typeof question !== "string" || question.length > MAX_ID) return undefined;
  return { type: "QUESTION_SEEN", at, question };
}
