/** So much text that a parser which compares everything with everything takes minutes, and one that nests has no stack left. */
import { expect, it } from "vitest";
import { tempDir } from "../fixtures/temp-dir.js";
import { feedParsers } from "../fixtures/tooling/parser-gate.js";

it("every parser of foreign text reads 512 KiB of whatever is slowest to read", async () => {
  const { slow, fed } = await feedParsers({ size: 512 * 1024, pumps: "typical", regexes: [] }, tempDir());
  expect(slow.join("\n")).toBe("");
  expect(fed).toBeGreaterThan(500);
});
