/**
 * A disk in memory whose power can be cut between any two calls. What was not synced may then be lost:
 * the content of a file may be its old one, nothing, or a prefix; every change of a directory's entries
 * may be kept or dropped independently of all others; and a directory whose own entry was dropped is gone.
 */
import path from "node:path";
import type { JournalFs } from "../../../packages/sdk/src/journal/journal-fs.js";

interface FileNode {
  kind: "file";
  live: Buffer;
  /** Content of the last fsync; undefined when there was none. */
  synced: Buffer | undefined;
  dirty: boolean;
}

interface DirNode {
  kind: "dir";
  live: Map<string, Node>;
  synced: Map<string, Node>;
  /** Changes since the last fsync of this directory, each kept or dropped as a whole. */
  pending: [name: string, node: Node | undefined][][];
}

type Node = FileNode | DirNode;

/** Decides what a cut leaves of the things that were not synced. */
export interface Fate {
  keep(): boolean;
  content(old: Buffer, live: Buffer): Buffer;
}

/** Thrown by every call after the power went off. */
export class PowerCut extends Error {
  override readonly name = "PowerCut";
}

/** One call of a process to the disk. */
export interface DiskCall {
  name: keyof JournalFs;
  path: string;
}

export interface ViewOptions {
  /** Called before each call that changes something; may throw, as a failing disk does. */
  before?: (call: DiskCall) => void;
  /** Names of syncs that do nothing, as a forgotten fsync would. */
  loses?: (sync: SyncCall) => boolean;
}

export interface SyncCall {
  path: string;
  kind: "file" | "dir";
  /** True when this process had made no entry in the directory since it last synced it. */
  first: boolean;
}

export class PowerCutDisk {
  #root: DirNode;
  /** Changing calls so far. */
  calls = 0;
  /** The power goes off before this call. */
  cutAt = Number.POSITIVE_INFINITY;

  constructor(root: DirNode = directory()) {
    this.#root = root;
  }

  get isOff(): boolean {
    return this.calls >= this.cutAt;
  }

  /** The disk after the power came back, with what fate left on it. */
  reboot(fate: Fate): PowerCutDisk {
    const copies = new Map<Node, Node>();
    const survive = (node: Node): Node => {
      const known = copies.get(node);
      if (known !== undefined) return known;
      const copy = node.kind === "file" ? survivingFile(node, fate) : directory();
      copies.set(node, copy);
      if (node.kind === "dir" && copy.kind === "dir") {
        for (const [name, child] of survivingEntries(node, fate)) copy.live.set(name, survive(child));
        copy.synced = new Map(copy.live);
      }
      return copy;
    };
    return new PowerCutDisk(survive(this.#root) as DirNode);
  }

  /** The same disk again, everything on it durable. */
  clone(): PowerCutDisk {
    return this.reboot(EVERYTHING_KEPT);
  }

  /** How many entry changes are not durable. */
  get undecided(): number {
    const seen = new Set<Node>();
    const count = (node: Node): number => {
      if (node.kind === "file" || seen.has(node)) return 0;
      seen.add(node);
      const children = new Set([...node.live.values(), ...node.synced.values()]);
      return node.pending.length + [...children].reduce((sum, child) => sum + count(child), 0);
    };
    return count(this.#root);
  }

  /** Everything on the disk, as text to compare. */
  describe(): string {
    const lines: string[] = [];
    const visit = (dir: DirNode, prefix: string): void => {
      for (const [name, node] of [...dir.live].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
        const file = `${prefix}/${name}`;
        if (node.kind === "dir") {
          lines.push(`${file}/`);
          visit(node, file);
        } else lines.push(`${file} ${node.live.length} ${node.live.subarray(0, 8192).toString("latin1")}`);
      }
    };
    visit(this.#root, "");
    return lines.join("\n");
  }

  /** The disk as one process sees it. */
  view(options: ViewOptions = {}): DiskView {
    return new DiskView(this, this.#root, options);
  }

  /** Counts a changing call, or fails when the power is off. */
  spend(): void {
    if (this.isOff) throw new PowerCut("The power is off.");
    this.calls += 1;
  }
}

const EVERYTHING_KEPT: Fate = { keep: () => true, content: (_old, live) => live };

export class DiskView implements JournalFs {
  readonly #disk: PowerCutDisk;
  readonly #root: DirNode;
  readonly #options: ViewOptions;
  readonly #open = new Map<number, { node: Node; path: string; offset: number }>();
  readonly #entered = new Set<DirNode>();
  #nextFd = 3;
  /** The process is dead: the disk goes on, this view does not. */
  dead = false;

  constructor(disk: PowerCutDisk, root: DirNode, options: ViewOptions) {
    this.#disk = disk;
    this.#root = root;
    this.#options = options;
  }

  openSync(file: string, flags: string): number {
    const writing = flags !== "r";
    if (writing) this.#change("openSync", file);
    else this.#look();
    const node = writing ? this.#openForWriting(file, flags) : this.#need(file, "open");
    const fd = this.#nextFd;
    this.#nextFd += 1;
    this.#open.set(fd, { node, path: file, offset: 0 });
    return fd;
  }

  writeSync(fd: number, data: Uint8Array | string): number {
    const opened = this.#opened(fd);
    this.#change("writeSync", opened.path);
    if (opened.node.kind === "dir") throw errno("EISDIR", "write", opened.path);
    const bytes = Buffer.from(data as Uint8Array);
    opened.node.live = Buffer.concat([opened.node.live.subarray(0, opened.offset), bytes]);
    opened.node.dirty = true;
    opened.offset += bytes.length;
    return bytes.length;
  }

  fsyncSync(fd: number): void {
    const { node, path: file } = this.#opened(fd);
    this.#change("fsyncSync", file);
    const first = node.kind === "dir" && !this.#entered.has(node);
    if (node.kind === "dir") this.#entered.delete(node);
    if (this.#options.loses?.({ path: file, kind: node.kind, first }) === true) return;
    if (node.kind === "dir") {
      node.synced = new Map(node.live);
      node.pending = [];
    } else {
      node.synced = node.live;
      node.dirty = false;
    }
  }

  closeSync(fd: number): void {
    this.#look();
    this.#open.delete(fd);
  }

  linkSync(existing: string, file: string): void {
    this.#change("linkSync", file);
    const node = this.#need(existing, "link");
    if (node.kind === "dir") throw errno("EPERM", "link", existing);
    this.#enter(file, node, "link");
  }

  unlinkSync(file: string): void {
    this.#change("unlinkSync", file);
    if (this.#need(file, "unlink").kind === "dir") throw errno("EISDIR", "unlink", file);
    this.#apply(this.#parent(file, "unlink"), [[path.basename(file), undefined]]);
  }

  renameSync(from: string, to: string): void {
    this.#change("renameSync", to);
    const node = this.#need(from, "rename");
    const source = this.#parent(from, "rename");
    const target = this.#parent(to, "rename");
    const there = target.live.get(path.basename(to));
    if (node.kind === "dir" && there?.kind === "file") throw errno("ENOTDIR", "rename", to);
    if (there?.kind === "dir" && (node.kind === "file" || there.live.size > 0))
      throw errno(node.kind === "file" ? "EISDIR" : "ENOTEMPTY", "rename", to);
    const leave: [string, Node | undefined] = [path.basename(from), undefined];
    const arrive: [string, Node | undefined] = [path.basename(to), node];
    if (source === target) this.#apply(source, [leave, arrive]);
    else {
      this.#apply(target, [arrive]);
      this.#apply(source, [leave]);
    }
  }

  mkdirSync(dir: string, options: { recursive: boolean; mode: number }): string | undefined {
    this.#change("mkdirSync", dir);
    if (!options.recursive) {
      this.#enter(dir, directory(), "mkdir");
      return dir;
    }
    let first: string | undefined;
    const parts = dir.split("/").filter((part) => part !== "");
    for (let length = 1; length <= parts.length; length += 1) {
      const place = `/${parts.slice(0, length).join("/")}`;
      const there = this.#find(place);
      if (there?.kind === "file") throw errno(length === parts.length ? "EEXIST" : "ENOTDIR", "mkdir", place);
      if (there !== undefined) continue;
      this.#enter(place, directory(), "mkdir");
      first ??= place;
    }
    return first;
  }

  rmSync(file: string, options: { recursive: boolean; force: boolean }): void {
    this.#change("unlinkSync", file);
    const node = this.#find(file);
    if (node === undefined) {
      if (!options.force) throw errno("ENOENT", "rm", file);
      return;
    }
    if (node.kind === "dir" && !options.recursive) throw errno("EISDIR", "rm", file);
    if (node.kind === "dir")
      for (const name of Array.from(node.live.keys())) this.rmSync(path.join(file, name), options);
    this.#apply(this.#parent(file, "rm"), [[path.basename(file), undefined]]);
  }

  readFileSync(file: string, _encoding: "utf8"): string {
    this.#look();
    const node = this.#need(file, "open");
    if (node.kind === "dir") throw errno("EISDIR", "read", file);
    return node.live.toString("utf8");
  }

  readdirSync(dir: string): string[] {
    this.#look();
    const node = this.#need(dir, "scandir");
    if (node.kind === "file") throw errno("ENOTDIR", "scandir", dir);
    return [...node.live.keys()].toSorted();
  }

  existsSync(file: string): boolean {
    this.#look();
    return this.#find(file) !== undefined;
  }

  sizeOf(file: string): number | undefined {
    this.#look();
    const node = this.#find(file);
    return node?.kind === "file" ? node.live.length : undefined;
  }

  #look(): void {
    if (this.dead || this.#disk.isOff) throw new PowerCut("The power is off.");
  }

  #change(name: keyof JournalFs, file: string): void {
    this.#look();
    this.#options.before?.({ name, path: file });
    this.#look();
    this.#disk.spend();
  }

  #openForWriting(file: string, flags: string): FileNode {
    const there = this.#find(file);
    if (there?.kind === "dir") throw errno("EISDIR", "open", file);
    if (there !== undefined && flags === "wx") throw errno("EEXIST", "open", file);
    if (there !== undefined) {
      there.live = Buffer.alloc(0);
      there.dirty = true;
      return there;
    }
    const node: FileNode = { kind: "file", live: Buffer.alloc(0), synced: undefined, dirty: true };
    this.#enter(file, node, "open");
    return node;
  }

  #opened(fd: number): { node: Node; path: string; offset: number } {
    this.#look();
    const opened = this.#open.get(fd);
    if (opened === undefined) throw errno("EBADF", "write", String(fd));
    return opened;
  }

  #enter(file: string, node: Node, syscall: string): void {
    const parent = this.#parent(file, syscall);
    if (parent.live.has(path.basename(file))) throw errno("EEXIST", syscall, file);
    this.#apply(parent, [[path.basename(file), node]]);
    this.#entered.add(parent);
  }

  #apply(dir: DirNode, change: [string, Node | undefined][]): void {
    dir.pending.push(change);
    applyChange(dir.live, change);
  }

  #parent(file: string, syscall: string): DirNode {
    const node = this.#find(path.dirname(file));
    if (node === undefined) throw errno("ENOENT", syscall, file);
    if (node.kind === "file") throw errno("ENOTDIR", syscall, file);
    return node;
  }

  #need(file: string, syscall: string): Node {
    const node = this.#find(file);
    if (node === undefined) throw errno("ENOENT", syscall, file);
    return node;
  }

  #find(file: string): Node | undefined {
    let node: Node | undefined = this.#root;
    for (const part of file.split("/")) {
      if (part === "") continue;
      if (node?.kind !== "dir") return undefined;
      node = node.live.get(part);
    }
    return node;
  }
}

/** An error as Node reports one of the operating system's. */
export function errno(code: string, syscall: string, file: string): NodeJS.ErrnoException {
  return Object.assign(new Error(`${code}: ${syscall} '${file}'`), { code, syscall, path: file });
}

function directory(): DirNode {
  return { kind: "dir", live: new Map(), synced: new Map(), pending: [] };
}

function applyChange(entries: Map<string, Node>, change: [string, Node | undefined][]): void {
  for (const [name, node] of change) {
    if (node === undefined) entries.delete(name);
    else entries.set(name, node);
  }
}

function survivingEntries(dir: DirNode, fate: Fate): Map<string, Node> {
  const entries = new Map(dir.synced);
  for (const change of dir.pending) if (fate.keep()) applyChange(entries, change);
  return entries;
}

function survivingFile(file: FileNode, fate: Fate): FileNode {
  const live = file.dirty ? fate.content(file.synced ?? Buffer.alloc(0), file.live) : file.live;
  return { kind: "file", live, synced: live, dirty: false };
}

/** Every fate worth trying when `undecided` changes are open: the extremes, each change alone, and chance. */
export function* fates(undecided: number, seeds: number): Generator<Fate> {
  const contents: Fate["content"][] = [(_old, live) => live, (old) => old, () => Buffer.alloc(0), half];
  for (const content of contents) yield { keep: () => true, content };
  yield { keep: () => false, content: half };
  for (let only = 0; only < undecided; only += 1) {
    yield { keep: countdown(only, true), content: half };
    yield { keep: countdown(only, false), content: (_old, live) => live };
  }
  for (let seed = 1; seed <= seeds; seed += 1) {
    const random = generator(seed);
    yield {
      keep: () => random() < 0.5,
      content: (old, live) => (contents[Math.floor(random() * contents.length)] as Fate["content"])(old, live),
    };
  }
}

function half(_old: Buffer, live: Buffer): Buffer {
  return live.subarray(0, live.length >> 1);
}

/** True (or false) for one of the questions, the opposite for all others. */
function countdown(index: number, answer: boolean): () => boolean {
  let asked = -1;
  return () => {
    asked += 1;
    return asked === index ? answer : !answer;
  };
}

/** Numbers from 0 to 1, the same for the same seed. */
export function generator(seed: number): () => number {
  let state = seed >>> 0 || 1;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
