import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeEach, describe, expect, it } from "vitest";
import { tempDir } from "../fixtures/temp-dir.js";

const TOOL = fileURLToPath(new URL("../../tools/docs.mjs", import.meta.url));
const MARKERS = (name: string) => `<!-- generated:${name} -->\n<!-- /generated -->\n`;

const REPOSITORY = {
  "layers.json": JSON.stringify({
    root: "src",
    layers: { model: { about: "a", imports: [], builtins: [], packages: [] } },
  }),
  "packages/breakpoints/layers.json": JSON.stringify({ root: "inbox", layers: {} }),
  "ARCHITECTURE.md": `# A\n${MARKERS("layers")}`,
  "CONTRIBUTING.md": "- **J1** an invariant\n",
  "docs/promises.md": `| C1 | a promise |\n${MARKERS("proofs")}`,
  "tests/a.test.ts": 'it("C1 J1: works", () => {});\n',
  "packages/sdk/package.json": JSON.stringify({
    name: "@a/b",
    version: "1.2.3",
    type: "module",
    exports: { ".": { types: "./dist/index.d.ts" }, "./package.json": "./package.json" },
  }),
  "packages/sdk/dist/model/version.js": 'export const VERSION = "1.2.3";',
  "packages/sdk/dist/model/error-codes.js":
    'export const EXIT_CODES = { usage: { exit: 2, meaning: "wrong" } };\nexport const ERROR_CODES = { USAGE: { exit: "usage", summary: "Bad." } };',
  "docs/guide/configuration.md": `# C\n${MARKERS("settings")}`,
  "packages/sdk/dist/config/settings.js":
    'export const SETTINGS = { a: { default: 1, doc: "A.", combine: "last wins", type: { expects: "a number" }, env: "A_ENV" } };',
  "packages/sdk/dist/index.d.ts":
    "/** Makes it. Really. */\nexport declare function make(): void;\n/** Plainly one. */\nexport type Plain = 1;\n",
  "packages/sdk/dist/config/config-schema.js": "export const configSchema = () => ({});",
  "packages/sdk/dist/model/hook-types.js":
    'export const HOOK_TYPES = { "on-x": { called: "by the engine", moment: "x happens", fields: { y: "why" } } };',
  "packages/sdk/dist/model/events.js": "export const EVENT_FORMAT = 1;",
  "packages/sdk/dist/model/event-rules.js":
    'export const EVENT_RULES = { MADE: { side: "process", doc: "Made.", fields: { id: "string", note: "string?" } } };',
  "packages/sdk/dist/loop/rules/guard-rules.js":
    'export const GUARD_RULES = [{ code: "paused", action: "allow", doc: "It is paused." }];',
  "packages/sdk/dist/loop/rules/decision-rules.js": [
    'export const TURN_RULES = [{ code: "go_on", action: "block", doc: "Otherwise." }];',
    'export const ENGINE_ERROR_RULE = { code: "broken", action: "allow", doc: "It failed." };',
  ].join("\n"),
  "packages/sdk/dist/cli/grammar/command-table.js": "export const COMMANDS = [];",
  "packages/sdk/dist/cli/grammar/command-spec.js": "export const GLOBAL_OPTIONS = {};",
};

let home: string;

beforeEach(() => {
  home = tempDir();
  for (const [file, text] of Object.entries(REPOSITORY)) write(file, text);
});

function write(file: string, text: string): void {
  mkdirSync(dirname(join(home, file)), { recursive: true });
  writeFileSync(join(home, file), text);
}

function read(file: string): string {
  return readFileSync(join(home, file), "utf8");
}

function docs(...flags: string[]): { status: number | null; stderr: string } {
  const { status, stderr } = spawnSync(process.execPath, [TOOL, ...flags, home], { encoding: "utf8" });
  return { status, stderr };
}

describe("npm run docs", () => {
  it("writes every page, after which the check is content", () => {
    expect(docs()).toEqual({ status: 0, stderr: "" });
    expect(docs("--check")).toEqual({ status: 0, stderr: "" });
    expect(read("docs/reference/errors.md")).toContain("| `USAGE` | 2 | Bad. |");
    expect(read("docs/reference/events.md")).toContain("| `note` | string | no |");
    expect(read("docs/reference/loop-decisions.md").match(/^\| \d.*/gmu)).toEqual([
      "| 1 | `paused` | allow | It is paused. |",
      "| 2 | `go_on` | block | Otherwise. |",
      "| 3 | `broken` | allow | It failed. |",
    ]);
    expect(read("docs/reference/configuration.md")).toContain(
      "| set it in | `.a5c/config.json`, `~/.config/babysitter/config.json`, `A_ENV` |",
    );
    expect(read("docs/reference/api.md").match(/^(?:##|\| `).*/gmu)).toEqual([
      "## @a/b",
      "| `Plain` | type | Plainly one. |",
      "| `make` | function | Makes it. |",
    ]);
    expect(read("ARCHITECTURE.md")).toContain("| `model` | a | nothing |");
    expect(read("docs/promises.md")).toContain("| C1 | [works](../tests/a.test.ts) |");
    expect(read("docs/promises.md")).toContain("| J1 | [works](../tests/a.test.ts) |");
  });
});

describe("the check fails", () => {
  it("and names the stale pages", () => {
    docs();
    write("tests/a.test.ts", 'it("C1: works better", () => {});\n');
    write("docs/reference/cli.md", "edited by hand\n");
    const { status, stderr } = docs("--check");
    expect(status).toBe(1);
    expect(stderr).toBe("stale: docs/reference/cli.md, docs/promises.md — run npm run docs\n");
    expect(read("docs/reference/cli.md")).toBe("edited by hand\n");
  });

  it.each([
    ["an id nobody defined", "tests/b.test.ts", 'it("C1 C7: x", () => {});', "quotes C7"],
    ["an id defined twice", "CONTRIBUTING.md", "- **J1** one\n- **C1** two\n", "C1 is defined twice"],
    ["two versions", "packages/sdk/package.json", '{ "version": "2.0.0", "type": "module" }', "says 1.2.3"],
    [
      "an export without a comment",
      "packages/sdk/dist/index.d.ts",
      "export type New = 1;\n",
      "New, which @a/b exports",
    ],
    ["lost markers", "ARCHITECTURE.md", "# A\n", "ARCHITECTURE.md: there is no <!-- generated:layers -->"],
  ])("on %s", (_, file, text, message) => {
    docs();
    write(file, text);
    const { status, stderr } = docs("--check");
    expect(status).toBe(1);
    expect(stderr).toContain(message);
  });

  it("when something was not built", () => {
    rmSync(join(home, "packages/sdk/dist/cli"), { recursive: true });
    expect(docs("--check").stderr).toContain(
      "dist/cli/grammar/command-table.js does not exist — run npm run build first",
    );
  });
});
