import fs from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { tempDir } from "../../../../../tests/fixtures/temp-dir.js";
import { findInboxProgram } from "./inbox-program.js";

const OURS = { name: "@a5c-ai/babysitter-breakpoints", bin: { "babysitter-breakpoints": "bin/b.mjs" } };
const FOREIGN = { name: "@a5c-ai/babysitter-breakpoints", bin: { breakpoints: "bin/b.mjs" } };

function place(dir: string, manifest: object, files: readonly string[] = ["bin/b.mjs", "dist/main.js"]): string {
  for (const file of files) {
    fs.mkdirSync(path.dirname(path.join(dir, file)), { recursive: true });
    fs.writeFileSync(path.join(dir, file), "");
  }
  fs.mkdirSync(dir, { recursive: true });
  fs.writeFileSync(path.join(dir, "package.json"), JSON.stringify(manifest));
  return path.join(dir, "bin/b.mjs");
}

/** A package folder of the SDK, and its command line. */
function sdkIn(dir: string): string {
  const sdk = path.join(dir, "babysitter-sdk");
  place(sdk, { name: "@a5c-ai/babysitter-sdk" }, ["dist/cli/babysitter.cjs"]);
  return path.join(sdk, "dist/cli/babysitter.cjs");
}

describe("the program of the inbox", () => {
  it("is the recorded one, or known to be gone", () => {
    const root = fs.realpathSync(tempDir());
    const sdk = sdkIn(path.join(root, "node_modules/@a5c-ai"));
    const installed = place(path.join(root, "node_modules/@a5c-ai/babysitter-breakpoints"), OURS);
    const recorded = place(path.join(root, "elsewhere"), OURS);
    expect(findInboxProgram(recorded, sdk)).toEqual({ is: "recorded", path: recorded });
    expect(findInboxProgram(path.join(root, "gone"), sdk)).toEqual({ is: "gone", path: path.join(root, "gone") });
    expect(findInboxProgram(null, sdk)).toEqual({ is: "installed", path: installed });
  });

  it("is found beside the SDK that runs, whatever link leads to it, and in a clone", () => {
    const root = fs.realpathSync(tempDir());
    const sdk = sdkIn(path.join(root, "lib/node_modules/@a5c-ai"));
    const link = path.join(root, "babysitter");
    fs.symlinkSync(sdk, link);
    expect(findInboxProgram(null, link)).toEqual({ is: "missing" });
    const program = place(path.join(root, "lib/node_modules/@a5c-ai/babysitter-breakpoints"), OURS);
    expect(findInboxProgram(null, link)).toEqual({ is: "installed", path: program });
    const clone = path.join(root, "clone");
    place(path.join(clone, "packages/sdk"), { name: "@a5c-ai/babysitter-sdk" }, ["dist/cli/babysitter.cjs"]);
    const plugin = path.join(clone, "plugins/babysitter/dist/babysitter.cjs");
    const unbuilt = path.join(clone, "packages/breakpoints");
    const inClone = place(unbuilt, OURS, ["bin/b.mjs"]);
    expect(findInboxProgram(null, plugin)).toEqual({ is: "missing" });
    place(unbuilt, OURS);
    expect(findInboxProgram(null, plugin)).toEqual({ is: "installed", path: inClone });
  });

  it("is neither the registry's package of its name, nor one of a folder above", () => {
    const root = fs.realpathSync(tempDir());
    place(path.join(root, "node_modules/@a5c-ai/babysitter-breakpoints"), OURS);
    const nested = path.join(root, "node_modules/other/node_modules/@a5c-ai");
    const sdk = sdkIn(nested);
    expect(findInboxProgram(null, sdk)).toEqual({ is: "missing" });
    place(path.join(nested, "babysitter-breakpoints"), FOREIGN);
    expect(findInboxProgram(null, sdk)).toEqual({ is: "foreign", path: path.join(nested, "babysitter-breakpoints") });
  });
});
