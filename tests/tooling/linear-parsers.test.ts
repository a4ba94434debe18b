/** Text of others can be anything: whatever it is, reading it takes time in proportion to its length. */
import path from "node:path";
import { expect, it } from "vitest";
import { tempDir } from "../fixtures/temp-dir.js";
import { feedParsers } from "../fixtures/tooling/parser-gate.js";
import { PARSERS } from "../fixtures/tooling/parsers.js";
import { SOURCES, type SourcePatterns, sourcePatterns } from "../fixtures/tooling/source-patterns.js";

/** Patterns that never see a long text. */
const ONLY_SHORT: Readonly<Record<string, string>> = {
  "model/shown-amounts.ts": "the digits of one number",
};
/** Files that look at something else than text of others, or whose text is bounded. */
const NO_PARSERS: Readonly<Record<string, string>> = {
  "checks/git-tree.ts": "a list of names, by bytes, each passed once",
  "checks/touched-since.ts": "the folders of one path",
  "cli/answers/check-text.ts": "requests of a play, each passed a few times",
  "cli/commands/task-logs.ts": "bytes of a log from its end, each passed once",
  "cli/progress/choose-rows.ts": "rows of a display",
  "files/followed-file.ts": "bytes of a file, piece by piece, each passed once",
  "journal/files/event-log.ts": "events of a batch, each published once",
  "journal/files/file-run-notes.ts": "a sealed file of our own, line by line, each passed once",
  "rehearsal/play.ts": "steps of a play",
  "sessions/transcript-usage.ts": "bytes of a file, line by line, each passed once",
  "testing/store-contract.ts": "events of a test",
};
/** Built while the program runs. */
const BUILT_LATER: Readonly<Record<string, string>> = {
  "effects/agent-schema-shape.ts": "a pattern of the author, compiled to see whether it is one",
  "model/run-places.ts": "paths to the letter: nothing in it repeats",
  "loop/rules/promise-grammar.ts": "a tag to the letter: nothing in it repeats",
};

const fileOf = (at: string): string => at.slice(0, at.lastIndexOf(":"));

const found = sourcePatterns();

it("every parser of foreign text, and every regular expression in the sources, takes linear time", async () => {
  const regexes = [...found.literals, ...(await builtPatterns(found))];
  const { slow, fed } = await feedParsers(
    { size: 16 * 1024, pumps: "all", regexes: regexes.filter(({ at }) => !(fileOf(at) in ONLY_SHORT)) },
    tempDir(),
  );
  expect(slow.join("\n")).toBe("");
  expect(fed).toBeGreaterThan(10_000);
}, 300_000);

it("no file goes through a text by hand without being among the parsers", () => {
  const { scanning, builtLater } = found;
  expect(scanning.filter((file) => !(file in PARSERS) && !(file in NO_PARSERS))).toEqual([]);
  expect(builtLater.map(fileOf).filter((file) => !(file in BUILT_LATER))).toEqual([]);
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
