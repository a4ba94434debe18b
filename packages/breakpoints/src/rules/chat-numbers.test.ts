import { expect, test } from "vitest";
import { type NumberedQuestion, numberOf, readNumbers, withNumbers } from "./chat-numbers.js";

const openAre =
  (...ids: string[]) =>
  (id: string): boolean =>
    ids.includes(id);

test("B4: a question keeps its number while others come and go", () => {
  let known = withNumbers([], ["a", "b", "c"], openAre("a", "b", "c"));
  expect(known.map(({ n }) => n)).toEqual([1, 2, 3]);
  known = withNumbers(known, ["d", "c", "b"], openAre("b", "c", "d"));
  expect(["a", "b", "c", "d"].map((id) => numberOf(known, id))).toEqual([1, 2, 3, 4]);
  known = withNumbers(known, ["a"], openAre("b"));
  expect(numberOf(known, "a")).toBe(1);
});

test("B4: it begins with 1 again when nothing is open, and numbers stay small", () => {
  expect(withNumbers([{ id: "a", n: 7 }], ["b"], openAre("b"))).toEqual([{ id: "b", n: 1 }]);
  let known: NumberedQuestion[] = withNumbers([], ["old"], openAre("old"));
  for (let n = 0; n < 200; n += 1) known = withNumbers(known, [`q${n}`], openAre("old", `q${n}`));
  expect(numberOf(known, "old")).toBe(1);
  expect(Math.max(...known.map(({ n }) => n))).toBeLessThan(30);
  expect(new Set(known.map(({ n }) => n)).size).toBe(known.length);
});

test("what was remembered may be damaged", () => {
  expect(readNumbers([{ id: "a", n: 1 }, null, { id: 3, n: 1 }, { id: "b" }, "x"])).toEqual([{ id: "a", n: 1 }]);
  expect([readNumbers(undefined), readNumbers({}), readNumbers("x")]).toEqual([[], [], []]);
});
