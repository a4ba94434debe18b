import { expect, test } from "vitest";
import { shippedPages } from "../../tools/shipped-pages.mjs";

const web = (file: string, { picture }: { picture: boolean }): string =>
  `https://web/${picture ? "raw" : "blob"}/${file}`;

test("D2: pages of the package keep the links among them; all others lead to the web", () => {
  const pages = {
    "README.md": "R",
    "docs/promises.md": "P",
    "docs/b.md": "B",
    "docs/guide/a.md": [
      "[b](../b.md#x) [self](#a) [out](https://x.org)",
      "[r](../../README.md#install) [p](../promises.md) [code](../../src/)",
      "![A cat](../images/c.png) [![A cat](../images/c.png)](../b.md)",
      '<img src="../images/d.png" alt="A dog">',
      "```md",
      "[r](../../README.md)",
      "```",
    ].join("\n"),
  };
  const shipped = shippedPages(pages, web);
  expect(Object.keys(shipped)).toEqual(["docs/b.md", "docs/guide/a.md"]);
  expect(shipped["docs/guide/a.md"]?.split("\n")).toEqual([
    "[b](../b.md#x) [self](#a) [out](https://x.org)",
    "[r](https://web/blob/README.md#install) [p](https://web/blob/docs/promises.md) [code](https://web/blob/src)",
    "![A cat](https://web/raw/docs/images/c.png) [![A cat](https://web/raw/docs/images/c.png)](../b.md)",
    '<img src="https://web/raw/docs/images/d.png" alt="A dog">',
    "```md",
    "[r](../../README.md)",
    "```",
  ]);
});
