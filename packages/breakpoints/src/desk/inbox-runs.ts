/** What people do with runs in the inbox: look at them, from the first event to the last, and change them. */
import { BabysitterError } from "@a5c-ai/babysitter-sdk";
import {
  changeRun,
  type Evidence,
  type InboxDesk,
  listEvents,
  parseRunId,
  RunFiles,
  RunJournal,
} from "@a5c-ai/babysitter-sdk/operate";
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
import { describeRun } from "./describe-run.js";
import { type Place, placeAt, placesOf } from "./places.js";
import { transcriptLine } from "./transcript-line.js";

type Viewed = ReturnType<InboxDesk["viewed"]>;

interface OpenRun {
  id: string;
  place: Place;
  journal: RunJournal;
  viewed: Viewed;
}

/** What was read of a long run is kept while somebody looks at it. */
const MAX_KEPT = 8;
const MAX_KEPT_EVENTS = 300_000;
const MOST_EVENTS = 5_000;

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
    return this.#detail(await this.#open(id));
  }

  async events(id: string, after: number): Promise<EventPage> {
    const { viewed } = await this.#open(id);
    const all = await viewed.all();
    return { events: all.slice(after, after + MOST_EVENTS), total: all.length };
  }

  /** One event with everything in it. */
  async event(id: string, seq: number): Promise<unknown> {
    const { journal } = await this.#open(id);
    const [event] = await listEvents(journal, { after: seq - 1, limit: 1, reverse: false });
    if (event?.seq === seq) return event;
    throw new BabysitterError("INPUT_NOT_FOUND", `The run has no event ${seq}.`, { details: { id, seq } });
  }

  async integrity(id: string): Promise<IntegrityView> {
    const { journal } = await this.#open(id);
    const { events, signed, findings } = await this.#desk.check(journal);
    return { ok: findings.every(({ harmless }) => harmless), events, signed, findings };
  }

  async files(id: string): Promise<RunFileList> {
    return (await this.#filesOf(id)).list();
  }

  /** `from`: in bytes; a negative one counts from the end. */
  async readFile(
    id: string,
    path: string,
    from: number,
  ): Promise<{ bytes: Uint8Array; next: number | null; size: number }> {
    const { bytes, next, size } = (await this.#filesOf(id)).read(path, { from });
    return { bytes, next, size };
  }

  async transcripts(id: string): Promise<TranscriptList> {
    return { transcripts: (await this.#filesOf(id)).transcripts() };
  }

  async readTranscript(id: string, of: string, from: number): Promise<TranscriptPage> {
    const { entries, next, size } = (await this.#filesOf(id)).readTranscript(of, { from });
    return { entries: entries.map(transcriptLine), next, size };
  }

  async change(id: string, change: RunChange, evidence: Evidence): Promise<RunChanged> {
    const open = await this.#open(id);
    const forked = await this.#changed(open.journal, change, evidence);
    await open.journal.catchUp();
    const run = await this.#detail(open);
    return { run, ...(forked === undefined ? {} : { forked }), next: run.drivenBy === null ? run.next : null };
  }

  /** Answers the new run, where a change makes one. */
  async #changed(journal: RunJournal, change: RunChange, evidence: Evidence): Promise<string | undefined> {
    if (change.change === "fork")
      return (await changeRun.fork(this.#desk, journal, { evidence, from: { at: change.at } })).runId;
    const { change: what, ...words } = change;
    await changeRun[what](this.#desk, journal, { evidence, ...words });
    return undefined;
  }

  async #detail({ id, place, journal }: OpenRun): Promise<RunDetail> {
    return describeRun({ id, projectRoot: place.projectRoot }, journal, await this.#desk.look(journal));
  }

  async #filesOf(id: string): Promise<RunFiles> {
    return new RunFiles(this.#desk, (await this.#open(id)).journal);
  }

  async #open(id: string): Promise<OpenRun> {
    const kept = this.#kept.get(id);
    this.#kept.delete(id);
    const open = (kept !== undefined && (await isCurrent(kept)) ? kept : undefined) ?? (await this.#openAnew(id));
    this.#kept.set(id, open);
    this.#forgetOld();
    return open;
  }

  async #openAnew(id: string): Promise<OpenRun> {
    const found = this.#placeOf(id);
    const known = placesOf(this.#desk).find(({ runsDir }) => runsDir === found?.place);
    if (found === undefined || known === undefined) throw await this.#whyGone(id, this.#wasThere(id));
    // With ports of its own: what is remembered of a folder is wrong when another one has taken its place.
    const place = placeAt(this.#desk, known);
    const journal = await RunJournal.open(place.ports, parseRunId(found.run)).catch(async (error: unknown) => {
      // The index has not noticed yet.
      throw isNotFound(error) ? await this.#whyGone(found.run, true) : error;
    });
    return { id, place, journal, viewed: this.#desk.viewed(journal) };
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
    let events = [...this.#kept.values()].reduce((sum, { viewed }) => sum + viewed.size, 0);
    for (const [oldest, { viewed }] of this.#kept) {
      if (this.#kept.size <= 1 || (this.#kept.size <= MAX_KEPT && events <= MAX_KEPT_EVENTS)) return;
      events -= viewed.size;
      this.#kept.delete(oldest);
    }
  }
}

/** False when the journal was repaired, replaced or deleted since. */
async function isCurrent({ journal }: OpenRun): Promise<boolean> {
  try {
    await journal.catchUp();
    return true;
  } catch {
    return false;
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
    hint: "It may have been archived or deleted: babysitter run:list --archived",
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
