import { describe, expect, it } from "vitest";
import { messageParts } from "./message-parts.js";

describe("messages", () => {
  it.each([
    ['"שלום 2" exited with 2: עולם', "ltr", ["", '"שלום 2"', " exited with 2: עולם"]],
    ['שלום, "build" עולם', "rtl", ["שלום, ", '"build"', " עולם"]],
    ['"مرحبا"', "rtl", ["", '"مرحبا"', ""]],
    ["3: no such file", "ltr", ["3: no such file"]],
    ["", "ltr", [""]],
  ])("%j runs as its own words do, not as the names in it", (text, dir, parts) => {
    expect(messageParts(text)).toEqual({ dir, parts });
  });
});
