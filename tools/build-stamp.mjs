/** Tells whether what is built was built from the files that are here now. */
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const STAMP = "packages/sdk/dist/.built-from";
export const SOURCE_FOLDERS = ["packages/sdk/src", "packages/breakpoints/src"];
/** How the pages of the inbox are built. */
export const PAGE_CONFIGS = ["packages/breakpoints/vite.config.mjs", "packages/breakpoints/vite.export.config.mjs"];
/** What a build depends on, apart from the sources. */
export const BUILT_WITH = [
  "package-lock.json",
  "tsconfig.base.json",
  "packages/sdk/tsconfig.json",
  "packages/sdk/package.json",
  "packages/breakpoints/tsconfig.json",
  "packages/breakpoints/package.json",
  ...PAGE_CONFIGS,
  "tools/ascii-only.mjs",
  "tools/bundle.mjs",
  "tools/lazy-builtins.mjs",
  "tools/minified.mjs",
];

/** A sum of everything that a build depends on. */
export function sourcesOf(home) {
  const sources = SOURCE_FOLDERS.flatMap((folder) =>
    readdirSync(join(home, folder), { recursive: true, encoding: "utf8" })
      .filter((name) => /\.(?:tsx?|css|html)$/u.test(name) && !/\.test\.tsx?$/u.test(name))
      .map((name) => `${folder}/${name}`)
      .toSorted(),
  );
  const sum = createHash("sha256");
  for (const name of [...BUILT_WITH, ...sources]) {
    const bytes = readFileSync(join(home, name));
    sum.update(`${name}\0${bytes.length}\0`).update(bytes);
  }
  return sum.digest("hex");
}

export function isBuilt(home) {
  try {
    return readFileSync(join(home, STAMP), "utf8") === sourcesOf(home);
  } catch (error) {
    if (error.code === "ENOENT") return false;
    throw error;
  }
}

export function stampBuild(home, sources) {
  writeFileSync(join(home, STAMP), sources);
}
