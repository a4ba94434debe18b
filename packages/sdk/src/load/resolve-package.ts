/**
 * Resolves names that are neither paths nor installed packages: `#internal` by the `imports` of the nearest
 * package.json, the package's own name by its `exports`, and packages that are links to folders of a workspace.
 */
import { lstatSync, readFileSync, realpathSync, type Stats } from "node:fs";
import { isBuiltin } from "node:module";
import { dirname, join, sep } from "node:path";
import { isJsonObject, type JsonObject } from "../model/json.js";
import { type LocalTarget, resolveLocal, statFile } from "./resolve-local.js";
import { SDK_NAME } from "./specifiers.js";

/** What a name leads to. With other conditions it may be other files, and which one is loaded is Node's to decide. */
export interface PackageTargets {
  files: string[];
  /** Set when it is the same file whoever asks for it. */
  target?: LocalTarget;
}

interface Package {
  dir: string;
  json: JsonObject;
}

type Conditions = ReadonlySet<string>;

const VARIANTS: readonly Conditions[] = [
  new Set(["node", "node-addons", "import"]),
  new Set(["node", "node-addons", "import", "module-sync"]),
  new Set(["node", "node-addons", "require"]),
  new Set(["node", "node-addons", "require", "module-sync"]),
];

const NOTHING: PackageTargets = { files: [] };
/** `imports` may lead to a package, which may lead to another. */
const MAX_DEPTH = 5;

/** Looks names up, reading each package.json once. */
export function packageResolver(): (specifier: string, directory: string) => PackageTargets {
  const known = new Map<string, JsonObject | undefined>();
  const readPackage = (dir: string): Package | undefined => {
    if (!known.has(dir)) known.set(dir, readJson(join(dir, "package.json")));
    const json = known.get(dir);
    return json && { dir, json };
  };
  return (specifier, directory) => {
    if (!isFollowed(specifier)) return NOTHING;
    const paths = VARIANTS.map((conditions) => find({ specifier, directory, conditions, readPackage, depth: 0 }));
    const files = [...new Set(paths.filter((path) => path !== undefined))].map((path) => realpathSync.native(path));
    const [path] = paths;
    const isSame = path !== undefined && paths.every((other) => other === path);
    return isSame ? { files, target: { file: files[0] as string, path, added: "" } } : { files };
  };
}

function isFollowed(specifier: string): boolean {
  return specifier !== SDK_NAME && !specifier.startsWith(`${SDK_NAME}/`) && !isBuiltin(specifier);
}

interface Question {
  specifier: string;
  directory: string;
  conditions: Conditions;
  readPackage: (dir: string) => Package | undefined;
  depth: number;
}

function find(question: Question): string | undefined {
  const { specifier, directory, conditions, readPackage, depth } = question;
  if (depth > MAX_DEPTH) return undefined;
  const scope = scopeOf(directory, readPackage);
  if (specifier.startsWith("#")) {
    const wanted = scope && matched(scope.json["imports"], specifier, conditions);
    if (scope === undefined || wanted === undefined) return undefined;
    if (wanted.startsWith("./")) return fileAt(scope.dir, wanted);
    return find({ ...question, specifier: wanted, directory: scope.dir, depth: depth + 1 });
  }
  const [, name, rest = ""] = /^((?:@[^/]+\/)?[^/@.][^/]*)(\/.*)?$/u.exec(specifier) ?? [];
  if (name === undefined) return undefined;
  if (scope?.json["name"] === name && scope.json["exports"] !== undefined) return exported(scope, rest, conditions);
  const linked = linkedPackage(name, directory, readPackage);
  return linked && exported(linked, rest, conditions);
}

/** The nearest package.json; none beyond the folder of installed packages. */
function scopeOf(directory: string, readPackage: Question["readPackage"]): Package | undefined {
  for (let dir = directory; ; dir = dirname(dir)) {
    if (dir.endsWith(`${sep}node_modules`)) return undefined;
    const found = readPackage(dir);
    if (found !== undefined || dir === dirname(dir)) return found;
  }
}

function exported({ dir, json }: Package, rest: string, conditions: Conditions): string | undefined {
  const { exports } = json;
  if (exports === undefined || exports === null) return resolveLocal(rest === "" ? "./" : `.${rest}`, dir)?.path;
  const isMap = isJsonObject(exports) && Object.keys(exports).every((key) => key.startsWith("."));
  const wanted = isMap
    ? matched(exports, `.${rest}`, conditions)
    : rest === ""
      ? chosen(exports, conditions)
      : undefined;
  return wanted?.startsWith("./") ? fileAt(dir, wanted) : undefined;
}

/** The folder of a workspace that a name in `node_modules` is a link to. */
function linkedPackage(name: string, directory: string, readPackage: Question["readPackage"]): Package | undefined {
  for (let dir = directory; ; dir = dirname(dir)) {
    const place = join(dir, "node_modules", name);
    const stats = linkStats(place);
    if (stats !== undefined) return stats.isSymbolicLink() ? ownFolder(place, readPackage) : undefined;
    if (dir === dirname(dir)) return undefined;
  }
}

function linkStats(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

function ownFolder(link: string, readPackage: Question["readPackage"]): Package | undefined {
  try {
    const dir = realpathSync.native(link);
    return dir.split(sep).includes("node_modules") ? undefined : readPackage(dir);
  } catch {
    return undefined;
  }
}

/** The entry for a key, by name or by the pattern with the longest beginning. */
function matched(map: unknown, key: string, conditions: Conditions): string | undefined {
  if (!isJsonObject(map)) return undefined;
  if (Object.hasOwn(map, key) && !key.includes("*")) return chosen(map[key], conditions);
  const patterns = Object.keys(map).flatMap((pattern) => {
    const [before = "", after, ...more] = pattern.split("*");
    const fits =
      after !== undefined &&
      more.length === 0 &&
      key.length > before.length + after.length - 1 &&
      key.startsWith(before) &&
      key.endsWith(after);
    return fits ? [{ pattern, before, star: key.slice(before.length, key.length - after.length) }] : [];
  });
  const best = patterns.toSorted((a, b) => b.before.length - a.before.length || b.pattern.length - a.pattern.length)[0];
  return best && chosen(map[best.pattern], conditions)?.replaceAll("*", best.star);
}

function chosen(target: unknown, conditions: Conditions): string | undefined {
  if (typeof target === "string") return target;
  if (Array.isArray(target)) {
    for (const one of target) {
      const found = chosen(one, conditions);
      if (found !== undefined) return found;
    }
    return undefined;
  }
  if (!isJsonObject(target)) return undefined;
  for (const [condition, one] of Object.entries(target)) {
    if (condition !== "default" && !conditions.has(condition)) continue;
    const found = one === null ? undefined : chosen(one, conditions);
    if (found !== undefined || one === null) return found;
  }
  return undefined;
}

function fileAt(dir: string, wanted: string): string | undefined {
  const path = join(dir, wanted);
  return statFile(path) === undefined ? undefined : path;
}

function readJson(file: string): JsonObject | undefined {
  try {
    const json: unknown = JSON.parse(readFileSync(file, "utf8"));
    return isJsonObject(json) ? json : {};
  } catch {
    // Not there, or Node will complain about it by itself.
    return undefined;
  }
}
