import { expect, test } from "vitest";
import { EVERYTHING, filterChips, foundWords, isFiltered, projectName } from "./run-filters.js";

const PROJECTS = [
  { name: "shop", root: "/a/shop" },
  { name: "shop", root: "/b/shop" },
  { name: "docs", root: "/docs" },
];

test("B7 every choice is a chip in words; what is searched for stands in its field", () => {
  const filter = { search: "x", process: "build", project: "/docs", state: "created", day: "2026-11-17" };
  expect(filterChips(filter, { projects: PROJECTS })).toEqual([
    { name: "process", label: "Process", text: "build" },
    { name: "project", label: "Project", text: "docs" },
    { name: "state", label: "State", text: "Not started" },
    { name: "day", label: "Day", text: "2026-11-17" },
  ]);
  expect(filterChips({ ...EVERYTHING, search: "x" }, { projects: [] })).toEqual([]);
});

test("what an address names is shown also when it is not there", () => {
  const filter = { ...EVERYTHING, project: "/gone", state: "odd" };
  expect(filterChips(filter, { projects: PROJECTS }).map(({ text }) => text)).toEqual(["/gone", "odd"]);
});

test("two projects of one name are told apart by their paths", () => {
  expect(projectName("/docs", PROJECTS)).toBe("docs");
  expect(projectName("/b/shop", PROJECTS)).toBe("shop (/b/shop)");
});

test("what was found is said in words", () => {
  expect(isFiltered(EVERYTHING)).toBe(false);
  expect(foundWords(1, EVERYTHING)).toBe("1 run");
  expect(foundWords(1, { ...EVERYTHING, search: "x" })).toBe("1 run matches.");
  expect(foundWords(2, { ...EVERYTHING, search: "x" })).toBe("2 runs match.");
  expect(foundWords(0, { ...EVERYTHING, search: "x" })).toBe("No run matches.");
});
