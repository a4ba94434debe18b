/** One run that is looked at: where it stands, its events, its files, and what its agents have said. */
import { BabysitterError } from "@a5c-ai/babysitter-sdk";
import {
  type InboxDesk,
  listEvents,
  type Ports,
  type parseRunId,
  RunFiles,
  RunJournal,
} from "@a5c-ai/babysitter-sdk/operate";
import type {
  EventPage,
  IntegrityView,
  RunDetail,
  RunFileList,
  TranscriptList,
  TranscriptPage,
} from "../wire/run-wire.js";
import { describeRun } from "./describe-run.js";
import { transcriptLine } from "./transcript-line.js";

const MOST_EVENTS = 5_000;

/** Where a run is. Without a project it says itself to which it belongs. */
interface RunPlace {
  ports: Ports;
  projectRoot?: string;
}

type Limits = Parameters<InboxDesk["whole"]>[1];

export class OpenRun {
  readonly journal: RunJournal;
  /** By which pages call it. */
  readonly #id: string;
  readonly #desk: InboxDesk;
  readonly #projectRoot: string;
  readonly #viewed: ReturnType<InboxDesk["viewed"]>;
  readonly #files: RunFiles;

  private constructor(desk: InboxDesk, journal: RunJournal, { id, projectRoot }: { id: string; projectRoot: string }) {
    this.#desk = desk;
    this.#id = id;
    this.#projectRoot = projectRoot;
    this.journal = journal;
    this.#viewed = desk.viewed(journal);
    this.#files = new RunFiles(desk, journal);
  }

  static async open(
    desk: InboxDesk,
    { ports, projectRoot }: RunPlace,
    { id, runId }: { id: string; runId: ReturnType<typeof parseRunId> },
  ): Promise<OpenRun> {
    const journal = await RunJournal.open(ports, runId);
    return new OpenRun(desk, journal, { id, projectRoot: projectRoot ?? journal.place.projectRoot });
  }

  /** How many events are kept in memory. */
  get size(): number {
    return this.#viewed.size;
  }

  /** False when the journal was repaired, replaced or deleted since. */
  async isCurrent(): Promise<boolean> {
    try {
      await this.journal.catchUp();
      return true;
    } catch {
      return false;
    }
  }

  async detail(): Promise<RunDetail> {
    const place = { id: this.#id, projectRoot: this.#projectRoot };
    return describeRun(place, this.journal, await this.#desk.look(this.journal));
  }

  async events(after: number): Promise<EventPage> {
    const all = await this.#viewed.all();
    return { events: all.slice(after, after + MOST_EVENTS), total: all.length };
  }

  /** One event with everything in it. */
  async event(seq: number): Promise<unknown> {
    const [event] = await listEvents(this.journal, { after: seq - 1, limit: 1, reverse: false });
    if (event?.seq === seq) return event;
    throw new BabysitterError("INPUT_NOT_FOUND", `The run has no event ${seq}.`, { details: { id: this.#id, seq } });
  }

  /** All events with their values, for whoever takes the run elsewhere. */
  whole(limits: Limits): ReturnType<InboxDesk["whole"]> {
    return this.#desk.whole(this.journal, limits);
  }

  async integrity(): Promise<IntegrityView> {
    const { events, signed, findings } = await this.#desk.check(this.journal);
    return { ok: findings.every(({ harmless }) => harmless), events, signed, findings };
  }

  files(): RunFileList {
    return this.#files.list();
  }

  /** `from`: in bytes; a negative one counts from the end. */
  readFile(path: string, from: number): { bytes: Uint8Array; from: number; next: number | null; size: number } {
    return this.#files.read(path, { from });
  }

  transcripts(): TranscriptList {
    return { transcripts: this.#files.transcripts() };
  }

  transcript(of: string, from: number): TranscriptPage {
    const { entries, next, size } = this.#files.readTranscript(of, { from });
    return { entries: entries.map(transcriptLine), next, size };
  }
}
