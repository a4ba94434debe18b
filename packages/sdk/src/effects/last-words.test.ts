import { expect, it } from "vitest";
import { lastWords } from "./last-words.js";

const UNCAUGHT = `file:///p.mjs:1
throw new Error("no such branch");
      ^

Error: no such branch
    at file:///p.mjs:1:7
    at node:internal/main/run_main_module:28:49

Node.js v20.19.0
`;
const WITH_CAUSE = "TypeError: fetch failed\n    at f (node:x:1:1) {\n  [cause]: Error: bad port\n      at g:1:2\n}\n";

it.each([
  ["the last line", ["first\nsecond\n\n"], ": second"],
  ["the other stream if this one is empty", ["\n", "said\r\n"], ": said"],
  ["not the end of an uncaught error", [UNCAUGHT], ": Error: no such branch"],
  ["the cause and not its frames", [WITH_CAUSE], ": [cause]: Error: bad port"],
  ["brackets if there is nothing else", ["}\n"], ": }"],
  ["nothing", ["", ""], ""],
])("C22: the last words of a failed task are %s", (_, texts, expected) => {
  expect(lastWords(...texts)).toBe(expected);
});
