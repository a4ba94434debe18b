import { expect, it } from "vitest";
import { draftKeyOf, extendTo, isSelected, namesOf, parseDraftKey, selectLine, shiftLines } from "./line-selection.js";

it("B2: grows from where it began, in either direction, and not over to the other side", () => {
  const begun = selectLine({ side: "file", line: 5 });
  const down = extendTo(begun, { side: "file", line: 8 });
  expect(down).toEqual({ side: "file", anchor: 5, line: 5, endLine: 8 });
  expect(extendTo(down, { side: "file", line: 2 })).toEqual({ side: "file", anchor: 5, line: 2, endLine: 5 });
  expect(extendTo(down, { side: "base", line: 6 })).toEqual(selectLine({ side: "base", line: 6 }));
  expect(extendTo(undefined, { side: "base", line: 6 })).toEqual(selectLine({ side: "base", line: 6 }));
  expect(isSelected(down, { side: "file", line: 8 })).toBe(true);
  expect(isSelected(down, { side: "base", line: 7 })).toBe(false);
  expect(isSelected(undefined, { side: "file", line: 1 })).toBe(false);
});

it("is found again by the place of its draft", () => {
  const lines = { side: "base", anchor: 3, line: 3, endLine: 9 } as const;
  expect(parseDraftKey(2, draftKeyOf(2, lines))).toEqual(lines);
  for (const key of ["file.1.base.3-9", "file.2", "comment", "file.2.approved.1-1"])
    expect(parseDraftKey(2, key)).toBeUndefined();
});

it("moves as a whole", () => {
  const lines = { side: "file", anchor: 4, line: 3, endLine: 4 } as const;
  expect(shiftLines(lines, -1)).toEqual({ side: "file", anchor: 3, line: 2, endLine: 3 });
  expect(shiftLines(lines, 1)).toEqual({ side: "file", anchor: 5, line: 4, endLine: 5 });
});

it("has a name", () => {
  expect(namesOf({ line: 3 })).toBe("line 3");
  expect(namesOf({ line: 3, endLine: 3 })).toBe("line 3");
  expect(namesOf({ line: 3, endLine: 5 })).toBe("lines 3–5");
});
