import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const HOME = fileURLToPath(new URL("../..", import.meta.url));
const SDK = "packages/sdk";

interface Project {
  readonly references?: readonly { readonly path: string }[];
}

function referencesOf(folder: string): string[] {
  const text = readFileSync(join(HOME, folder, "tsconfig.json"), "utf8");
  return ((JSON.parse(text) as Project).references ?? []).map(({ path }) => join(folder, path));
}

function importsSdk(folder: string): boolean {
  return readdirSync(join(HOME, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => /\.tsx?$/u.test(name) && !name.includes("node_modules"))
    .some((name) => readFileSync(join(HOME, folder, name), "utf8").includes('from "@a5c-ai/babysitter-sdk'));
}

describe("the projects of the compiler", () => {
  it("wait for the SDK if they import it, so that a fresh clone builds", () => {
    const early = referencesOf(".")
      .filter((folder) => folder !== SDK && importsSdk(folder))
      .filter((folder) => !referencesOf(folder).includes(SDK));
    expect(early).toEqual([]);
  });
});
