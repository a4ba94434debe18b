/** The files that a computed import can name: every `*` stands for one name, or a part of one. */
import { readdirSync } from "node:fs";
import { extname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

/** A folder with more files than this holds no steps of a process. */
const MAX_FILES = 500;
const LOADABLE = /^\.(?:[cm]?[jt]s|json)$/u;

/** Paths of the files, sorted; undefined when there are too many. */
export function matchingFiles(pattern: string, directory: string): string[] | undefined {
  const absolute = pattern.startsWith("file:") ? fileURLToPath(pattern) : resolve(directory, pattern);
  const segments = absolute.split("/");
  const fixed = segments.findIndex((segment) => segment.includes("*"));
  let found = [segments.slice(0, fixed).join("/") || "/"];
  for (const [index, segment] of segments.slice(fixed).entries()) {
    const isLast = fixed + index === segments.length - 1;
    found = found.flatMap((folder) => (isLast ? filesIn(folder, segment) : foldersIn(folder, segment)));
    if (found.length > MAX_FILES) return undefined;
  }
  return found.toSorted();
}

function filesIn(folder: string, segment: string): string[] {
  const isMeant = matcher(segment);
  return entriesOf(folder)
    .filter((entry) => !entry.isDirectory() && LOADABLE.test(extname(entry.name)))
    .filter(({ name }) => isMeant(name) || isMeant(name.slice(0, -extname(name).length)))
    .map(({ name }) => join(folder, name));
}

function foldersIn(folder: string, segment: string): string[] {
  if (!segment.includes("*")) return [join(folder, segment)];
  const isMeant = matcher(segment);
  return entriesOf(folder)
    .filter((entry) => entry.isDirectory() && entry.name !== "node_modules" && !entry.name.startsWith("."))
    .filter(({ name }) => isMeant(name))
    .map(({ name }) => join(folder, name));
}

function entriesOf(folder: string): ReturnType<typeof readEntries> {
  try {
    return readEntries(folder);
  } catch {
    return [];
  }
}

function readEntries(folder: string) {
  return readdirSync(folder, { withFileTypes: true });
}

/** Each part between stars is looked for behind the one before: no expression that could be slow. */
function matcher(segment: string): (name: string) => boolean {
  const [first = "", ...rest] = segment.split("*");
  const last = rest.pop();
  return (name) => {
    if (last === undefined) return name === first;
    if (!name.startsWith(first) || !name.endsWith(last) || name.length < first.length + last.length) return false;
    let at = first.length;
    for (const part of rest) {
      const found = name.indexOf(part, at);
      if (found < 0) return false;
      at = found + part.length;
    }
    return at <= name.length - last.length;
  };
}
