import { describe, expect, it } from "vitest";
import { navigationOf, renderBody, renderPage, sectionsOf, siteFile } from "../../tools/site-pages.mjs";

const PAGES: Record<string, string> = {
  "docs/README.md":
    "# Docs\n[Home](../README.md)\n## Guides\n**Write**\n\n- [Write](guide/a.md), [again](guide/a.md), [web](https://x.org)\n",
  "README.md": "# The `program`\n",
  "docs/guide/a.md": "# Write a thing\n## Part one\nUse `--flag`.\n```sh\n# not a heading\n```\n## Part one\nMore.\n",
};
const places = {
  page: (file: string) => (PAGES[file] === undefined ? undefined : siteFile(file)),
  web: (file: string) => `https://web.example/${file}`,
};
const body = (text: string, page = "docs/guide/a.md"): string => renderBody(page, text, places);

describe("a page of the site", () => {
  it("is where its Markdown is, and a README opens its folder", () => {
    expect(["README.md", "docs/README.md", "docs/guide/a.md"].map(siteFile)).toEqual([
      "index.html",
      "docs/index.html",
      "docs/guide/a.html",
    ]);
  });

  it.each([
    ["another page", "[x](../README.md)", 'href="../index.html"'],
    ["a section of it", "[x](../../README.md#a)", 'href="../../index.html#a"'],
    ["itself", "[x](#part-one)", 'href="a.html#part-one"'],
    ["a folder with a README", "[x](../../docs/)", 'href="../index.html"'],
    ["a file that is no page", "[x](../../src/x.ts)", 'href="https://web.example/src/x.ts"'],
    ["the web", "[x](https://x.org/a?b&c)", 'href="https://x.org/a?b&amp;c"'],
    ["a picture", "![A cat](../images/cat.png)", 'src="../images/cat.png" alt="A cat"'],
  ])("links to %s", (_, text, expected) => {
    expect(body(text)).toContain(expected);
  });

  it("has the fragments of GitHub, code in colours, and the name of a file above its block", () => {
    const html = body(`${PAGES["docs/guide/a.md"]}\n\`\`\`js file=x.mjs\nconst a = "<b>";\n\`\`\`\n`);
    expect([...html.matchAll(/<h2 id="([^"]*)"/gu)].map(([, id]) => id)).toEqual(["part-one", "part-one-1"]);
    expect(html).toContain("<figcaption>x.mjs</figcaption>");
    expect(html).toContain('<span class="hljs-keyword">const</span>');
    expect(html).toContain("&lt;b&gt;");
  });

  it("has the navigation of the index, in its groups and by the titles of pages, and loads nothing from elsewhere", () => {
    const navigation = navigationOf("docs/README.md", PAGES);
    expect(navigation).toEqual([
      { title: "", links: [{ page: "README.md", label: "The program" }] },
      { title: "Write", links: [{ page: "docs/guide/a.md", label: "Write a thing" }] },
    ]);
    const text = PAGES["docs/guide/a.md"] as string;
    const html = renderPage({ page: "docs/guide/a.md", text, navigation, places, name: "P" });
    expect(html).toContain('<a href="../../docs/guide/a.html" aria-current="page">Write a thing</a>');
    expect(html).toContain('<li><a href="#part-one-1">Part one</a></li>');
    expect(html).not.toMatch(/(?:src|href)="(?:https?:)?\/\//u);
  });

  it("is searched by its sections, with the code in them", () => {
    expect(sectionsOf("docs/guide/a.md", PAGES["docs/guide/a.md"] as string)).toEqual([
      { url: "docs/guide/a.html#write-a-thing", title: "Write a thing", heading: "Write a thing", text: "" },
      {
        url: "docs/guide/a.html#part-one",
        title: "Write a thing",
        heading: "Part one",
        text: "Use --flag. not a heading",
      },
      { url: "docs/guide/a.html#part-one-1", title: "Write a thing", heading: "Part one", text: "More." },
    ]);
  });
});
