import { expect, it } from "vitest";
import { type RunPlace, relocate } from "./run-places.js";

const OLD: RunPlace = { runDir: "/app/.a5c/runs/r1", projectRoot: "/app", realProjectRoot: "/mnt/app" };
const HERE: RunPlace = { runDir: "/home/ann/p/.a5c/runs/r1", projectRoot: "/home/ann/p" };

it.each([
  ["/app", "/home/ann/p"],
  ["/app/src/a.ts", "/home/ann/p/src/a.ts"],
  ["/mnt/app/src", "/home/ann/p/src"],
  ["/app/.a5c/runs/r1/tasks/x", "/home/ann/p/.a5c/runs/r1/tasks/x"],
  ["cd '/app' && cc -I/app/include --out=/app/o; see file:///app/a.", null],
  ["in /app.", "in /home/ann/p."],
  ["line\n/app\n", "line\n/home/ann/p\n"],
])("names of an earlier place name the place of today: %j", (text, expected) => {
  const today = relocate(text, [OLD, HERE], HERE);
  expect(today).toBe(
    expected ?? "cd '/home/ann/p' && cc -I/home/ann/p/include --out=/home/ann/p/o; see file:///home/ann/p/a.",
  );
  expect(relocate(today, [OLD, HERE], HERE)).toBe(today);
});

it.each(["node_modules/app/x", "/apple", "/app-2/x", "/app.bak", "/srv/app/x", "~/app", "https://host/app/x", "apps"])(
  "other names stay: %j",
  (text) => expect(relocate(text, [OLD], HERE)).toBe(text),
);

it("a place inside an earlier one is left alone, and so is the folder of the run that a fork comes from", () => {
  const inner: RunPlace = { runDir: "/app/p/.a5c/runs/r1", projectRoot: "/app/p" };
  expect(relocate(["/app/p/a", "/app/b"], [OLD, inner], inner)).toEqual(["/app/p/a", "/app/p/b"]);
  const fork: RunPlace = { runDir: "/app/.a5c/runs/r2", projectRoot: "/app" };
  expect(relocate("/app/.a5c/runs/r1/x", [OLD, fork], fork)).toBe("/app/.a5c/runs/r1/x");
});

it("values keep their shape, and names of fields are texts too", () => {
  const value = { "/app/a": [1, null, true, { b: "/app" }], c: "x" };
  expect(relocate(value, [OLD], HERE)).toEqual({ "/home/ann/p/a": [1, null, true, { b: "/home/ann/p" }], c: "x" });
  expect(relocate(value, [HERE], HERE)).toBe(value);
});
