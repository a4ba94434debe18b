import { describe, expect, it } from "vitest";
import type { DocumentFile, RunDocument } from "../../wire/run-document.js";
import { embeddedSource } from "./embedded-source.js";

const modifiedAt = "2026-11-17T10:00:00.000Z";
const FILES: DocumentFile[] = [
  {
    kind: "log",
    path: "whole.log",
    bytes: 6,
    modifiedAt,
    content: { from: 0, text: "one\né" },
    missing: null,
    sha256: "a",
  },
  {
    kind: "log",
    path: "end.log",
    bytes: 104,
    modifiedAt,
    content: { from: 100, text: "last" },
    missing: "x",
    sha256: null,
  },
  {
    kind: "artifact",
    path: "a.bin",
    bytes: 3,
    modifiedAt,
    content: { from: 0, base64: "/wD+" },
    missing: null,
    sha256: "b",
  },
  {
    kind: "artifact",
    path: "gone",
    bytes: 9,
    modifiedAt,
    content: null,
    missing: "its content was redacted",
    sha256: "c",
  },
];
const said = { who: "agent", at: null, name: null, text: "done", cut: false } as const;
const source = embeddedSource({
  detail: { id: "r" },
  events: [{ seq: 1 }, { seq: 2 }, { seq: 3 }],
  integrity: { ok: true },
  files: FILES,
  moreFiles: true,
  transcripts: [{ id: "s", session: "s", bytes: 7, entries: [said], missing: null, sha256: "d" }],
} as unknown as RunDocument);
const read = async (path: string, from: number) => new TextDecoder().decode((await source.readFile(path, from)).bytes);

describe("embeddedSource", () => {
  it("B7: answers as a server does, from what stands in the page", async () => {
    expect(await source.events(1)).toEqual({ events: [{ seq: 2 }, { seq: 3 }], total: 3 });
    expect(await source.event(2)).toEqual({ seq: 2 });
    await expect(source.event(4)).rejects.toThrow("no event 4");
    const { files, more } = await source.files();
    expect([files.length, more, Object.keys(files[0] ?? {})]).toEqual([
      4,
      true,
      ["kind", "path", "bytes", "modifiedAt"],
    ]);
    expect(await source.transcripts()).toEqual({ transcripts: [{ id: "s", session: "s", bytes: 7 }] });
    expect(await source.transcript("s", 0)).toEqual({ entries: [said], next: null, size: 7 });
    expect([source.change, source.follow]).toEqual([undefined, undefined]);
  });

  it("B7: reads files from any place, and says where something is missing", async () => {
    expect([await read("whole.log", 0), await read("whole.log", 4), await read("whole.log", -2)]).toEqual([
      "one\né",
      "é",
      "é",
    ]);
    expect(await read("end.log", 0)).toBe("… 100 bytes before this are not part of the export\nlast");
    expect([await read("end.log", 102), await read("end.log", -4)]).toEqual(["st", "last"]);
    expect([...(await source.readFile("a.bin", 0)).bytes]).toEqual([255, 0, 254]);
    await expect(source.readFile("gone", 0)).rejects.toThrow("its content was redacted");
    await expect(source.readFile("other", 0)).rejects.toThrow("not part of this export");
  });
});
