import { describe, expect, it } from "vitest";
import { AskedRun } from "../../../../tests/fixtures/runs/asked-run.js";
import { type CommentPlace, commentBreakpoint } from "./comment-breakpoint.js";
import { decideBreakpoint } from "./decide-breakpoint.js";

const FILES = { "plan.md": "one\ntwo\nthree\nfour\n" };
const PAYLOAD = { question: "Approve the plan?", context: { files: ["plan.md", "gone.md"] } };
const SOURCE = { via: "web", verified: true } as const;

async function comment(run: AskedRun, text: string, place?: CommentPlace): Promise<unknown> {
  return commentBreakpoint(await run.journal(), {
    effectId: await run.effectId(),
    text,
    by: "mia",
    source: SOURCE,
    place,
  });
}

async function opened(): Promise<AskedRun> {
  const run = await AskedRun.begin({ payload: PAYLOAD, files: FILES });
  await run.open();
  return run;
}

it("C22: a comment that nobody could read is refused", async () => {
  const run = await opened();
  for (const text of ["", " \n", "\u200b\u2060", "\ufeff\u2003"])
    await expect(comment(run, text)).rejects.toThrow("The comment is empty.");
});

describe("comments on lines", () => {
  it("C22: they come back to the process with the lines as they were shown, whatever the file is now", async () => {
    const run = await opened();
    await comment(run, "not needed", { path: "plan.md", line: 2, endLine: 3 });
    await comment(run, "spelling", { path: "plan.md", line: 4 });
    await comment(run, "all of it", { path: "plan.md" });
    await comment(run, "in general");
    const { result } = await decideBreakpoint(await run.journal(), {
      effectId: await run.effectId(),
      decision: "reject",
      feedback: "see the comments",
      by: "mia",
      source: SOURCE,
    });
    const at = expect.any(String) as string;
    const said = { author: "mia", via: "web", verified: true, at };
    expect(result.comments).toEqual([
      { ...said, text: "not needed", path: "plan.md", line: 2, endLine: 3, quote: "two\nthree" },
      { ...said, text: "spelling", path: "plan.md", line: 4, quote: "four" },
      { ...said, text: "all of it", path: "plan.md" },
      { ...said, text: "in general" },
    ]);
    expect((await run.describe()).comments).toEqual(result.comments);
  });

  it.each<[string, CommentPlace, string]>([
    ["a file that is not shown", { path: "other.md", line: 1 }, 'shows no file "other.md"'],
    ["a file without content", { path: "gone.md", line: 1 }, "are not shown"],
    ["the other side where there is none", { path: "plan.md", side: "base", line: 1 }, "are not shown"],
    ["lines behind the end", { path: "plan.md", line: 4, endLine: 5 }, "has lines 1 to 4, not 4 to 5"],
    ["lines before the start", { path: "plan.md", line: 0 }, "has lines 1 to 4, not 0 to 0"],
    ["lines backwards", { path: "plan.md", line: 3, endLine: 2 }, "not 3 to 2"],
    ["half a line", { path: "plan.md", line: 1.5 }, "not 1.5 to 1.5"],
  ])("%s: refused, and nothing is recorded", async (_, place, problem) => {
    const run = await opened();
    await expect(comment(run, "here", place)).rejects.toThrow(problem);
    expect(await run.events("BREAKPOINT_COMMENTED")).toEqual([]);
  });

  it("of a file that is not shown it says which ones are", async () => {
    await expect(comment(await opened(), "here", { path: "other.md" })).rejects.toMatchObject({
      hint: expect.stringMatching(/^It shows: .*plan\.md/u) as string,
    });
  });
});
