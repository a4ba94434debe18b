import { expect, test } from "vitest";
import { isBlank } from "./blank.js";

test("what nobody can see says nothing", () => {
  for (const text of [
    "",
    " \t\r\n",
    "\u200b",
    "\ufeff \u2060",
    "\u00a0\u2003\u3000",
    "\u200e\u202e",
    "\u3164\u2800\u00ad",
    "\u{e0041}",
  ])
    expect(isBlank(text)).toBe(true);
});

test("what somebody can see says something, however little", () => {
  for (const text of ["x", "\u200b.", "👎", "👩\u200d💻", "لا", "\ufeffno"]) expect(isBlank(text)).toBe(false);
});
