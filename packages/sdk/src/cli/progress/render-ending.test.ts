import { expect, test } from "vitest";
import type { Ending } from "../../drive/progress.js";
import { makePaint } from "../output/paint.js";
import { newProgressModel } from "./progress-model.js";
import { renderEnding } from "./render-ending.js";

const ENDING: Ending = {
  state: "waiting",
  exit: "waiting",
  why: "Waiting for a human to answer a question.",
  next: [
    { command: "babysitter breakpoint:approve effect-27e5876e857f5718e978", about: "approve" },
    {
      command: 'babysitter breakpoint:reject effect-27e5876e857f5718e978 --reason "…"',
      about: "reject, with a reason",
    },
  ],
  waitingFor: [],
};

function nextAt(columns?: number): string[] {
  const lines = renderEnding({ ...newProgressModel(), ending: ENDING }, makePaint(false, {}), columns);
  return lines.slice(lines.indexOf("next:") + 1);
}

test("C27: commands stand beside what they are for, or below it where a terminal would break them", () => {
  const beside = [
    "  approve                babysitter breakpoint:approve effect-27e5876e857f5718e978",
    '  reject, with a reason  babysitter breakpoint:reject effect-27e5876e857f5718e978 --reason "…"',
  ];
  expect(nextAt()).toEqual(beside);
  expect(nextAt(100)).toEqual(beside);
  expect(nextAt(80)).toEqual([
    "  approve",
    "    babysitter breakpoint:approve effect-27e5876e857f5718e978",
    "  reject, with a reason",
    '    babysitter breakpoint:reject effect-27e5876e857f5718e978 --reason "…"',
  ]);
});
