/** What has to be told to our index since the last look at a working tree. Names are bytes as latin1 text. */

import fs from "node:fs";
import { lstatOf, pathOf } from "./file-digest.js";
import type { CachedTree } from "./tree-cache.js";

export interface TreeChanges {
  /** Members that were looked at; all others are in the index as they are on the disk. */
  looked: string[];
  /** To be read. */
  add: string[];
  /** To be taken out of the index. */
  remove: string[];
  /** Repositories inside this one, in order. */
  nested: string[];
  /** How many entries the index should have then. */
  entries: number;
}

export interface TreeLook {
  root: string;
  known: CachedTree | undefined;
  /** The list of what counts, as git prints it with tags. */
  members: Buffer;
  /** Names in the index that may have changed. */
  touched: readonly string[];
}

/** Undefined when all is as it was. */
export function changesOf({ root, known, members, touched }: TreeLook): TreeChanges | undefined {
  const kinds = new Kinds(root, members);
  if (known?.members.equals(members) !== true) return newMembers(kinds, { known, members, touched });
  if (touched.length === 0 && !hasMoved(kinds, known)) return undefined;
  const outside = [...known.absent, ...known.aside, ...known.unreadable, ...known.nested];
  return sorted(kinds, { looked: [...touched, ...outside], old: new Set(touched), gone: [], entries: known.entries });
}

function newMembers(kinds: Kinds, { known, members, touched }: Omit<TreeLook, "root">): TreeChanges {
  const names = namesIn(members);
  const old = namesInIndex(known);
  const moved = new Set(touched);
  const looked = names.filter((name) => moved.has(name) || !old.has(name));
  const now = new Set(names);
  return sorted(kinds, { looked, old, gone: [...old].filter((name) => !now.has(name)), entries: old.size });
}

/** `old` are names in the index, `entries` is their number. */
function sorted(
  kinds: Kinds,
  { looked, old, gone, entries }: { looked: string[]; old: ReadonlySet<string>; gone: string[]; entries: number },
): TreeChanges {
  const of = (kind: Kind): string[] => looked.filter((name) => kinds.of(name) === kind);
  const add = of("file");
  const remove = [...gone, ...looked.filter((name) => old.has(name) && kinds.of(name) !== "file")];
  const fresh = add.filter((name) => !old.has(name)).length;
  return { looked, add, remove, nested: of("repository").toSorted(), entries: entries + fresh - remove.length };
}

/** Members outside the index are not watched by git. */
function hasMoved(kinds: Kinds, { absent, aside, unreadable, nested }: CachedTree): boolean {
  return (
    absent.some((name) => kinds.of(name) !== "nothing") ||
    aside.some((name) => kinds.of(name) !== "file") ||
    unreadable.some((name) => kinds.of(name) !== "file" || kinds.isReadable(name)) ||
    nested.some((name) => kinds.of(name) !== "repository")
  );
}

/**
 * In the list each name has a tag and a space before it. The tag says nothing: what a sparse checkout has left out is
 * not on the disk, but anyone can give the same tag to a file that is there.
 */
export function namesIn(members: Buffer): string[] {
  const entries = members.toString("latin1").split("\0").slice(0, -1);
  return [...new Set(entries.map((entry) => entry.slice(2)))];
}

function namesInIndex(known: CachedTree | undefined): Set<string> {
  if (known === undefined) return new Set();
  const outside = new Set([...known.absent, ...known.aside, ...known.unreadable, ...known.nested]);
  return new Set(namesIn(known.members).filter((name) => !outside.has(name)));
}

type Kind = "file" | "repository" | "nothing";

/** What is on the disk in the place of a member. */
export class Kinds {
  readonly #root: string;
  readonly #members: Buffer;
  readonly #kinds = new Map<string, Kind>();
  readonly #links = new Map<string, boolean>();

  constructor(root: string, members: Buffer) {
    this.#root = root;
    this.#members = members;
  }

  of(name: string): Kind {
    const kind = this.#kinds.get(name) ?? this.#look(name);
    this.#kinds.set(name, kind);
    return kind;
  }

  /** Links are always; something that is gone meanwhile is no problem of reading. */
  isReadable(name: string): boolean {
    try {
      if (lstatOf(this.#root, name)?.isSymbolicLink() === true) return true;
      fs.accessSync(pathOf(this.#root, name), fs.constants.R_OK);
      return true;
    } catch (error) {
      return (error as NodeJS.ErrnoException).code === "ENOENT";
    }
  }

  #look(name: string): Kind {
    const stat = lstatOf(this.#root, name);
    if (stat === undefined || this.#isBehindLink(name)) return "nothing";
    if (stat.isFile() || stat.isSymbolicLink()) return "file";
    // A directory in the place of a tracked file has members of its own; a repository has none.
    return stat.isDirectory() && !this.#hasMembersBelow(name) ? "repository" : "nothing";
  }

  /** Git has nothing to do with what is behind a symbolic link, though it may have been tracked before. */
  #isBehindLink(name: string): boolean {
    const end = name.lastIndexOf("/", name.length - 2);
    if (end < 0) return false;
    const dir = name.slice(0, end);
    const known = this.#links.get(dir);
    if (known !== undefined) return known;
    const answer = lstatOf(this.#root, dir)?.isSymbolicLink() === true || this.#isBehindLink(dir);
    this.#links.set(dir, answer);
    return answer;
  }

  #hasMembersBelow(name: string): boolean {
    const start = Buffer.from(` ${name.endsWith("/") ? name : `${name}/`}`, "latin1");
    for (let at = this.#members.indexOf(start); at >= 0; at = this.#members.indexOf(start, at + 1)) {
      const isName = at === 1 || this.#members[at - 2] === 0;
      if (isName && this.#members[at + start.length] !== 0) return true;
    }
    return false;
  }
}
