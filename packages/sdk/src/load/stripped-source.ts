import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { writeCacheFile } from "./atomic-file.js";

/** Has to change when the stripper's output changes, so that old cache files are not taken. */
const STRIPPER = "sucrase-3\0";

/** JavaScript of a TypeScript text; loads the compiler only when the cache does not know the text. */
export async function strippedSource(text: string, filename: string, cacheDir: string | undefined): Promise<string> {
  const sha = createHash("sha256").update(STRIPPER).update(text).digest("hex");
  const cached = cacheDir === undefined ? undefined : join(cacheDir, `ts-${sha}.js`);
  const known = cached === undefined ? undefined : readIfPresent(cached);
  if (known !== undefined) return known;
  const { stripTypes } = await import("./strip-types.js");
  const source = await stripTypes(text, filename);
  if (cached !== undefined) writeCacheFile(cached, source, 1);
  return source;
}

function readIfPresent(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}
