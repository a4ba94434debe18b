/** The pages of the repository, and which of them readers must find. */
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { checkLinks } from "./doc-links.mjs";

export const INDEX = "docs/README.md";
/** Pages that are read by programs, by GitHub alone, or belong to an example. */
const NOT_OURS = /^(?:\.github|plugins\/[^/]+\/(?:agents|commands|skills)|examples\/[^/]+\/[^/]+|tests)\//u;
/** Pages that programs read: neither in the index nor in the site. */
export const NOT_INDEXED = ["AGENTS.md"];
const PICTURES = "docs/images/";

/** The texts of the pages by their names, the names of the pictures, and what is wrong with their links. */
export function readDocSet(home) {
  const files = filesIn(home);
  const names = files.filter((file) => file.endsWith(".md") && !NOT_OURS.test(file));
  const pages = Object.fromEntries(names.map((name) => [name, readFileSync(join(home, name), "utf8")]));
  const pictures = files.filter((file) => file.startsWith(PICTURES));
  const problems = checkLinks({
    pages,
    exists: (path) => existsSync(join(home, path)),
    index: INDEX,
    reachable: names.filter((name) => !NOT_INDEXED.includes(name)),
    pictures,
  });
  return { files, pages, pictures, problems };
}

/** Files that are committed, or will be. */
function filesIn(home) {
  return execFileSync("git", ["ls-files", "-co", "--exclude-standard"], { cwd: home, encoding: "utf8" })
    .split("\n")
    .filter((name) => name !== "" && existsSync(join(home, name)));
}

/** Where a file of the repository can be read in the web. */
export function webAddress(home, file, { picture = false } = {}) {
  const { repository } = JSON.parse(readFileSync(join(home, "packages/sdk/package.json"), "utf8"));
  const base = repository.url.replace(/^git\+/u, "").replace(/\.git$/u, "");
  return `${base}/${picture ? "raw" : "blob"}/main/${file}`;
}
