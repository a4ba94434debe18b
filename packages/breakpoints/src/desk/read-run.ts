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
import { type Place, placeAt } from "./places.js";
import { briefly, questionRows } from "./question-rows.js";
import { runTrouble } from "./run-trouble.js";

type Reading = Omit<RunReading, "stamp">;

/**
 * `same`: nothing that the index shows has changed since the last reading. `nothing`: no run of ours, or no longer.
 * `later`: this machine is out of something; that says nothing of the run.
 */
export type ReadRun = Reading | "same" | "nothing" | "later";

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
}

/** Runs that are written to often stay open: reading a long one from its beginning takes long. */
const MAX_KEPT = 32;
const MAX_KEPT_EVENTS = 300_000;

export class RunReader {
  readonly #env: InboxDesk["env"];
  readonly #kept = new Map<string, Kept>();

  constructor({ env }: Pick<InboxDesk, "env">) {
    this.#env = env;
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
      const { ports } = placeAt({ env: this.#env }, place);
      return await this.#list(key, place, { journal: await RunJournal.open(ports, parseRunId(name)), directory });
    } catch (error) {
      return outcomeOf(error);
    }
  }

  async #readFurther(key: string, place: Place, kept: Kept): Promise<ReadRun> {
    if (!(await isSame(place, kept))) return this.#list(key, place, kept);
    this.#keep(key, kept);
    return "same";
  }

  async #list(key: string, place: Place, open: Pick<Kept, "journal" | "directory">): Promise<Reading> {
    const listings = await listBreakpoints([open.journal], { all: true });
    const { summary } = open.journal;
    const effects = new Set(listings.map(({ breakpointId }) => breakpointId));
    const trouble = runTrouble(place, summary);
    if (isUnfinished(summary))
      this.#keep(key, {
        ...open,
        effects,
        waits: onlyAsks(summary),
        isListed: true,
        trouble: JSON.stringify(trouble),
      });
    const questions = questionRows(place, summary, listings).map((question) => ({
      ...question,
      row: briefly(question.row),
    }));
    return { unfinished: isUnfinished(summary), questions, trouble };
  }

  /** The next reading answers with all questions, whatever is new. */
  listAgain(runsDir: string, name: string): void {
    const kept = this.#kept.get(`${runsDir}\0${name}`);
    if (kept !== undefined) kept.isListed = false;
  }

  forget(runsDir: string, name: string): void {
    this.#kept.delete(`${runsDir}\0${name}`);
  }

  forgetAll(): void {
    this.#kept.clear();
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

/** Takes in what is new. True when none of it concerns a question. */
async function isSame(place: Place, { journal, effects, waits, isListed, trouble }: Kept): Promise<boolean> {
  const news = await journal.catchUp();
  const isAboutQuestions = news.some(({ type, effectId, payload }) => {
    if (type === "PROCESS_LOGGED") return false;
    if (effectId === undefined || effects.has(effectId)) return true;
    return type === "EFFECT_REQUESTED" && payload.kind === "breakpoint";
  });
  const isAsBefore =
    waits === onlyAsks(journal.summary) && trouble === JSON.stringify(runTrouble(place, journal.summary));
  return isListed && !isAboutQuestions && isAsBefore;
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
