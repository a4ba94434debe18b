/** As much text as evidence may hold, on which a quadratic parser would take hours. */
import { expect, it } from "vitest";
import { tempDir } from "../fixtures/temp-dir.js";
import { feedParsers } from "../fixtures/tooling/parser-gate.js";

it("every parser of foreign text reads 2 MiB of whatever is slowest to read", async () => {
  const { slow, fed } = await feedParsers({ size: 2 * 1024 * 1024, pumps: "typical", regexes: [] }, tempDir());
  expect(slow.join("\n")).toBe("");
  expect(fed).toBeGreaterThan(500);
});
