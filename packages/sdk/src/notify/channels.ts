/** The ways by which this person wants to be reached, with the secrets of each. Disabling one forgets them. */
import fs from "node:fs";
import path from "node:path";
import { makeFolders } from "../files/make-folders.js";
import { readRegularText } from "../files/read-regular-file.js";
import { CHANNELS, type ChannelName } from "../model/channel-names.js";
import { refusedBySystem } from "../model/errno.js";
import { BabysitterError } from "../model/errors.js";
import { isJsonObject, type Json, parseJson } from "../model/json.js";

/** What a message may say about a question; it always says that there is one. */
export const FIELDS = ["title", "question", "run", "project", "link", "options", "risk"] as const;
/** One of {@link FIELDS}. */
export type Field = (typeof FIELDS)[number];
/** What a message says where nobody has chosen. */
export const USUAL_FIELDS: readonly Field[] = ["title", "run", "project", "link"];

/** What is sent at all. */
export const TOPICS = ["questions", "trouble", "report"] as const;
/** One of {@link TOPICS}. */
export type Topic = (typeof TOPICS)[number];

/** How one channel was set up. */
export interface ChannelRecord {
  /** Questions that were open before are sent as well; runs in trouble and reports only from then on. */
  since: string;
  fields: Field[];
  /** Whether files of a question may be sent to whoever asks for them there. */
  files: boolean;
  topics: Topic[];
  /** Addresses, tokens and names; which ones depends on the channel. */
  settings: Record<string, string>;
}

/** The channels that are set up. */
export type ChannelRecords = Partial<Record<ChannelName, ChannelRecord>>;

const MAX_FILE = 256 * 1024;

export class Channels {
  readonly #file: string;

  /** `home`: what babysitter remembers for this person, as a rule ~/.a5c. */
  constructor({ home }: { home: string }) {
    this.#file = path.join(home, "inbox", "channels.json");
  }

  get file(): string {
    return this.#file;
  }

  all(): ChannelRecords {
    return this.#guarded(() => {
      const found = readRegularText(this.#file, MAX_FILE);
      if (found.kind === "none") return {};
      if (found.kind === "unfit") throw this.#damaged(found.problem);
      return this.#recordsIn(found.text);
    });
  }

  enable(name: ChannelName, record: ChannelRecord): void {
    this.#write({ ...this.all(), [name]: record });
  }

  /** True when it was enabled. */
  disable(name: ChannelName): boolean {
    const { [name]: gone, ...rest } = this.all();
    if (gone === undefined) return false;
    this.#write(rest);
    this.#guarded(() => this.#removeDrafts());
    return true;
  }

  /** A crash may have left one, with the secrets that are to be forgotten. */
  #removeDrafts(): void {
    const [folder, name] = [path.dirname(this.#file), path.basename(this.#file)];
    const isDraft = (other: string): boolean => other.startsWith(`${name}.`) && other.endsWith(".tmp");
    for (const draft of fs.readdirSync(folder).filter(isDraft)) fs.rmSync(path.join(folder, draft), { force: true });
  }

  #recordsIn(text: string): ChannelRecords {
    let document: Json;
    try {
      document = parseJson(text);
    } catch {
      throw this.#damaged("it is not JSON");
    }
    if (!isJsonObject(document)) throw this.#damaged("it is not a JSON object");
    const records: ChannelRecords = {};
    for (const name of CHANNELS) {
      const record = document[name];
      if (record === undefined) continue;
      if (!isRecord(record)) throw this.#damaged(`the entry of ${name} is not valid`);
      records[name] = record as unknown as ChannelRecord;
    }
    return records;
  }

  /** Whoever reads it meanwhile finds the one before, or this one. */
  #write(records: ChannelRecords): void {
    this.#guarded(() => {
      makeFolders(path.dirname(this.#file), 0o700);
      const fresh = `${this.#file}.${process.pid}.tmp`;
      fs.writeFileSync(fresh, `${JSON.stringify(records, null, 2)}\n`, { mode: 0o600, flush: true });
      fs.renameSync(fresh, this.#file);
    });
  }

  #guarded<T>(act: () => T): T {
    try {
      return act();
    } catch (error) {
      throw refusedBySystem(error) ?? error;
    }
  }

  #damaged(why: string): BabysitterError {
    return new BabysitterError("SYSTEM_REFUSED", `Cannot use ${this.#file}: ${why}.`, {
      hint: "Move it out of the way, then enable the channels again: babysitter extension enable <channel>",
    });
  }
}

function isRecord(value: Json): boolean {
  if (!isJsonObject(value)) return false;
  const { since, fields, files, topics, settings } = value;
  return (
    typeof since === "string" &&
    typeof files === "boolean" &&
    isListOf(fields, FIELDS) &&
    isListOf(topics, TOPICS) &&
    isJsonObject(settings) &&
    Object.values(settings).every((text) => typeof text === "string")
  );
}

function isListOf(list: Json | undefined, known: readonly string[]): boolean {
  return Array.isArray(list) && list.every((one) => typeof one === "string" && known.includes(one));
}
