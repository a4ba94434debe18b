/** Real repositories and folders. What the user's git has must be the same before and after. */
import { execFileSync } from "node:child_process";
import crypto from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { tempDir } from "../../../../tests/fixtures/temp-dir.js";
import { type TreeHash, treeHash } from "./tree-hash.js";

let base = "";
let root = "";
let cache = "";

beforeEach(() => {
  base = tempDir();
  root = path.join(base, "project");
  cache = path.join(base, "cache");
  fs.mkdirSync(root);
});

function git(...args: string[]): string {
  return gitIn(root, ...args);
}

function gitIn(cwd: string, ...args: string[]): string {
  const identity = ["-c", "user.name=n", "-c", "user.email=e@x", "-c", "protocol.file.allow=always"];
  const env = { PATH: process.env["PATH"], HOME: base, GIT_CONFIG_NOSYSTEM: "1" };
  return execFileSync("git", [...identity, ...args], { cwd, env, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
}

function write(name: string, content: string | Buffer, mode = 0o644): void {
  const file = path.join(root, name);
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, content);
  fs.chmodSync(file, mode);
}

/** Files whose times lie so far back that nothing has to be read twice. */
function age(...names: string[]): void {
  const then = new Date(Date.now() - 3_600_000);
  for (const name of names) fs.lutimesSync(path.join(root, name), then, then);
}

const hash = (): Promise<TreeHash> => treeHash(root, cache);
/** What a process that has never seen the folder says. */
const fresh = (): Promise<TreeHash> => treeHash(root, path.join(base, `cache-${crypto.randomUUID()}`));

/** The hash with the cache, which must be that of a process without one. */
async function now(by: TreeHash["by"] = "git"): Promise<string> {
  const [known, unknown] = [await hash(), await fresh()];
  expect(known).toEqual(unknown);
  expect(known.by).toBe(by);
  return known.hash;
}

/** True when what `change` does is seen, and forgotten when `back` has undone it. */
async function sees(change: () => void, back: () => void, by: TreeHash["by"] = "git"): Promise<boolean> {
  const before = await now(by);
  change();
  const changed = await now(by);
  back();
  expect(await now(by)).toBe(before);
  return changed !== before;
}

/** All files below a folder with their bytes and times. */
function everythingIn(dir: string): Record<string, string> {
  const names = fs.readdirSync(dir, { recursive: true, encoding: "utf8" }).toSorted();
  return Object.fromEntries(
    names.map((name) => {
      const file = path.join(dir, name);
      const { mtimeMs, mode, ino } = fs.lstatSync(file);
      return [name, `${mtimeMs} ${mode} ${ino} ${fs.lstatSync(file).isFile() ? sha(fs.readFileSync(file)) : ""}`];
    }),
  );
}

const sha = (bytes: Buffer): string => crypto.createHash("sha256").update(bytes).digest("hex");

function commitSomething(): void {
  git("init", "-q");
  write("a.txt", "one\n");
  write("src/b.sh", "echo two\n", 0o755);
  write(".gitignore", "ignored/\n*.tmp\n");
  write("ignored/x", "x");
  git("add", "-A");
  git("commit", "-qm", "first");
}

describe("in a repository", () => {
  beforeEach(commitSomething);

  it.each<[string, () => void, () => void]>([
    ["a changed file", () => write("a.txt", "two\n"), () => write("a.txt", "one\n")],
    ["a new file", () => write("new/n.txt", ""), () => fs.rmSync(path.join(root, "new"), { recursive: true })],
    ["a missing file", () => fs.rmSync(path.join(root, "a.txt")), () => write("a.txt", "one\n")],
    ["a file that became executable", () => write("a.txt", "one\n", 0o755), () => write("a.txt", "one\n")],
    [
      "a folder in the place of a file",
      () => {
        fs.rmSync(path.join(root, "a.txt"));
        write("a.txt/inner", "one\n");
      },
      () => {
        fs.rmSync(path.join(root, "a.txt"), { recursive: true });
        write("a.txt", "one\n");
      },
    ],
    [
      "a link in the place of a file",
      () => {
        fs.rmSync(path.join(root, "a.txt"));
        fs.symlinkSync("src/b.sh", path.join(root, "a.txt"));
      },
      () => {
        fs.rmSync(path.join(root, "a.txt"));
        write("a.txt", "one\n");
      },
    ],
    [
      "a link in the place of a folder of tracked files",
      () => {
        fs.renameSync(path.join(root, "src"), path.join(base, "elsewhere"));
        fs.symlinkSync(path.join(base, "elsewhere"), path.join(root, "src"));
      },
      () => {
        fs.rmSync(path.join(root, "src"));
        fs.renameSync(path.join(base, "elsewhere"), path.join(root, "src"));
      },
    ],
    [
      "a name with a line end, a quote and bytes that are no UTF-8",
      () => fs.writeFileSync(Buffer.from(`${root}/li\nne"\u00ff`, "latin1"), "x"),
      () => fs.rmSync(Buffer.from(`${root}/li\nne"\u00ff`, "latin1")),
    ],
    [
      "a name that git does not take",
      () => write(".GIT/config", "[core]\n"),
      () => fs.rmSync(path.join(root, ".GIT"), { recursive: true }),
    ],
    [
      "a lock file that git ignores",
      () => {
        write(".gitignore", "ignored/\n*.tmp\npackage-lock.json\n");
        write("package-lock.json", "{}");
      },
      () => {
        write(".gitignore", "ignored/\n*.tmp\n");
        fs.rmSync(path.join(root, "package-lock.json"));
      },
    ],
  ])("sees %s, and that it is undone", async (_what, change, back) => {
    expect(await hash()).toMatchObject({ by: "git", hash: expect.stringMatching(/^[0-9a-f]{64}$/u) });
    expect(await sees(change, back)).toBe(true);
  });

  it("sees line ends, though git is told to level them", async () => {
    write(".gitattributes", "* text=auto eol=lf ident\n");
    const change = (): void => write("a.txt", "one\r\n");
    expect(await sees(change, () => write("a.txt", "one\n"))).toBe(true);
  });

  it("sees each change of an ignored lock file", async () => {
    write(".gitignore", "*.lock\n");
    write("yarn.lock", "1");
    expect(
      await sees(
        () => write("yarn.lock", "2"),
        () => write("yarn.lock", "1"),
      ),
    ).toBe(true);
  });

  it.each([
    ["ignored files", "ignored/y"],
    ["files of runs", ".a5c/runs/r1/journal/1.json"],
    ["files of runs in a project below", "packages/p/.a5c/runs/r1/x"],
    ["the view of a loop", ".loop/state.json"],
  ])("does not count %s", async (_what, name) => {
    const before = await now();
    write(name, "new");
    expect(await now()).toBe(before);
    git("add", "-f", "--", ...(name.startsWith("ignored") ? [] : [name]));
    expect(await now()).toBe(before);
  });

  it("does not count its own cache inside the project", async () => {
    const inside = path.join(root, "cache[1]");
    const first = await treeHash(root, inside);
    expect(await treeHash(root, inside)).toEqual(first);
    fs.rmSync(inside, { recursive: true });
    expect(await fresh()).toEqual(first);
  });

  it("counts ignored files that are tracked, from when they are to when they are not", async () => {
    const before = await now();
    git("add", "-f", "ignored/x");
    const tracked = await now();
    write("ignored/x", "y");
    expect(new Set([before, tracked, await now()]).size).toBe(3);
    git("rm", "-qf", "--cached", "ignored/x");
    expect(await now()).toBe(before);
  });

  it("does not count a file from when it is ignored", async () => {
    const before = await now();
    write("later.log", "x");
    await now();
    fs.writeFileSync(path.join(root, ".git", "info", "exclude"), "later.log\n");
    expect(await now()).toBe(before);
  });

  it("is the same before and after a commit of the same files", async () => {
    write("c.txt", "three\n");
    const before = await now();
    git("add", "-A");
    git("commit", "-qm", "second");
    expect(await now()).toBe(before);
  });

  it("sees a file that was deleted, restored and deleted again while it is tracked", async () => {
    const before = await now();
    fs.rmSync(path.join(root, "a.txt"));
    const without = await now();
    write("a.txt", "one\n");
    expect(await now()).toBe(before);
    fs.rmSync(path.join(root, "a.txt"));
    expect(await now()).toBe(without);
  });

  it("sees a change of equal length in the same moment as the file that it replaces", async () => {
    for (let round = 0; round < 6; round += 1) {
      write("a.txt", "aaaa\n");
      const first = (await hash()).hash;
      write("a.txt", "bbbb\n");
      expect((await hash()).hash).not.toBe(first);
    }
  });

  it("does not read files again that have not changed", async () => {
    age("a.txt", "src/b.sh", ".gitignore");
    const first = await hash();
    const { atimeMs } = fs.statSync(path.join(root, "a.txt"));
    const index = (): string[] => fs.readdirSync(cache).filter((name) => name.startsWith("index-"));
    const before = index();
    expect(await hash()).toEqual(first);
    expect(index()).toEqual(before);
    expect(fs.statSync(path.join(root, "a.txt")).atimeMs).toBe(atimeMs);
  });

  it("dates its index before the files that it was made of, so that git reads them again", async () => {
    await hash();
    write("a.txt", "two\n");
    await hash();
    const index = fs.readdirSync(cache).find((name) => name.startsWith("index-")) as string;
    const dated = fs.statSync(path.join(cache, index)).mtimeMs;
    expect(dated).toBeLessThan(fs.statSync(path.join(root, "a.txt")).mtimeMs - 1000);
  });

  it("leaves index, objects, refs and settings of the user as they are, to the time stamp", async () => {
    write("a.txt", "changed\n");
    write("untracked.txt", "new\n");
    git("add", "a.txt");
    write("a.txt", "changed again\n");
    const status = git("--no-optional-locks", "status", "--porcelain");
    const before = everythingIn(path.join(root, ".git"));
    await now();
    write("a.txt", "and again\n");
    await now();
    expect(everythingIn(path.join(root, ".git"))).toEqual(before);
    expect(git("--no-optional-locks", "status", "--porcelain")).toBe(status);
  });

  it("runs no filter, hook or watcher that the repository names", async () => {
    const trap = path.join(base, "trap.sh");
    fs.writeFileSync(trap, `#!/bin/sh\necho "$0 $*" >>${base}/trapped\ncat\n`, { mode: 0o755 });
    git("config", "filter.evil.clean", trap);
    git("config", "filter.evil.process", trap);
    git("config", "filter.evil.required", "true");
    git("config", "core.fsmonitor", trap);
    git("config", "core.hooksPath", base);
    fs.copyFileSync(trap, path.join(base, "post-index-change"));
    write(".gitattributes", "* filter=evil\n");
    write("a.txt", "filtered?\n");
    await now();
    write("a.txt", "filtered!\n");
    await now();
    expect(fs.existsSync(path.join(base, "trapped"))).toBe(false);
  });

  it("is not misled by an environment that names another repository", async () => {
    const before = await now();
    process.env["GIT_DIR"] = path.join(base, "nowhere");
    process.env["GIT_INDEX_FILE"] = path.join(base, "no-index");
    try {
      expect(await now()).toBe(before);
    } finally {
      delete process.env["GIT_DIR"];
      delete process.env["GIT_INDEX_FILE"];
    }
  });

  it("passes over sockets and pipes", async () => {
    const before = await now();
    execFileSync("mkfifo", [path.join(root, "pipe")]);
    expect(await now()).toBe(before);
  });
});

describe("kinds of repositories", () => {
  it("hashes a fresh one without a commit", async () => {
    git("init", "-q");
    write("a.txt", "one\n");
    expect(await hash()).toMatchObject({ by: "git" });
    expect(
      await sees(
        () => write("a.txt", "two\n"),
        () => write("a.txt", "one\n"),
      ),
    ).toBe(true);
  });

  it("hashes a linked worktree", async () => {
    commitSomething();
    const main = await now();
    git("worktree", "add", "-q", path.join(base, "linked"));
    fs.mkdirSync(path.join(base, "linked", "ignored"));
    root = path.join(base, "linked");
    expect(await hash()).toEqual({ by: "git", hash: main });
    expect(
      await sees(
        () => write("a.txt", "two\n"),
        () => write("a.txt", "one\n"),
      ),
    ).toBe(true);
  });

  it("hashes only what is below the root when that is inside a repository", async () => {
    commitSomething();
    const top = root;
    root = path.join(top, "src");
    const before = await now();
    expect((await hash()).by).toBe("git");
    fs.writeFileSync(path.join(top, "a.txt"), "outside\n");
    expect(await now()).toBe(before);
    expect(
      await sees(
        () => write("b.sh", "echo three\n", 0o755),
        () => write("b.sh", "echo two\n", 0o755),
      ),
    ).toBe(true);
  });

  it("walks a folder that the repository around it ignores", async () => {
    commitSomething();
    root = path.join(root, "ignored");
    expect(
      await sees(
        () => write("x", "y"),
        () => write("x", "x"),
        "walk",
      ),
    ).toBe(true);
  });

  it("sees uncommitted work in a submodule, and in a repository that is none", async () => {
    const other = path.join(base, "other");
    fs.mkdirSync(other);
    gitIn(other, "init", "-q");
    fs.writeFileSync(path.join(other, "o.txt"), "o\n");
    gitIn(other, "add", "-A");
    gitIn(other, "commit", "-qm", "o");
    commitSomething();
    git("submodule", "add", "-q", other, "sub");
    git("commit", "-qm", "with a submodule");
    fs.cpSync(other, path.join(root, "clone"), { recursive: true });
    for (const name of ["sub/o.txt", "clone/o.txt"])
      expect(
        await sees(
          () => write(name, "changed\n"),
          () => write(name, "o\n"),
        ),
      ).toBe(true);
    const whole = await now();
    fs.rmSync(path.join(root, "clone"), { recursive: true });
    fs.rmSync(path.join(root, "sub"), { recursive: true });
    const none = await now();
    expect(none).not.toBe(whole);
    git("submodule", "update", "-q", "--init");
    fs.cpSync(other, path.join(root, "clone"), { recursive: true });
    expect(await now()).toBe(whole);
  });

  it("does not miss files that a sparse checkout leaves out", async () => {
    commitSomething();
    git("sparse-checkout", "set", "--no-cone", "/a.txt");
    expect(fs.existsSync(path.join(root, "src", "b.sh"))).toBe(false);
    expect(
      await sees(
        () => write("a.txt", "two\n"),
        () => write("a.txt", "one\n"),
      ),
    ).toBe(true);
  });

  it("sees files that git was told to skip while they are there", async () => {
    commitSomething();
    write("package-lock.json", "1");
    git("add", "package-lock.json");
    git("update-index", "--skip-worktree", "a.txt", "package-lock.json");
    for (const [name, first] of [
      ["a.txt", "one\n"],
      ["package-lock.json", "1"],
    ] as const)
      expect(
        await sees(
          () => write(name, "two\n"),
          () => write(name, first),
        ),
      ).toBe(true);
  });
});

describe("the cache", () => {
  beforeEach(commitSomething);

  const indexFile = (): string => {
    const name = fs.readdirSync(cache).find((each) => each.startsWith("index-"));
    return path.join(cache, name ?? "none");
  };

  it.each<[string, () => void]>([
    ["is gone", () => fs.rmSync(cache, { recursive: true })],
    ["has no index", () => fs.rmSync(indexFile())],
    ["has half an index", () => fs.truncateSync(indexFile(), 60)],
    [
      "has a damaged index",
      () => {
        const bytes = fs.readFileSync(indexFile());
        bytes[60] = (bytes[60] as number) ^ 0xff;
        const { atime, mtime } = fs.statSync(indexFile());
        fs.writeFileSync(indexFile(), bytes);
        fs.utimesSync(indexFile(), atime, mtime);
      },
    ],
    ["is empty", () => fs.truncateSync(path.join(cache, "tree"))],
    ["says something else", () => fs.appendFileSync(path.join(cache, "tree"), "? more\0")],
    ["has lost its settings", () => fs.rmSync(path.join(cache, "git"), { recursive: true })],
    ["has lost its head", () => fs.truncateSync(path.join(cache, "git", "HEAD"))],
    ["has a lock of a process that was killed", () => fs.writeFileSync(`${indexFile()}.lock`, "")],
  ])("is made again when it %s", async (_what, damage) => {
    age("a.txt", "src/b.sh", ".gitignore");
    const before = await hash();
    damage();
    expect(await hash()).toEqual(before);
    write("a.txt", "two\n");
    const changed = await hash();
    expect(changed).toEqual(await fresh());
    expect(changed).not.toEqual(before);
  });

  it("of another folder is not used", async () => {
    const before = await hash();
    fs.cpSync(root, path.join(base, "copy"), { recursive: true });
    fs.writeFileSync(path.join(base, "copy", "a.txt"), "two\n");
    expect(await treeHash(path.join(base, "copy"), cache)).not.toEqual(before);
    expect(await hash()).toEqual(before);
  });

  it("cannot be written: the hash is taken without one", async () => {
    fs.writeFileSync(path.join(base, "file"), "");
    const nowhere = path.join(base, "file", "cache");
    const before = await treeHash(root, nowhere);
    write("a.txt", "two\n");
    expect(await treeHash(root, nowhere)).not.toEqual(before);
  });

  it("does not grow", async () => {
    // More than is worked out without git: each time the index is another one.
    for (let round = 0; round < 3; round += 1) {
      for (let n = 0; n < 70; n += 1) write(`n${n}.txt`, `${round}\n`);
      await now();
      write("a.txt", `${round}\n`);
      await now();
    }
    const files = fs.readdirSync(cache, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    expect(files.map(({ name }) => name.replace(/-.*/u, "")).toSorted()).toEqual([
      "HEAD",
      "attributes",
      "config",
      "index",
      "index",
      "tree",
    ]);
  });
});

describe("without git", () => {
  beforeEach(() => {
    write("a.txt", "one\n");
    write("src/b.sh", "echo two\n", 0o755);
    write("node_modules/m/index.js", "x");
    age("a.txt", "src/b.sh");
  });

  it.each<[string, () => void, () => void]>([
    ["a changed file", () => write("a.txt", "two\n"), () => write("a.txt", "one\n")],
    ["a new file", () => write("new/n.txt", ""), () => fs.rmSync(path.join(root, "new"), { recursive: true })],
    ["an executable bit", () => write("a.txt", "one\n", 0o755), () => write("a.txt", "one\n")],
    [
      "the target of a link, and does not follow it",
      () => fs.symlinkSync(".", path.join(root, "loop")),
      () => fs.rmSync(path.join(root, "loop")),
    ],
    [
      "a name that is no UTF-8",
      () => fs.writeFileSync(Buffer.from(`${root}/\u00ff`, "latin1"), "x"),
      () => fs.rmSync(Buffer.from(`${root}/\u00ff`, "latin1")),
    ],
  ])("sees %s, and that it is undone", async (_what, change, back) => {
    expect(await sees(change, back, "walk")).toBe(true);
  });

  it("does not count installed packages, files of the engine, its cache, pipes", async () => {
    const before = await now("walk");
    write("node_modules/m/index.js", "y");
    write(".a5c/runs/r/x", "y");
    write(".loop/state.json", "y");
    execFileSync("mkfifo", [path.join(root, "pipe")]);
    expect(await now("walk")).toBe(before);
    expect((await treeHash(root, path.join(root, "inside"))).hash).toBe(before);
    expect((await treeHash(root, path.join(root, "inside"))).hash).toBe(before);
  });

  it("uses a digest again only while the file has not changed, and reads a damaged cache as none", async () => {
    const before = await hash();
    const known = path.join(cache, "walk");
    const text = fs.readFileSync(known, "utf8");
    // All files have just been changed by chmod or utimes: none of them is settled.
    expect(text.split("\n")[1]).toBe("[]");
    fs.writeFileSync(known, `${text} `);
    expect(await hash()).toEqual(before);
  });

  it("takes over when git is not there", async () => {
    commitSomething();
    const searched = process.env["PATH"];
    process.env["PATH"] = path.join(base, "nothing");
    try {
      expect((await hash()).by).toBe("walk");
    } finally {
      process.env["PATH"] = searched;
    }
    expect((await hash()).by).toBe("git");
  });

  it("refuses a folder that is not there", async () => {
    await expect(treeHash(path.join(base, "gone"), cache)).rejects.toThrow(/ENOENT/u);
  });
});
