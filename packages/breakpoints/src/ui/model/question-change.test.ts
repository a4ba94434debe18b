import { expect, test } from "vitest";
import type { QuestionDetail } from "../../wire/inbox-wire.js";
import { changeOf } from "./question-change.js";

const shown: QuestionDetail = {
  id: "q",
  question: "Go?",
  state: "open",
  project: { name: "p", root: "/p" },
  run: { id: "r", process: "x" },
  stops: "run",
  agent: false,
  askedAt: "2026-01-01T00:00:00Z",
  commentCount: 0,
  shown: "hash",
  options: [],
  facts: { a: 1 },
  consequences: {},
  files: [{ n: 0, path: "a.txt", comparisons: [] }],
  comments: [],
  receipts: [],
  decision: null,
  earlier: [],
  needs: "session",
  command: "",
};
const comment = { text: "hm", author: "mia", at: "2026-01-01T00:00:00Z", verified: true };

test("B2 what happens to a question while it is read is told by its gravest part", () => {
  const file = { n: 0, path: "a.txt", now: "changed", comparisons: [] };
  expect(changeOf(shown, { ...shown, seenAt: "2026-01-02T00:00:00Z", stops: "part" })).toBe("same");
  expect(changeOf(shown, { ...shown, files: [file] })).toBe("files");
  expect(changeOf(shown, { ...shown, files: [file], comments: [comment] })).toBe("comments");
  expect(changeOf(shown, { ...shown, shown: "other", comments: [comment] })).toBe("changed");
  expect(changeOf(shown, { ...shown, facts: { a: 2 } })).toBe("changed");
  expect(changeOf(shown, { ...shown, needs: "passkey" })).toBe("changed");
  expect(changeOf(shown, { ...shown, shown: "other", state: "approved" })).toBe("decided");
  expect(changeOf({ ...shown, state: "approved" }, shown)).toBe("changed");
});
