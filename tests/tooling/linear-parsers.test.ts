/** What reads text of others is known, so that the slow test of the same name can feed it with anything. */
import { expect, it } from "vitest";
import { PARSERS } from "../fixtures/tooling/parsers.js";
import { sourcePatterns } from "../fixtures/tooling/source-patterns.js";

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

it("no file goes through a text by hand without being among the parsers", () => {
  const { scanning, builtLater } = sourcePatterns();
  expect(scanning.filter((file) => !(file in PARSERS) && !(file in NO_PARSERS))).toEqual([]);
  expect(builtLater.map(fileOf).filter((file) => !(file in BUILT_LATER))).toEqual([]);
});
