/**
 * The places in which a run has lived, as the folders of the run and of its project were named there. A run that is
 * moved or copied goes on: what names one of its earlier places means the same in the place where it is now.
 */
import { isJsonObject, type Json } from "./json.js";

export interface RunPlace {
  runDir: string;
  projectRoot: string;
  /** Where symbolic links lead to, if they do. */
  realRunDir?: string;
  realProjectRoot?: string;
}

/** Which folder a name stands for. */
export type PlacePart = "runDir" | "projectRoot";

/** True for two descriptions of the same place. */
export function isSamePlace(a: RunPlace, b: RunPlace): boolean {
  return (["runDir", "projectRoot", "realRunDir", "realProjectRoot"] as const).every((name) => a[name] === b[name]);
}

/** The names of a place's folders; what is too short to be told from other text is left out. */
export function placeNames({ runDir, realRunDir, projectRoot, realProjectRoot }: RunPlace): [string, PlacePart][] {
  const names: [string | undefined, PlacePart][] = [
    [runDir, "runDir"],
    [realRunDir, "runDir"],
    [projectRoot, "projectRoot"],
    [realProjectRoot, "projectRoot"],
  ];
  return names.filter((name): name is [string, PlacePart] => typeof name[0] === "string" && name[0].length > 1);
}

/** The id that the run had in a place: a copy made by a fork has another one. */
export function runIdIn({ runDir }: RunPlace): string {
  return runDir.slice(runDir.lastIndexOf("/") + 1);
}

/** A name counts where a path can begin: not in the middle of another path, but behind `file://` and flags such as `-I`. */
const BEGINNING = String.raw`(?:(?<![\p{L}\p{N}_.~/-])|(?<=:\/\/)|(?<=(?:^|[\s"'=])-\p{L}))`;
/** … and ends where a name of a folder can end: `/srv/app` is no part of `/srv/app-2`. */
const END = String.raw`(?![\p{L}\p{N}_~-]|\.[\p{L}\p{N}])`;

/** Replaces names of folders in a text, and `words` wherever they are, in one pass; longer names count first. */
export function placeReplacer(
  folders: ReadonlyMap<string, string>,
  words: ReadonlyMap<string, string> = new Map(),
): (text: string) => string {
  const all = new Map([...words, ...folders]);
  const parts = [
    ...(folders.size === 0 ? [] : [`${BEGINNING}(?:${alternatives(folders.keys())})${END}`]),
    ...(words.size === 0 ? [] : [alternatives(words.keys())]),
  ];
  if (parts.length === 0) return (text) => text;
  const pattern = new RegExp(parts.join("|"), "gu");
  return (text) => text.replaceAll(pattern, (name) => all.get(name) ?? name);
}

function alternatives(names: Iterable<string>): string {
  return [...names]
    .toSorted((a, b) => b.length - a.length)
    .map((name) => name.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`))
    .join("|");
}

/** A value in which everything that names an earlier place of this run names the place where it is now. */
export function relocate(value: Json, places: readonly RunPlace[], here: RunPlace): Json {
  const folders = new Map<string, string>();
  for (const place of places) {
    for (const [name, part] of placeNames(place)) {
      // The folder of the run that this one was forked from is still that run's.
      if (part === "projectRoot" || runIdIn(place) === runIdIn(here)) folders.set(name, here[part]);
    }
  }
  for (const [name] of placeNames(here)) folders.set(name, name);
  if ([...folders].every(([from, to]) => from === to)) return value;
  return replaceTexts(value, placeReplacer(folders));
}

function replaceTexts(value: Json, replace: (text: string) => string): Json {
  if (typeof value === "string") return replace(value);
  if (Array.isArray(value)) return value.map((item) => replaceTexts(item, replace));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, field]) => [replace(key), replaceTexts(field, replace)]));
}
