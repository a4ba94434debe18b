import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { tempDir } from "../../../../tests/fixtures/temp-dir.js";
import { type ChannelRecord, Channels, USUAL_FIELDS } from "./channels.js";

const RECORD: ChannelRecord = {
  since: "2026-01-20T08:00:00.000Z",
  fields: [...USUAL_FIELDS],
  files: false,
  topics: ["questions"],
  settings: { token: "123:secret" },
};

function opened(): Channels {
  return new Channels({ home: tempDir() });
}

describe("the channels of a person", () => {
  it("B4: are kept for their eyes only, and one that is disabled is forgotten with its secrets", () => {
    const channels = opened();
    expect(channels.all()).toEqual({});
    channels.enable("telegram", RECORD);
    channels.enable("ntfy", { ...RECORD, settings: { topic: "t" } });
    expect(fs.statSync(channels.file).mode & 0o777).toBe(0o600);
    expect(fs.statSync(path.dirname(channels.file)).mode & 0o777).toBe(0o700);
    expect(channels.disable("telegram")).toBe(true);
    expect([channels.all(), channels.disable("telegram")]).toEqual([
      { ntfy: { ...RECORD, settings: { topic: "t" } } },
      false,
    ]);
    for (const name of fs.readdirSync(path.dirname(channels.file)))
      expect(fs.readFileSync(path.join(path.dirname(channels.file), name), "utf8")).not.toContain("secret");
  });

  it("stay closed for others when the file was open to them before", () => {
    const channels = opened();
    channels.enable("ntfy", RECORD);
    fs.chmodSync(channels.file, 0o644);
    channels.enable("slack", RECORD);
    expect(fs.statSync(channels.file).mode & 0o777).toBe(0o600);
  });

  it("a file that is damaged is named, and nobody is taken for a channel because of it", () => {
    const channels = opened();
    channels.enable("ntfy", RECORD);
    const entry = (change: object): string => JSON.stringify({ ntfy: { ...RECORD, ...change } });
    for (const text of [
      "",
      "{",
      "[]",
      "null",
      '{"ntfy":null}',
      entry({ since: 5 }),
      entry({ fields: ["title", "everything"] }),
      entry({ fields: "title" }),
      entry({ files: "yes" }),
      entry({ topics: [1] }),
      entry({ settings: { token: 5 } }),
      entry({ settings: null }),
    ]) {
      fs.writeFileSync(channels.file, text);
      expect(() => channels.all()).toThrow(/Cannot use .*channels\.json/u);
      expect(() => channels.enable("slack", RECORD)).toThrow(/Cannot use/u);
    }
    fs.writeFileSync(channels.file, JSON.stringify({ ntfy: RECORD, pigeon: { any: "thing" }, toString: 1 }));
    expect(channels.all()).toEqual({ ntfy: RECORD });
  });

  it("something else in the place of the file does not make anybody wait", () => {
    const channels = opened();
    fs.mkdirSync(path.dirname(channels.file), { recursive: true });
    execFileSync("mkfifo", [channels.file]);
    expect(() => channels.all()).toThrow(/Cannot use/u);
    fs.rmSync(channels.file);
    fs.mkdirSync(channels.file);
    expect(() => channels.all()).toThrow(/Cannot use/u);
    fs.rmdirSync(channels.file);
    fs.symlinkSync("/dev/zero", channels.file);
    expect(() => channels.all()).toThrow(/Cannot use|refuse/u);
  });

  it("a process that is killed while writing leaves the file as it was", () => {
    const channels = opened();
    channels.enable("ntfy", RECORD);
    fs.writeFileSync(`${channels.file}.${process.pid}.tmp`, "{ half");
    expect(channels.all()).toEqual({ ntfy: RECORD });
    channels.enable("slack", RECORD);
    expect(Object.keys(channels.all())).toEqual(["ntfy", "slack"]);
  });
});
