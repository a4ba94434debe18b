import { describe, expect, it } from "vitest";
import type { FileHead } from "../../wire/inbox-wire.js";
import { firstView, isNew, sizeOf, viewsOf } from "./file-views.js";

const head = (more: Partial<FileHead>): FileHead => ({ n: 0, path: "src/a.ts", bytes: 100, comparisons: [], ...more });
const base = { side: "base", label: "HEAD", bytes: 90 } as const;
const MARKDOWN = { path: "plan.md", format: "markdown" };

describe("firstView", () => {
  it("B2: is the difference, until it is known that there is none", () => {
    const file = head({ ...MARKDOWN, comparisons: [base] });
    expect(viewsOf(file, "")).toEqual(["difference", "file", "rendered"]);
    expect(firstView(file, "", undefined)).toBe("difference");
    expect(firstView(file, "", true)).toBe("difference");
    expect(firstView(file, "", false)).toBe("rendered");
  });

  it("is the rendered text of new Markdown, and the colours of a log", () => {
    const fresh = head({ ...MARKDOWN, comparisons: [{ ...base, refused: "missing" }] });
    expect(isNew(fresh)).toBe(true);
    expect(firstView(fresh, "", undefined)).toBe("rendered");
    expect(firstView(head({ path: "out.txt" }), "\u001b[31mred", undefined)).toBe("log");
    expect(firstView(head({ path: "out.log" }), "", undefined)).toBe("log");
    expect(firstView(head({}), "", undefined)).toBe("file");
  });

  it("neither compares nor renders by itself what is large", () => {
    expect(firstView(head({ bytes: 5e6, comparisons: [base] }), "", undefined)).toBe("file");
    expect(firstView(head({ ...MARKDOWN, bytes: 5e6 }), "", undefined)).toBe("file");
  });

  it("shows what a deleted file was, and nothing of a file that is refused", () => {
    expect(firstView(head({ refused: "missing", comparisons: [base] }), "", undefined)).toBe("difference");
    expect(firstView(head({ refused: "missing", comparisons: [{ ...base, bytes: 5e6 }] }), "", undefined)).toBe(
      "difference",
    );
    expect(firstView(head({ refused: "not text", comparisons: [base] }), "", undefined)).toBeUndefined();
    expect(viewsOf(head({ refused: "missing" }), "")).toEqual([]);
    expect(viewsOf(head({ cutAt: 50, comparisons: [base] }), "")).toEqual(["file"]);
  });
});

it("names sizes", () => {
  expect([1, 1_023, 1_024, 20_480, 16 * 1024 * 1024, 1_500_000].map(sizeOf)).toEqual([
    "1 byte",
    "1023 bytes",
    "1.0 KiB",
    "20 KiB",
    "16 MiB",
    "1.4 MiB",
  ]);
});
