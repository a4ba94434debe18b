import { expect, test } from "vitest";
import { KEYS, meaningOf, type PressedKey } from "./keys.js";

const press = (key: string, more: Partial<PressedKey> = {}): PressedKey => ({
  key,
  modified: false,
  repeated: false,
  typing: false,
  onControl: false,
  ...more,
});

test("every key of the table does what its row says", () => {
  for (const { press: keys, action } of KEYS) {
    if (keys[0] === "1–9" || keys[0] === "[ ]") continue;
    const pending = keys.length > 1 ? meaningOf(press(keys[0] ?? ""), "").pending : "";
    expect(meaningOf(press(keys.at(-1) ?? ""), pending)).toEqual({ action, pending: "" });
  }
});

test("no key stands twice in the table", () => {
  const all = KEYS.map(({ press: keys }) => keys.join(" "));
  expect(new Set(all).size).toBe(all.length);
});

test("numbers choose an answer, counted from the first", () => {
  expect(meaningOf(press("1"), "")).toEqual({ action: "option", number: 0, pending: "" });
  expect(meaningOf(press("9"), "").number).toBe(8);
  expect(meaningOf(press("0"), "").action).toBeUndefined();
});

test("B2 letters mean nothing while somebody types, nor together with Ctrl, Alt or Meta", () => {
  for (const { press: keys } of KEYS.filter(({ action }) => action !== "back")) {
    expect(meaningOf(press(keys[0] ?? "", { typing: true }), "")).toEqual({ pending: "" });
    expect(meaningOf(press(keys[0] ?? "", { modified: true }), "")).toEqual({ pending: "" });
  }
  expect(meaningOf(press("Escape", { typing: true }), "").action).toBe("back");
});

test("B2 a key that is held down decides nothing, and moves on through the list", () => {
  for (const key of ["a", "r", "1", "n"]) expect(meaningOf(press(key, { repeated: true }), "").action).toBeUndefined();
  expect(meaningOf(press("j", { repeated: true }), "").action).toBe("down");
});

test("Enter on a button or link belongs to it", () => {
  expect(meaningOf(press("Enter", { onControl: true }), "").action).toBeUndefined();
  expect(meaningOf(press("Enter"), "").action).toBe("open");
});

test("a sequence ends with any key, and a wrong one does nothing", () => {
  expect(meaningOf(press("g"), "")).toEqual({ pending: "g" });
  expect(meaningOf(press("a"), "g")).toEqual({ pending: "" });
  expect(meaningOf(press("1"), "g")).toEqual({ pending: "" });
});
