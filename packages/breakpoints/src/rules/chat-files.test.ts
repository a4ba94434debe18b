import { expect, test } from "vitest";
import { HOSTILE } from "../../../../tests/fixtures/hostile-text.js";
import type { FileHead } from "../wire/inbox-wire.js";
import { chosenFiles, documentName, LARGEST_FILE, whyNoFile } from "./chat-files.js";

test.each([
  ["docs/plan.md", "plan.md"],
  ["/etc/../x/.env", "env.txt"],
  ["page.html", "page.html.txt"],
  ["run.sh", "run.sh.txt"],
  ["x.apk", "x.apk.txt"],
  ['a"; filename="b.md', "a___filename__b.md"],
  ["отчёт.md", "_____.md"],
  ["..", "file.txt"],
  ["", "file.txt"],
  ["C:\\work\\plan.MD", "plan.MD"],
])("B4: %s is sent as %s", (path, name) => {
  expect(documentName(path)).toBe(name);
});

test("B4: no name ends a header, however hostile", () => {
  for (const path of [HOSTILE, "a\r\nb: c.md", "x".repeat(10_000), `${"y".repeat(300)}.md`])
    expect(documentName(path)).toMatch(/^[\w.-]{1,84}$/u);
});

const head = (n: number, path: string, more: Partial<FileHead> = {}): FileHead => ({
  n,
  path,
  comparisons: [],
  ...more,
});
const FILES = [head(0, "a/plan.md"), head(1, "b/plan.md"), head(2, "notes.md")];

test("B4: a file is named by its path, by its end or by its place; never guessed", () => {
  const names = (wanted: string): string[] => chosenFiles(FILES, wanted).map(({ path }) => path);
  expect(names("")).toHaveLength(3);
  expect(names("b/plan.md")).toEqual(["b/plan.md"]);
  expect(names("plan.md")).toEqual([]);
  expect(names("notes.md")).toEqual(["notes.md"]);
  expect(names("2")).toEqual(["b/plan.md"]);
  expect(names("../notes.md")).toEqual([]);
  expect(names("0")).toEqual([]);
});

test("B4: what is refused or too large is not sent", () => {
  expect(whyNoFile(head(0, "x", { refused: "it may contain secrets" }))).toBe("it may contain secrets");
  expect(whyNoFile(head(0, "x", { bytes: LARGEST_FILE + 1 }))).toMatch(/too large \(5\.2 MB\)/u);
  expect(whyNoFile(head(0, "x", { bytes: LARGEST_FILE }))).toBeUndefined();
});
