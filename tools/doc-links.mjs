/** Links, headings and pictures of Markdown pages, and what is wrong with them. Pure functions. */
import { posix } from "node:path";
import { withoutBlocks } from "./doc-lines.mjs";

const INLINE =
  /(?<picture>!?)\[(?<text>(?:[^\][\\]|\\.|\[[^\]]*\])*)\]\((?<target>[^()\s]*(?:\([^()]*\))?[^()\s]*)(?:\s+(?:"[^"]*"|'[^']*'))?\)/gu;
const DEFINITION = /^ {0,3}\[[^\]]+\]:\s*(?<target>\S+)/gmu;
const HTML_LINK = /<a\s[^>]*?href="(?<target>[^"]*)"/giu;
const HTML_PICTURE = /<(?:img|source)\s[^>]*>/giu;

/** `{ line, target, picture, text }` of every link and picture; code is not looked at. */
export function linksOf(markdown) {
  const text = withoutBlocks(markdown).replaceAll(/(?<!`)(`+)(?!`).*?[^`]\1(?!`)/gu, (code) => " ".repeat(code.length));
  const ends = [...text.matchAll(/$/gmu)].map((end) => end.index);
  const lineAt = (index) => ends.findIndex((end) => end >= index) + 1;
  const links = [...linksIn(text)].map(({ index, ...link }) => ({ line: lineAt(index), ...link }));
  return links.toSorted((a, b) => a.line - b.line);
}

function* linksIn(text) {
  for (const { index, groups } of text.matchAll(INLINE)) {
    yield { index, target: groups.target, picture: groups.picture === "!", text: groups.text };
    // A picture may be what a link shows.
    if (groups.picture === "") for (const inner of linksIn(groups.text)) yield { ...inner, index };
  }
  for (const { index, groups } of text.matchAll(DEFINITION))
    yield { index, target: groups.target, picture: false, text: "" };
  for (const { index, groups } of text.matchAll(HTML_LINK))
    yield { index, target: groups.target, picture: false, text: "" };
  for (const { 0: tag, index } of text.matchAll(HTML_PICTURE)) {
    const target = /\b(?:src|srcset)="([^"]*)"/iu.exec(tag)?.[1] ?? "";
    // The alternative of a <source> is said once, in its <img>.
    const alt = /^<source/iu.test(tag) ? "source" : (/\balt="([^"]*)"/iu.exec(tag)?.[1] ?? "");
    yield { index, target, picture: true, text: alt };
  }
}

/** The fragments of a page, as GitHub gives them to its headings, and those that it names itself. */
export function anchorsOf(markdown) {
  const text = withoutBlocks(markdown);
  const used = new Map();
  const headings = [...text.matchAll(/^ {0,3}#{1,6}\s+(?<title>.*?)\s*#*\s*$/gmu)].map(({ groups: { title } }) => {
    const slug = slugOf(title);
    const again = used.get(slug) ?? 0;
    used.set(slug, again + 1);
    return again === 0 ? slug : `${slug}-${again}`;
  });
  const named = [...text.matchAll(/<a\s[^>]*?(?:id|name)="([^"]+)"/giu)].map(([, name]) => name);
  return [...headings, ...named];
}

export function slugOf(title) {
  return title
    .replaceAll(/!?\[([^\]]*)\]\([^)]*\)/gu, "$1")
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\p{M}_\- ]/gu, "")
    .replaceAll(" ", "-");
}

/** The path and fragment that a link of a page leads to; undefined for other places of the web. */
export function followLink(page, target) {
  if (/^[a-z][a-z\d+.-]*:|^\/\//iu.test(target)) return undefined;
  const [path = "", anchor] = target.split("#");
  const file = path === "" ? page : posix.normalize(posix.join(posix.dirname(page), decodeURI(path)));
  return { file: file.replace(/\/$/u, ""), ...(anchor === undefined ? {} : { anchor }) };
}

/**
 * What is wrong with the links of pages. `pages` has their texts by name, `exists` says whether a path is in the
 * repository, `index` is the page from which every page of `reachable` must be at most two clicks away, and `pictures`
 * are all that there are.
 */
export function checkLinks({ pages, exists, index, reachable, pictures }) {
  const anchors = Object.fromEntries(Object.entries(pages).map(([page, text]) => [page, anchorsOf(text)]));
  const problems = [];
  const used = new Set();
  for (const [page, text] of Object.entries(pages)) {
    for (const { line, target, picture, text: shown } of linksOf(text)) {
      const place = followLink(page, target);
      if (picture && place !== undefined) used.add(place.file);
      const what = brokenLink({ place, target, picture, shown, anchors, exists });
      if (what !== undefined) problems.push({ page, line, what });
    }
  }
  const near = withinTwoClicks(pages, index);
  for (const page of reachable)
    if (!near.has(page)) problems.push({ page, line: 1, what: `is more than two clicks away from ${index}.` });
  for (const picture of pictures)
    if (!used.has(picture)) problems.push({ page: picture, line: 1, what: "is shown on no page." });
  return problems;
}

function brokenLink({ place, target, picture, shown, anchors, exists }) {
  if (picture && shown.trim() === "") return `The picture ${target} has no alternative text.`;
  if (place === undefined) return undefined;
  if (place.file.startsWith("..") || !exists(place.file)) return `The link ${target} leads nowhere.`;
  if (place.anchor === undefined || anchors[place.file] === undefined) return undefined;
  if (anchors[place.file].includes(place.anchor)) return undefined;
  return `The link ${target} leads to a heading that ${place.file} does not have.`;
}

/** Pages that are at most two links away; a link to a folder is one to its README. */
function withinTwoClicks(pages, index) {
  const near = new Set([index]);
  for (let clicks = 0; clicks < 2; clicks += 1) {
    const reached = [...near];
    for (const page of reached) {
      for (const { target, picture } of linksOf(pages[page] ?? "")) {
        const file = picture ? undefined : followLink(page, target)?.file;
        if (file === undefined) continue;
        if (pages[file] !== undefined) near.add(file);
        else if (pages[`${file}/README.md`] !== undefined) near.add(`${file}/README.md`);
      }
    }
  }
  return near;
}
