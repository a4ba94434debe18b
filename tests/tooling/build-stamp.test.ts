import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { BUILT_WITH, isBuilt, sourcesOf, stampBuild } from "../../tools/build-stamp.mjs";

describe("what is built", () => {
  let home: string;
  const append = (name: string) => {
    fs.mkdirSync(path.dirname(path.join(home, name)), { recursive: true });
    fs.appendFileSync(path.join(home, name), "\n");
  };

  beforeEach(() => {
    home = fs.mkdtempSync(path.join(os.tmpdir(), "babysitter-built-"));
    onTestFinished(() => fs.rmSync(home, { recursive: true, force: true }));
    for (const name of [...BUILT_WITH, "packages/sdk/src/index.ts", "packages/breakpoints/src/main.ts"]) append(name);
    fs.mkdirSync(path.join(home, "packages/sdk/dist"));
    stampBuild(home, sourcesOf(home));
  });

  it.each([
    ["a source", "packages/sdk/src/index.ts"],
    ["a source of the inbox", "packages/breakpoints/src/main.ts"],
    ["a new source", "packages/sdk/src/loop/rules/brand-new.ts"],
    ["the version of a tool", "package-lock.json"],
    ["the way it is built", "tools/bundle.mjs"],
    ["the way an exported page is built", "packages/breakpoints/vite.export.config.mjs"],
  ])("is old once %s has changed", (_, file) => {
    expect(isBuilt(home)).toBe(true);
    append(file);
    expect(isBuilt(home)).toBe(false);
  });

  it("is old once a source is gone", () => {
    fs.rmSync(path.join(home, "packages/sdk/src/index.ts"));
    expect(isBuilt(home)).toBe(false);
  });

  it("is not old because of a test or of a time", () => {
    append("packages/sdk/src/index.test.ts");
    fs.utimesSync(path.join(home, "packages/sdk/src/index.ts"), new Date(), new Date());
    expect(isBuilt(home)).toBe(true);
  });

  it("is missing before the first build", () => {
    fs.rmSync(path.join(home, "packages/sdk/dist"), { recursive: true });
    expect(isBuilt(home)).toBe(false);
  });
});
