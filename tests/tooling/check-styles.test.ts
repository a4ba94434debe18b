import { expect, test } from "vitest";
import { findRawStyles } from "../../tools/check-styles.mjs";

const linesOf = (source: string): number[] => findRawStyles(source).map(({ line }) => line);

test("names of tokens, zero, percentages and the widths of the layout are fine", () => {
  const source = `/* 12px and #fff in a comment */
@media (min-width: 64rem) {
  a:hover,
  #place {
    margin: 0 var(--space-2);
    width: 85%;
    border: var(--border) solid currentcolor;
    font-weight: var(--weight-bold);
  }
}
`;
  expect(findRawStyles(source)).toEqual([]);
});

test.each([
  ["a length", "margin: 0 12px"],
  ["a length in rem", "padding: .5rem"],
  ["a short colour", "color: #fff"],
  ["a colour by function", "background: rgb(0 0 0 / 50%)"],
  ["a colour by name", "border-color: darkred"],
  ["a weight", "font-weight: 700"],
  ["a size of text", "font-size: large"],
  ["a family", 'font-family: "Comic Sans"'],
])("%s is refused, with its line", (_, declaration) => {
  expect(linesOf(`a {\n  display: grid;\n  ${declaration};\n}\n`)).toEqual([3]);
});

test("values on several lines and rules on one line are read too", () => {
  expect(linesOf("a {\n  transition:\n    background 1s,\n    border 3px;\n}\n")).toEqual([2]);
  expect(linesOf("a { color: red }\n")).toEqual([1]);
});

test("a layout that changes at a width of its own is refused", () => {
  expect(linesOf("\n@media (min-width: 700px) {\n}\n")).toEqual([2]);
});
