/** Reads what the index keeps of a run. */
import { BabysitterError } from "@a5c-ai/babysitter-sdk";
import {
  type InboxDesk,
  listBreakpoints,
  parseRunId,
  RunJournal,
  type RunSummary,
  statusOf,
} from "@a5c-ai/babysitter-sdk/operate";
import type { RunReading } from "../index/question-index.js";
import type { RunCard } from "../index/run-cards.js";
import { type Place, placeAt } from "./places.js";
import { briefly, questionRows } from "./question-rows.js";
import { cardOf, logsOf, wordsOf } from "./run-card.js";
import { runTrouble } from "./run-trouble.js";

/** `readAgain`: after so many milliseconds, although nothing may be new; its logs were not read this time. */
interface Followed {
  readAgain?: number | undefined;
}

export interface Reading extends Omit<RunReading, "stamp">, Followed {}

/** Nothing about the run's questions has changed since the last reading. */
interface SameQuestions extends Followed {
  same: true;
  card: RunCard;
}

/** `nothing`: no run of ours, or no longer. `later`: this machine is out of something; that says nothing of the run. */
export type ReadRun = Reading | SameQuestions | "nothing" | "later";

interface Kept {
  journal: RunJournal;
  /** The directory that was read: another one may take its place. */
  directory: string;
  /** The questions of the run. */
  effects: ReadonlySet<string>;
  waits: boolean;
  /** Whether it needs a person, and why. */
  trouble: string | undefined;
  /** What it asks was told. */
  isListed: boolean;
  /** What it is about, for whoever searches; more steps may come. */
  words: string;
  steps: Set<string>;
}

type ReaderDesk = Pick<InboxDesk, "env" | "glance" | "texts">;

/** Runs that are written to often stay open: reading a long one from its beginning takes long. */
const MAX_KEPT = 32;
const MAX_KEPT_EVENTS = 300_000;
/** Between two readings of a run's logs; where they take long, that takes at most this part of the time. */
const LOGS_PAUSE_MS = 5_000;
const LOGS_SHARE = 50;
/** Of a long run some names of steps are enough. */
const MAX_STEPS = 500;

export class RunReader {
  readonly #desk: ReaderDesk;
  readonly #kept = new Map<string, Kept>();
  /** When the logs of runs that are not over may be read again. */
  readonly #logsDue = new Map<string, number>();

  constructor(desk: ReaderDesk) {
    this.#desk = desk;
  }

  /** `directory` tells apart what has been in the same place. */
  async read(place: Place, name: string, directory: string): Promise<ReadRun> {
    const key = `${place.runsDir}\0${name}`;
    const kept = this.#kept.get(key);
    this.#kept.delete(key);
    if (kept?.directory === directory) {
      try {
        return await this.#readFurther(key, place, kept);
      } catch {
        // The journal may have been repaired or replaced: from the beginning.
      }
    }
    try {
      // With ports of its own: what is remembered of a folder is wrong when another one has taken its place.
      const { ports } = placeAt(this.#desk, place);
      return await this.#list(key, place, { journal: await RunJournal.open(ports, parseRunId(name)), directory });
    } catch (error) {
      return outcomeOf(error);
    }
  }

  /** The next reading answers with all questions, whatever is new. */
  listAgain(runsDir: string, name: string): void {
    const kept = this.#kept.get(`${runsDir}\0${name}`);
    if (kept !== undefined) kept.isListed = false;
  }

  forget(runsDir: string, name: string): void {
    const key = `${runsDir}\0${name}`;
    this.#kept.delete(key);
    this.#logsDue.delete(key);
  }

  forgetAll(): void {
    this.#kept.clear();
    this.#logsDue.clear();
  }

  async #readFurther(key: string, place: Place, kept: Kept): Promise<ReadRun> {
    const { isSame, steps } = await takeNews(place, kept);
    if (!isSame) return this.#list(key, place, kept);
    if (steps.length > 0) kept.words = [kept.words, ...steps].join("\n");
    this.#keep(key, kept);
    const { card, readAgain } = await this.#card(key, place, kept.journal);
    return { same: true, card: steps.length > 0 ? { ...card, words: kept.words } : card, readAgain };
  }

  async #list(key: string, place: Place, open: Pick<Kept, "journal" | "directory">): Promise<Reading> {
    const { journal } = open;
    const listings = await listBreakpoints([journal], { all: true });
    const texts = await this.#desk.texts(journal);
    const { summary } = journal;
    const trouble = runTrouble(place, summary);
    const words = wordsOf({ id: journal.runId, projectRoot: place.projectRoot }, summary, texts);
    if (isUnfinished(summary))
      this.#keep(key, {
        ...open,
        effects: new Set(listings.map(({ breakpointId }) => breakpointId)),
        waits: onlyAsks(summary),
        isListed: true,
        trouble: JSON.stringify(trouble),
        words,
        steps: new Set(texts.steps),
      });
    const questions = questionRows(place, summary, listings).map((question) => ({
      ...question,
      row: briefly(question.row),
    }));
    const { card, readAgain } = await this.#card(key, place, journal);
    return { unfinished: isUnfinished(summary), questions, trouble, card: { ...card, words }, readAgain };
  }

  async #card(key: string, place: Place, journal: RunJournal): Promise<{ card: RunCard } & Followed> {
    const { summary } = journal;
    const card = cardOf(place.projectRoot, summary, await this.#desk.glance(journal), Date.now());
    const now = performance.now();
    const wait = isUnfinished(summary) ? (this.#logsDue.get(key) ?? 0) - now : 0;
    if (wait > 0) return { card, readAgain: wait };
    const logs = logsOf(this.#desk, journal);
    const end = performance.now();
    if (isUnfinished(summary)) this.#logsDue.set(key, end + Math.max(LOGS_PAUSE_MS, LOGS_SHARE * (end - now)));
    else this.#logsDue.delete(key);
    return { card: { ...card, logs } };
  }

  /** The last one that was read comes last. */
  #keep(key: string, kept: Kept): void {
    this.#kept.set(key, kept);
    let events = [...this.#kept.values()].reduce((sum, { journal }) => sum + journal.summary.head.seq, 0);
    for (const [oldest, { journal }] of this.#kept) {
      if (this.#kept.size <= MAX_KEPT && events <= MAX_KEPT_EVENTS) return;
      events -= journal.summary.head.seq;
      this.#kept.delete(oldest);
    }
  }
}

/** `isSame`: none of what is new concerns a question. `steps`: names that the run had not used before. */
async function takeNews(
  place: Place,
  { journal, effects, waits, isListed, trouble, steps: known }: Kept,
): Promise<{ isSame: boolean; steps: string[] }> {
  const news = await journal.catchUp();
  const steps: string[] = [];
  const isAboutQuestions = news.some(({ type, effectId, payload }) => {
    if (type === "PROCESS_LOGGED") return false;
    if (effectId === undefined || effects.has(effectId)) return true;
    return type === "EFFECT_REQUESTED" && payload.kind === "breakpoint";
  });
  for (const { type, payload } of news) {
    const name = type === "EFFECT_REQUESTED" ? (payload.title ?? payload.label) : undefined;
    if (name === undefined || known.has(name) || known.size >= MAX_STEPS) continue;
    known.add(name);
    steps.push(name);
  }
  const isAsBefore =
    waits === onlyAsks(journal.summary) && trouble === JSON.stringify(runTrouble(place, journal.summary));
  return { isSame: isListed && !isAboutQuestions && isAsBefore, steps };
}

function onlyAsks({ pending }: RunSummary): boolean {
  return Object.values(pending).every(({ kind }) => kind === "breakpoint");
}

/** A failed run can be retried. */
function isUnfinished(summary: RunSummary): boolean {
  return !["completed", "cancelled"].includes(statusOf(summary));
}

function outcomeOf(error: unknown): ReadRun {
  if (!BabysitterError.is(error)) throw error;
  if (["RUN_NOT_FOUND", "FOREIGN_RUN", "INVALID_ID"].includes(error.code)) return "nothing";
  if (error.code === "SYSTEM_REFUSED") return "later";
  return { unfinished: false, problem: error.message, questions: [] };
}
