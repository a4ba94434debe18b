import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { AskedRun } from "../../../../tests/fixtures/runs/asked-run.js";
import type { BaseFile } from "../model/ports.js";
import { localContextFiles } from "./context-files.js";

/** A project whose files are committed as they are. */
async function committed(files: Record<string, string | Uint8Array>): Promise<AskedRun> {
  const run = await AskedRun.begin({ files });
  git(run, "init", "--quiet");
  commit(run);
  return run;
}

function git(run: AskedRun, ...args: string[]): string {
  return execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@localhost", ...args], {
    cwd: run.project,
    encoding: "utf8",
  }).trim();
}

function commit(run: AskedRun): string {
  git(run, "add", "--all", "--force");
  git(run, "commit", "--quiet", "--message", "as it is", "--no-verify");
  return git(run, "rev-parse", "HEAD");
}

async function bases(run: AskedRun, ...asked: [path: string, ref?: string][]): Promise<(BaseFile | undefined)[]> {
  return localContextFiles.bases(
    asked.map(([name, ref = "HEAD"]) => ({ path: name, ref })),
    { runDir: run.runDir, projectRoot: run.project },
  );
}

describe("what the files of a question are compared with", () => {
  it("C22: files as they are in a commit: changed, deleted, new, in folders, by any name", async () => {
    const run = await committed({ "plan.md": "one\n", "docs/ä b.md": "two", "gone.md": "three" });
    const head = git(run, "rev-parse", "HEAD");
    fs.writeFileSync(run.path("plan.md"), "changed");
    fs.writeFileSync(run.path("new.md"), "new");
    fs.rmSync(run.path("gone.md"));
    expect(
      await bases(
        run,
        ["plan.md"],
        ["docs/ä b.md"],
        ["gone.md"],
        ["new.md"],
        [run.path("plan.md")],
        ["docs/../plan.md"],
      ),
    ).toMatchObject([
      { ref: "HEAD", commit: head, text: "one\n", bytes: 4 },
      { text: "two" },
      { text: "three" },
      { commit: head, refused: "missing" },
      { text: "one\n" },
      { text: "one\n" },
    ]);
  });

  it("C22: any revision can be named, and one that does not exist is said so", async () => {
    const run = await committed({ "plan.md": "first" });
    git(run, "tag", "v1");
    fs.writeFileSync(run.path("plan.md"), "second");
    commit(run);
    const refs = ["v1", "HEAD~1", "HEAD", "main@{9}", "nonsense"];
    const found = await bases(run, ...refs.map((ref): [string, string] => ["plan.md", ref]));
    expect(found.map((file) => (file !== undefined && "text" in file ? file.text : file?.refused))).toEqual([
      "first",
      "first",
      "second",
      "no such revision",
      "no such revision",
    ]);
  });

  it("C22: nothing secret, outside, or smuggled in by a revision or a name is read", async () => {
    const run = await committed({ ".env": "KEY=1", "a.txt": "fine", "sub/.ssh/id_rsa": "key" });
    fs.symlinkSync(".env", run.path("link.txt"));
    commit(run);
    const hostile: [string, string?][] = [
      [".env"],
      ["x/../.ENV"],
      ["sub/.ssh/id_rsa"],
      ["../a.txt"],
      ["/etc/passwd"],
      ["a.txt\nHEAD:.env"],
      [""],
    ];
    expect(await bases(run, ...hostile)).toEqual(hostile.map(() => undefined));
    const refs = ["HEAD:.env\nHEAD", "--help", "HEAD:.env", "-", "", "HEAD^{tree}", "a b", "HEAD:./sub/.ssh/id_rsa\0"];
    for (const file of await bases(run, ...refs.map((ref): [string, string] => ["a.txt", ref])))
      expect(file).toEqual({ ref: expect.any(String) as string, refused: "no such revision" });
    // Of a link a commit has only where it leads.
    expect(await bases(run, ["link.txt"])).toMatchObject([{ text: ".env" }]);
  });

  it("C22: files of the run, folders, and what is no text have no content to compare with", async () => {
    const run = await committed({ "a.bin": new Uint8Array([0, 1]), "docs/x.md": "x" });
    fs.writeFileSync(path.join(run.runDir, "own.md"), "of the run");
    expect(await bases(run, ["own.md"], ["docs"], ["a.bin"])).toMatchObject([
      undefined,
      { refused: "missing" },
      { refused: "not text", bytes: 2 },
    ]);
  });

  it("C22: without a repository, or without git, nothing is compared", async () => {
    const run = await AskedRun.begin({ files: { "plan.md": "x" } });
    expect(await bases(run, ["plan.md"])).toEqual([undefined]);
    git(run, "init", "--quiet");
    expect(await bases(run, ["plan.md"])).toEqual([{ ref: "HEAD", refused: "no such revision" }]);
  });

  it("C22: a question keeps both sides, also when the commit is gone", async () => {
    const payload = { question: "Merge?", context: { files: ["plan.md", { path: "old.md", base: "v0" }, "new.md"] } };
    const run = await AskedRun.begin({ payload, files: { "plan.md": "a\nb\n", "old.md": "o", "new.md": "n" } });
    git(run, "init", "--quiet");
    git(run, "add", "plan.md", "old.md");
    git(run, "commit", "--quiet", "--message", "first");
    fs.writeFileSync(run.path("plan.md"), "a\nc\n");
    await run.open();
    fs.rmSync(run.path(".git"), { recursive: true });
    const { files } = await run.describe();
    expect(files).toMatchObject([
      { path: "plan.md", text: "a\nc\n", base: { ref: "HEAD", text: "a\nb\n" } },
      { path: "old.md", text: "o", base: { ref: "v0", refused: "no such revision" } },
      { path: "new.md", text: "n", base: { ref: "HEAD", refused: "missing" } },
    ]);
  });
});
