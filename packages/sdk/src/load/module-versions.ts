/**
 * Chooses URLs so that edited code really runs. Node never forgets an ES module: importing the same
 * URL again gives the old one. So a graph gets its plain URLs as long as nothing else was loaded from
 * them, and URLs with a version in the query after that.
 */
import { pathToFileURL } from "node:url";
import type { CodeGraph } from "./code-graph.js";

/** Name of the query parameter that carries the version. */
export const VERSION_PARAMETER = "babysitter";

/** What the plain URL of a file stands for in this OS process. */
const plain = new Map<string, string>();
const attempts = new Map<string, number>();
const FAILED = "failed";

/** The version under which a graph is to be loaded; empty for plain URLs. */
export function claimVersion(graph: CodeGraph): string {
  const identities = Array.from(graph.files.values(), (file) => {
    // Where imports lead belongs to it: a loaded module stays bound to the files it found then.
    const targets = Array.from(file.imports, ([specifier, target]) => [specifier, target.file]);
    return [file.path, `${file.sha} ${JSON.stringify(targets)}`] as const;
  });
  if (identities.every(([path, identity]) => (plain.get(path) ?? identity) === identity)) {
    for (const [path, identity] of identities) plain.set(path, identity);
    return "";
  }
  const key = `${graph.entry}\0${graph.hash}`;
  const attempt = (attempts.get(key) ?? 0) + 1;
  attempts.set(key, attempt);
  return graph.hash.slice(0, 16) + (attempt === 1 ? "" : `-${attempt}`);
}

/** Node remembers failures too; after this the next attempt gets new URLs. */
export function spoilVersion(graph: CodeGraph): void {
  for (const path of graph.files.keys()) plain.set(path, FAILED);
}

export function urlOf(path: string, version: string): string {
  const { href } = pathToFileURL(path);
  return version === "" ? href : `${href}?${VERSION_PARAMETER}=${version}`;
}
