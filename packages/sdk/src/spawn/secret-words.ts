/**
 * What to look for when secrets are masked: each value as it is, and as programs commonly write it down. All of them
 * are found in one pass (Aho–Corasick), however many there are and whatever they look like.
 */

/** Shorter values occur by chance everywhere; masking them would only make the text unreadable. */
export const MIN_SECRET = 4;
/** A line of a value of several lines, such as a private key, counts by itself from this length on. */
const MIN_LINE = 8;
const KEPT = 8;

const known = new WeakMap<readonly string[], SecretWords>();
const recent = new Map<string, SecretWords>();

/** A trie in columns; a row is a node, and node 0 the root. */
export class SecretWords {
  /** By byte, from the root; 0: no word begins with it. */
  readonly first = new Int32Array(256);
  readonly #byte: number[] = [0];
  readonly #child: number[] = [0];
  readonly #sibling: number[] = [0];
  /** The node of the longest end of this node's text that is itself the beginning of a word. */
  readonly #fallback: number[] = [0];
  /** How long the text of each node is. */
  readonly depth: number[] = [0];
  /** The length of the longest word that ends at each node; 0: none does. */
  readonly found: number[] = [0];
  longest = 0;

  /** A task masks many texts with the same list, and the tasks of a run have the same values. */
  static of(values: readonly string[]): SecretWords {
    const words = known.get(values) ?? SecretWords.#recent(values);
    known.set(values, words);
    return words;
  }

  static #recent(values: readonly string[]): SecretWords {
    const key = JSON.stringify(values);
    const words = recent.get(key) ?? new SecretWords(values);
    recent.set(key, words);
    const [oldest = key] = recent.keys();
    if (recent.size > KEPT) recent.delete(oldest);
    return words;
  }

  constructor(values: readonly string[]) {
    for (const value of new Set(values)) for (const word of waysToWrite(value)) this.#add(word);
    this.#link();
  }

  step(from: number, byte: number): number {
    for (let node = from; node !== 0; node = this.#fallback[node] as number) {
      let next = this.#child[node] as number;
      while (next !== 0 && this.#byte[next] !== byte) next = this.#sibling[next] as number;
      if (next !== 0) return next;
    }
    return this.first[byte] as number;
  }

  #childOf(node: number, byte: number): number {
    if (node === 0) return this.first[byte] as number;
    let next = this.#child[node] as number;
    while (next !== 0 && this.#byte[next] !== byte) next = this.#sibling[next] as number;
    return next;
  }

  #add(word: Buffer): void {
    let node = 0;
    for (const byte of word) node = this.#childOf(node, byte) || this.#grow(node, byte);
    this.found[node] = word.length;
    this.longest = Math.max(this.longest, word.length);
  }

  #grow(parent: number, byte: number): number {
    const node = this.#byte.push(byte) - 1;
    this.#child.push(0);
    this.#sibling.push(parent === 0 ? 0 : (this.#child[parent] as number));
    this.#fallback.push(0);
    this.depth.push((this.depth[parent] as number) + 1);
    this.found.push(0);
    if (parent === 0) this.first[byte] = node;
    else this.#child[parent] = node;
    return node;
  }

  /** Shorter texts first, because the fallback of a node follows from those above it. */
  #link(): void {
    const queue = [...this.first].filter((node) => node !== 0);
    for (let at = 0; at < queue.length; at += 1) {
      const node = queue[at] as number;
      const fallback = this.#fallback[node] as number;
      this.found[node] ||= this.found[fallback] as number;
      for (let child = this.#child[node] as number; child !== 0; child = this.#sibling[child] as number) {
        this.#fallback[child] = this.step(fallback, this.#byte[child] as number);
        queue.push(child);
      }
    }
  }
}

/** How programs write a value, apart from escapes and line ends, which are undone in the text that is searched. */
function waysToWrite(value: string): Buffer[] {
  if (value.length < MIN_SECRET) return [];
  const lines = value.split(/\r?\n/u);
  const text = lines.join("\n");
  const inJson = JSON.stringify(text).slice(1, -1);
  const inAscii = inJson.replaceAll(/[^\0-\x7F]/gu, (character) => unicodeEscapes(character));
  const hex = Buffer.from(text).toString("hex");
  const base64 = [0, 1, 2].map((shift) => base64Core(value, shift));
  const words = [
    text,
    inJson,
    inAscii,
    inAscii.replaceAll(/\\u[0-9a-f]{4}/gu, (escape) => `\\u${escape.slice(2).toUpperCase()}`),
    text.replaceAll(" ", "+"),
    hex,
    hex.toUpperCase(),
    ...base64,
    ...base64.map((core) => core.replaceAll("+", "-").replaceAll("/", "_")),
    ...(lines.length > 1 ? lines.map((line) => line.trim()).filter((line) => line.length >= MIN_LINE) : []),
  ];
  return [...new Set(words)].filter((word) => word.length >= MIN_SECRET).map((word) => Buffer.from(word));
}

function unicodeEscapes(character: string): string {
  const units = Array.from({ length: character.length }, (_, index) => character.charCodeAt(index));
  return units.map((unit) => `\\u${unit.toString(16).padStart(4, "0")}`).join("");
}

/** What the base64 of any text with `shift` bytes (of three) before the value has in common. */
function base64Core(value: string, shift: number): string {
  const bytes = Buffer.concat([Buffer.alloc(shift), Buffer.from(value)]);
  const text = bytes.toString("base64").replaceAll("=", "");
  // A character stands for six bits; those at the ends are partly those of the neighbours.
  return text.slice(Math.ceil((shift * 8) / 6), Math.floor((bytes.length * 8) / 6));
}
