import { describe, expect, it } from "vitest";
import { failureCount } from "./failure-count.js";
import { failureLines, failureSignature } from "./failure-signature.js";

const same = (text: string): string => text;

describe("the signature of a failure", () => {
  it.each([
    ["colours", "\u001B[31mError:\u001B[0m no", "Error: no"],
    ["dates", "Error at 2026-01-02T03:04:05.678Z", "Error at 2025-12-31T23:59:59Z"],
    ["clock times", "[10:11:12] error", "[03:04:05] error"],
    ["durations", "not ok 1 - a (12.5ms) in 3 s", "not ok 1 - a (9ms) in 10.25 s"],
    ["reported durations", "duration_ms 12.3 failed", "duration_ms 44 failed"],
    ["hex", "error in 0xdeadbeef of 4f3a9c21", "error in 0x1234 of 00ff00aa11"],
    ["uuids", "error 123e4567-e89b-12d3-a456-426614174000", "error 00000000-0000-4000-8000-000000000000"],
    ["temporary paths", "ENOENT error, open '/tmp/a-1/b.txt'", "ENOENT error, open '/var/folders/x/y'"],
    ["places", "a.ts:10:5 - error TS1: x", "a.ts:99:1 - error TS1: x"],
    ["places in brackets", "a.ts(10,5): error TS1", "a.ts(1,25): error TS1"],
    ["words for places", "error on line 12", "error on line 4"],
    ["process ids", "error: pid 123", "error: pid 99999"],
    ["node's warnings", "(node:123) error", "(node:4567) error"],
    ["ports", "connect error 127.0.0.1:3000 localhost:99", "connect error 127.0.0.1:41234 localhost:8080"],
    ["the order of lines", "fail a\nfail b", "fail b\nok\nfail a"],
    ["how often a line comes", "fail a\nfail a", "fail a"],
    ["what a progress bar wrote over", "10%\r50%\rerror x", "99%\rerror x"],
    ["line ends", "error a\r\nerror b\r\n", "error a\nerror b\n"],
    ["lines without failures", "ok 1\nerror x", "ok 2\nok 3\nerror x"],
  ])("does not depend on %s", (_what, one, other) => {
    expect(failureSignature("c", 1, one, same)).toBe(failureSignature("c", 1, other, same));
  });

  it("depends on the criterion, the exit code, and what failed", () => {
    const texts = [
      failureSignature("c", 1, "error x", same),
      failureSignature("d", 1, "error x", same),
      failureSignature("c", 2, "error x", same),
      failureSignature("c", null, "error x", same),
      failureSignature("c", 1, "error y", same),
      failureSignature("c", 1, "3 failed", same),
      failureSignature("c", 1, "4 failed", same),
    ];
    expect(new Set(texts).size).toBe(texts.length);
  });

  it("is made of the last lines when none tells of a failure", () => {
    const lines = Array.from({ length: 30 }, (_each, at) => `word-${String.fromCodePoint(97 + at)}`);
    expect(failureLines(lines.join("\n"))).toEqual(lines.slice(-10).toSorted());
  });

  it("comes soon for a lot of output, and for hostile lines", () => {
    const hostile = [`error ${"a".repeat(1_000_000)}`, "1 a, ".repeat(100_000), `error ${"::1:".repeat(50_000)}`];
    for (const output of [...hostile, "error x\n".repeat(200_000)]) {
      expect(failureLines(output).length).toBeLessThanOrEqual(400);
      failureCount(output);
    }
  });
});

describe("the number of failures", () => {
  it.each([
    ["node:test", "# tests 5\n# pass 3\n# fail 2\n# cancelled 0", 2],
    ["node:test for people", "ℹ tests 5\nℹ pass 5\nℹ fail 0", 0],
    ["vitest", " Test Files  1 failed | 2 passed (3)\n      Tests  4 failed | 9 passed (13)\n", 4],
    ["vitest in colours", "\u001B[2m      Tests \u001B[22m \u001B[32m9 passed\u001B[39m (9)", 0],
    ["jest", "Test Suites: 1 failed, 1 total\nTests:       2 failed, 1 skipped, 3 passed, 6 total", 2],
    ["jest without failures", "Tests:       3 passed, 3 total", 0],
    ["mocha", "  3 passing (12ms)\n  1 pending\n  2 failing\n", 2],
    ["mocha without failures", "  3 passing (12ms)\n", 0],
    ["pytest", "==== 2 failed, 3 passed, 1 warning, 1 error in 0.12s ====", 3],
    ["pytest -q", "5 passed in 0.03s", 0],
    ["cargo", "test result: FAILED. 3 passed; 2 failed; 0 ignored\ntest result: ok. 1 passed; 0 failed; 0 ignored", 2],
    ["cargo that does not compile", "error: could not compile `x` (lib) due to 3 previous errors", 3],
    ["go", "--- FAIL: TestA (0.00s)\n    --- FAIL: TestA/sub\n--- FAIL: TestB (0.00s)\nFAIL\n", 2],
    ["go without failures", "ok  \texample.com/a\t0.003s\nok  \texample.com/b\t(cached)", 0],
    ["tsc", "a.ts(1,2): error TS2304: x\nb.ts(3,4): error TS2304: y\n", 2],
    ["tsc --pretty", "\na.ts:1:2 - error TS1: x\n\nFound 3 errors in 2 files.\n", 3],
    ["eslint", "\n✖ 3 problems (2 errors, 1 warning)\n", 2],
    ["biome", "Checked 3 files in 1ms.\nFound 4 errors.\n", 4],
    ["oxlint", "Found 1 warning and 2 errors.\n", 2],
    ["TAP", "TAP version 13\n1..3\nok 1\nnot ok 2\nnot ok 3 # TODO later\n", 1],
    ["TAP without failures", "1..1\nok 1\n", 0],
    ["rspec", "12 examples, 1 failure\n", 1],
    ["Maven", "[ERROR] Tests run: 5, Failures: 1, Errors: 2, Skipped: 0", 3],
    ["two tools", "Found 1 error.\n# fail 2\n", 3],
    ["something else", "all is well\n12 things failed to impress\n", undefined],
    ["nothing", "", undefined],
  ])("is read from %s", (_tool, output, count) => {
    expect(failureCount(output)).toBe(count);
  });
});
