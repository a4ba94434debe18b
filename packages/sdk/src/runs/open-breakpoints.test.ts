import fs from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { retry } from "../../../../tests/fixtures/replay/journal-views.js";
import { AskedRun, RUN } from "../../../../tests/fixtures/runs/asked-run.js";
import { postResult } from "./post-result.js";

const PLAN = { question: "Approve the plan?", context: { files: [{ path: "plan.md", format: "markdown" }] } };

describe("opening a question", () => {
  it("C7 C22: what people are shown is kept with its hash, once", async () => {
    const run = await AskedRun.begin({ payload: PLAN, files: { "plan.md": "# The plan\n" } });
    const [opened, ...others] = await run.open();
    expect(others).toEqual([]);
    expect(opened).toMatchObject({
      question: { question: "Approve the plan?" },
      shown: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
      files: [{ path: "plan.md", format: "markdown", bytes: 11 }],
    });
    const blob = opened?.files[0]?.blob as string;
    expect(JSON.parse(await run.ports.store.getBlob(RUN, blob))).toBe("# The plan\n");
    expect(await run.open()).toEqual([]);
    expect(await run.events("BREAKPOINT_OPENED")).toHaveLength(1);
    const { pending } = (await run.journal()).summary;
    expect(Object.values(pending)[0]?.shown).toBe(opened?.shown);
  });

  it("C7: the plugin document's own example is shown: plan, process and inputs", async () => {
    const files = [
      { path: "artifacts/plan.md", format: "markdown" },
      { path: "code/main.js", format: "code", language: "javascript" },
      { path: "inputs.json", format: "code", language: "json" },
    ];
    const payload = { question: "Approve the implementation plan?", title: "Plan Approval", context: { files } };
    const run = await AskedRun.begin({ payload, files: { "process.js": "export const process = 1;\n" } });
    fs.writeFileSync(path.join(run.runDir, "artifacts", "plan.md"), "# Plan\n");
    const texts = async (): Promise<unknown[]> =>
      (await run.describe()).files.map(({ path: name, text, now }) => [name, text, now]);
    const shown = [
      ["artifacts/plan.md", "# Plan\n"],
      ["code/main.js", "export const process = 1;\n"],
      ["inputs.json", "{}\n"],
    ];
    expect(await texts()).toEqual(shown.map(([name, text]) => [name, text, undefined]));
    fs.writeFileSync(run.path("process.js"), "export const process = 2;\n");
    expect(await texts()).toEqual(
      shown.map(([name, text]) => [name, text, name === "code/main.js" ? "changed" : undefined]),
    );
  });

  it("C22: several that open at the same time open once, and one of them is told so", async () => {
    const run = await AskedRun.begin({ payload: PLAN, files: { "plan.md": "x" } });
    const opened = await Promise.all(Array.from({ length: 8 }, () => run.open()));
    expect(opened.flat()).toHaveLength(1);
    expect(await run.events("BREAKPOINT_OPENED")).toHaveLength(1);
  });

  it("C22: the hash follows the question, its options, its risk and the files", async () => {
    const hashOf = async (payload: object, text = "same"): Promise<string> => {
      const run = await AskedRun.begin({ payload, files: { "plan.md": text } });
      return (await run.open())[0]?.shown as string;
    };
    const base = await hashOf(PLAN);
    expect(await hashOf(PLAN)).toBe(base);
    const others = await Promise.all([
      hashOf(PLAN, "other"),
      hashOf({ ...PLAN, question: "Approve?" }),
      hashOf({ ...PLAN, title: "T" }),
      hashOf({ ...PLAN, options: ["a"] }),
      hashOf({ ...PLAN, options: [{ label: "a", style: "danger" }] }),
      hashOf({ ...PLAN, risk: "high" }),
      hashOf({ ...PLAN, consequences: { approve: "it is deployed" } }),
      hashOf({ ...PLAN, context: { files: ["gone.md"] } }),
      hashOf({ ...PLAN, context: {} }),
    ]);
    expect(new Set([base, ...others]).size).toBe(others.length + 1);
  });

  it("C22: of many files the first two hundred are shown, and the rest is said", async () => {
    const names = Array.from({ length: 203 }, (_, index) => `f${index}.txt`);
    const run = await AskedRun.begin({
      payload: { question: "All?", context: { files: names } },
      files: Object.fromEntries(names.map((name) => [name, name])),
    });
    const files = (await run.open())[0]?.files ?? [];
    expect(files).toHaveLength(201);
    expect(files[199]).toMatchObject({ path: "f199.txt", bytes: 8 });
    expect(files[200]).toEqual({ path: "3 more files", refused: "only 200 files are shown" });
  });

  it("C22: a question whose files are too large together keeps the first of them, and the hashes of the rest", async () => {
    const names = ["a.txt", "b.txt", "c.txt", "d.txt", "e.txt", "f.txt"];
    const run = await AskedRun.begin({
      payload: { question: "All?", context: { files: names } },
      files: Object.fromEntries(names.map((name) => [name, name.charAt(0).repeat(15 * 1024 * 1024)])),
    });
    const files = (await run.open())[0]?.files ?? [];
    expect(files.map(({ blob, sha256, bytes }) => [blob !== undefined, sha256 !== undefined, bytes])).toEqual(
      names.map((_, n) => [n < 4, true, 15 * 1024 * 1024]),
    );
    expect(files[5]?.refused).toBe("the files of this question are too large together");
  });

  it("C7 C22: files that cannot be shown are named with the reason", async () => {
    const run = await AskedRun.begin({
      payload: {
        question: "Look",
        context: { files: [".env", "gone.md", "../x", { path: "a.bin" }, { nothing: 1 }, 5] },
      },
      files: { ".env": "A=1", "a.bin": new Uint8Array([0, 1, 2]) },
    });
    const files = (await run.open())[0]?.files ?? [];
    expect(files.map(({ path: name, refused }) => [name, refused])).toEqual([
      [".env", "its name suggests that it contains secrets"],
      ["gone.md", "missing"],
      ["../x", "outside the project"],
      ["a.bin", "not text"],
    ]);
    expect(files.map(({ blob }) => blob)).toEqual([undefined, undefined, undefined, undefined]);
    const blobs = path.join(run.runDir, "blobs");
    const kept = fs.existsSync(blobs)
      ? fs.readdirSync(blobs).map((name) => fs.readFileSync(path.join(blobs, name), "utf8"))
      : [];
    expect(kept.join("")).not.toContain("A=1");
  });

  it("C22: a file that changes after asking is shown as it was, and said to have changed", async () => {
    const run = await AskedRun.begin({ payload: PLAN, files: { "plan.md": "before" } });
    await run.open();
    expect((await run.describe()).files).toMatchObject([{ text: "before" }]);
    expect((await run.describe()).files[0]).not.toHaveProperty("now");
    fs.writeFileSync(run.path("plan.md"), "after");
    expect((await run.describe()).files).toMatchObject([{ text: "before", now: "changed" }]);
    fs.rmSync(run.path("plan.md"));
    expect((await run.describe()).files).toMatchObject([{ text: "before", now: "missing" }]);
    fs.symlinkSync("/etc/passwd", run.path("plan.md"));
    expect((await run.describe()).files).toMatchObject([{ text: "before", now: "outside the project" }]);
  });

  it("C22: looking at a question opens it; looking at an answered one writes nothing", async () => {
    const run = await AskedRun.begin({ payload: PLAN, files: { "plan.md": "x" } });
    const looked = await run.describe();
    expect(looked).toMatchObject({ state: "open", files: [{ text: "x" }], result: null });
    expect((await run.events("BREAKPOINT_OPENED"))[0]?.payload.shown).toBe(looked.shown);
    await postResult(await run.journal(), {
      effectId: await run.effectId(),
      result: { status: "ok", value: { approved: true } },
    });
    fs.writeFileSync(run.path("plan.md"), "later");
    expect(await run.describe()).toMatchObject({ state: "approved", files: [{ text: "x" }], shown: looked.shown });
    expect(await run.events("BREAKPOINT_OPENED")).toHaveLength(1);
  });

  it("C22: a damaged copy hides neither the question nor that it is damaged", async () => {
    const run = await AskedRun.begin({ payload: PLAN, files: { "plan.md": "before" } });
    const [opened] = await run.open();
    fs.writeFileSync(path.join(run.runDir, "blobs", `${opened?.files[0]?.blob}.json`), '"forged"');
    const { question, files } = await run.describe();
    expect(question).toBe("Approve the plan?");
    expect(files[0]?.refused).toContain("its recorded copy cannot be read");
    expect(files[0]).not.toHaveProperty("text");
  });

  it("C22: a question that is asked again gets a new picture", async () => {
    const run = await AskedRun.begin({ payload: PLAN, files: { "plan.md": "first" } });
    const [first] = await run.open();
    const effectId = await run.effectId();
    await postResult(await run.journal(), { effectId, result: { status: "error", error: "nobody is here" } });
    await run.iterate();
    fs.writeFileSync(run.path("plan.md"), "second");
    await retry(run);
    await run.iterate();
    const [second] = await run.open();
    expect(second?.pending.effectId).toBe(effectId);
    expect(second?.shown).not.toBe(first?.shown);
    expect((await run.describe()).files).toMatchObject([{ text: "second" }]);
  });

  it("C22: a cancelled run opens nothing", async () => {
    const run = await AskedRun.begin({ payload: PLAN });
    const journal = await run.journal();
    await journal.commit((_, appended) =>
      appended.length > 0 ? [] : [{ type: "RUN_CANCELLED", timestamp: new Date(0).toISOString(), payload: {} }],
    );
    expect(await run.open()).toEqual([]);
  });
});
