/** From the text of a configuration file to the settings that it makes. */
import { BabysitterError } from "../model/errors.js";
import type { Json } from "../model/json.js";
import { nearestName } from "../model/nearest-name.js";
import { hideCommandSecrets } from "../model/secrets.js";
import { JsonMistake, type JsonPart, parseJsonText, placeAt, type TextPlace, valueOf } from "./json-text.js";
import { isMadeIn, isSettingName, SETTING_NAMES, type SettingName, settingOf } from "./settings.js";

/** The settings that a file makes, each with its line. */
export interface ConfigFile {
  file: string;
  settings: ReadonlyMap<SettingName, { value: unknown; line: number }>;
}

/** Which of the two files it is. */
export type Tier = "team" | "person";

interface Problem extends TextPlace {
  key: string;
  problem: string;
  hint?: string;
}

/** Throws CONFIG_INVALID, with everything that is wrong. */
export function parseConfigFile(text: string, { file, tier }: { file: string; tier: Tier }): ConfigFile {
  const reading = new ConfigReading(text, tier);
  try {
    reading.take(parseJsonText(text));
  } catch (error) {
    if (!(error instanceof JsonMistake)) throw error;
    reading.problem(error.at, { key: "", problem: `Not valid JSON: ${error.message}.` });
  }
  if (reading.problems.length > 0) throw invalidFile(file, reading.problems);
  return { file, settings: reading.settings };
}

class ConfigReading {
  readonly settings = new Map<SettingName, { value: unknown; line: number }>();
  readonly problems: Problem[] = [];
  readonly #text: string;
  readonly #tier: Tier;

  constructor(text: string, tier: Tier) {
    this.#text = text;
    this.#tier = tier;
  }

  problem(at: number, about: Omit<Problem, keyof TextPlace>): void {
    this.problems.push({ ...placeAt(this.#text, at), ...about });
  }

  take(root: JsonPart): void {
    if (root.kind !== "object") {
      this.problem(root.at, { key: "", problem: 'The file must contain an object, such as { "driver": {} }.' });
      return;
    }
    for (const [key, { at, value }] of root.members) {
      if (key === "$schema") this.#schema(value);
      else if (isSettingName(key) && !key.includes(".")) this.#setting(key, at, value);
      else if (GROUPS.has(key)) this.#group(key, value);
      else this.#unknown(key, at);
    }
  }

  #schema(part: JsonPart): void {
    if (part.kind !== "scalar" || typeof part.value !== "string")
      this.problem(part.at, { key: "$schema", problem: `"$schema" is ${shown(part)}; it must be a string.` });
  }

  #group(group: string, part: JsonPart): void {
    if (part.kind !== "object") {
      const problem = `"${group}" is ${shown(part)}; it must be an object with ${listOf(group)}.`;
      this.problem(part.at, { key: group, problem });
      return;
    }
    for (const [key, { at, value }] of part.members) {
      const name = `${group}.${key}`;
      if (isSettingName(name)) this.#setting(name, at, value);
      else this.#unknown(name, at);
    }
  }

  #setting(name: SettingName, at: number, part: JsonPart): void {
    const setting = settingOf(name);
    if (!isMadeIn(setting, this.#tier)) {
      this.problem(at, { key: name, ...misplaced(name, this.#tier) });
      return;
    }
    const value = valueOf(part);
    const { type } = setting;
    if (type.accepts(value)) {
      this.settings.set(name, { value, line: placeAt(this.#text, at).line });
      return;
    }
    // In a list the mistake is mostly in one item: that is the place to show.
    const wrong = part.kind === "list" ? part.items.find((item) => !type.accepts([valueOf(item)])) : undefined;
    const problem = `"${name}" is ${shown(part)}; it must be ${type.expects}.`;
    this.problem((wrong ?? part).at, { key: name, problem });
  }

  #unknown(name: string, at: number): void {
    this.problem(at, { key: name, problem: `"${name}" is not a setting.`, hint: suggestion(name, this.#tier) });
  }
}

const GROUPS: ReadonlySet<string> = new Set(
  SETTING_NAMES.filter((name) => name.includes(".")).map((name) => name.split(".")[0] as string),
);

function listOf(group: string): string {
  return SETTING_NAMES.filter((name) => name.startsWith(`${group}.`))
    .map((name) => `"${name.slice(group.length + 1)}"`)
    .join(", ");
}

function suggestion(name: string, tier: Tier): string {
  const known = SETTING_NAMES.filter((candidate) => isMadeIn(settingOf(candidate), tier));
  const near = nearestName(name, [...known, ...GROUPS]);
  if (near === undefined) return `Known settings: ${known.join(", ")}.`;
  const [group, key] = near.split(".");
  return `Did you mean ${near}?${key === undefined ? "" : ` Write it as { "${group}": { "${key}": … } }.`}`;
}

function misplaced(name: SettingName, tier: Tier): { problem: string; hint: string } {
  const { env, flag, only } = settingOf(name);
  const problem = `"${name}" cannot be set in the ${tier === "team" ? "team" : "personal"} file.`;
  if (only?.includes("team"))
    return { problem, hint: "It belongs to a project: set it in the project's .a5c/config.json." };
  if (only?.includes("person"))
    return { problem, hint: "It is a personal setting: set it in ~/.config/babysitter/config.json." };
  return { problem, hint: `Use --${flag?.name} or ${env}, for one command at a time.` };
}

function shown(part: JsonPart): string {
  const text = JSON.stringify(hideCommandSecrets(valueOf(part) as Json));
  return text.length > 60 ? `${text.slice(0, 57)}…` : text;
}

function invalidFile(file: string, problems: readonly Problem[]): BabysitterError {
  const message = problems.map(({ line, column, problem }) => `${file}:${line}:${column}: ${problem}`).join("\n");
  const hints = new Set(problems.map(({ hint }) => hint).filter((hint) => hint !== undefined));
  return new BabysitterError("CONFIG_INVALID", message, {
    ...(hints.size === 0 ? {} : { hint: [...hints].join("\n  ") }),
    details: {
      file,
      problems: problems.map(({ key, line, column, problem, hint }) => ({
        key,
        line,
        column,
        problem,
        ...(hint === undefined ? {} : { hint }),
      })),
    },
  });
}
