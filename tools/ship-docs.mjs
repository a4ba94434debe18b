/**
 * Puts the pages into the package: `npm pack` calls this. What a page links to and the package does not have is found
 * in the web.
 *
 *   node tools/ship-docs.mjs
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { readDocSet, webAddress } from "./doc-set.mjs";
import { shippedPages } from "./shipped-pages.mjs";

const home = fileURLToPath(new URL("..", import.meta.url));
const target = join(home, "packages/sdk");

const { pages } = readDocSet(home);
const shipped = shippedPages(pages, (name, how) => webAddress(home, name, how));
// Two may pack at once: what is right already is left alone.
for (const file of pagesThere()) if (shipped[file] === undefined) rmSync(join(target, file));
for (const [file, text] of Object.entries(shipped)) {
  const place = join(target, file);
  if (existsSync(place) && readFileSync(place, "utf8") === text) continue;
  mkdirSync(dirname(place), { recursive: true });
  writeFileSync(place, text);
}

function pagesThere() {
  if (!existsSync(join(target, "docs"))) return [];
  const found = readdirSync(join(target, "docs"), { recursive: true, withFileTypes: true });
  return found
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(target.length + 1));
}
