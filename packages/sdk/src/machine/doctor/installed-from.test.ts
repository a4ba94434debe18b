import fs from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { tempDir } from "../../../../../tests/fixtures/temp-dir.js";
import { installedFrom } from "./installed-from.js";

/** Folders end with a slash. */
function tree(...files: string[]): string {
  const dir = tempDir();
  for (const file of files) {
    fs.mkdirSync(path.join(dir, file.endsWith("/") ? file : path.dirname(file)), { recursive: true });
    if (!file.endsWith("/")) fs.writeFileSync(path.join(dir, file), "");
  }
  return dir;
}

const PACKAGE = ["package.json", "dist/cli/babysitter.cjs"];
const PLUGIN = ["skills/babysit/", "dist/babysitter.cjs"];
const within = (folder: string, files: string[]): string[] => files.map((file) => `${folder}/${file}`);
const CLONE = [...within("packages/sdk", PACKAGE), ...within("plugins/babysitter", PLUGIN)];

it.each<[string, string[], string, string]>([
  ["the package of a clone", CLONE, "packages/sdk/dist/cli/babysitter.cjs", "clone "],
  ["the plugin of a clone", CLONE, "plugins/babysitter/dist/babysitter.cjs", "clone "],
  ["a plugin alone", within("cache/1.2.3", PLUGIN), "cache/1.2.3/dist/babysitter.cjs", "plugin cache/1.2.3"],
  [
    "a package inside somebody's project",
    ["package.json", ".git/", ...within("node_modules/@a5c-ai/babysitter-sdk", PACKAGE)],
    "node_modules/@a5c-ai/babysitter-sdk/dist/cli/babysitter.cjs",
    "package node_modules/@a5c-ai/babysitter-sdk",
  ],
  ["a file alone", ["somewhere/babysitter.cjs"], "somewhere/babysitter.cjs", "folder somewhere"],
])("C23: %s is known for what it is", (_, files, program, expected) => {
  const root = tree(...files);
  const { kind, dir } = installedFrom(path.join(root, program));
  expect(`${kind} ${path.relative(root, dir)}`).toBe(expected);
});
