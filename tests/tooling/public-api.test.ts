import { spawnSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { readApi } from "../../tools/public-api.mjs";

const TOOL = fileURLToPath(new URL("../../tools/api.mjs", import.meta.url));

const DECLARATIONS = {
  "index.d.ts": `
    import { direct } from "./one.js";
    export { direct };
    export type { Old as New } from "./one.js";
    export * from "./two.js";
    export declare const own: string;`,
  "one.d.ts": `
    /** Said about it. */
    export declare function direct(): void;
    export declare function direct(one: string): string;
    interface Old {
      /** Said about it. */
      field: number;
    }
    interface Hidden {}
    export type { Old };`,
  "two.d.ts": "export declare class Two { get size(): number; }",
};

describe("the page about the public door", () => {
  let dir: string;
  const write = (name: string, text: string) => fs.writeFileSync(path.join(dir, name), text);
  const tool = (...args: string[]) => spawnSync(process.execPath, [TOOL, ...args, dir], { encoding: "utf8" });

  beforeEach(() => {
    dir = fs.mkdtempSync(path.join(os.tmpdir(), "babysitter-api-"));
    onTestFinished(() => fs.rmSync(dir, { recursive: true, force: true }));
    for (const [name, text] of Object.entries(DECLARATIONS)) write(name, text);
    const exports = { ".": { types: "./index.d.ts" }, "./two": { types: "./two.d.ts" }, "./x.json": "./x.json" };
    write("package.json", JSON.stringify({ name: "some", exports }));
  });

  it("has every exported name with its declaration, wherever that is", () => {
    expect(readApi(path.join(dir, "index.d.ts"))).toEqual({
      New: "// as New\ninterface Old {\n      /** Said about it. */\n      field: number;\n    }",
      Two: "class Two { get size(): number; }",
      direct: "/** Said about it. */\nfunction direct(): void;\nfunction direct(one: string): string;",
      own: "const own: string;",
    });
  });

  it("is refused once a signature has changed, until it is written again", () => {
    expect(tool().status).toBe(0);
    expect(fs.readFileSync(path.join(dir, "sdk.md"), "utf8")).toMatch(/## some: 4 names[\s\S]*## some\/two: 1 names/u);
    expect(tool("--check")).toMatchObject({ status: 0, stderr: "" });
    write("two.d.ts", "export declare class Two { get size(): string; }");
    expect(tool("--check")).toMatchObject({ status: 1, stderr: expect.stringContaining("npm run api") });
    tool();
    expect(tool("--check").status).toBe(0);
  });

  it("is refused when the main entry has too many names", () => {
    write("two.d.ts", Array.from({ length: 60 }, (_, n) => `export declare const c${n}: 1;`).join("\n"));
    expect(tool()).toMatchObject({ status: 1, stderr: expect.stringContaining("exports 63 names; at most 60") });
  });

  it("is refused when the entry for inboxes and viewers has too many names", () => {
    write("package.json", JSON.stringify({ name: "some", exports: { "./operate": { types: "./two.d.ts" } } }));
    const declare = (count: number) =>
      write("two.d.ts", Array.from({ length: count }, (_, n) => `export declare const c${n}: 1;`).join("\n"));
    declare(40);
    expect(tool().status).toBe(0);
    declare(41);
    expect(tool()).toMatchObject({ status: 1, stderr: "some/operate exports 41 names; at most 40 are allowed.\n" });
  });
});
