/**
 * Builds the documentation as a site of files that need no server and no network: pages, navigation from the index,
 * search. A dead link, or a page that nobody finds, fails it.
 *
 *   node tools/site.mjs [folder]     (default: site)
 */
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { INDEX, NOT_INDEXED, readDocSet, webAddress } from "./doc-set.mjs";
import { navigationOf, renderPage, sectionsOf, siteFile } from "./site-pages.mjs";

const home = fileURLToPath(new URL("..", import.meta.url));
const [given] = process.argv.slice(2);
if (given?.startsWith("-")) {
  console.error("usage: npm run docs:site [-- <folder>]");
  process.exit(2);
}
const folder = resolve(given ?? join(home, "site"));
const MARK = ".babysitter-site";
const TOKENS = "packages/breakpoints/src/ui/styles/tokens.css";

const { pages: all, pictures, problems } = readDocSet(home);
const pages = Object.fromEntries(Object.entries(all).filter(([page]) => !NOT_INDEXED.includes(page)));
for (const { page, line, what } of problems) console.error(`${page}:${line} ${what}`);
if (problems.length > 0) process.exit(1);

empty();
const places = {
  page: (file) => (pages[file] === undefined ? undefined : siteFile(file)),
  web: (file) => webAddress(home, file),
};
const navigation = navigationOf(INDEX, pages);
for (const [page, text] of Object.entries(pages))
  write(siteFile(page), renderPage({ page, text, navigation, places, name: "Babysitter" }));
for (const picture of pictures) {
  mkdirSync(dirname(join(folder, picture)), { recursive: true });
  copyFileSync(join(home, picture), join(folder, picture));
}
const sections = Object.entries(pages).flatMap(([page, text]) => sectionsOf(page, text));
// A page that is opened from a disk may not fetch anything, but it may load a script.
write("search-index.js", `globalThis.searchIndex = ${JSON.stringify(sections)};\n`);
write(
  "site.css",
  readFileSync(join(home, TOKENS), "utf8") + readFileSync(new URL("site/site.css", import.meta.url), "utf8"),
);
for (const script of ["search.js", "site.js"])
  copyFileSync(new URL(`site/${script}`, import.meta.url), join(folder, script));
console.log(`${Object.keys(pages).length} pages, ${sections.length} sections to search, in ${folder}`);

/** Only a folder that is empty, or that we made. */
function empty() {
  if (existsSync(folder) && readdirSync(folder).length > 0) {
    if (!existsSync(join(folder, MARK)))
      throw new Error(`${folder} is not empty, and no site of ours. Name another one.`);
    rmSync(folder, { recursive: true });
  }
  write(MARK, "");
}

function write(file, text) {
  mkdirSync(dirname(join(folder, file)), { recursive: true });
  writeFileSync(join(folder, file), text);
}
