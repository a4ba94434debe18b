import { describe, expect, it } from "vitest";
import { anchorsOf, checkLinks, linksOf } from "../../tools/doc-links.mjs";

const targets = (text: string): string[] => linksOf(text).map(({ target }) => target);

function problems(pages: Record<string, string>, pictures: string[] = []): string[] {
  const exists = (path: string): boolean => path in pages || pictures.includes(path) || path === "folder";
  const found = checkLinks({ pages, exists, index: "docs/README.md", reachable: Object.keys(pages), pictures });
  return found.map(({ page, line, what }) => `${page}:${line} ${what}`);
}

describe("links", () => {
  it("are found in text, definitions, HTML and around pictures, not in code", () => {
    const text = [
      "[a](a.md) and [`b`](b.md#x 'y') [c](c_(d).md)",
      "`[no](no.md)`",
      "```",
      "[no](no.md)",
      "```",
      "[![alt](e.png)](f.md)",
      "[g]: g.md",
      '<a href="h.md"><img src="i.png" alt="an i"></a>',
    ].join("\n");
    expect(targets(text)).toEqual(["a.md", "b.md#x", "c_(d).md", "f.md", "e.png", "g.md", "h.md", "i.png"]);
  });

  it("headings have the fragments that GitHub gives them", () => {
    const text =
      '# A `run:create` heading, really?\n## Same\n## Same\n## [Link](x.md) & more\n```\n# no\n```\n<a id="own"></a>';
    expect(anchorsOf(text)).toEqual(["a-runcreate-heading-really", "same", "same-1", "link--more", "own"]);
  });
});

describe("a repository of pages", () => {
  const good = {
    "docs/README.md": "[up](../README.md#start) [guide](guide/a.md) [web](https://example.org/x) [f](../folder/)",
    "README.md": "# Start\n[b](docs/guide/b.md) ![A picture](p.png)",
    "docs/guide/a.md": "[self](#a)\n# A",
    "docs/guide/b.md": "B",
  };

  it("is fine", () => {
    expect(problems(good, ["p.png"])).toEqual([]);
  });

  it.each([
    ["a dead link", { "docs/guide/b.md": "\n[x](c.md)" }, "docs/guide/b.md:2 The link c.md leads nowhere."],
    [
      "a link out of the repository",
      { "README.md": "[x](../x.md) [b](docs/guide/b.md) ![p](p.png)\n# Start" },
      "README.md:1 The link ../x.md leads nowhere.",
    ],
    [
      "a dead fragment",
      { "docs/guide/b.md": "[x](a.md#b)" },
      "docs/guide/b.md:1 The link a.md#b leads to a heading that docs/guide/a.md does not have.",
    ],
    [
      "a picture without words",
      { "docs/guide/b.md": "![](../../p.png)" },
      "docs/guide/b.md:1 The picture ../../p.png has no alternative text.",
    ],
    [
      "a page that nothing leads to",
      { "docs/lost.md": "L" },
      "docs/lost.md:1 is more than two clicks away from docs/README.md.",
    ],
    [
      "a page that is too far away",
      { "docs/guide/b.md": "[far](far.md)", "docs/guide/far.md": "F" },
      "docs/guide/far.md:1 is more than two clicks away from docs/README.md.",
    ],
  ])("has %s", (_, change, problem) => {
    expect(problems({ ...good, ...change }, ["p.png"])).toEqual([problem]);
  });

  it("has a picture that is shown nowhere", () => {
    expect(problems(good, ["p.png", "q.png"])).toEqual(["q.png:1 is shown on no page."]);
  });
});
