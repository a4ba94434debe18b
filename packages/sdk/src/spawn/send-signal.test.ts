import { expect, test } from "vitest";
import { sendSignal } from "./send-signal.js";

test.each([0, -0, 1, -1, Number.NaN, 1.5, Number.POSITIVE_INFINITY])("no signal ever goes to %d", (pid) => {
  expect(sendSignal(pid, 0)).toBe(false);
});

test("a process that is there can be asked", () => {
  expect(sendSignal(process.pid, 0)).toBe(true);
});
