/** A document for others: without secrets, names of people and machines, and the contents of what was made and said. */
import type { DocumentFile, DocumentTranscript, RedactedKind, Redactions, RunDocument } from "../wire/run-document.js";
import { isSecret, isTelling, type Known, MARKS, MASK, type Note, secretsInText, TextRules } from "./redact-text.js";

const MAX_PLACES = 5;
/** More would be looked for than anybody has. */
const MAX_SECRETS = 5_000;
const MIN_SECRET = 6;
const MAX_REMEMBERED = 50_000;
const LONGEST_REMEMBERED = 300;

/** What these fields of ours hold is one of a few words. */
const WORDS = new Set("type kind status executor state view outcome via by who harness".split(" "));
const WORD = /^[A-Za-z][A-Za-z_-]{0,39}$/u;
/** What does something, where other fields of the name hold who did it. */
const NOBODY = new Set(
  "post engine driver agent person session-file start resume adoption return someone nobody".split(" "),
);
const TIME = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/u;
const HASHES = new Set(["checksum", "sha256"]);
const HASH = /^[0-9a-f]{64}$/u;
const ENVIRONMENT = new Set(["env", "environment"]);
const PEOPLE = new Set(["by", "author"]);
const FOREIGN = new Set(["value", "data", "metadata"]);
/** A short word may be a password, and is also a word; a path leads to a secret and is none. */
const NO_SECRET = /^(?:[a-z]{1,15}|[A-Z]{1,15}|~?\/[^\s:]*)$/u;

/** To do so again changes nothing. */
export function redactDocument(document: RunDocument, known: Known): RunDocument {
  const redactor = new Redactor(withFound(document, known));
  const { detail, events, integrity, files, transcripts } = document;
  const clean: RunDocument = {
    ...document,
    detail: redactor.value(detail, "the run") as RunDocument["detail"],
    events: events.map((event) => redactor.value(event, eventName(event))),
    integrity: redactor.value(integrity, "the check of the journal") as RunDocument["integrity"],
    files: files.map((file) => redactor.file(file)),
    transcripts: transcripts.map((transcript) => redactor.transcript(transcript)),
  };
  return { ...clean, redacted: sumOf(document.redacted ?? {}, redactor.found) };
}

/** What is known, and what the document itself tells. */
function withFound(document: RunDocument, known: Known): Known {
  const secrets = new Set(known.secrets);
  const users = new Set(known.users);
  const hosts = new Set(known.hosts);
  const addSecret = (value: string): void => {
    if (value.length >= MIN_SECRET && secrets.size < MAX_SECRETS) secrets.add(value);
  };
  eachText(document, (text, { key, isSecretField, type }) => {
    if (isSecretField && !NO_SECRET.test(text)) addSecret(text.trim());
    if (PEOPLE.has(key) && !NOBODY.has(text) && isTelling(text) && text.length < 100) users.add(text);
    if (key === "host" && type === "EFFECT_STARTED") hosts.add(text);
    for (const value of secretsInText(text)) addSecret(value);
  });
  return { ...known, secrets: [...secrets], users: [...users], hosts: [...hosts] };
}

interface TextPlace {
  key: string;
  isSecretField: boolean;
  /** Of the event that it stands in. */
  type: string;
}

function eachText(value: unknown, take: (text: string, place: TextPlace) => void, place = NOWHERE): void {
  if (typeof value === "string") take(value, place);
  else if (Array.isArray(value)) for (const item of value) eachText(item, take, place);
  else if (typeof value === "object" && value !== null) {
    const { type = place.type } = value as { type?: unknown };
    for (const [key, field] of Object.entries(value))
      eachText(field, take, {
        key,
        isSecretField: place.isSecretField || isSecret(key) || isEnvironment(key, field),
        type: typeof type === "string" ? type : place.type,
      });
  }
}

const NOWHERE: TextPlace = { key: "", isSecretField: false, type: "" };

/** What the fields around a value say about it; `foreign`: it is what a process or a task has said. */
type Inside = "secret" | "environment" | "foreign" | undefined;

class Redactor {
  readonly found: Redactions = {};
  readonly #rules: TextRules;
  readonly #secrets: ReadonlySet<string>;
  /** Texts that hold nothing: events repeat themselves. */
  readonly #plain = new Set<string>();

  constructor(known: Known) {
    this.#rules = new TextRules(known);
    this.#secrets = new Set(known.secrets);
  }

  value(value: unknown, place: string, key = "", inside?: Inside): unknown {
    if (typeof value === "string") return this.#field(value, place, key, inside);
    if (typeof value === "number") return this.#number(value, place, inside);
    if (Array.isArray(value)) return value.map((item) => this.value(item, place, key, inside));
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, field]) => {
        const clean = this.#text(name, place);
        return [clean, this.value(field, `${place}, ${clean}`, name, insideOf(name, field, inside))];
      }),
    );
  }

  /** What was made is for those who have the run; logs and evidence tell how it went. */
  file(file: DocumentFile): DocumentFile {
    const { content, ...rest } = file;
    const place = `file ${this.#text(file.path, "a name of a file")}`;
    const described = this.value(rest, place) as Omit<DocumentFile, "content">;
    if (content === null) return { ...described, content };
    if (file.kind !== "artifact" && "text" in content)
      return { ...described, content: { ...content, text: this.#text(content.text, place) } };
    this.#note("content", 1, place);
    return { ...described, content: null, missing: `its content was redacted (${sizeOf(file)})` };
  }

  transcript(transcript: DocumentTranscript): DocumentTranscript {
    const { entries, ...rest } = transcript;
    const place = `transcript ${this.#text(transcript.id, "a name of a transcript")}`;
    const described = this.value(rest, place) as Omit<DocumentTranscript, "entries">;
    if (entries.length === 0) return { ...described, entries };
    this.#note("content", 1, place);
    return { ...described, entries: [], missing: `what was said was redacted (${sizeOf(transcript)})` };
  }

  #field(text: string, place: string, key: string, inside: Inside): string {
    if (isHidden(inside) && text !== "") {
      if (text !== MASK) this.#note(inside, 1, place);
      return MASK;
    }
    if (PEOPLE.has(key) && !NOBODY.has(text) && text !== MARKS.user) return this.#whole("user", place);
    if (key === "host" && text !== MARKS.host) return this.#whole("host", place);
    return (isOurs(key, text) && inside !== "foreign") || TIME.test(text) ? text : this.#text(text, place);
  }

  #whole(kind: "user" | "host", place: string): string {
    this.#note(kind, 1, place);
    return MARKS[kind];
  }

  #number(value: number, place: string, inside: Inside): unknown {
    const text = String(value);
    const isIn = isHidden(inside) ? text.length > 3 : text.length >= MIN_SECRET && this.#secrets.has(text);
    if (!isIn) return value;
    this.#note(isHidden(inside) ? inside : "secret", 1, place);
    return MASK;
  }

  #text(text: string, place: string): string {
    if (this.#plain.has(text)) return text;
    const clean = this.#rules.clean(text, (kind, times) => this.#note(kind, times, place));
    if (clean === text && text.length <= LONGEST_REMEMBERED && this.#plain.size < MAX_REMEMBERED) this.#plain.add(text);
    return clean;
  }

  #note(...[kind, times, place]: [...Parameters<Note>, string]): void {
    const part = (this.found[kind] ??= { count: 0, places: [] });
    part.count += times;
    if (part.places.length < MAX_PLACES && !part.places.includes(place)) part.places.push(place);
  }
}

function isOurs(key: string, text: string): boolean {
  return (WORDS.has(key) && WORD.test(text)) || (HASHES.has(key) && HASH.test(text));
}

function isHidden(inside: Inside): inside is "secret" | "environment" {
  return inside === "secret" || inside === "environment";
}

function insideOf(name: string, field: unknown, inside: Inside): Inside {
  if (isHidden(inside)) return inside;
  if (isEnvironment(name, field)) return "environment";
  if (isSecret(name)) return "secret";
  return FOREIGN.has(name) ? "foreign" : inside;
}

function isEnvironment(name: string, field: unknown): boolean {
  return ENVIRONMENT.has(name) && typeof field === "object";
}

function sizeOf({ bytes, sha256 }: { bytes: number; sha256: string | null }): string {
  return `${bytes} bytes${sha256 === null ? "" : `, SHA-256 ${sha256}`}`;
}

function eventName(event: unknown): string {
  const { seq, type } = event as { seq?: unknown; type?: unknown };
  return `event ${String(seq)} (${String(type)})`;
}

function sumOf(before: Redactions, now: Redactions): Redactions {
  const kinds = [...new Set([...Object.keys(before), ...Object.keys(now)])] as RedactedKind[];
  return Object.fromEntries(
    kinds.map((kind) => {
      const [a, b] = [before[kind], now[kind]];
      const places = [...(a?.places ?? []), ...(b?.places ?? [])].slice(0, MAX_PLACES);
      return [kind, { count: (a?.count ?? 0) + (b?.count ?? 0), places }];
    }),
  );
}
