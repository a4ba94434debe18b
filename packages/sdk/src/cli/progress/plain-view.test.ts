import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { Recording, START } from "../../../../../tests/fixtures/cli/progress/recording.js";
import { tempDir } from "../../../../../tests/fixtures/temp-dir.js";
import { toolLine } from "../output/display-width.js";
import { openPlainView } from "./plain-view.js";

/** What is written; every piece of progress is taken at the time of the recording's end. */
function written(recording: Recording): string[] {
  let text = "";
  const view = openPlainView({
    write: (more) => void (text += more),
    paint: (_style, plain) => plain,
    clock: { now: () => new Date(recording.nowMs) },
  });
  for (const progress of recording.progress) view.take(progress);
  view.close();
  expect(text === "" || text.endsWith("\n")).toBe(true);
  return text.split("\n").slice(0, -1);
}

function everything(): Recording {
  const run = new Recording().opened();
  run.at(1).requested("build", { title: "Build" }).started("build");
  run.output("build", "not for logs").at(5).attemptFailed("build", 1, "no network\nreally", 2);
  run.at(7).started("build", 2).at(11).done("build", { attempt: 2 }).logged("one\ntwo", "three");
  run.requested("gate", { kind: "breakpoint", title: "Ship?" }).at(20);
  run.done("gate", { result: { value: { approved: false, feedback: "not yet" } } });
  run.requested("nap", { kind: "sleep", until: "2026-03-04T15:30:00.000Z" });
  run.at(21).requested("a", { title: "Test", scope: "par1[0]/" }).requested("b", { title: "Test", scope: "par1[1]/" });
  run.started("a").started("b").at(22).failed("b", "exit code 1").attemptFailed("a", 1, "killed");
  run.reopened("b", 2).at(80).printed("hello").notice("The code has changed; the process starts again.");
  return run.ended({ output: { ok: true }, next: [{ command: "babysitter run:status", about: "where it stands" }] });
}

test("C21: without a terminal every happening is one line with its time", () => {
  expect(written(everything())).toEqual([
    "12:01:20 run    release-7  processes/ship.js#process",
    "12:00:01 start  Build  shell",
    "12:00:05 retry  Build  attempt 1 failed, attempt 2 in 2.0 s: no network",
    "12:00:07 start  Build  shell (attempt 2)",
    "12:00:11 ok     Build  4.0 s (attempt 2)",
    "12:00:11 log    one",
    "                two",
    "12:00:11 log    three",
    "12:00:11 ask    Ship?  waiting for an answer",
    "12:00:20 reject Ship?  9.0 s: rejected: not yet",
    "12:00:20 sleep  nap  until 2026-03-04T15:30:00.000Z",
    "12:00:21 start  Test [0]  shell",
    "12:00:21 start  Test [1]  shell",
    "12:00:22 fail   Test [1]  1.0 s: exit code 1",
    "12:00:22 retry  Test [0]  attempt 1 failed, attempt 2: killed",
    "12:00:22 reopen Test [1]  attempt 2",
    "12:01:20 print  hello",
    "12:01:20 note   The code has changed; the process starts again.",
    "completed  release-7  1m 20s",
    "  why      The process has returned.",
    '  output   {"ok":true}',
    "  journal  /project/.a5c/runs/release-7/journal",
    "next:",
    "  where it stands  babysitter run:status",
  ]);
});

test("what was there before is summed up in one line", () => {
  const run = new Recording().opened("again", true);
  run.past = true;
  for (let step = 0; step < 12; step += 1) run.requested(`s${step}`).started(`s${step}`).done(`s${step}`);
  run.requested("x").failed("x", "no").logged("old").requested("y");
  run.past = false;
  run.at(3).started("y");
  expect(written(run)).toEqual([
    "12:00:03 run    again  processes/ship.js#process  (resumed)",
    "12:00:03 past   resumed: 12 done, 1 failed",
    "12:00:03 start  y  shell",
  ]);
});

test("nothing in it acts on a terminal or fakes a line", () => {
  const evil = "a\u001b[2J\rb\n12:00:00 ok     fake";
  const run = new Recording().opened(evil).requested("a", { title: evil, kind: evil }).started("a");
  run
    .failed("a", evil)
    .notice(evil)
    .ended({ why: evil, error: { code: evil, message: evil } });
  const lines = written(run);
  expect(lines.join("")).not.toMatch(/\p{Cc}/u);
  expect(lines.filter((line) => line.startsWith("12:00:00 ok"))).toEqual([]);
});

test("what acts on a terminal is shown, colours are left out, and a redrawn line is shown as it was last", () => {
  const line = "x \u001b[2Jy \u001b]0;t\u0007z \u001b[31mred\u001b[0m";
  const run = new Recording().opened().requested("a").started("a").logged(line).printed(line);
  const shown = String.raw`x \x1b[2Jy \x1b]0;t\x07z red`;
  expect(written(run).slice(2, 4)).toEqual([`12:00:00 log    ${shown}`, `12:00:00 print  ${shown}`]);
  expect(toolLine(line)).toBe(shown);
  expect(toolLine("10 %\r20 %\u001b[2K\u001b[1G30 %\u001b[K")).toBe("30 %");
});

test("C21: a pipe gets neither colours nor carriage returns", () => {
  const folder = tempDir();
  const file = path.join(folder, "progress.json");
  fs.writeFileSync(file, JSON.stringify({ progress: everything().progress, nowMs: START }));
  const script = fileURLToPath(new URL("../../../../../tests/fixtures/cli/progress/print-plain.mjs", import.meta.url));
  const { stdout, status } = spawnSync(process.execPath, [script, file], { encoding: "utf8" });
  expect(status).toBe(0);
  expect(stdout).toContain("12:00:11 ok     Build  4.0 s (attempt 2)\n");
  expect(stdout).not.toMatch(/[^\P{Cc}\n]/u);
});
