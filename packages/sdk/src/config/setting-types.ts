/** The kinds of values that settings have: what they accept, how they are written, which of two is stricter. */
import { parsePrices } from "../loop/transcript/spend-prices.js";
import { isJsonObject, type JsonObject } from "../model/json.js";

/** What a setting can hold. */
export interface SettingType<T> {
  /** Completes the sentence "it must be …". */
  readonly expects: string;
  /** JSON Schema of the value. */
  readonly schema: JsonObject;
  accepts(value: unknown): value is T;
  /** The value that a text from the environment or the command line means; it may still not be accepted. */
  fromText(text: string): unknown;
  /** The higher, the stricter. Only types that know it can be combined so that the stricter wins. */
  strictness?(value: T): number;
}

/** A command that proves something about the project, such as its tests. */
export interface Check {
  name: string;
  command: string;
}

interface Range {
  min: number;
  max: number;
  /** What 0 means, where it has a meaning of its own. */
  zero?: string;
}

export function wholeNumber({ min, max, zero }: Range): SettingType<number> {
  const range = `a whole number from ${min} to ${max}`;
  return {
    expects: zero === undefined ? range : `${range}; 0 is ${zero}`,
    schema: { type: "integer", minimum: min, maximum: max },
    accepts: (value): value is number => Number.isInteger(value) && isBetween(value as number, min, max),
    fromText: (text) => (/^\d{1,15}$/u.test(text) ? Number(text) : text),
  };
}

/** A number of which the lower is the stricter; 0 is no limit, and so the laxest of all. */
export function limit(max: number): SettingType<number> {
  return {
    ...wholeNumber({ min: 0, max, zero: "no limit" }),
    strictness: (value) => (value === 0 ? Number.NEGATIVE_INFINITY : -value),
  };
}

/** An amount of money of which the lower is the stricter. */
export function amount(): SettingType<number> {
  return {
    // A budget of 0 could mean "spend nothing" or "no budget": it is not for us to guess.
    expects: "a number above 0",
    schema: { type: "number", exclusiveMinimum: 0 },
    accepts: (value): value is number => typeof value === "number" && Number.isFinite(value) && value > 0,
    fromText: (text) => (/^\d{1,12}(?:\.\d{1,9})?$/u.test(text) ? Number(text) : text),
    strictness: (value) => -value,
  };
}

export function yesOrNo(): SettingType<boolean> {
  const words: Record<string, boolean> = { true: true, false: false, "1": true, "0": false };
  return {
    expects: "true or false",
    schema: { type: "boolean" },
    accepts: (value): value is boolean => typeof value === "boolean",
    fromText: (text) => (Object.hasOwn(words, text) ? words[text] : text),
  };
}

/** One of some words, given from the laxest to the strictest. */
export function choice<const T extends string>(words: readonly T[]): SettingType<T> {
  return {
    expects: listed(words),
    schema: { enum: [...words] },
    accepts: (value): value is T => words.includes(value as T),
    fromText: (text) => text,
    strictness: (value) => words.indexOf(value),
  };
}

/** Who answers questions: a human, or a rule that may have a name of its own, as in `approve:nightly`. */
export type AnswerPolicy = "ask" | `${"approve" | "reject"}${"" | `:${string}`}`;

const POLICIES = ["approve", "reject", "ask"];
const POLICY = /^(?:ask|(?:approve|reject)(?::[\w.-]{1,64})?)$/u;

export function answerPolicy(): SettingType<AnswerPolicy> {
  return {
    expects: "ask, approve or reject, or approve or reject with a name, such as approve:nightly",
    schema: { type: "string", pattern: "^(ask|(approve|reject)(:[A-Za-z0-9_.-]{1,64})?)$" },
    accepts: (value): value is AnswerPolicy => typeof value === "string" && POLICY.test(value),
    fromText: (text) => text,
    strictness: (value) => POLICIES.indexOf(value.split(":")[0] as string),
  };
}

/** A command line, or its arguments as a list. */
export function commandLine(): SettingType<string | string[]> {
  return {
    expects: "a command line, or a list of a program and its arguments",
    schema: {
      oneOf: [
        { type: "string", pattern: "\\S" },
        { type: "array", items: { type: "string" }, minItems: 1 },
      ],
    },
    accepts: (value): value is string | string[] =>
      Array.isArray(value)
        ? value.length > 0 && value.every((word) => typeof word === "string") && value[0] !== ""
        : isFilled(value),
    fromText: (text) => text,
  };
}

export function checkList(): SettingType<Check[]> {
  return {
    expects: 'a list such as [{ "name": "test", "command": "npm test" }] with unique names',
    schema: {
      type: "array",
      items: {
        type: "object",
        properties: { name: { type: "string", pattern: "\\S" }, command: { type: "string", pattern: "\\S" } },
        required: ["name", "command"],
        additionalProperties: false,
      },
    },
    accepts: (value): value is Check[] =>
      Array.isArray(value) && value.every(isCheck) && new Set(value.map(({ name }) => name)).size === value.length,
    fromText: (text) => text,
  };
}

/** A relative path would mean another file in every folder. */
export function absolutePath(): SettingType<string> {
  return {
    expects: "an absolute path",
    schema: { type: "string", pattern: "^/" },
    accepts: (value): value is string => typeof value === "string" && value.startsWith("/") && !value.includes("\0"),
    fromText: (text) => text,
  };
}

/** An address of a web server, without what would only be lost when something is appended to it. */
export function webAddress(): SettingType<string> {
  return {
    expects: "an address that begins with https:// or http://, without a query",
    schema: { type: "string", pattern: "^https?://[^\\s?#]+$" },
    accepts: (value): value is string =>
      typeof value === "string" && /^https?:\/\/[^\s?#]{1,2000}$/u.test(value) && URL.canParse(value),
    fromText: (text) => text,
  };
}

/** A part of the day, which may go past midnight. */
export function hours(): SettingType<string> {
  const pattern = /^(?:[01]\d|2[0-3]):[0-5]\d-(?:[01]\d|2[0-3]):[0-5]\d$/u;
  return textLike(pattern, "two times of the day, such as 22:00-07:00");
}

export function timeOfDay(): SettingType<string> {
  return textLike(/^(?:(?:[01]\d|2[0-3]):[0-5]\d|off)$/u, "a time of the day, such as 07:00, or off");
}

function textLike(pattern: RegExp, expects: string): SettingType<string> {
  return {
    expects,
    schema: { type: "string", pattern: pattern.source },
    accepts: (value): value is string => typeof value === "string" && pattern.test(value),
    fromText: (text) => text,
  };
}

/** Some of a few names. */
export function someOf(words: readonly string[]): SettingType<string[]> {
  return {
    expects: `a list of names out of ${listed(words)}`,
    schema: { type: "array", items: { enum: [...words] } },
    accepts: (value): value is string[] =>
      Array.isArray(value) && value.every((word) => words.includes(word as string)),
    fromText: (text) => text,
  };
}

/** Names without white space. */
export function wordList(): SettingType<string[]> {
  return {
    expects: 'a list of names, such as ["ticket", "deployment"]',
    schema: { type: "array", items: { type: "string", pattern: "^\\S+$" } },
    accepts: (value): value is string[] =>
      Array.isArray(value) && value.every((word) => typeof word === "string" && /^\S+$/u.test(word)),
    fromText: (text) => text,
  };
}

/** As people write them: what is left out follows from the price of input. */
export type Prices = Record<string, { input: number; output: number; [name: string]: number }>;

export function priceList(): SettingType<Prices> {
  return {
    expects: 'prices by model, such as { "my-model": { "input": 3, "output": 15 } }',
    schema: {
      type: "object",
      additionalProperties: {
        type: "object",
        properties: Object.fromEntries(
          ["input", "output", "cacheRead", "cacheWrite5m", "cacheWrite1h"].map((name) => [
            name,
            { type: "number", minimum: 0 },
          ]),
        ),
        required: ["input", "output"],
        additionalProperties: false,
      },
    },
    accepts: (value): value is Prices => isJsonObject(value) && parsePrices(value).problems.length === 0,
    fromText: (text) => text,
  };
}

function isCheck(value: unknown): value is Check {
  return (
    isJsonObject(value) && Object.keys(value).length === 2 && isFilled(value["name"]) && isFilled(value["command"])
  );
}

function isFilled(value: unknown): value is string {
  return typeof value === "string" && value.trim() !== "";
}

function isBetween(value: number, min: number, max: number): boolean {
  return value >= min && value <= max;
}

function listed(words: readonly string[]): string {
  return `${words.slice(0, -1).join(", ")} or ${words.at(-1)}`;
}
