/** Text of others can be anything: whatever it is, reading it takes time in proportion to its length. */
import path from "node:path";
import { expect, it } from "vitest";
import { tempDir } from "../fixtures/temp-dir.js";
import { feedParsers } from "../fixtures/tooling/parser-gate.js";
import { SOURCES, type SourcePatterns, sourcePatterns } from "../fixtures/tooling/source-patterns.js";

/** Patterns that never see a long text. */
const ONLY_SHORT: Readonly<Record<string, string>> = {
  "model/shown-amounts.ts": "the digits of one number",
};

const fileOf = (at: string): string => at.slice(0, at.lastIndexOf(":"));

it("every parser of foreign text, and every regular expression in the sources, takes linear time", async () => {
  const found = sourcePatterns();
  const regexes = [...found.literals, ...(await builtPatterns(found))];
  const { slow, fed } = await feedParsers(
    { size: 16 * 1024, pumps: "all", regexes: regexes.filter(({ at }) => !(fileOf(at) in ONLY_SHORT)) },
    tempDir(),
  );
  expect(slow.join("\n")).toBe("");
  expect(fed).toBeGreaterThan(10_000);
});

/** As much text as evidence may hold, on which a quadratic parser would take hours. */
it("every parser of foreign text reads 2 MiB of whatever is slowest to read", async () => {
  const { slow, fed } = await feedParsers({ size: 2 * 1024 * 1024, pumps: "typical", regexes: [] }, tempDir());
  expect(slow.join("\n")).toBe("");
  expect(fed).toBeGreaterThan(500);
});

/** Patterns put together from pieces, as they are once their file is imported. */
async function builtPatterns({ building }: SourcePatterns): Promise<SourcePatterns["literals"]> {
  const patterns: SourcePatterns["literals"] = [];
  const real = globalThis.RegExp;
  for (const file of building) {
    let count = 0;
    globalThis.RegExp = new Proxy(real, {
      construct(target, args: [string, string?]) {
        const made: RegExp = Reflect.construct(target, args);
        count += 1;
        patterns.push({ at: `${file}:${count}`, source: made.source, flags: made.flags });
        return made;
      },
    });
    try {
      await import(/* @vite-ignore */ `${path.join(SOURCES, file)}?built-again`);
    } finally {
      globalThis.RegExp = real;
    }
    expect(count, `patterns in ${file}`).toBeGreaterThan(0);
  }
  return patterns;
}
