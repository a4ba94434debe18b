/** The pages that go with the package, with links that work there. A pure function of its arguments. */
import { readBlocks } from "./doc-blocks.mjs";
import { followLink } from "./doc-links.mjs";

/** Proofs lead to tests, which are not in the package, and are longer than everything else. */
const NOT_SHIPPED = ["docs/promises.md"];
const TARGET = /(?<before>\]\(|<(?:a|img|source)\s[^>]*?(?:href|src|srcset)=")(?<target>[^()\s"]+)/gu;
const PICTURE = /\.(?:png|svg|gif|jpe?g|webp)$/u;

/** `web(file, { picture })` is the address of a file of the repository. */
export function shippedPages(pages, web) {
  const shipped = Object.entries(pages).filter(([page]) => page.startsWith("docs/") && !NOT_SHIPPED.includes(page));
  const names = new Set(shipped.map(([page]) => page));
  return Object.fromEntries(shipped.map(([page, text]) => [page, rewrite(page, text, names, web)]));
}

function rewrite(page, text, names, web) {
  const inBlocks = new Set(
    readBlocks(text).blocks.flatMap(({ line, lines }) =>
      Array.from({ length: lines.length + 2 }, (_, at) => line + at),
    ),
  );
  return text
    .split("\n")
    .map((line, at) => (inBlocks.has(at + 1) ? line : rewriteLine(page, line, names, web)))
    .join("\n");
}

function rewriteLine(page, line, names, web) {
  return line.replaceAll(TARGET, (...match) => {
    const { before, target } = match.at(-1);
    const found = followLink(page, target);
    if (found === undefined || names.has(found.file)) return match[0];
    const hash = found.anchor === undefined ? "" : `#${found.anchor}`;
    return `${before}${web(found.file, { picture: PICTURE.test(found.file) })}${hash}`;
  });
}
