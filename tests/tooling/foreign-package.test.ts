import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const REPOSITORY = fileURLToPath(new URL("../../", import.meta.url));

it("C23: no document, hint or example installs the registry's package of our name", () => {
  const sent = [
    "README.md",
    "packages/sdk/README.md",
    "docs",
    "packages/sdk/src",
    "examples",
    "plugins/babysitter/README.md",
  ]
    .flatMap((place) => textFilesIn(path.join(REPOSITORY, place)))
    .flatMap((file) =>
      fs
        .readFileSync(file, "utf8")
        .split("\n")
        .filter((line) =>
          /(?:npm (?:i|install|exec)|npx)\b[^|`]*@a5c-ai\/babysitter-sdk|marketplace add a5c-ai/u.test(line),
        )
        .map((line) => `${path.relative(REPOSITORY, file)}: ${line.trim()}`),
    );
  // The table of differences says what documents that are not ours say.
  expect(sent.filter((line) => !line.startsWith("docs/reference/differences.md"))).toEqual([]);
});

function textFilesIn(place: string): string[] {
  if (fs.statSync(place).isFile()) return [place];
  return fs
    .readdirSync(place, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(?:md|ts|mjs|ya?ml|sh)$/u.test(entry.name))
    .map((entry) => path.join(entry.parentPath, entry.name));
}
