import { describe, expect, it } from "vitest";
import { contentOf, dataAddress, otherVersions, type RunFile, versionBefore } from "./file-kinds.js";

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);
const file = (path: string, minute: number, kind: RunFile["kind"] = "artifact"): RunFile => ({
  kind,
  path,
  bytes: 1,
  modifiedAt: `2026-01-01T00:0${minute}:00.000Z`,
});

describe("what is in a file", () => {
  it.each<[string, Uint8Array, object]>([
    [
      "png",
      new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0]),
      { kind: "image", type: "image/png" },
    ],
    ["jpeg", new Uint8Array([0xff, 0xd8, 0xff, 0xe0]), { kind: "image", type: "image/jpeg" }],
    ["gif", bytesOf("GIF89a…"), { kind: "image", type: "image/gif" }],
    ["webp", bytesOf("RIFF1234WEBPVP8 "), { kind: "image", type: "image/webp" }],
    ["an svg is text", bytesOf("<svg onload='alert(1)'/>"), { kind: "text" }],
    ["a name proves nothing", bytesOf("PNG"), { kind: "text" }],
    ["text of any script", bytesOf("ü € 😀 שלום"), { kind: "text" }],
    ["nothing", new Uint8Array(), { kind: "text" }],
    ["null characters", new Uint8Array([65, 0, 66]), { kind: "binary" }],
    ["noise", new Uint8Array(Array.from({ length: 99 }, (_, n) => 0x80 + (n % 64))), { kind: "binary" }],
  ])("%s", (_name, bytes, content) => {
    expect(contentOf(bytes)).toEqual(content);
  });

  it("a character that goes on behind the first bytes does not make it binary", () => {
    expect(contentOf(bytesOf(`${"a".repeat(8_191)}€`))).toEqual({ kind: "text" });
  });

  it("an image becomes an address, however long", () => {
    const bytes = new Uint8Array(20_000).fill(7);
    expect(atob(dataAddress("image/png", bytes).replace("data:image/png;base64,", ""))).toBe("\u0007".repeat(20_000));
  });
});

describe("versions of a file", () => {
  const first = file("artifacts/one/plan.md", 1);
  const second = file("artifacts/two/plan.attempt-2.md", 2);
  const third = file("artifacts/plan.md", 3);
  const all = [first, second, third, file("artifacts/other.md", 4), file("evidence/plan.md", 5, "evidence")];

  it("have the same name elsewhere, or one of another attempt", () => {
    expect(otherVersions(all, third)).toEqual([second, first]);
    expect(versionBefore(all, third)).toBe(second);
    expect(versionBefore(all, first)).toBeUndefined();
  });
});
