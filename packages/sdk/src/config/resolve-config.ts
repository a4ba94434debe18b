/** Which of several values of a setting counts, where it comes from, and what it has overruled. */
import { BabysitterError } from "../model/errors.js";
import type { ConfigFile } from "./config-file.js";
import { type ConfigValues, isMadeIn, SETTING_NAMES, type Setting, type SettingName, settingOf } from "./settings.js";

/** Where a value was set. */
export type Origin =
  | { source: "default" }
  | { source: "team" | "person"; file: string; line: number }
  | { source: "env"; variable: string }
  | { source: "flag"; flag: string };

/** A value that does not count, and why. */
type Overruled = Origin & { value: unknown; why: string };

export type ResolvedOrigin = Origin & { overruled: Overruled[] };

export interface ResolvedConfig {
  values: ConfigValues;
  origins: Record<SettingName, ResolvedOrigin>;
}

export interface ConfigSources {
  team?: ConfigFile | undefined;
  person?: ConfigFile | undefined;
  env: Readonly<Record<string, string | undefined>>;
  /** Options of the command by their names, without dashes: a text, or true for one that takes no value. */
  flags: Readonly<Record<string, string | boolean | undefined>>;
}

/** Defaults count only where nothing is set: they are not a rule that someone has made. */
export function resolveConfig(sources: ConfigSources): ResolvedConfig {
  const resolved = SETTING_NAMES.map((name) => ({ name, ...resolveSetting(name, sources) }));
  return {
    values: Object.fromEntries(resolved.map(({ name, value }) => [name, value])) as unknown as ConfigValues,
    origins: Object.fromEntries(resolved.map(({ name, origin }) => [name, origin])) as ResolvedConfig["origins"],
  };
}

/** The options of a command that are settings. */
export function settingFlags(options: {
  text(name: string): string | undefined;
  flag(name: string): boolean;
}): ConfigSources["flags"] {
  const flags = SETTING_NAMES.flatMap((name) => settingOf(name).flag ?? []);
  return Object.fromEntries(
    flags.map(({ name, means }) => [name, means === undefined ? options.text(name) : options.flag(name)]),
  );
}

/** Options that were given and have no effect, in words: nobody should have to find that out. */
export function overruledFlags({ origins }: Pick<ResolvedConfig, "origins">): string[] {
  return Object.values(origins).flatMap(({ overruled }) =>
    overruled
      .filter(({ source }) => source === "flag")
      .map((other) => `${originText(other)} ${String(other.value)} has no effect; ${other.why}`),
  );
}

interface Given {
  value: unknown;
  origin: Exclude<Origin, { source: "default" }>;
}

function resolveSetting(name: SettingName, sources: ConfigSources): { value: unknown; origin: ResolvedOrigin } {
  const setting = settingOf(name);
  const given = [...fromFiles(name, sources), ...fromEnvironment(setting, sources), ...fromFlags(setting, sources)];
  const [first, ...later] = given;
  if (first === undefined) return { value: setting.default, origin: { source: "default", overruled: [] } };
  const winner = later.reduce((best, next) => (counts(setting, next, best) ? next : best), first);
  const overruled = given
    .filter(({ value }) => JSON.stringify(value) !== JSON.stringify(winner.value))
    .map(({ value, origin }) => ({ ...origin, value, why: reason(setting, winner) }));
  return { value: winner.value, origin: { ...winner.origin, overruled } };
}

/** Whether a later value takes the place of an earlier one. */
function counts({ combine, type }: Setting<unknown>, later: Given, earlier: Given): boolean {
  if (combine === "last wins" || type.strictness === undefined) return true;
  return type.strictness(later.value) >= type.strictness(earlier.value);
}

function reason({ combine }: Setting<unknown>, { value, origin }: Given): string {
  return combine === "last wins"
    ? `${originText(origin)} takes precedence`
    : `stricter wins: ${JSON.stringify(value)} from ${originText(origin)}`;
}

/** Where a value comes from, in words. */
export function originText(origin: Origin): string {
  if (origin.source === "default") return "default";
  if (origin.source === "env") return origin.variable;
  return origin.source === "flag" ? `--${origin.flag}` : `${origin.file}:${origin.line}`;
}

function fromFiles(name: SettingName, sources: ConfigSources): Given[] {
  return (["team", "person"] as const).flatMap((source) => {
    const file = sources[source];
    const found = file?.settings.get(name);
    if (file === undefined || found === undefined) return [];
    return [{ value: found.value, origin: { source, file: file.file, line: found.line } }];
  });
}

/** A variable that is set to nothing is not set. */
function fromEnvironment(setting: Setting<unknown>, { env }: ConfigSources): Given[] {
  const variable = setting.env;
  const text = variable === undefined ? undefined : env[variable];
  if (variable === undefined || !text || !isMadeIn(setting, "env")) return [];
  const value = setting.type.fromText(text);
  if (setting.type.accepts(value)) return [{ value, origin: { source: "env", variable } }];
  throw new BabysitterError(
    "CONFIG_INVALID",
    `The environment variable ${variable} is ${JSON.stringify(text)}; it must be ${setting.type.expects}.`,
    { details: { variable, value: text } },
  );
}

function fromFlags(setting: Setting<unknown>, { flags }: ConfigSources): Given[] {
  const { flag } = setting;
  const given = flag === undefined ? undefined : flags[flag.name];
  if (flag === undefined || given === undefined || given === false || given === "") return [];
  const value = given === true ? flag.means : setting.type.fromText(given);
  if (setting.type.accepts(value)) return [{ value, origin: { source: "flag", flag: flag.name } }];
  throw new BabysitterError(
    "USAGE",
    `--${flag.name} is ${JSON.stringify(given)}; it must be ${setting.type.expects}.`,
    { details: { flag: flag.name, value: given } },
  );
}
