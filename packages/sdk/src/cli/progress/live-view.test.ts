import { spawnSync } from "node:child_process";
import { EventEmitter } from "node:events";
import { afterEach, expect, test, vi } from "vitest";
import { busyRun, Recording, START } from "../../../../../tests/fixtures/cli/progress/recording.js";
import {
  playLive,
  type Step,
  type TerminalScreen,
} from "../../../../../tests/fixtures/cli/progress/terminal-screen.js";
import { openLiveView } from "./live-view.js";

const HIDE = "\u001b[?25l";
const SHOW = "\u001b[?25h";

function played(run: Recording, more: Step[] = []): Step[] {
  return [{ take: run.progress }, { key: true }, ...more, { close: [] }];
}

/** The lines of the tree, from its header on. */
function treeOn(screen: TerminalScreen): string[] {
  const lines = screen.lines.slice(screen.lines.findIndex((line) => line.startsWith("release-7")));
  while (lines.at(-1) === "") lines.pop();
  return lines;
}

async function endOf(screen: TerminalScreen): Promise<void> {
  screen.type("x");
  expect(await screen.exit).toBe(0);
}

test("C21: the live view at 80 columns", async () => {
  const run = busyRun();
  const screen = playLive(played(run), { cols: 80, rows: 24 }, { startMs: run.nowMs });
  await screen.until(({ text }) => text.includes("Quiet hours"));
  expect(treeOn(screen)).toEqual([
    "release-7  build-and-ship  3/9 done  1 failed  1 waiting for you  48 s",
    "✓ Install dependencies           shell         4.0 s",
    "✓ Compile                        node         12.3 s",
    "⠋ parallel 1/6                                  31 s  1 failed, 1 asking, 2 ru…",
    "├ ✓ Unit tests                   shell         8.1 s",
    "│ ⠋ Coverage                     node           22 s  83.1 % of statements, 77…",
    "├ ⠋ Integration tests against …  shell          16 s  attempt 2 · ok 14 - crea…",
    "├ ✗ Lint                         node         16.0 s  src/server.ts:14:3 'port…",
    "│ ? Ship release 7?              breakpoint           waiting for an answer",
    "└ ○ Review the change            agent",
    "◷ Quiet hours                    sleep      15:30:00  sleeping",
  ]);
  await endOf(screen);
});

test("C21: the live view at 200 columns", async () => {
  const run = busyRun();
  const screen = playLive(played(run), { cols: 200, rows: 50 }, { startMs: run.nowMs });
  await screen.until(({ text }) => text.includes("Quiet hours"));
  expect(treeOn(screen)[6]).toBe(
    "├ ⠋ Integration tests against the database    shell          16 s  attempt 2 · ok 14 - creates a user and sends exactly one message",
  );
  await endOf(screen);
});

const SMALL_SCREEN = [
  "release-7  3/9 done  48 s",
  "⠋ parallel 1/6          31 s",
  "├ ⠋ Coverage            22 s",
  "├ ⠋ Integration te…     16 s",
  "├ ✗ Lint              16.0 s",
  "│ ? Ship release 7?",
  "└ ○ Review the cha…",
  "◷ Quiet hours       15:30:00",
  "… 3 done",
  "",
];

test("C21: the live view at 30 columns and 10 lines", async () => {
  const run = busyRun();
  const screen = playLive(played(run), { cols: 30, rows: 10 }, { startMs: run.nowMs });
  await screen.until(({ text }) => text.includes("Quiet hours"));
  expect(screen.lines).toEqual(SMALL_SCREEN);
  await endOf(screen);
});

test("a terminal that changes its size gets a whole new picture and nothing twice", async () => {
  const run = busyRun();
  run.printed("printed before");
  const screen = playLive(played(run), { cols: 80, rows: 40 }, { startMs: run.nowMs });
  const shows = (end: string): Promise<void> =>
    screen.until(({ lines }) => lines.some((line) => line.includes("Integration") && line.endsWith(end)));
  await shows("ok 14 - crea…");
  for (const [cols, rows, end] of [
    [42, 40, "16 s"],
    [120, 38, "sends exactl…"],
    [50, 40, "the data…     16 s"],
    [100, 24, "attempt 2 · ok 14 - creates a user a…"],
  ] as const) {
    screen.resize(cols, rows);
    await shows(end);
    const { history } = screen;
    expect(history.filter((line) => line.startsWith("release-7"))).toHaveLength(1);
    expect(history.filter((line) => line.includes("Quiet hours"))).toHaveLength(1);
    expect(history.filter((line) => line === "print printed before")).toHaveLength(1);
  }
  screen.resize(30, 10);
  await shows("16 s");
  expect(screen.lines).toEqual(SMALL_SCREEN);
  await endOf(screen);
});

test("what the process prints while the tree is redrawn stays above it, complete and in order", async () => {
  const run = busyRun();
  const steps: Step[] = [{ take: run.progress }];
  for (let turn = 0; turn < 8; turn += 1) {
    const more = new Recording().output("coverage", `turn ${turn}`);
    for (let line = 0; line < 25; line += 1) more.printed(`line ${turn * 25 + line} ${"wide ".repeat(line)}`);
    steps.push({ take: more.logged(`logged ${turn}`).notice(`noticed ${turn}`).progress }, { drawn: true });
  }
  const screen = playLive([...steps, { key: true }, { close: ["the very end"] }], { cols: 80, rows: 24 });
  await screen.until(({ text }) => text.includes("turn 7"));
  screen.type("x");
  await screen.exit;
  const { history } = screen;
  const numbers = history.flatMap((line) => /^print line (\d+)/.exec(line)?.[1] ?? []);
  expect(numbers.map(Number)).toEqual(Array.from({ length: 200 }, (_, line) => line));
  expect(history.join("").match(/wide/g)).toHaveLength((8 * 24 * 25) / 2);
  expect(history.filter((line) => /^log {3}logged \d$|^note {2}noticed \d$/.test(line))).toHaveLength(16);
  expect(history.filter((line) => line.startsWith("release-7"))).toHaveLength(1);
  expect(history.at(-1)).toBe("the very end");
});

test("nothing that a task or a process says moves the cursor, clears the screen or wraps a line of the tree", async () => {
  const evil = "\u001b[2J\u001b[1;1H\u001b]0;owned\u0007\r\n\u001b[31mred";
  const run = new Recording()
    .opened()
    .requested("a", { title: `日本語のとても長いタイトル ${evil}` })
    .started("a");
  run.requested("b", { title: `${"long ".repeat(60)}👍👍👍`, kind: evil }).started("b");
  run.output("a", `進捗 ${evil}`).output("b", "x".repeat(5000)).printed(`said ${evil}`).notice(evil).logged(evil);
  const screen = playLive(played(run), { cols: 60, rows: 20 });
  await screen.until(({ text }) => text.includes("long long"));
  expect(treeOn(screen)).toHaveLength(3);
  expect(treeOn(screen)[1]).toContain("日本語");
  expect(screen.text).toContain(String.raw`said \x1b[2J`);
  expect(screen.raw).not.toContain("\u001b[2J");
  expect(screen.raw).not.toContain("\u001b]");
  await endOf(screen);
});

test("300 tasks at once fit on the screen, the running ones in sight", async () => {
  const run = new Recording().opened();
  for (let lane = 0; lane < 300; lane += 1) run.requested(`t${lane}`, { title: "Translate", scope: `par1[${lane}]/` });
  for (let lane = 0; lane < 12; lane += 1) run.started(`t${lane}`);
  const steps: Step[] = [{ take: run.progress }, { drawn: true }];
  for (let lane = 0; lane < 200; lane += 1)
    steps.push({ take: new Recording().done(`t${lane}`).started(`t${lane + 12}`).progress });
  const screen = playLive([...steps, { key: true }, { close: [] }], { cols: 80, rows: 24 });
  await screen.until(({ text }) => text.includes("parallel 200/300"));
  const tree = treeOn(screen);
  expect(tree.length).toBeLessThanOrEqual(23);
  for (let lane = 200; lane < 212; lane += 1) expect(screen.text).toContain(`⠋ Translate [${lane}]`);
  expect(screen.history.filter((line) => line.startsWith("release-7"))).toHaveLength(1);
  await endOf(screen);
});

test("a tree that becomes shorter leaves nothing behind", async () => {
  const run = new Recording().opened();
  for (let lane = 0; lane < 6; lane += 1) run.requested(`t${lane}`, { scope: `par1[${lane}]/` }).started(`t${lane}`);
  const after = new Recording();
  for (let lane = 0; lane < 6; lane += 1) after.done(`t${lane}`);
  after.requested("next").requested("last");
  const screen = playLive(
    [{ take: run.progress }, { key: true }, { take: after.progress }, { key: true }, { close: [] }],
    { cols: 40, rows: 10 },
  );
  await screen.until(({ text }) => text.includes("└ ⠋ t5"));
  screen.type("x");
  await screen.until(({ text }) => text.includes("last"));
  expect(treeOn(screen).map((line) => line.replace(/ {2,}.*/, ""))).toEqual([
    "release-7",
    "✓ parallel 6/6",
    "○ next",
    "○ last",
  ]);
  await endOf(screen);
});

test("a run that is resumed says so above its tree, with its name", async () => {
  const run = new Recording().opened("release-7", true).requested("a").started("a");
  const screen = playLive(played(run), { cols: 80, rows: 20 }, { startMs: run.nowMs });
  await screen.until(({ text }) => text.includes("release-7  "));
  expect(screen.lines[0]).toBe("run   resuming release-7");
  await endOf(screen);
});

test("a question has the screen to itself, and the tree comes back below it", async () => {
  const run = busyRun();
  const screen = playLive(
    [
      { take: run.progress },
      { key: true },
      { suspend: true },
      { write: "Ship it? yes\n" },
      { take: new Recording().printed("while asked").progress },
      { key: true },
      { resume: true },
      { key: true },
      { close: [] },
    ],
    { cols: 80, rows: 24 },
    { startMs: run.nowMs },
  );
  await screen.until(({ text }) => text.includes("Quiet hours"));
  expect(screen.raw.lastIndexOf(HIDE)).toBeGreaterThan(screen.raw.lastIndexOf(SHOW));
  screen.type("x");
  await screen.until(({ text }) => text.includes("Ship it? yes"));
  expect(screen.text.trim()).toBe("Ship it? yes");
  expect(screen.raw.lastIndexOf(SHOW)).toBeGreaterThan(screen.raw.lastIndexOf(HIDE));
  screen.type("x");
  await screen.until(({ text }) => text.includes("Quiet hours"));
  expect(screen.lines.slice(0, 4)).toEqual([
    "Ship it? yes",
    "print while asked",
    "",
    expect.stringContaining("release-7"),
  ]);
  await endOf(screen);
});

test("C21: at the end the tree stays, followed by what came out and what to do", async () => {
  const run = new Recording().opened();
  for (let step = 0; step < 100; step += 1) run.requested(`step-${step}`).started(`step-${step}`).done(`step-${step}`);
  run.ended({
    state: "failed",
    exit: "failed",
    why: "The process threw an error.",
    error: {
      name: "TypeError",
      message: "x is not a function\u001b[31m",
      hint: "Mend it and run again.",
      stack: "TypeError: x\n    at ship (/project/ship.js:4:2)\n    at node:internal/main:1:1",
    },
    output: Array.from({ length: 40 }, (_, index) => index),
    waitingFor: [{ effectId: "effect-1", kind: "agent", title: "Review" }],
    next: [{ command: "babysitter run release-7", about: "goes on from here" }],
  });
  const screen = playLive([{ take: run.progress }, { close: ["bye"] }], { cols: 80, rows: 24 });
  await screen.exit;
  const { history } = screen;
  const end = history.indexOf("failed  release-7  0 s");
  expect(history.slice(0, end).filter((line) => line !== "")).toHaveLength(60);
  expect(history.slice(0, 4)).toEqual([
    "",
    "release-7  build-and-ship  100/100 done  0 s",
    "… 42 done",
    expect.stringContaining("✓ step-42"),
  ]);
  expect(history.slice(end)).toEqual([
    "failed  release-7  0 s",
    "  why      The process threw an error.",
    String.raw`  error    TypeError: x is not a function\x1b[31m`,
    "  at       ship (/project/ship.js:4:2)",
    "  hint     Mend it and run again.",
    "  output   [",
    ...Array.from({ length: 18 }, (_, index) => `             ${index},`),
    "           (shortened; all of it: babysitter run:output release-7)",
    "  waiting  agent  Review  effect-1",
    "  journal  /project/.a5c/runs/release-7/journal",
    "next:",
    "  goes on from here  babysitter run release-7",
    "bye",
  ]);
});

test("the cursor comes back after an error that nobody catches", async () => {
  const screen = playLive([{ take: busyRun().progress }, { drawn: true }, { fail: "out of order" }], {
    cols: 80,
    rows: 24,
  });
  expect(await screen.exit).toBe(1);
  expect(screen.raw).toContain(HIDE);
  expect(screen.raw.lastIndexOf(SHOW)).toBeGreaterThan(screen.raw.lastIndexOf(HIDE));
});

function isStopped(pid: number): boolean {
  return spawnSync("ps", ["-o", "state=", "-p", String(pid)], { encoding: "utf8" }).stdout.startsWith("T");
}

test("Ctrl-Z gives the cursor back, and the tree is drawn again afterwards", async () => {
  const screen = playLive(played(busyRun()), { cols: 80, rows: 24 });
  await screen.until(({ text }) => text.includes("Quiet hours"));
  process.kill(screen.pid, "SIGTSTP");
  await screen.until(({ raw }) => raw.lastIndexOf(SHOW) > raw.lastIndexOf(HIDE));
  while (!isStopped(screen.pid)) await new Promise((resolve) => void setImmediate(resolve));
  process.kill(screen.pid, "SIGCONT");
  await screen.until(({ raw }) => raw.lastIndexOf(HIDE) > raw.lastIndexOf(SHOW));
  expect(screen.raw.split("Quiet hours")).toHaveLength(3);
  await endOf(screen);
});

test("a terminal without UTF-8 gets plain characters", async () => {
  const screen = playLive(played(busyRun()), { cols: 80, rows: 24 }, { env: { LANG: "C" } });
  await screen.until(({ text }) => text.includes("Quiet hours"));
  expect(screen.text).toMatch(/^[ -~\n]*$/);
  expect(screen.text).toContain("|-x Lint");
  await endOf(screen);
});

afterEach(() => {
  vi.useRealTimers();
});

/** A terminal of which only the frames are counted; time is turned by hand. */
function countedView(): { view: ReturnType<typeof openLiveView>; frames: string[]; stream: EventEmitter } {
  vi.useFakeTimers({ now: START });
  const frames: string[] = [];
  const stream = Object.assign(new EventEmitter(), { columns: 0, rows: 0, write: (text: string) => frames.push(text) });
  const view = openLiveView({ stream: stream as unknown as NodeJS.WriteStream, env: { LANG: "C.UTF-8" } });
  return { view, frames, stream };
}

test("at most ten frames a second however much happens, each a single write", () => {
  const { view, frames } = countedView();
  for (const progress of new Recording().opened().requested("a").started("a").progress) view.take(progress);
  for (let step = 0; step < 5000; step += 1) {
    view.take({ type: "output", effectId: "effect-a", line: `line ${step}` });
    vi.advanceTimersByTime(1);
  }
  expect(frames.length).toBeGreaterThan(40);
  expect(frames.length).toBeLessThanOrEqual(51);
  for (const frame of frames) {
    expect(frame.startsWith("\u001b[?2026h")).toBe(true);
    expect(frame.endsWith("\u001b[?2026l")).toBe(true);
  }
  view.close();
});

test("one frame a second while something runs, and no timer when nothing does", () => {
  const { view, frames, stream } = countedView();
  for (const progress of new Recording().opened().requested("a").started("a").progress) view.take(progress);
  vi.advanceTimersByTime(10_050);
  expect(frames).toHaveLength(11);
  for (const progress of new Recording().done("a").requested("q", { kind: "breakpoint" }).progress) view.take(progress);
  vi.advanceTimersByTime(200);
  expect(frames).toHaveLength(12);
  expect(vi.getTimerCount()).toBe(0);
  view.take({ type: "output", effectId: "effect-a", line: "too late" });
  vi.advanceTimersByTime(200);
  expect(frames).toHaveLength(12);
  Object.assign(stream, { columns: 40, rows: 10 });
  stream.emit("resize");
  vi.advanceTimersByTime(200);
  expect(frames).toHaveLength(13);
  view.close();
  expect([vi.getTimerCount(), stream.listenerCount("resize")]).toEqual([0, 0]);
});

test("a frame writes only the lines that have changed", () => {
  const { view, frames } = countedView();
  for (const progress of new Recording().opened().requested("a").requested("b").started("b").progress)
    view.take(progress);
  vi.advanceTimersByTime(150);
  view.take({ type: "output", effectId: "effect-b", line: "compiling" });
  vi.advanceTimersByTime(150);
  expect(frames[0]).toContain("release-7");
  expect(frames[1]).toContain("compiling");
  expect(frames[1]).not.toContain("release-7");
  view.close();
});

test("a closed view takes no more, and writes no more", () => {
  const { view, frames } = countedView();
  for (const progress of busyRun().progress) view.take(progress);
  view.close();
  const written = frames.length;
  view.take({ type: "printed", line: "late" });
  view.suspend();
  view.resume();
  view.close(["again"]);
  vi.advanceTimersByTime(5000);
  expect(frames).toHaveLength(written);
  expect(process.listeners("SIGTSTP")).toEqual([]);
});

test("a flood of lines while someone else has the screen is cut, and the cut is told", () => {
  const { view, frames } = countedView();
  for (const progress of busyRun().progress) view.take(progress);
  view.suspend();
  const before = frames.length;
  for (let line = 0; line < 6000; line += 1) view.take({ type: "printed", line: `line ${line}` });
  vi.advanceTimersByTime(5000);
  expect(frames).toHaveLength(before);
  view.resume();
  expect(frames.at(-1)).toContain("(1,000 lines omitted)");
  expect(frames.at(-1)).toContain("line 5999");
  expect(frames.at(-1)).not.toContain("line 999\r");
  view.close();
});

test("a terminal that has gone does not stop the work", () => {
  const { view, stream } = countedView();
  expect(() => stream.emit("error", new Error("EIO"))).not.toThrow();
  view.close();
});
