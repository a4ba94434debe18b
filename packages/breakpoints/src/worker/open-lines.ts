/** Keeps the channels open that this person wants, as they are settled now. */
import type * as notices from "@a5c-ai/babysitter-sdk/notify";
import type { Channel } from "../channels/channel.js";
import type { ChannelParts } from "../channels/channel-parts.js";
import type { QuestionRow } from "../wire/inbox-wire.js";
import type { Ledger } from "./ledger.js";
import { listenTo } from "./listening.js";
import type { WorkerParts, WorkerView } from "./worker-parts.js";

export interface Line {
  channel: Channel;
  record: notices.ChannelRecord;
  /** Ends whatever is under way. */
  closing: AbortSignal;
}

interface OpenLine extends Line {
  settled: string;
  controller: AbortController;
  ears: AbortController;
  listening: Promise<void>;
}

export interface LineParts {
  parts: WorkerParts;
  view: WorkerView;
  ledger: Ledger;
}

export class OpenLines {
  readonly #parts: LineParts;
  readonly #open = new Map<string, OpenLine>();
  /** How those were settled that could not be opened. */
  readonly #unopened = new Map<string, string>();

  constructor(parts: LineParts) {
    this.#parts = parts;
  }

  all(): Line[] {
    return [...this.#open.values()];
  }

  get(name: string): Line | undefined {
    return this.#open.get(name);
  }

  /** Opens what is new, closes what is gone, and both for what has changed. */
  async keep(records: notices.ChannelRecords, publicUrl: string | undefined): Promise<void> {
    const wanted = Object.entries(records) as [notices.ChannelName, notices.ChannelRecord][];
    for (const name of this.#open.keys()) if (!Object.hasOwn(records, name)) await this.#close(name);
    for (const [name, record] of wanted) {
      const settled = JSON.stringify([record, publicUrl]);
      if (this.#open.get(name)?.settled === settled || this.#unopened.get(name) === settled) continue;
      await this.#close(name);
      await this.#openOne(name, record, { settled, publicUrl });
    }
  }

  /** Nobody listens any more; what is being sent goes on. */
  async stopListening(): Promise<void> {
    for (const { ears } of this.#open.values()) ears.abort();
    await Promise.all([...this.#open.values()].map(({ listening }) => listening));
  }

  async close(): Promise<void> {
    await Promise.all([...this.#open.keys()].map((name) => this.#close(name)));
  }

  async #close(name: string): Promise<void> {
    const line = this.#open.get(name);
    this.#open.delete(name);
    this.#unopened.delete(name);
    line?.ears.abort();
    line?.controller.abort();
    await line?.listening;
  }

  async #openOne(
    name: notices.ChannelName,
    record: notices.ChannelRecord,
    { settled, publicUrl }: { settled: string; publicUrl: string | undefined },
  ): Promise<void> {
    const { parts, ledger } = this.#parts;
    try {
      const [channel] = await parts.openChannels({ [name]: record }, () => this.#partsOf(name, record, publicUrl));
      if (channel === undefined) throw new Error("It is not known here.");
      const [controller, ears] = [new AbortController(), new AbortController()];
      const line = { channel, record, settled, controller, ears, closing: controller.signal };
      this.#open.set(name, { ...line, listening: this.#listen(channel, ears.signal) });
      parts.log(`${name}: open, to ${channel.target}`);
    } catch {
      // What went wrong may quote a token.
      this.#unopened.set(name, settled);
      ledger.fails(name, "its settings cannot be used");
    }
  }

  #listen(channel: Channel, stop: AbortSignal): Promise<void> {
    if (channel.poll === undefined) return Promise.resolve();
    const { ledger, parts } = this.#parts;
    const poll: NonNullable<Channel["poll"]> = async (cursor, signal) => (await channel.poll?.(cursor, signal)) ?? [];
    const listening = { name: channel.name, poll, ledger, log: parts.log };
    return listenTo(listening, stop).catch((error: unknown) => parts.log(`${channel.name}: ${String(error)}`));
  }

  #partsOf(name: notices.ChannelName, record: notices.ChannelRecord, publicUrl: string | undefined): ChannelParts {
    const { parts, view, ledger } = this.#parts;
    return {
      desk: parts.desk,
      record,
      questions: view.questions,
      open: () => openRows(view),
      acknowledge: (subjects, how) =>
        ledger.note({ type: "ACKNOWLEDGED", channel: name, subjects: [...subjects], how }),
      log: (text) => parts.log(`${name}: ${text}`),
      publicUrl,
    };
  }
}

function openRows({ index }: WorkerView): QuestionRow[] {
  return index.list({ state: "open", words: [], after: undefined, limit: MAX_OPEN }).questions;
}

/** Nobody reads a longer list on a phone. */
const MAX_OPEN = 200;
