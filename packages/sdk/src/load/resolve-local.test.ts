import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { beforeAll, describe, expect, it } from "vitest";
import { makeTempDir, removeTempDir } from "../../../../tests/fixtures/temp-dir.js";
import { resolveLocal } from "./resolve-local.js";

let dir = "";
beforeAll(() => {
  dir = makeTempDir();
  const paths = ["a.js", "b.ts", "m.mts", "c.cts", "both.js", "both.ts", "x.mjs", "x.json", "d.json", "up/here.js"];
  const odd = ["sp ace.js", "ha#sh.js", "per%20cent.js", "q?.js", "dir/index.ts", "pkg/lib/main.js", "dir.js/index.js"];
  for (const path of [...paths, ...odd]) {
    mkdirSync(dirname(join(dir, path)), { recursive: true });
    writeFileSync(join(dir, path), "");
  }
  writeFileSync(join(dir, "pkg/package.json"), `{"main":"lib/main"}`);
  symlinkSync(join(dir, "a.js"), join(dir, "link.js"));
  return () => removeTempDir(dir);
});

describe("resolveLocal", () => {
  it.each([
    ["./a.js", "a.js", ""],
    ["./a", "a.js", ".js"],
    ["./b.js", "b.ts", "renamed"],
    ["./b", "b.ts", ".ts"],
    ["./m.mjs", "m.mts", "renamed"],
    ["./c.cjs", "c.cts", "renamed"],
    ["./both.js", "both.js", ""],
    ["./both", "both.js", ".js"],
    ["./x", "x.mjs", ".mjs"],
    ["./d", "d.json", ".json"],
    ["./dir", "dir/index.ts", "/index.ts"],
    ["./dir/", "dir/index.ts", "/index.ts"],
    ["./dir.js", "dir.js/index.js", "/index.js"],
    ["./pkg", "pkg/lib/main.js", "main"],
    ["./sp%20ace.js", "sp ace.js", ""],
    ["./ha#sh.js", "ha#sh.js", "renamed"],
    ["./ha%23sh.js", "ha#sh.js", ""],
    ["./per%20cent.js", "per%20cent.js", "renamed"],
    ["./q?.js", "q?.js", "renamed"],
    ["./a.js?fresh=1", "a.js", "renamed"],
    ["./link.js", "a.js", ""],
  ])("leads %s to %s", (specifier, file, added) => {
    const target = resolveLocal(specifier, dir);
    expect([target?.file, target?.added]).toEqual([join(dir, file), added]);
  });

  it("takes absolute paths and file URLs", () => {
    const file = join(dir, "ha#sh.js");
    expect(resolveLocal(file, "/")?.file).toBe(file);
    expect(resolveLocal(pathToFileURL(file).href, "/")?.file).toBe(file);
    expect(resolveLocal("..", join(dir, "dir/sub"))?.file).toBe(join(dir, "dir/index.ts"));
  });

  it.each(["./missing", "./missing.js", "./up", "./a.js/b", "./%", "file://elsewhere/a.js"])(
    "finds nothing at %s",
    (s) => {
      expect(resolveLocal(s, dir)).toBeUndefined();
    },
  );
});
