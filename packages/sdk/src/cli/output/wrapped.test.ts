import { expect, it } from "vitest";
import { wrapped } from "./wrapped.js";

it("D3: prose is broken at spaces, and its later lines hang", () => {
  const text = "✓ inbox: it is not running, and no question starts it";
  expect(wrapped(text, { columns: 24, hang: "    " }).split("\n")).toEqual([
    "✓ inbox: it is not",
    "    running, and no",
    "    question starts it",
  ]);
  expect(wrapped(text, { columns: 80, hang: "    " })).toBe(text);
});

it("D3: colours and wide characters are counted as the screen shows them", () => {
  expect(wrapped("\u001b[31m✗\u001b[0m one two", { columns: 9 })).toBe("\u001b[31m✗\u001b[0m one two");
  expect(wrapped("漢字 漢字 漢字", { columns: 10 })).toBe("漢字 漢字\n漢字");
});

it.each([
  ["to open it, and to see all of them: babysitter ui --no-open; no more", "babysitter ui --no-open;"],
  ["Install it again, then: babysitter ui --enable. To do without it, stop", "babysitter ui --enable."],
  [
    "remove it (npm uninstall -g @a5c-ai/babysitter-sdk), or call another",
    "(npm uninstall -g @a5c-ai/babysitter-sdk),",
  ],
  ["in words that go on: `babysitter ui --no-open` shows how", "`babysitter ui --no-open`"],
  ["put the runs elsewhere, such as '/mnt/my big disk/runs' or so", "'/mnt/my big disk/runs'"],
  [
    "claude plugin marketplace add /a && claude plugin install b@a",
    "claude plugin marketplace add /a && claude plugin install b@a",
  ],
  ["1 run in /home/mia/my big project/.a5c/runs of a project", "/home/mia/my big project/.a5c/runs"],
  ["it is in /home/mia/a-folder-with-a-long-name/and-another", "/home/mia/a-folder-with-a-long-name/and-another"],
])("D3: what people copy stays in one piece: %s", (text, copied) => {
  const lines = wrapped(text, { columns: 20, hang: "  " }).split("\n");
  expect(lines.map((line) => line.trim())).toContain(copied);
  expect(lines.map((line) => line.trim()).join(" ")).toBe(text);
});
