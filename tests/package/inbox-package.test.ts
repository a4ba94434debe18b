/** What is packed of the inbox. */
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const FOLDER = fileURLToPath(new URL("../../packages/breakpoints/", import.meta.url));

it("the package of the inbox has its pages and the licences of what is built into them, and nothing of ours alone", () => {
  const packed = execFileSync("npm", ["pack", "--dry-run", "--json"], {
    cwd: FOLDER,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
  });
  const [{ files }] = JSON.parse(packed) as [{ files: { path: string }[] }];
  const names = files.map((file) => file.path);
  expect(names).toEqual(expect.arrayContaining(["LICENSE", "dist/main.js", "dist/ui/index.html"]));
  expect(names.filter((name) => /\.test\.|tsbuildinfo|^src\/|\.map$/u.test(name))).toEqual([]);
  const licenses = fs.readFileSync(path.join(FOLDER, "dist/third-party-licenses.txt"), "utf8");
  const named = [...licenses.matchAll(/^(\S+) \d+\.\S+ \((.+)\)$/gmu)].map(([, name, license]) => [name, license]);
  expect(named).toEqual([
    ["@preact/signals", "MIT"],
    ["@preact/signals-core", "MIT"],
    ["diff", "BSD-3-Clause"],
    ["dompurify", "Apache-2.0"],
    ["highlight.js", "BSD-3-Clause"],
    ["marked", "MIT"],
    ["preact", "MIT"],
  ]);
});
