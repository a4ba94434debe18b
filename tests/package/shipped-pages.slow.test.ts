/** The pages in the packed file, as somebody without a clone has them. */
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { anchorsOf, followLink, linksOf } from "../../tools/doc-links.mjs";
import { tempDir } from "../fixtures/temp-dir.js";

const SDK = fileURLToPath(new URL("../../packages/sdk", import.meta.url));

test("D2: pages are in the package, and their links lead to pages there or to the web", () => {
  const dir = tempDir();
  const packed = execFileSync("npm", ["pack", "--json", "--pack-destination", dir], { cwd: SDK, encoding: "utf8" });
  const [{ filename }] = JSON.parse(packed) as [{ filename: string }];
  execFileSync("tar", ["-xzf", path.join(dir, filename), "-C", dir]);
  const docs = path.join(dir, "package/docs");
  const pages = fs.readdirSync(docs, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".md"));
  expect(pages).toEqual(expect.arrayContaining(["README.md", "guide/processes.md", "reference/cli.md"]));
  const textOf = (page: string): string => fs.readFileSync(path.join(docs, page), "utf8");
  const dead = pages.flatMap((page) =>
    linksOf(textOf(page)).flatMap(({ target }) => {
      const place = followLink(page, target);
      if (place === undefined) return [];
      const isThere = pages.includes(place.file);
      const leads = isThere && (place.anchor === undefined || anchorsOf(textOf(place.file)).includes(place.anchor));
      return leads ? [] : [`${page}: ${target}`];
    }),
  );
  expect(dead).toEqual([]);
});
