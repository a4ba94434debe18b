/** Releases of a small repository that looks like ours. */
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";

const TOOL = fileURLToPath(new URL("../../tools/release.mjs", import.meta.url));
const FILES = {
  "package.json": JSON.stringify({ private: true, scripts: { build: "true", check: "test ! -e red" } }),
  "CHANGELOG.md": "# Changelog\n\n## 1.2.3, 2026-01-01\n\n- All of it.\n",
  "packages/sdk/package.json": JSON.stringify({ name: "some", version: "1.2.3", bin: "bin/babysitter.cjs" }),
  "packages/sdk/bin/babysitter.cjs": 'console.log("1.2.3");\n',
  "packages/sdk/src/model/version.ts": 'export const VERSION = "1.2.3";\n',
  "plugins/babysitter/.claude-plugin/plugin.json": '{ "version": "1.2.3" }\n',
};

describe("a release", () => {
  let home: string;
  const write = (name: string, text: string) => {
    fs.mkdirSync(path.dirname(path.join(home, name)), { recursive: true });
    fs.writeFileSync(path.join(home, name), text);
  };
  const git = (...args: string[]) =>
    spawnSync("git", ["-c", "user.name=a", "-c", "user.email=a@b", ...args], { cwd: home, encoding: "utf8" }).stdout;
  const commit = () => {
    git("add", "-A");
    git("commit", "-qm", "all");
  };
  const release = (...args: string[]) =>
    spawnSync(process.execPath, [TOOL, ...args, home], {
      encoding: "utf8",
      env: { ...process.env, GIT_COMMITTER_NAME: "a", GIT_COMMITTER_EMAIL: "a@b" },
    });

  beforeEach(() => {
    home = fs.mkdtempSync(path.join(os.tmpdir(), "babysitter-release-test-"));
    onTestFinished(() => fs.rmSync(home, { recursive: true, force: true }));
    for (const [name, text] of Object.entries(FILES)) write(name, text);
    git("init", "-q");
    commit();
  });

  it("is tried without leaving anything", () => {
    const done = release("--dry-run");
    expect([done.status, done.stderr]).toEqual([0, ""]);
    expect(done.stdout).toContain("1.2.3 is ready. Nothing was tagged.");
    expect(done.stdout).toMatch(/some-1\.2\.3\.tgz: \d+ files, 0\.00 MB unpacked/u);
    expect([git("tag"), git("status", "--porcelain")]).toEqual(["", ""]);
  });

  it("packs nothing that an earlier build has left", () => {
    write(".gitignore", "dist\n");
    commit();
    write("packages/sdk/dist/moved.js", "");
    expect(release("--dry-run").status).toBe(0);
    expect(fs.existsSync(path.join(home, "packages/sdk/dist/moved.js"))).toBe(false);
  });

  it("is tagged, and the rest is said", () => {
    const done = release();
    expect([done.status, done.stderr]).toEqual([0, ""]);
    expect(done.stdout).toContain("npm publish");
    expect(git("tag")).toBe("v1.2.3\n");
    expect(release()).toMatchObject({ status: 1, stderr: expect.stringContaining("The tag v1.2.3 already exists") });
  });

  it.each([
    ["another version in the code", "packages/sdk/src/model/version.ts", 'VERSION = "1.2.2"', "version.ts says 1.2.2"],
    ["another version in the plugin", "plugins/babysitter/.claude-plugin/plugin.json", '"version": "1"', "says 1,"],
    ["no entry in the changelog", "CHANGELOG.md", "## 1.2.30, 2026-01-01\n", 'has no heading "## 1.2.3'],
    ["an entry without a date", "CHANGELOG.md", "## 1.2.3, unreleased\n", "put the date there"],
    ["a red gate", "red", "", "npm run --silent check failed"],
    ["a program of another version", "packages/sdk/bin/babysitter.cjs", 'console.log("0")', "reports version 0"],
  ])("is refused with %s", (_, file, text, problem) => {
    write(file, text);
    commit();
    expect(release()).toMatchObject({ status: 1, stderr: expect.stringContaining(problem) });
    expect(git("tag")).toBe("");
  });

  it("is refused with uncommitted changes", () => {
    write("new.txt", "");
    expect(release("--dry-run")).toMatchObject({ status: 1, stderr: expect.stringContaining("?? new.txt") });
  });

  it("may be tried before its day is known", () => {
    write("CHANGELOG.md", "## 1.2.3, unreleased\n");
    commit();
    expect(release("--dry-run").status).toBe(0);
  });
});
