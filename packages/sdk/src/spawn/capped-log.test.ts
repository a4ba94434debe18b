import { chmodSync, existsSync, lstatSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { makeTempDir, removeTempDir } from "../../../../tests/fixtures/temp-dir.js";
import { CappedLog } from "./capped-log.js";

let dir: string;
beforeAll(() => {
  dir = makeTempDir();
  return () => removeTempDir(dir);
});

function logOf(pieces: readonly Buffer[], limit: number): { content: Buffer; truncated: boolean } {
  const path = join(dir, "log");
  const log = new CappedLog(path, limit);
  for (const piece of pieces) log.write(piece);
  const { truncated } = log.close();
  return { content: readFileSync(path), truncated };
}

/** What a log of this output must hold. */
function expected(all: Buffer, limit: number): Buffer {
  if (all.length <= limit) return all;
  const head = Math.floor(limit / 2);
  const gap = Buffer.from(`\n[babysitter: ${all.length - limit} bytes omitted]\n`);
  return Buffer.concat([all.subarray(0, head), gap, all.subarray(all.length - (limit - head))]);
}

describe("a capped log", () => {
  it("keeps everything up to the limit", () => {
    expect(logOf([Buffer.from("12345"), Buffer.from("67890")], 10)).toEqual({
      content: Buffer.from("1234567890"),
      truncated: false,
    });
  });

  it.each([
    ["to a file", (link: string, target: string) => symlinkSync(target, link), "precious"],
    ["that leads nowhere", (link: string, target: string) => (rmSync(target), symlinkSync(target, link)), undefined],
    ["to itself", (link: string) => symlinkSync(link, link), "precious"],
  ])("replaces a link %s, and leaves alone what it leads to", (_what, make, left) => {
    const [path, target] = [join(dir, "log"), join(dir, "target")];
    rmSync(path, { force: true });
    writeFileSync(target, "precious");
    make(path, target);
    expect(logOf([Buffer.from("output")], 10).content.toString()).toBe("output");
    expect([lstatSync(path).isFile(), existsSync(target) ? readFileSync(target, "utf8") : undefined]).toEqual([
      true,
      left,
    ]);
  });

  it("keeps the first half and the last half, and says how much is missing", () => {
    const { content, truncated } = logOf([Buffer.from("abcdefghij"), Buffer.from("klmnopqrstu")], 8);
    expect(content.toString()).toBe("abcd\n[babysitter: 13 bytes omitted]\nrstu");
    expect(truncated).toBe(true);
  });

  it("holds head, gap and tail for every limit and every way to cut the output", () => {
    const sizes = fc.array(fc.integer({ min: 0, max: 70_000 }), { maxLength: 12 });
    const limits = fc.oneof(fc.integer({ min: 0, max: 50 }), fc.integer({ min: 0, max: 200_000 }));
    fc.assert(
      fc.property(sizes, limits, (lengths, limit) => {
        let next = 0;
        const pieces = lengths.map((length) => Buffer.from(Array.from({ length }, () => (next += 7) % 251)));
        const all = Buffer.concat(pieces);
        const { content, truncated } = logOf(pieces, limit);
        expect(content.equals(expected(all, limit))).toBe(true);
        expect(truncated).toBe(all.length > limit);
      }),
      { numRuns: 60 },
    );
  });

  it("never lets the file grow far beyond its limit, and keeps it in order all the time", () => {
    const path = join(dir, "growing");
    const log = new CappedLog(path, 400_000);
    for (let line = 0; line < 3000; line += 1) {
      log.write(Buffer.from(`${String(line).padStart(999)}\n`));
      if (line % 250 !== 249) continue;
      expect(statSync(path).size).toBeLessThan(650_000);
      const lines = readFileSync(path, "utf8")
        .split("\n")
        .map(Number)
        .filter((value) => !Number.isNaN(value));
      expect(lines.filter((value, index) => index > 0 && value < (lines[index - 1] as number) && value !== 0)).toEqual(
        [],
      );
      expect(readFileSync(path, "utf8").endsWith(` ${line}\n`)).toBe(true);
    }
    log.close();
  });

  it("is private and empty at the start, also where a public file was before", () => {
    const path = join(dir, "deep", "er", "log");
    new CappedLog(path, 100).close();
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(statSync(join(dir, "deep")).mode & 0o777).toBe(0o700);
    writeFileSync(path, "old");
    chmodSync(path, 0o644);
    new CappedLog(path, 100).close();
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(readFileSync(path, "utf8")).toBe("");
  });
});
