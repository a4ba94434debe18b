/** What people do with runs in the inbox: look at them, from the first event to the last, and change them. */
import { BabysitterError } from "@a5c-ai/babysitter-sdk";
import { changeRun, type Evidence, type InboxDesk, parseRunId, type RunJournal } from "@a5c-ai/babysitter-sdk/operate";
import type { EventPage, IntegrityView, RunChange, RunChanged, RunDetail, RunFileList } from "../wire/run-wire.js";
import { OpenRun } from "./open-run.js";
import { placeAt, placesOf } from "./places.js";

/** What was read of a long run is kept while somebody looks at it. */
const MAX_KEPT = 8;
const MAX_KEPT_EVENTS = 300_000;

export class InboxRuns {
  readonly #desk: InboxDesk;
  readonly #placeOf: (id: string) => { place: string; run: string } | undefined;
  readonly #kept = new Map<string, OpenRun>();

  /** `placeOf`: where the run is that a page calls by this name. */
  constructor(desk: InboxDesk, placeOf: (id: string) => { place: string; run: string } | undefined) {
    this.#desk = desk;
    this.#placeOf = placeOf;
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

  async change(id: string, change: RunChange, evidence: Evidence): Promise<RunChanged> {
    const open = await this.#open(id);
    const forked = await this.#changed(open.journal, change, evidence);
    await open.journal.catchUp();
    const run = await open.detail();
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
    if (found === undefined || known === undefined) throw notFound(id);
    // With ports of its own: what is remembered of a folder is wrong when another one has taken its place.
    return OpenRun.open(this.#desk, placeAt(this.#desk, known), { id, runId: parseRunId(found.run) });
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

function notFound(id: string): BabysitterError {
  return new BabysitterError("RUN_NOT_FOUND", `There is no run ${JSON.stringify(id.slice(0, 100))}.`, {
    hint: "It may have been archived or deleted: babysitter run:list --archived",
  });
}
