/** Texts without what is nobody else's business: secrets, addresses, and the names of people and machines. */
import { secretRules } from "@a5c-ai/babysitter-sdk/operate";
import type { RedactedKind } from "../wire/run-document.js";
import { decodedParts } from "./decoded-text.js";

/** What is known about whoever makes the document. */
export interface Known {
  secrets: readonly string[];
  homes: readonly string[];
  users: readonly string[];
  hosts: readonly string[];
}

export type Note = (kind: RedactedKind, times: number) => void;

export const MASK = "***";
export const MARKS = { home: "~", user: "<user>", host: "<host>", email: "<email>" } as const;

/** Names that half the machines of the world have tell nothing, and as words they are everywhere. */
const COMMON = new Set(
  "root admin administrator user users host home email node ubuntu debian runner agent test guest docker vagrant hidden ec2-user localhost localdomain babysitter someone".split(
    " ",
  ),
);
const MIN_NAME = 3;

/** `NAME=value`, `name: "value"`, also with the quotes of JSON, and of JSON in JSON. */
const ASSIGNED =
  /(?<![\w.-])([\w.-]{1,100})(\\{0,4}["']?[ \t]{0,8}[=:][ \t]{0,8})(?:(\\{0,4}["'])([^"'\\\r\n]+)|((?:(?:bearer|basic|token|digest|negotiate)[ \t]{1,8})?[^\s"'\\,;&)}\]]+))/giu;
const FLAG = /(?<![\w-])--([\w-]{1,100})([ =])(["']?)([^\s"'-][^\s"']*)/gu;
const EMAIL = /[\w.%+-]{1,64}@(?:[A-Za-z0-9-]{1,63}\.){1,8}[A-Za-z]{2,24}/gu;
const OTHER_HOMES =
  /(?<![\w.-])(?:(?:\/mnt\/[a-z])?\/(?:home|Users)\/|[A-Za-z]:\\{1,4}Users\\{1,4})[^/\\\s"'<>:,;|)\]}~*]+/gu;

/** A replacement can make another one possible; more rounds than these are never needed in practice. */
const MAX_ROUNDS = 8;
const MAX_DEPTH = 2;

type Rule = (text: string, note: Note) => string;

export class TextRules {
  readonly #rules: readonly Rule[];

  constructor({ secrets, homes, users, hosts }: Known) {
    const values = [...new Set(secrets)].filter((value) => !value.includes(MASK));
    this.#rules = [
      (text, note) => maskKnown(text, values, note),
      ...secretRules.shapes.map(
        (format): Rule =>
          (text, note) =>
            replaced(text, format, { kind: "secret", mark: MASK, note }),
      ),
      hideAssigned,
      (text, note) => (text.includes("@") ? named(EMAIL, "email")(text, note) : text),
      ...[pathsPattern(homes), OTHER_HOMES].flatMap((pattern) => (pattern ? [named(pattern, "home")] : [])),
      ...[wordsPattern(users)].flatMap((pattern) => (pattern ? [named(pattern, "user")] : [])),
      ...[wordsPattern(hosts)].flatMap((pattern) => (pattern ? [named(pattern, "host")] : [])),
    ];
  }

  /** To do so again changes nothing. */
  clean(text: string, note: Note, depth = 0): string {
    let before = text;
    for (let round = 0; round < MAX_ROUNDS; round += 1) {
      const after = this.#once(before, note, depth);
      if (after === before) return after;
      before = after;
    }
    return before;
  }

  #once(text: string, note: Note, depth: number): string {
    let clean = text;
    for (const rule of this.#rules) clean = rule(clean, note);
    if (depth >= MAX_DEPTH) return clean;
    // What is written in another way is read as what it means, and taken out as a whole.
    return decodedParts(clean, (decoded) => (this.clean(decoded, note, depth + 1) === decoded ? undefined : MASK));
  }
}

/** Values in a text that must not stand anywhere else either. */
export function secretsInText(text: string): string[] {
  const formats = secretRules.shapes.flatMap((format) => text.match(format) ?? []);
  const assigned = [...text.matchAll(ASSIGNED)].flatMap(([, name = "", , , quoted, plain]) =>
    isSecret(name) ? [quoted ?? plain ?? ""] : [],
  );
  const flags = [...text.matchAll(FLAG)].flatMap(([, name = "", , , value = ""]) => (isSecret(name) ? [value] : []));
  return [...formats, ...[...assigned, ...flags].filter(looksRandom)].map((value) => value.trim());
}

/** The names of fields of ours that sound like secrets and hold none. */
const NO_SECRETS = new Set(["invocationKey", "secretEnv"]);

export function isSecret(name: string): boolean {
  return !NO_SECRETS.has(name) && secretRules.isSecretName(name);
}

/** A word or a path after `token:` is hidden there, and may stand elsewhere. */
function looksRandom(value: string): boolean {
  return value.length >= 8 && /\d/u.test(value) && /[A-Za-z]/u.test(value) && !/^(?:~?\/|\$|process\.)/u.test(value);
}

/** False for names that tell nothing, and that texts are full of. */
export function isTelling(name: string): boolean {
  return name.length >= MIN_NAME && !COMMON.has(name.toLowerCase()) && !/[<>~*]/u.test(name);
}

function maskKnown(text: string, values: readonly string[], note: Note): string {
  const masked = secretRules.maskSecrets(text, values);
  if (masked === text) return text;
  note("secret", Math.max(1, masked.split(MASK).length - text.split(MASK).length));
  return masked;
}

function hideAssigned(text: string, note: Note): string {
  const hide = (whole: string, name: string, value: string): string => {
    if (value.startsWith(MASK) || value.startsWith("[hidden") || !isSecret(name)) return whole;
    note("secret", 1);
    return `${whole.slice(0, -value.length)}${MASK}`;
  };
  return text
    .replaceAll(ASSIGNED, (whole: string, name: string, ...found: (string | undefined)[]) =>
      hide(whole, name, found[2] ?? found[3] ?? ""),
    )
    .replaceAll(FLAG, (whole: string, name: string, ...found: (string | undefined)[]) =>
      hide(whole, name, found[2] ?? ""),
    );
}

function named(pattern: RegExp, kind: keyof typeof MARKS): Rule {
  return (text, note) => replaced(text, pattern, { kind, mark: MARKS[kind], note });
}

function replaced(
  text: string,
  pattern: RegExp,
  { kind, mark, note }: { kind: RedactedKind; mark: string; note: Note },
): string {
  let times = 0;
  const clean = text.replaceAll(pattern, () => {
    times += 1;
    return mark;
  });
  if (times > 0) note(kind, times);
  return clean;
}

function pathsPattern(paths: readonly string[]): RegExp | undefined {
  const long = [...new Set(paths)].map((path) => path.replace(/[/\\]+$/u, "")).filter((path) => path.length > 3);
  return long.length === 0 ? undefined : new RegExp(`(?<![\\w.-])(?:${choice(long)})(?![\\w.-])`, "gu");
}

function wordsPattern(words: readonly string[]): RegExp | undefined {
  const telling = [...new Set(words)].filter(isTelling);
  if (telling.length === 0) return undefined;
  return new RegExp(`(?<![\\p{L}\\p{N}_])(?:${choice(telling)})(?![\\p{L}\\p{N}_])`, "gu");
}

/** The longest first: of two that begin alike the shorter one would leave a rest. */
function choice(texts: readonly string[]): string {
  const escaped = texts.map((text) => text.replaceAll(/[\\^$.*+?()[\]{}|/]/gu, String.raw`\$&`));
  return escaped.toSorted((a, b) => b.length - a.length).join("|");
}
