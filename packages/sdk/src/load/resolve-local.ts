/**
 * Resolves specifiers of local files the same way for hashing, for ES modules and for CommonJS.
 * It is more lenient than Node: extensions may be missing, directories work in ES modules as well,
 * and `./x.js` finds `./x.ts` as TypeScript's own convention wants it.
 */
import { readFileSync, realpathSync, type Stats, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const EXTENSIONS = [".js", ".mjs", ".cjs", ".ts", ".mts", ".cts", ".json"];
const TYPESCRIPT_FOR: Readonly<Record<string, string>> = { ".js": ".ts", ".mjs": ".mts", ".cjs": ".cts" };

/** A file that a specifier leads to. */
export interface LocalTarget {
  /** Path after following symbolic links, which is how Node names modules. */
  file: string;
  /** Path before following symbolic links. */
  path: string;
  /** What had to be added to the specifier, or `renamed` when it does not name the file. */
  added: string;
}

/** Where `specifier` leads from a file in `directory`; undefined when no file is there. */
export function resolveLocal(specifier: string, directory: string): LocalTarget | undefined {
  for (const { path, literal } of pathsOf(specifier, directory)) {
    const found = probe(path, path.endsWith("/"));
    if (found === undefined) continue;
    return { file: realpathSync.native(found.path), path: found.path, added: literal ? found.added : "renamed" };
  }
  return undefined;
}

/** Stats of a regular file, undefined for anything else. */
export function statFile(path: string): Stats | undefined {
  const stats = statAny(path);
  return stats?.isFile() === true ? stats : undefined;
}

function statAny(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined; // ENOTDIR, ELOOP, EACCES: nothing that can be loaded.
  }
}

/**
 * `require` takes paths literally, `import` takes URLs. Which of the two reads a specifier is not
 * known here, so the literal path is tried first and its reading as a URL second.
 */
function pathsOf(specifier: string, directory: string): { path: string; literal: boolean }[] {
  if (specifier.startsWith("file:")) {
    try {
      return [{ path: fileURLToPath(specifier), literal: !/[?#]/u.test(specifier) }];
    } catch {
      return [];
    }
  }
  const keepSlash = (text: string): string => resolve(directory, text) + (/(?:^|\/)\.{0,2}$/u.test(text) ? "/" : "");
  if (!/[%?#]/u.test(specifier)) return [{ path: keepSlash(specifier), literal: true }];
  const paths = [{ path: keepSlash(specifier), literal: false }];
  try {
    const decoded = decodeURIComponent(specifier.replace(/[?#].*/su, ""));
    // A query makes a second instance of a module on purpose, so Node's own reading has to stay.
    paths.push({ path: keepSlash(decoded), literal: !/[?#]/u.test(specifier) });
  } catch {
    // No URL either.
  }
  return paths;
}

function probe(path: string, directoryOnly: boolean): { path: string; added: string } | undefined {
  if (!directoryOnly) {
    const stats = statAny(path);
    if (stats?.isFile() === true) return { path, added: "" };
    const sibling = typescriptSibling(path) ?? withExtension(path);
    if (sibling !== undefined) return sibling;
    if (stats?.isDirectory() !== true) return undefined;
  }
  return inDirectory(path);
}

function typescriptSibling(path: string): { path: string; added: string } | undefined {
  const extension = /\.[cm]?js$/u.exec(path)?.[0];
  if (extension === undefined) return undefined;
  const candidate = path.slice(0, -extension.length) + (TYPESCRIPT_FOR[extension] ?? extension);
  return statFile(candidate) === undefined ? undefined : { path: candidate, added: "renamed" };
}

function withExtension(path: string): { path: string; added: string } | undefined {
  for (const extension of EXTENSIONS) {
    if (statFile(path + extension) !== undefined) return { path: path + extension, added: extension };
  }
  return undefined;
}

function inDirectory(path: string): { path: string; added: string } | undefined {
  const main = mainOf(path);
  if (main !== undefined) {
    const target = resolve(path, main);
    const found = statFile(target) === undefined ? withExtension(target) : { path: target };
    if (found !== undefined) return { path: found.path, added: "main" };
  }
  const index = withExtension(join(path, "index"));
  return index && { path: index.path, added: `/index${index.added}` };
}

function mainOf(directory: string): string | undefined {
  const path = join(directory, "package.json");
  if (statFile(path) === undefined) return undefined;
  try {
    const { main }: { main?: unknown } = JSON.parse(readFileSync(path, "utf8"));
    return typeof main === "string" && main !== "" ? main : undefined;
  } catch {
    return undefined;
  }
}
