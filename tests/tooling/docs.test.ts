import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { SETTINGS } from "../../packages/sdk/src/config/settings.js";
import { renderSettings } from "../../tools/config-schema.mjs";
import { fillMarkers, invariantIds, promiseIds, renderCommands, renderProofs } from "../../tools/doc-pages.mjs";
import { quotedIds } from "../../tools/test-titles.mjs";

const scan = (source: string) => quotedIds("some.test.ts", source);

describe("ids in test titles", () => {
  it.each([
    ["one id", 'it("C4: a title", () => {});'],
    ["in test", "test('C4: a title', () => {});"],
    ["in a group", 'describe("C4: a title", () => {});'],
    ["in a template", "it(`C4: a title`, () => {});"],
    ["with a modifier", 'it.concurrent("C4: a title", () => {});'],
    ["in a table of cases", 'it.each([1, 2])("C4: a title", () => {});'],
    ["in a tagged table", 'it.each`a`("C4: a title", () => {});'],
    ["under a condition", 'it.skipIf(process.platform === "win32")("C4: a title", () => {});'],
    ["nested", 'describe("outer", () => { for (const x of [1]) it("C4: a title", () => x); });'],
  ])("are found: %s", (_, source) => {
    expect(scan(source)).toEqual([{ ids: ["C4"], title: "a title" }]);
  });

  it("may be several", () => {
    expect(scan('it("C5 C12 J2: both", () => {});')).toEqual([{ ids: ["C5", "C12", "J2"], title: "both" }]);
  });

  it("keep the known parts of a template with expressions", () => {
    expect(scan("it(`C4: a \x24{kind} title`, () => {});")).toEqual([{ ids: ["C4"], title: "a … title" }]);
  });

  it.each([
    ["without a colon", 'it("C4 is not quoted here", () => {});'],
    ["not at the start", 'it("proves C4: really", () => {});'],
    ["in a comment", '// it("C4: a title", () => {});'],
    ["in a string", "const text = 'it(\"C4: a title\")';"],
    ["in another call", 'print("C4: a title");'],
    ["of a skipped test", 'it.skip("C4: a title", () => {});'],
    ["of a test to be written", 'it.todo("C4: a title");'],
    ["of a test expected to fail", 'it.fails("C4: a title", () => {});'],
    ["inside a skipped group", 'describe.skip("off", () => { it("C4: a title", () => {}); });'],
  ])("do not count %s", (_, source) => {
    expect(scan(source)).toEqual([]);
  });

  it("in a file that cannot be parsed are an error", () => {
    expect(() => scan('it("C4: a title", () => {')).toThrow("some.test.ts");
  });
});

describe("links", () => {
  const home = fileURLToPath(new URL("../..", import.meta.url));
  const pages = [
    "README.md",
    ...fs
      .readdirSync(path.join(home, "docs"), { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".md"))
      .map((name) => `docs/${name}`),
  ];

  it("every file that a page links to exists", () => {
    const broken = pages.flatMap((page) =>
      [...fs.readFileSync(path.join(home, page), "utf8").matchAll(/\]\(([^)#:\s]+)(?:#[^)]*)?\)/gu)]
        .map(([, target = ""]) => target)
        .filter((target) => !fs.existsSync(path.join(home, path.dirname(page), target)))
        .map((target) => `${page}: ${target}`),
    );
    expect(broken).toEqual([]);
  });

  it("readers of the source documents find the differences from where they start", () => {
    const linked = pages.filter((page) =>
      /\]\([^)]*reference\/differences\.md\)/u.test(fs.readFileSync(path.join(home, page), "utf8")),
    );
    expect(linked).toEqual(expect.arrayContaining(["README.md", "docs/guide/claude-code.md", "docs/guide/loops.md"]));
  });
});

describe("definitions of ids", () => {
  it("promises are rows of tables, but not the generated ones", () => {
    const text =
      "| C1 | a |\n| C2 | b |\n<!-- generated:proofs -->\n| C9 | not yet |\n<!-- /generated -->\n| B1 | c |\nC3 | d |";
    expect(promiseIds(text)).toEqual(["C1", "C2", "B1"]);
  });

  it("invariants are list items with a bold id", () => {
    expect(invariantIds("- **J1** once\n- **R12** twice\n- J3 not bold\ntext **J4** inside")).toEqual(["J1", "R12"]);
  });
});

describe("pages", () => {
  it("the proof table links tests and shows what is missing", () => {
    const proofs = [
      { id: "C1", title: "first [1] | pipe", file: "tests/fast/a.test.ts" },
      { id: "C1", title: "second", file: "packages/sdk/src/b.test.ts" },
    ];
    expect(renderProofs(["C1", "C2"], proofs).split("\n").slice(2)).toEqual([
      "| C1 | [first \\[1\\] \\| pipe](../tests/fast/a.test.ts)<br>[second](../packages/sdk/src/b.test.ts) |",
      "| C2 | not yet |",
    ]);
  });

  it("a generated part replaces only what is between its own markers", () => {
    const text =
      "a\n<!-- generated:x -->\nold\n<!-- /generated -->\nb\n<!-- generated:y -->\nkeep\n<!-- /generated -->\n";
    const once = fillMarkers(text, "x", "new");
    expect(once).toBe(
      "a\n<!-- generated:x -->\nnew\n<!-- /generated -->\nb\n<!-- generated:y -->\nkeep\n<!-- /generated -->\n",
    );
    expect(fillMarkers(once, "x", "new")).toBe(once);
  });

  it("a page that lost its markers is an error", () => {
    expect(() => fillMarkers("no markers", "x", "new")).toThrow("<!-- generated:x -->");
    expect(() => fillMarkers("<!-- generated:x -->", "x", "new")).toThrow("<!-- generated:x -->");
  });

  it("a setting shows its default and its places in words that a reader can use", () => {
    const setting = { doc: "D.", combine: "last wins", env: "E" };
    const rows = (settings: object): string[] => renderSettings({ SETTINGS: settings }).split("\n").slice(2);
    expect(
      rows({
        none: { ...setting, default: null },
        list: { ...setting, default: [] },
        map: { ...setting, default: {}, only: ["team", "person"] },
        filled: { ...setting, default: { a: [1] }, only: ["team"] },
        off: { ...setting, default: false, only: ["env", "flag"], flag: { name: "off" } },
      }),
    ).toEqual([
      "| `none` | none | D. | `E` | last |",
      "| `list` | none | D. | `E` | last |",
      "| `map` | none | D. | files only | last |",
      '| `filled` | `{"a":[1]}` | D. | team file only | last |',
      "| `off` | `false` | D. | `--off`, `E`; not in files | last |",
    ]);
    expect(rows(SETTINGS).filter((row) => row.includes("[object"))).toEqual([]);
  });

  it("a command shows its arguments and options, except hidden ones", () => {
    const text = renderCommands({
      COMMANDS: [
        {
          name: "run:demo",
          summary: "Shows a run.",
          positionals: [
            { name: "run", help: "id or directory" },
            { name: "seq", optional: true, help: "an event" },
          ],
          options: {
            limit: { type: "string", value: "n", help: "at most n" },
            reverse: { type: "boolean", help: "newest first" },
            secret: { type: "boolean", help: "never printed", hidden: true },
          },
          examples: ["babysitter run:demo my-run --limit 3"],
        },
      ],
      GLOBAL_OPTIONS: { json: { type: "boolean", help: "one JSON document" } },
    });
    expect(text).toContain("babysitter run:demo <run> [seq] [options]");
    expect(text).toContain("| `--limit <n>` | at most n |");
    expect(text).toContain("| `--reverse` | newest first |");
    expect(text).toContain("| `--json` | one JSON document |");
    expect(text).toContain("[`run:demo`](#rundemo)");
    expect(text).not.toContain("secret");
  });
});
