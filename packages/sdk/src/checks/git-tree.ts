/**
 * The hash of a working tree with git's help, in two calls of git that run at the same time.
 *
 * The user's repository is only asked which files count: tracked, or untracked and not ignored. Contents are
 * compared through an index of our own in a repository of our own without objects, so that no filter, hook or
 * setting of the user's has a say, line ends count as they are, and nothing of the user's is written to.
 */
import crypto from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { makeFolders } from "../files/make-folders.js";
import { textIfRegular } from "../files/read-regular-file.js";
import { GitProblem, runGit } from "../spawn/git-command.js";
import { CLOCK_GRAIN_MS, DigestCache, pathOf } from "./file-digest.js";
import { changesOf, Kinds, type TreeChanges } from "./git-tree-changes.js";
import { LOCK_FILES, WITHOUT_ENGINE_FILES } from "./ignored-paths.js";
import { patchedListing } from "./patched-listing.js";
import {
  type CachedTree,
  fileSystemTime,
  forgetCachedTree,
  freshName,
  listingFile,
  readCachedTree,
  readListing,
  removeIndex,
  removeLeftovers,
  replaceFile,
  writeCachedTree,
} from "./tree-cache.js";

/** Hashes what is inside a repository inside this one. */
export type HashNested = (root: string, cacheDir: string) => Promise<string>;

/** Much more than the settings that we write. */
const LARGEST_SETTING = 64 * 1024;

/** Unset whatever would change the content between the file and its id. */
const ATTRIBUTES = "* -text -crlf -eol -ident -filter -working-tree-encoding\n";
const CONFIG = [
  "[core]",
  "repositoryformatversion = 0",
  "bare = false",
  "fileMode = true",
  "sharedRepository = 0600",
  "symlinks = true",
  "ignoreCase = false",
  "protectNTFS = false",
  "protectHFS = false",
  "[index]",
  "version = 2",
  "",
].join("\n");
const ADD = ["update-index", "--add", "--remove", "--replace", "--info-only", "-z", "--stdin"];
const REMOVE = ["update-index", "-z", "--index-info"];
const ATTEMPTS = 3;
const NO_OBJECT = "0".repeat(40);

/** Undefined when git cannot help: it is missing, there is no repository, or everything in the root is ignored. */
export async function gitTreeHash(root: string, cacheDir: string, nested: HashNested): Promise<string | undefined> {
  for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
    try {
      // Someone else may have replaced what we were reading; if that is not it, the cache is of no use.
      if (attempt === ATTEMPTS) forgetCachedTree(cacheDir);
      prepareRepository(cacheDir);
      return await new GitTree(root, cacheDir, nested).hash();
    } catch (error) {
      if (error instanceof NoMembers) return undefined;
      if (!(error instanceof GitProblem) && !isFileProblem(error)) throw error;
    }
  }
  return undefined;
}

function isFileProblem(error: unknown): boolean {
  return error instanceof Error && typeof (error as NodeJS.ErrnoException).code === "string";
}

type Changes = TreeChanges & { members: Buffer; now: number };

/** What the hash is made of. */
type Seen = Pick<CachedTree, "listing" | "aside" | "unreadable" | "nested" | "members">;

/** Nothing in the root counts for git. */
class NoMembers extends Error {}

/** As little as git takes for a repository. Made again whenever a part of it is missing. */
function prepareRepository(cacheDir: string): void {
  const gitDir = path.join(cacheDir, "git");
  for (const dir of ["objects", "refs", "info"]) makeFolders(path.join(gitDir, dir), 0o700, 2);
  const files = { HEAD: "ref: refs/heads/none\n", config: CONFIG, "info/attributes": ATTRIBUTES };
  for (const [name, content] of Object.entries(files)) {
    const file = path.join(gitDir, name);
    if (textIfRegular(file, LARGEST_SETTING) !== content) replaceFile(file, content);
  }
}

/** Names of what counts, with a tag each, as git lists them. */
export async function listMembers(root: string, cacheDir: string): Promise<Buffer> {
  const inside = path.relative(root, cacheDir);
  const isInside = inside !== "" && !inside.startsWith("..") && !path.isAbsolute(inside);
  const cache = isInside ? [`:(exclude,literal)${inside}`] : [];
  return runGit(
    ["ls-files", "-z", "-t", "--cached", "--others", "--exclude-standard", "--", ...WITHOUT_ENGINE_FILES, ...cache],
    { cwd: root },
  );
}

class GitTree {
  readonly #root: string;
  readonly #cacheDir: string;
  readonly #nested: HashNested;

  constructor(root: string, cacheDir: string, nested: HashNested) {
    this.#root = root;
    this.#cacheDir = cacheDir;
    this.#nested = nested;
  }

  async hash(): Promise<string> {
    const now = fileSystemTime(this.#cacheDir);
    const listing = listMembers(this.#root, this.#cacheDir);
    const known = readCachedTree(this.#cacheDir, this.#root);
    const [members, touched] = await Promise.all([listing, known === undefined ? [] : this.#touched(known)]);
    if (members.length === 0) throw new NoMembers();
    const changes = changesOf({ root: this.#root, known, members, touched });
    if (changes !== undefined) {
      const patched = known === undefined ? undefined : this.#patched(known, { ...changes, members });
      return this.#conclude(patched ?? (await this.#update(known, { ...changes, members, now })));
    }
    const tree = known as CachedTree;
    this.#settle(tree, now);
    return this.#conclude(tree);
  }

  /** Names in our index whose files have other stat data, or may have other content. */
  async #touched(known: CachedTree): Promise<string[]> {
    const output = await this.#ownGit(known.index, ["diff-files", "--name-only", "-z"]);
    // Without the file git takes the index for empty. Names are not used twice, so it was there if it is there now.
    if (!fs.existsSync(path.join(this.#cacheDir, known.index))) throw new GitProblem("the index is gone");
    return output.toString("latin1").split("\0").slice(0, -1);
  }

  #ownGit(index: string, args: readonly string[], stdin?: Buffer): Promise<Buffer> {
    const gitDir = path.join(this.#cacheDir, "git");
    const env = {
      GIT_DIR: gitDir,
      GIT_WORK_TREE: this.#root,
      GIT_INDEX_FILE: path.join(this.#cacheDir, index),
      GIT_CONFIG_NOSYSTEM: "1",
      GIT_ATTR_NOSYSTEM: "1",
      GIT_CONFIG_GLOBAL: "/dev/null",
      HOME: gitDir,
      XDG_CONFIG_HOME: gitDir,
    };
    return runGit(args, { cwd: this.#root, env, ...(stdin === undefined ? {} : { stdin }) });
  }

  /**
   * Git compares the time of a file with the time of the index to know whether it has to read the file again.
   * Files from before this call have just been compared, so the index may be taken for as new as that.
   */
  #settle(known: CachedTree, now: number): void {
    const file = path.join(this.#cacheDir, known.index);
    const time = (now - CLOCK_GRAIN_MS) / 1000;
    try {
      if (time * 1000 > known.madeAt && fs.statSync(file).mtimeMs <= known.madeAt) fs.utimesSync(file, time, time);
    } catch {
      // It is only about speed.
    }
  }

  /** The tree as it is by now, of which the index knows nothing yet; undefined when too much has changed. */
  #patched(known: CachedTree, changes: Omit<Changes, "now">): Seen | undefined {
    const listed = readListing(this.#cacheDir, known);
    const patched = listed === undefined ? undefined : patchedListing(listed, this.#root, changes);
    if (patched === undefined) return undefined;
    const { nested, members } = changes;
    return { listing: sha256(patched), aside: [], unreadable: [], nested, members };
  }

  async #update(known: CachedTree | undefined, changes: Changes): Promise<CachedTree> {
    const index = freshName("index");
    const file = path.join(this.#cacheDir, index);
    try {
      if (known !== undefined) this.#copyIndex(path.join(this.#cacheDir, known.index), file);
      const { remove, nested, members, now } = changes;
      if (remove.length > 0) await this.#ownGit(index, REMOVE, lines(remove.map((name) => `0 ${NO_OBJECT}\t${name}`)));
      const unreadable = await this.#add(index, changes);
      const listed = await this.#ownGit(index, ["ls-files", "-s", "-z"]);
      const left = leftOver(listed, { ...changes, unreadable });
      const tree: CachedTree = {
        root: this.#root,
        index,
        madeAt: now,
        listing: sha256(listed),
        entries: countOf(listed),
        nested,
        unreadable,
        ...left,
        members,
      };
      this.#keep(tree, known, listed);
      return tree;
    } catch (error) {
      fs.rmSync(file, { force: true });
      throw error;
    }
  }

  /** With its time, from which git knows what it has to read again. */
  #copyIndex(from: string, to: string): void {
    const { atime, mtime } = fs.statSync(from);
    fs.copyFileSync(from, to);
    fs.utimesSync(to, atime, mtime);
  }

  /** Names that git cannot read. It takes all or nothing. */
  async #add(index: string, { add, members }: Changes): Promise<string[]> {
    if (add.length === 0) return [];
    try {
      await this.#ownGit(index, ADD, lines(add));
      return [];
    } catch (error) {
      const kinds = new Kinds(this.#root, members);
      const unreadable = new Set(add.filter((name) => !kinds.isReadable(name)));
      if (unreadable.size === 0) throw error;
      const gone = [...unreadable].map((name) => `0 ${NO_OBJECT}\t${name}`);
      await this.#ownGit(index, REMOVE, lines(gone));
      const readable = add.filter((name) => !unreadable.has(name));
      if (readable.length > 0) await this.#ownGit(index, ADD, lines(readable));
      return [...unreadable];
    }
  }

  #keep(tree: CachedTree, earlier: CachedTree | undefined, listed: Buffer): void {
    const file = path.join(this.#cacheDir, tree.index);
    try {
      // What was written while git was reading must not look older than the index.
      const time = (tree.madeAt - CLOCK_GRAIN_MS) / 1000;
      fs.utimesSync(file, time, time);
      fs.writeFileSync(listingFile(this.#cacheDir, tree), listed, { flag: "wx", mode: 0o600 });
      writeCachedTree(this.#cacheDir, tree);
      if (earlier !== undefined) removeIndex(this.#cacheDir, earlier);
      removeLeftovers(this.#cacheDir, tree.madeAt, tree);
    } catch {
      removeIndex(this.#cacheDir, tree);
    }
  }

  async #conclude({ listing, aside, unreadable, nested, members }: Seen): Promise<string> {
    const hash = crypto.createHash("sha256").update(`git 1\n${listing}\n`);
    const digests = new DigestCache(new Map(), 0);
    const locks = LOCK_FILES.filter((name) => fs.existsSync(path.join(this.#root, name)) && !isMember(members, name));
    for (const name of [...aside, ...unreadable, ...locks].toSorted()) {
      const digest = digests.digest(this.#root, name);
      if (digest !== undefined) hash.update(`${JSON.stringify(name)} ${digest}\n`);
    }
    for (const name of nested) {
      const below = path.join(this.#cacheDir, "nested", sha256(Buffer.from(name, "latin1")).slice(0, 16));
      const inner = await this.#nested(pathOf(this.#root, name).toString("utf8").replace(/\/$/u, ""), below);
      hash.update(`${JSON.stringify(name)} repository ${inner}\n`);
    }
    return hash.digest("hex");
  }
}

/** Members that should be in the index and are not: they have vanished meanwhile, or git does not like the name. */
function leftOver(
  listed: Buffer,
  { looked, add, nested, unreadable, entries }: TreeChanges & { unreadable: readonly string[] },
): { aside: string[]; absent: string[] } {
  const wanted = new Set(add);
  const apart = new Set([...nested, ...unreadable]);
  const absent = looked.filter((name) => !wanted.has(name) && !apart.has(name));
  if (countOf(listed) === entries) return { aside: [], absent };
  const lists = listed.toString("latin1").split("\0");
  const taken = new Set(lists.map((line) => line.slice(line.indexOf("\t") + 1)));
  return { aside: add.filter((name) => !taken.has(name) && !apart.has(name)), absent };
}

function isMember(members: Buffer, name: string): boolean {
  return ["H", "?", "M", "S"].some((tag) => {
    const entry = `${tag} ${name}\0`;
    return members.subarray(0, entry.length).equals(Buffer.from(entry)) || members.includes(`\0${entry}`);
  });
}

function countOf(listed: Buffer): number {
  let count = 0;
  for (let at = listed.indexOf(0); at >= 0; at = listed.indexOf(0, at + 1)) count += 1;
  return count;
}

function lines(texts: readonly string[]): Buffer {
  return Buffer.from(texts.map((text) => `${text}\0`).join(""), "latin1");
}

function sha256(bytes: Buffer): string {
  return crypto.createHash("sha256").update(bytes).digest("hex");
}
