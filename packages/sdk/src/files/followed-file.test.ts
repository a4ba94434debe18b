import fs from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { tempDir } from "../../../../tests/fixtures/temp-dir.js";
import { FollowedFile, FollowedLines } from "./followed-file.js";

test("C27: a file is read as it grows; half a line waits for its end, also in the middle of a character", () => {
  const file = path.join(tempDir(), "log");
  const lines = new FollowedLines(file);
  expect(lines.next()).toEqual([]);
  const euro = Buffer.from("2 \u20ac\nrest");
  fs.writeFileSync(file, Buffer.concat([Buffer.from("one\n"), euro.subarray(0, 3)]));
  expect(lines.next()).toEqual(["one"]);
  fs.appendFileSync(file, euro.subarray(3));
  expect(lines.next()).toEqual(["2 \u20ac"]);
  expect(lines.next()).toEqual([]);
  expect(lines.next({ isEnd: true })).toEqual(["rest"]);
});

test("a file that another one replaces is read from its beginning; one whose middle was dropped, from its end", () => {
  const dir = tempDir();
  const file = path.join(dir, "log");
  fs.writeFileSync(file, "first attempt");
  const followed = new FollowedFile(file);
  expect(String(followed.next())).toBe("first attempt");
  fs.renameSync(file, path.join(dir, "log.1"));
  expect(String(followed.next())).toBe("");
  fs.writeFileSync(file, "second");
  expect(String(followed.next())).toBe("second");
  fs.truncateSync(file, 2);
  expect(String(followed.next())).toBe("");
  fs.appendFileSync(file, "!");
  expect(String(followed.next())).toBe("!");
});

test("a million empty lines, and what is no file, are no problem", () => {
  const dir = tempDir();
  const file = path.join(dir, "log");
  fs.writeFileSync(file, "\n".repeat(1_000_000));
  expect(new FollowedLines(file).next()).toHaveLength(1_000_000);
  expect(String(new FollowedFile(dir).next())).toBe("");
});
