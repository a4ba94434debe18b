import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { tempDir } from "../../../../tests/fixtures/temp-dir.js";
import { keepEarlierLogs, logFiles, readLogTail } from "./task-logs.js";

let dir = "";

beforeEach(() => {
  dir = tempDir();
});

const write = (name: string, content: string | Buffer): void => fs.writeFileSync(path.join(dir, name), content);
const read = (name: string): string => fs.readFileSync(path.join(dir, name), "utf8");
const names = (): string[] => fs.readdirSync(dir).toSorted();

describe("logs of earlier attempts", () => {
  it("get the number of the attempt that wrote them", () => {
    write("stdout.log", "out");
    write("stderr.log", "err");
    keepEarlierLogs(dir, 4);
    expect(names()).toEqual(["stderr.attempt-3.log", "stdout.attempt-3.log"]);
    expect(read("stdout.attempt-3.log")).toBe("out");
  });

  it("are left alone by the first attempt", () => {
    write("stdout.log", "out");
    keepEarlierLogs(dir, 1);
    expect(names()).toEqual(["stdout.log"]);
  });

  it("are not overwritten when an attempt is begun again", () => {
    write("stdout.log", "first");
    keepEarlierLogs(dir, 2);
    write("stdout.log", "begun and lost");
    keepEarlierLogs(dir, 2);
    expect([read("stdout.attempt-1.log"), read("stdout.log")]).toEqual(["first", "begun and lost"]);
  });

  it("that are not there do not matter, nor does a folder that is not there", () => {
    write("stderr.log", "err");
    keepEarlierLogs(dir, 2);
    keepEarlierLogs(path.join(dir, "none"), 2);
    expect(names()).toEqual(["stderr.attempt-1.log"]);
  });
});

describe("the end of a log", () => {
  it.each([
    ["all of it", "abc", 3, { text: "abc", truncated: false }],
    ["the last of it", "abcd", 3, { text: "bcd", truncated: true }],
    ["nothing of it", "abc", 0, { text: "", truncated: true }],
    ["an empty one", "", 5, { text: "", truncated: false }],
    ["whole characters", "aüb", 2, { text: "b", truncated: true }],
    ["whole characters of four bytes", "😀b", 4, { text: "b", truncated: true }],
    ["characters that were not cut", "aüb", 3, { text: "üb", truncated: true }],
  ])("is %s", (_what, content, limit, expected) => {
    write("stdout.log", content);
    expect(readLogTail(logFiles(dir).stdoutFile, limit)).toEqual(expected);
  });

  it("of no text keeps its length", () => {
    write("stdout.log", Buffer.from([0xff, 0x41, 0x00, 0xc3]));
    expect(readLogTail(logFiles(dir).stdoutFile, 10).text).toBe("\uFFFDA\u0000\uFFFD");
  });

  it.each([
    ["is not there", () => undefined],
    ["is a folder", (file: string) => fs.mkdirSync(file)],
    ["is a pipe that nobody fills", (file: string) => execFileSync("mkfifo", [file])],
    ["is a device without end", (file: string) => fs.symlinkSync("/dev/zero", file)],
  ])("that %s is empty", (_what, make) => {
    const { stderrFile } = logFiles(dir);
    make(stderrFile);
    expect(readLogTail(stderrFile, 10)).toEqual({ text: "", truncated: false });
  });
});
