/** Real folders: what is found to be protected, and what is said about it later. */
import fs from "node:fs";
import path from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { tempDir } from "../../../../tests/fixtures/temp-dir.js";
import type { ProtectedThing } from "../model/loop-contract.js";
import { changedThings, findProtected } from "./protected-things.js";

let base = "";
let root = "";

beforeEach(() => {
  base = tempDir();
  root = path.join(base, "project");
  fs.mkdirSync(root);
});

function write(name: string, content = name): void {
  fs.mkdirSync(path.dirname(path.join(root, name)), { recursive: true });
  fs.writeFileSync(path.join(root, name), content);
}

function scripts(texts: Record<string, unknown>, folder = "."): void {
  write(path.join(folder, "package.json"), JSON.stringify({ scripts: texts }));
}

const find = (commands: string[], globs: string[] = []): Promise<ProtectedThing[]> =>
  findProtected({ root, globs, commands });

async function namesFor(...commands: string[]): Promise<string[]> {
  return (await find(commands)).map(({ name }) => name);
}

describe("what is protected", () => {
  it.each([
    ["sh check.sh", ["check.sh"]],
    ["./check.sh && echo ok", ["check.sh"]],
    ["bash -e ./scripts/run.sh fast", ["scripts/run.sh"]],
    ["node --no-warnings scripts/verify.mjs notes.md", ["scripts/verify.mjs"]],
    ["cd scripts && node verify.mjs", ["scripts/verify.mjs"]],
    ["DEBUG=1 timeout 60 node 'scripts/verify.mjs' > out.log 2>&1", ["scripts/verify.mjs"]],
    ['sh -c "node scripts/verify.mjs; ./check.sh"', ["check.sh", "scripts/verify.mjs"]],
    ["sh < check.sh", ["check.sh"]],
    ["pytest tests/test_a.py::test_one -q", ["tests/test_a.py"]],
    ["python3 -m pytest tests/test_a.py", ["tests/test_a.py"]],
    ["node --test tests/a.test.js tests/b.test.js", ["tests/a.test.js", "tests/b.test.js"]],
    ["npx --yes vitest run tests/a.test.js", ["tests/a.test.js"]],
    ["pnpm exec vitest run tests/a.test.js", ["tests/a.test.js"]],
    ["npx tsc -p tsconfig.json", ["tsconfig.json"]],
    ["eslint --config=tsconfig.json src", ["tsconfig.json"]],
    ["node --test tests/a.test.js >out.log 2>notes.md", ["tests/a.test.js"]],
    ["make -j2 all", ["Makefile"]],
    ["make -C scripts all", ["scripts/Makefile"]],
    ["if ! ./check.sh; then exit 1; fi", ["check.sh"]],
    ["npm test \\\n && ./check.sh", ["check.sh"]],
  ])("by %s are the files that say what it means", async (command, names) => {
    for (const name of ["check.sh", "scripts/run.sh", "scripts/verify.mjs", "tests/test_a.py", "tests/a.test.js"])
      write(name);
    for (const name of ["tests/b.test.js", "tsconfig.json", "Makefile", "scripts/Makefile", "notes.md", "out.log"])
      write(name);
    expect(await namesFor(command)).toEqual(names);
  });

  it.each([
    "grep -q done notes.md",
    "test -f src/app.js",
    "eslint src/app.js",
    "cat notes.md | wc -l > out.log",
    "node ../outside.js",
    "sh -c true",
    "node src",
    "",
    "'unclosed",
    "./no\0where",
  ])("by %j is nothing: the files that it looks at are the work", async (command) => {
    for (const name of ["notes.md", "src/app.js", "out.log"]) write(name);
    fs.writeFileSync(path.join(base, "outside.js"), "");
    expect(await namesFor(command)).toEqual([]);
  });

  it("are absolute paths into the project too", async () => {
    write("check.sh");
    expect(await namesFor(`cd /tmp && sh ${root}/check.sh`)).toEqual(["check.sh"]);
  });

  it("are scripts with those before and after them, and what could replace the shell", async () => {
    scripts({ test: "node --test", lint: "eslint ." });
    const names = ["package.json#scripts.posttest", "package.json#scripts.pretest", "package.json#scripts.test"];
    for (const command of ["npm test", "npm t", "npm run test -- --x", "npm --silent run-script test", "pnpm test"])
      expect(await namesFor(command)).toEqual([".npmrc", ...names]);
    expect(await namesFor("yarn test")).toEqual([".yarnrc", ".yarnrc.yml", ...names]);
    expect(await namesFor("bun run test")).toEqual(["bunfig.toml", ...names]);
    expect(await namesFor("npm run build", "npm ci", "bun test", "npm")).toEqual([]);
  });

  it("are scripts of other packages, and what scripts run", async () => {
    write("packages/p/check.sh");
    scripts({ test: "npm run inner && npm test", inner: "sh check.sh" }, "packages/p");
    for (const command of ["npm --prefix packages/p test", "cd packages/p && npm test", "yarn --cwd=packages/p test"]) {
      const names = await namesFor(command);
      expect(names).toContain("packages/p/package.json#scripts.inner");
      expect(names).toContain("packages/p/check.sh");
    }
  });

  it("are files that globs match, but neither packages nor files of the engine", async () => {
    for (const name of ["a.test.ts", "x/b.test.ts", "x/b.ts", "node_modules/m/c.test.ts"]) write(name);
    for (const name of [".a5c/runs/r/d.test.ts", ".loop/e.test.ts", ".a5c/config.json", "docs/one", "docs/d/two"])
      write(name);
    fs.symlinkSync("..", path.join(root, "x", "up"));
    const named = (globs: string[]): Promise<string[]> =>
      find([], globs).then((things) => things.map(({ name }) => name));
    expect(await named(["**/*.test.ts", ".a5c/**"])).toEqual([".a5c/config.json", "a.test.ts", "x/b.test.ts"]);
    expect(await named(["docs"])).toEqual(["docs/d/two", "docs/one"]);
    expect(await named(["../**", "nothing/*"])).toEqual([]);
  });
});

describe("what has changed", () => {
  it("are files with other content, and files that are gone", async () => {
    for (const name of ["a.sh", "b.sh", "c.sh", "d.sh"]) write(name);
    const things = await find(["sh a.sh; sh b.sh; sh c.sh"], ["d.*"]);
    expect(await changedThings(root, things)).toEqual([]);
    write("a.sh", "true");
    fs.rmSync(path.join(root, "b.sh"));
    fs.rmSync(path.join(root, "c.sh"));
    fs.mkdirSync(path.join(root, "c.sh"));
    write("d.new", "");
    expect(await changedThings(root, things)).toEqual([
      { name: "a.sh", what: "changed" },
      { name: "b.sh", what: "missing" },
      { name: "c.sh", what: "missing" },
    ]);
  });

  it("is the target of a link", async () => {
    write("real.sh", "exit 1");
    fs.symlinkSync("real.sh", path.join(root, "check.sh"));
    const things = await find(["sh check.sh"]);
    write("real.sh", "exit 0");
    expect(await changedThings(root, things)).toEqual([{ name: "check.sh", what: "changed" }]);
  });

  it("is a script that was changed, removed, or put before or around another", async () => {
    scripts({ test: "node --test", other: "x" });
    const things = await find(["npm test"]);
    scripts({ test: "node --test", other: "y" });
    expect(await changedThings(root, things)).toEqual([]);
    scripts({ test: "true" });
    expect(await changedThings(root, things)).toEqual([{ name: "package.json#scripts.test", what: "changed" }]);
    scripts({ test: "node --test", pretest: "cp fake.js test.js" });
    expect(await changedThings(root, things)).toEqual([{ name: "package.json#scripts.pretest", what: "changed" }]);
    write("package.json", "{ broken");
    expect(await changedThings(root, things)).toEqual([{ name: "package.json#scripts.test", what: "missing" }]);
    scripts({ test: "node --test" });
    write(".npmrc", "script-shell=/bin/true\n");
    expect(await changedThings(root, things)).toEqual([{ name: ".npmrc", what: "changed" }]);
  });

  it("is nothing when a script is written that did not exist", async () => {
    const things = await find(["npm test"]);
    scripts({ test: "node --test" });
    expect(await changedThings(root, things)).toEqual([]);
  });

  it("does not wait for a pipe in the place of a file", async () => {
    write("check.sh");
    const things = await find(["sh check.sh"]);
    fs.rmSync(path.join(root, "check.sh"));
    fs.symlinkSync("/dev/zero", path.join(root, "check.sh"));
    expect(await changedThings(root, things)).toEqual([{ name: "check.sh", what: "missing" }]);
  });
});
