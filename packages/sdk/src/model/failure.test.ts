import { expect, test } from "vitest";
import { outputTail } from "./failure.js";

test("C27: of an output the last 15 lines are shown, each no longer than anyone reads", () => {
  const lines = Array.from({ length: 40 }, (_, index) => `${index} ${"x".repeat(1_000)}`);
  const tail = outputTail(`${lines.join("\n")}\n\n`);
  expect(tail).toHaveLength(15);
  expect(tail.map((line) => line.slice(0, 3))).toEqual(lines.slice(-15).map((line) => line.slice(0, 3)));
  expect(Math.max(...tail.map((line) => line.length))).toBe(301);
});

test("nothing, and secrets, are not shown", () => {
  expect(outputTail(" \n\n")).toEqual([]);
  expect(outputTail("API_TOKEN=abc\nready")).toEqual(["API_TOKEN=[hidden]", "ready"]);
});
