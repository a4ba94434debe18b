import * as fc from "fast-check";
import { expect, test } from "vitest";
import { busyRun, Recording, START } from "../../../../../tests/fixtures/cli/progress/recording.js";
import { cutToWidth, displayWidth, oneLine, toolLine } from "../output/display-width.js";
import { newProgressModel, takeProgress } from "./progress-model.js";
import { renderTree } from "./render-tree.js";
import { ASCII_SYMBOLS, symbolsFor, UNICODE_SYMBOLS } from "./symbols.js";
import { durationText, elapsedText, momentText } from "./time-text.js";

function screenOf(
  recording: Recording,
  size: { columns: number; rows: number },
  options: { paint?: typeof marked } = {},
) {
  const model = newProgressModel();
  for (const progress of recording.progress) takeProgress(model, progress, START);
  return renderTree(model, { ...size, nowMs: recording.nowMs, paint: plain, frame: 0, ...options });
}

const plain = (_style: string, text: string): string => text;
const marked = (style: string, text: string): string => `<${style}>${text}</>`;

/** Many effects in lanes, the first of them finished, the next running. */
function wideRun(lanes: number, done: number, running: number): Recording {
  const run = new Recording().opened().requested("first", { title: "Prepare" }).done("first");
  for (let lane = 0; lane < lanes; lane += 1)
    run.requested(`t${lane}`, { title: "Translate", scope: `par1[${lane}]/` });
  for (let lane = 0; lane < done + running; lane += 1) run.started(`t${lane}`);
  for (let lane = 0; lane < done; lane += 1) run.done(`t${lane}`);
  return run;
}

test("C21: a run is shown as a tree with state, name, kind, attempt, time and the newest line", () => {
  expect(screenOf(busyRun(), { columns: 120, rows: 40 })).toEqual([
    "release-7  build-and-ship  3/9 done  1 failed  1 waiting for you  48 s",
    "✓ Install dependencies                        shell         4.0 s",
    "✓ Compile                                     node         12.3 s",
    "⠋ parallel 1/6                                               31 s  1 failed, 1 asking, 2 running, 1 queued",
    "├ ✓ Unit tests                                shell         8.1 s",
    "│ ⠋ Coverage                                  node           22 s  83.1 % of statements, 77.0 % of branches",
    "├ ⠋ Integration tests against the database    shell          16 s  attempt 2 · ok 14 - creates a user and sends exactly…",
    "├ ✗ Lint                                      node         16.0 s  src/server.ts:14:3 'port' is never used",
    "│ ? Ship release 7?                           breakpoint           waiting for an answer",
    "└ ○ Review the change                         agent",
    `◷ Quiet hours                                 sleep      ${momentText(START + 12_600_000, START)}  sleeping`,
  ]);
});

test("groups within groups are drawn with their lines", () => {
  const run = new Recording().opened();
  for (const lane of [0, 1])
    for (const inner of [0, 1]) run.requested(`${lane}${inner}`, { scope: `par1[${lane}]/par1[${inner}]/` });
  run.requested("last", { scope: "par1[1]/" });
  const drawn = screenOf(run, { columns: 60, rows: 40 }).slice(1);
  expect(drawn.map((line) => line.slice(0, 22).trimEnd())).toEqual([
    "○ parallel 0/5",
    "├ ○ parallel 0/2",
    "│ ├ ○ 00",
    "│ └ ○ 01",
    "└ ○ parallel 0/2",
    "  ├ ○ 10",
    "  └ ○ 11",
    "  ○ last",
  ]);
});

test("retries say when and why; times of questions are how long they were open", () => {
  const run = new Recording().opened().requested("a").started("a").at(1).attemptFailed("a", 1, "no network", 4);
  run
    .at(1)
    .requested("q", { kind: "breakpoint", title: "Ship?" })
    .at(3)
    .done("q", { result: { value: { approved: true } } });
  const lines = screenOf(run, { columns: 100, rows: 10 });
  expect(lines[1]).toMatch(/^↻ a +shell +in 2 s {2}attempt 2 · no network$/);
  expect(lines[2]).toMatch(/^✓ Ship\? +breakpoint +2.0 s {2}approved$/);
});

test("finished groups collapse first, then finished effects become a count", () => {
  const run = new Recording().opened();
  for (let step = 0; step < 10; step += 1) run.requested(`s${step}`).started(`s${step}`).at(step).done(`s${step}`);
  for (let lane = 0; lane < 5; lane += 1) run.requested(`l${lane}`, { scope: `par1[${lane}]/` }).done(`l${lane}`);
  run.requested("now").started("now");
  const names = (rows: number): string[] =>
    screenOf(run, { columns: 60, rows }).map((line) => line.replace(/ {2,}.*/, ""));
  expect(names(18)).toHaveLength(18);
  expect(names(13)).toEqual([
    "release-7",
    ...Array.from({ length: 10 }, (_, step) => `✓ s${step}`),
    "✓ parallel 5/5",
    "⠋ now",
  ]);
  expect(names(6)).toEqual(["release-7", "… 8 done", "✓ s8", "✓ s9", "✓ parallel 5/5", "⠋ now"]);
  expect(names(3)).toEqual(["release-7", "… 15 done", "⠋ now"]);
});

test("what runs, failed or asks stays when the tree is far higher than the screen", () => {
  const run = wideRun(300, 100, 4).failed("t101", "no quota");
  run.requested("q", { kind: "breakpoint", title: "Go on?", scope: "par1[299]/" });
  const lines = screenOf(run, { columns: 80, rows: 12 });
  expect(lines).toHaveLength(12);
  const text = lines.join("\n");
  for (const shown of ["⠋ Translate [100]", "✗ Translate [101]", "⠋ Translate [102]", "⠋ Translate [103]", "? Go on?"])
    expect(text).toContain(shown);
  expect(text).toContain("parallel 100/301");
  expect(text).toMatch(/… \d+ done/);
});

test("when even that is too much, one row counts the rest", () => {
  const lines = screenOf(wideRun(300, 0, 200), { columns: 80, rows: 8 });
  expect(lines).toHaveLength(8);
  expect(lines.filter((line) => line.includes("⠋ Translate"))).toHaveLength(5);
  expect(lines.at(-1)).toMatch(/… 195 running, 100 queued/);
});

test("a screen of one line has the header only", () => {
  expect(screenOf(wideRun(20, 5, 5), { columns: 40, rows: 1 })).toEqual(["release-7  6/21 done  0 s"]);
});

test("every effect is either on the screen or counted", () => {
  fc.assert(
    fc.property(fc.nat(60), fc.nat(60), fc.nat(60), fc.integer({ min: 2, max: 40 }), (done, running, queued, rows) => {
      const lines = screenOf(wideRun(done + running + queued, done, running), { columns: 100, rows });
      expect(lines.length).toBeLessThanOrEqual(rows);
      const shown = lines.slice(1).filter((line) => /Translate|Prepare/.test(line)).length;
      const gaps = lines
        .filter((line) => line.includes("… "))
        .join(" ")
        .matchAll(/(\d+) (?:done|running|queued)/g);
      const counted = [...gaps].reduce((sum, [, number]) => sum + Number(number), 0);
      const isCollapsed = lines.some((line) => line.includes("parallel")) && !lines.some((line) => /[├└]/.test(line));
      expect(shown + counted + (isCollapsed ? done + running + queued : 0)).toBe(1 + done + running + queued);
    }),
  );
});

test("no line is wider than the screen and no control character gets through", () => {
  const anyText = fc.string({ unit: "binary", maxLength: 60 });
  const nasty = fc.constantFrom(
    "\u001b[2J",
    "\u001b]0;x\u0007",
    "日本語",
    "👩‍👩‍👧",
    "⚠️",
    "e\u0301",
    "\r",
    "\n",
    "\u202e",
    "\t",
    "\u009b1m",
  );
  const text = fc.array(fc.oneof(anyText, nasty), { maxLength: 5 }).map((parts) => parts.join(""));
  const sizes = { columns: fc.integer({ min: 1, max: 200 }), rows: fc.integer({ min: 1, max: 30 }) };
  fc.assert(
    fc.property(text, text, text, fc.record(sizes), (title, kind, line, size) => {
      const run = new Recording().opened(title).requested("a", { title, kind }).started("a").output("a", line);
      run.requested("b", { title, scope: "par1[0]/par1[0]/par1[0]/par1[0]/" }).failed("b", line);
      const lines = screenOf(run, size);
      expect(lines.length).toBeLessThanOrEqual(size.rows);
      for (const shown of lines) {
        expect(displayWidth(shown)).toBeLessThanOrEqual(size.columns);
        expect(shown).not.toMatch(/[\p{Cc}\u202a-\u202e\u2028\u2029]/u);
      }
    }),
  );
});

test("colours never change the text or its width", () => {
  const size = { columns: 80, rows: 24 };
  const painted = screenOf(busyRun(), size, { paint: marked });
  const text = painted.map((line) => line.replaceAll(/<\w+>|<\/>/g, "").trimEnd());
  expect(text).toEqual(screenOf(busyRun(), size));
  expect(painted.join("\n")).toContain("<red>✗</>");
});

test("widths are counted as terminals do, or higher", () => {
  expect(["abc", "日本", "e\u0301", "👍", "⚠️", "👩‍👩‍👧", "ｱ", "한글", "✓"].map(displayWidth)).toEqual([
    3, 4, 1, 2, 2, 6, 1, 4, 1,
  ]);
  expect(cutToWidth("日本語", 5, "…")).toBe("日本…");
  expect(cutToWidth("日本語", 4, "…")).toBe("日…");
  expect(cutToWidth("cafe\u0301s", 5, "…")).toBe("cafe\u0301s");
  expect(cutToWidth("cafe\u0301s!", 5, "…")).toBe("cafe\u0301…");
  expect(cutToWidth("abc", 0, "…")).toBe("");
});

test("texts from outside become one harmless line", () => {
  expect(oneLine("a\nb\tc\u001b[31md\r\u0007")).toBe(String.raw`a b c\x1b[31md\x0d\x07`);
  expect(toolLine("\u001b[32mok\u001b[0m 10 %\r\u001b[2Kok 20 %\r\n")).toBe("ok 20 %");
});

test("durations and moments are short", () => {
  expect([0, 400, 59_949, 59_950, 64_000, 3_600_000, 7_500_000, 273_600_000].map(durationText)).toEqual([
    "0.0 s",
    "0.4 s",
    "59.9 s",
    "1m 00s",
    "1m 04s",
    "1h 00m",
    "2h 05m",
    "3d 04h",
  ]);
  expect([-5, 999, 59_999, 60_000].map(elapsedText)).toEqual(["0 s", "0 s", "59 s", "1m 00s"]);
  const noon = new Date(2026, 2, 4, 12).getTime();
  expect([3_600_000, 86_400_000, 400 * 86_400_000].map((ms) => momentText(noon + ms, noon))).toEqual([
    "13:00:00",
    "Mar 5",
    "Apr 2027",
  ]);
});

test("symbols follow the environment", () => {
  expect(symbolsFor({ LANG: "de_DE.UTF-8", TERM: "xterm" })).toBe(UNICODE_SYMBOLS);
  expect(symbolsFor({ LC_ALL: "C.utf8" })).toBe(UNICODE_SYMBOLS);
  for (const env of [
    { LANG: "en_US.UTF-8", TERM: "linux" },
    { LANG: "en_US.UTF-8", LC_ALL: "C" },
    { LANG: "de_DE.ISO-8859-1" },
    {},
  ])
    expect(symbolsFor(env)).toBe(ASCII_SYMBOLS);
  const model = newProgressModel();
  for (const progress of busyRun().progress) takeProgress(model, progress, START);
  const ascii = renderTree(model, {
    columns: 60,
    rows: 8,
    nowMs: START,
    paint: plain,
    frame: 1,
    symbols: ASCII_SYMBOLS,
  });
  expect(ascii.join("\n")).toMatch(/^[ -~\n]*$/);
});
