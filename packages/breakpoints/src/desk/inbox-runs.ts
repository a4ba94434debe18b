/** What people do with runs in the inbox: look at them, from the first event to the last, and change them. */
import { BabysitterError } from "@a5c-ai/babysitter-sdk";
import { changeRun, type Evidence, type InboxDesk, parseRunId, type RunJournal } from "@a5c-ai/babysitter-sdk/operate";
import type {
  EventPage,
  IntegrityView,
  RunChange,
  RunChanged,
  RunDetail,
  RunFileList,
  TranscriptList,
  TranscriptPage,
} from "../wire/run-wire.js";
import { OpenRun } from "./open-run.js";
import { placeAt, placesOf } from "./places.js";

/** What was read of a long run is kept while somebody looks at it. */
const MAX_KEPT = 8;
const MAX_KEPT_EVENTS = 300_000;

export class InboxRuns {
  readonly #desk: InboxDesk;
  readonly #placeOf: (id: string) => { place: string; run: string } | undefined;
  readonly #wasThere: (id: string) => boolean;
  readonly #kept = new Map<string, OpenRun>();

  /** `placeOf`: where the run is that a page calls by this name. `wasThere`: there was one of this name. */
  constructor(
    desk: InboxDesk,
    known: {
      placeOf: (id: string) => { place: string; run: string } | undefined;
      wasThere: (id: string) => boolean;
    },
  ) {
    this.#desk = desk;
    this.#placeOf = known.placeOf;
    this.#wasThere = known.wasThere;
  }

  async show(id: string): Promise<RunDetail> {
    return (await this.#open(id)).detail();
  }

  async events(id: string, after: number): Promise<EventPage> {
    return (await this.#open(id)).events(after);
  }

  /** One event with everything in it. */
  async event(id: string, seq: number): Promise<unknown> {
    return (await this.#open(id)).event(seq);
  }

  async integrity(id: string): Promise<IntegrityView> {
    return (await this.#open(id)).integrity();
  }

  async files(id: string): Promise<RunFileList> {
    return (await this.#open(id)).files();
  }

  /** `from`: in bytes; a negative one counts from the end. */
  async readFile(
    id: string,
    path: string,
    from: number,
  ): Promise<{ bytes: Uint8Array; next: number | null; size: number }> {
    const { bytes, next, size } = (await this.#open(id)).readFile(path, from);
    return { bytes, next, size };
  }

  async transcripts(id: string): Promise<TranscriptList> {
    return (await this.#open(id)).transcripts();
  }

  async readTranscript(id: string, of: string, from: number): Promise<TranscriptPage> {
    return (await this.#open(id)).transcript(of, from);
  }

  async change(id: string, change: RunChange, evidence: Evidence): Promise<RunChanged> {
    const open = await this.#open(id);
    const forked = await this.#changed(open.journal, change, evidence);
    await open.journal.catchUp();
    const run = await open.detail();
    return { run, ...(forked === undefined ? {} : { forked }) };
  }

  /** Answers the new run, where a change makes one. */
  async #changed(journal: RunJournal, change: RunChange, evidence: Evidence): Promise<string | undefined> {
    if (change.change === "fork")
      return (await changeRun.fork(this.#desk, journal, { evidence, from: { at: change.at } })).runId;
    const { change: what, ...words } = change;
    await changeRun[what](this.#desk, journal, { evidence, ...words });
    return undefined;
  }

  async #open(id: string): Promise<OpenRun> {
    const kept = this.#kept.get(id);
    this.#kept.delete(id);
    const open = (kept !== undefined && (await kept.isCurrent()) ? kept : undefined) ?? (await this.#openAnew(id));
    this.#kept.set(id, open);
    this.#forgetOld();
    return open;
  }

  async #openAnew(id: string): Promise<OpenRun> {
    const found = this.#placeOf(id);
    const known = placesOf(this.#desk).find(({ runsDir }) => runsDir === found?.place);
    if (found === undefined || known === undefined) throw await this.#whyGone(id, this.#wasThere(id));
    // With ports of its own: what is remembered of a folder is wrong when another one has taken its place.
    const opening = OpenRun.open(this.#desk, placeAt(this.#desk, known), { id, runId: parseRunId(found.run) });
    return opening.catch(async (error: unknown) => {
      // The index has not noticed yet.
      throw isNotFound(error) ? await this.#whyGone(found.run, true) : error;
    });
  }

  /** Those that are put away are still there; of others only the index may remember that there were some. */
  async #whyGone(id: string, wasThere: boolean): Promise<BabysitterError> {
    const runId = nameOf(id);
    if (runId === undefined) return notFound(id);
    for (const { ports, projectRoot } of placesOf(this.#desk))
      if (await this.#desk.isArchived(ports, runId)) return archived(runId, projectRoot);
    return wasThere ? deleted(runId) : notFound(id);
  }

  #forgetOld(): void {
    let events = [...this.#kept.values()].reduce((sum, { size }) => sum + size, 0);
    for (const [oldest, { size }] of this.#kept) {
      if (this.#kept.size <= 1 || (this.#kept.size <= MAX_KEPT && events <= MAX_KEPT_EVENTS)) return;
      events -= size;
      this.#kept.delete(oldest);
    }
  }
}

function nameOf(id: string): ReturnType<typeof parseRunId> | undefined {
  try {
    return parseRunId(id);
  } catch {
    return undefined;
  }
}

function isNotFound(error: unknown): boolean {
  return BabysitterError.is(error) && error.code === "RUN_NOT_FOUND";
}

function notFound(id: string): BabysitterError {
  return new BabysitterError("RUN_NOT_FOUND", `There is no run ${JSON.stringify(id.slice(0, 100))}.`, {
    hint: "Check the id. To list the runs of a project: babysitter run:list",
  });
}

function archived(runId: string, projectRoot: string): BabysitterError {
  return new BabysitterError("RUN_NOT_FOUND", `Run ${runId} was archived.`, {
    hint: `To bring it back: babysitter run:archive ${runId} --restore`,
    details: { runId, archived: true, projectRoot },
  });
}

function deleted(runId: string): BabysitterError {
  return new BabysitterError("RUN_NOT_FOUND", `Run ${runId} was deleted.`, { details: { runId, deleted: true } });
}
