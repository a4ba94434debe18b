import { describe, expect, it } from "vitest";
import { FIRST_BYTES, LogReader } from "./log-reader.js";

/** A file that can grow, read as the server reads it. */
class Growing {
  bytes: Uint8Array;
  readonly most: number;

  constructor(text: string, most = 1024 * 1024) {
    this.bytes = new TextEncoder().encode(text);
    this.most = most;
  }

  add(bytes: Uint8Array): void {
    const all = new Uint8Array(this.bytes.length + bytes.length);
    all.set(this.bytes);
    all.set(bytes, this.bytes.length);
    this.bytes = all;
  }

  readonly read = (from: number) => {
    const size = this.bytes.length;
    const start = from < 0 ? Math.max(0, size + from) : from;
    const bytes = this.bytes.slice(start, start + this.most);
    return Promise.resolve({ bytes, next: start + bytes.length < size ? start + bytes.length : null, size });
  };
}

const LONG = Array.from({ length: 60_000 }, (_, n) => `line ${n + 1} ü€😀\n`).join("");
const nothing = (): void => undefined;

describe("reading a log", () => {
  it("begins with the end of a long one, at the beginning of a line, and goes back to the first", async () => {
    const reader = new LogReader(new Growing(LONG).read, nothing);
    await reader.readOn();
    const { text } = reader;
    expect(text?.lines.at(-1)).toBe("line 60000 ü€😀");
    expect(text?.lines[0]).toMatch(/^line \d+ ü€😀$/u);
    expect(text?.from).toBeGreaterThanOrEqual(reader.size - FIRST_BYTES);
    const before = text?.lines.length ?? 0;
    await reader.readEarlier();
    expect(reader.front.lines).toBe((text?.lines.length ?? 0) - before);
    await reader.readAll();
    expect([text?.from, `${text?.lines.join("\n")}\n` === LONG]).toEqual([0, true]);
  });

  it("goes on where it ended, also in the middle of a character or a line", async () => {
    const file = new Growing("one\ntw");
    const reader = new LogReader(file.read, nothing);
    await reader.readOn();
    expect(reader.text?.lines).toEqual(["one", "tw"]);
    const euro = new TextEncoder().encode("o €\nthree\n");
    for (const byte of euro) {
      file.add(new Uint8Array([byte]));
      await reader.readOn();
    }
    expect(reader.text?.lines).toEqual(["one", "two €", "three"]);
  });

  it("a shorter file is another one, and is read anew", async () => {
    const file = new Growing("the first attempt\nfailed\n");
    const reader = new LogReader(file.read, nothing);
    await reader.readOn();
    file.bytes = new TextEncoder().encode("again\n");
    await reader.readOn();
    expect(reader.text?.lines).toEqual(["again"]);
  });

  it("one line without an end is put together again", async () => {
    const line = "€".repeat(800_000);
    const reader = new LogReader(new Growing(line, 300_001).read, nothing);
    await reader.readOn();
    expect(reader.text?.lines).toHaveLength(1);
    await reader.readAll();
    expect(reader.text?.lines[0] === line).toBe(true);
  });

  it("a problem is kept until the next try works", async () => {
    const file = new Growing("a\n");
    let isBroken = true;
    const reader = new LogReader((from) => (isBroken ? Promise.reject(new Error("gone")) : file.read(from)), nothing);
    await reader.readOn();
    expect(reader.problem).toEqual(new Error("gone"));
    isBroken = false;
    await reader.readOn();
    expect([reader.problem, reader.text?.lines]).toEqual([undefined, ["a"]]);
  });
});
