/** The pages of the site as text: Markdown to HTML, navigation, what the search looks through. Pure functions. */
import { posix } from "node:path";
import hljs from "highlight.js/lib/common";
import { Marked } from "marked";
import { readBlocks } from "./doc-blocks.mjs";
import { withoutBlocks } from "./doc-lines.mjs";
import { anchorsOf, followLink, linksOf } from "./doc-links.mjs";

/** The file of the site for a page: folders open by their README. */
export function siteFile(page) {
  return page.replace(/(^|\/)README\.md$/u, "$1index.html").replace(/\.md$/u, ".html");
}

export function titleOf(text, page) {
  return plain(/^# (.+)$/mu.exec(withoutBlocks(text))?.[1] ?? page);
}

/**
 * The groups of the index with the pages that they link to, in its order, each page once and by its own title. A line in
 * bold begins a group as a heading does: twenty guides are too many for one.
 */
export function navigationOf(index, pages) {
  const text = pages[index];
  const groups = [{ title: "", links: [] }];
  const seen = new Set();
  for (const line of withoutBlocks(text).split("\n")) {
    const heading = /^(?:## (.+)|\*\*(.+)\*\*)$/u.exec(line)?.slice(1).join("");
    if (heading !== undefined) groups.push({ title: plain(heading), links: [] });
    for (const { target, picture } of linksOf(line)) {
      const file = picture ? undefined : followLink(index, target)?.file;
      if (file === undefined || pages[file] === undefined || seen.has(file)) continue;
      seen.add(file);
      groups.at(-1).links.push({ page: file, label: titleOf(pages[file], file) });
    }
  }
  return groups.filter(({ links }) => links.length > 0);
}

/** Sections for the search: where they are, what they are called, what they say. */
export function sectionsOf(page, text) {
  const title = titleOf(text, page);
  const anchors = anchorsOf(text);
  const prose = text.replaceAll(/<!-- generated:proofs -->[\s\S]*?<!-- \/generated -->/gu, "");
  const bare = blocksAsText(prose);
  const parts = bare.split(/^ {0,3}#{1,6}\s+(?=\S)/mu);
  return parts.slice(1).map((part, at) => {
    const [heading, ...body] = part.split("\n");
    const words = plain(body.join(" ")).replaceAll(/\s+/gu, " ").trim();
    return { url: `${siteFile(page)}#${anchors[at]}`, title, heading: plain(heading), text: words };
  });
}

/** In a block a # is a comment, not a heading. */
function blocksAsText(text) {
  const lines = text.split("\n");
  for (const { line, lines: body } of readBlocks(text).blocks)
    for (let at = line - 1; at <= line + body.length; at += 1)
      lines[at] = at === line - 1 || at === line + body.length ? "" : ` ${(lines[at] ?? "").replace(/^\s*#/u, "")}`;
  return lines.join("\n");
}

/**
 * The HTML of a page. `places.page(file)` is the file of the site for a page that it has, `places.web(file)` the
 * address of any other file of the repository.
 */
export function renderBody(page, text, places) {
  const anchors = anchorsOf(text);
  const here = posix.dirname(siteFile(page));
  const resolveLink = (target) => {
    const place = followLink(page, target);
    if (place === undefined) return target;
    const file = places.page(place.file) ?? places.page(`${place.file}/README.md`);
    const hash = place.anchor === undefined ? "" : `#${place.anchor}`;
    return file === undefined
      ? places.web(place.file) + hash
      : (posix.relative(here, file) || posix.basename(file)) + hash;
  };
  let heading = 0;
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth }) {
        const id = anchors[heading];
        heading += 1;
        const inner = this.parser.parseInline(tokens);
        return `<h${depth} id="${id}">${inner}<a class="anchor" href="#${id}" aria-label="Link to this section">#</a></h${depth}>\n`;
      },
      link({ href, title, tokens }) {
        const hint = title ? ` title="${escapeHtml(title)}"` : "";
        return `<a href="${escapeHtml(resolveLink(href))}"${hint}>${this.parser.parseInline(tokens)}</a>`;
      },
      image({ href, text: alt }) {
        const place = followLink(page, href);
        const src = place === undefined ? href : posix.relative(here, place.file);
        // On a phone nobody can read a picture of a whole window before it is opened by itself.
        return `<a class="picture" href="${escapeHtml(src)}"><img src="${escapeHtml(src)}" alt="${escapeHtml(alt)}" loading="lazy"></a>`;
      },
      code: ({ text: source, lang = "" }) => renderCode(source, lang),
      codespan({ text: code }) {
        // A flag must not be broken at its hyphens.
        return `<code${code.length <= MAX_UNBROKEN ? ' class="short"' : ""}>${escapeHtml(code)}</code>`;
      },
      table(token) {
        const cells = (row, tag) =>
          row.map((cell) => `<${tag}>${this.parser.parseInline(cell.tokens)}</${tag}>`).join("");
        const head = token.header.some(({ text: shown }) => shown !== "")
          ? `<thead><tr>${cells(token.header, "th")}</tr></thead>`
          : "";
        const body = token.rows.map((row) => `<tr>${cells(row, "td")}</tr>`).join("\n");
        return `<div class="wide" tabindex="0" role="region" aria-label="Table"><table>${head}<tbody>${body}</tbody></table></div>\n`;
      },
    },
  });
  return marked.parse(text, { async: false });
}

const MAX_UNBROKEN = 30;
const LANGUAGES = { console: "shell", sh: "bash", js: "javascript", ts: "typescript", text: "" };

function renderCode(source, info) {
  const [word = "", ...tags] = info.split(/\s+/u);
  const language = LANGUAGES[word] ?? word;
  const known = language !== "" && hljs.getLanguage(language) !== undefined;
  const html = known ? hljs.highlight(source, { language }).value : escapeHtml(source);
  const file = tags.find((tag) => tag.startsWith("file="))?.slice(5);
  const caption = file === undefined ? "" : `<figcaption>${escapeHtml(file)}</figcaption>`;
  return `<figure class="code">${caption}<pre tabindex="0"><code>${html}</code></pre></figure>\n`;
}

/** A whole page of the site. */
export function renderPage({ page, text, navigation, places, name }) {
  const file = siteFile(page);
  const root = "../".repeat(file.split("/").length - 1);
  const link = (target, label) => {
    const current = target === page ? ' aria-current="page"' : "";
    return `<li><a href="${root}${places.page(target)}"${current}>${escapeHtml(label)}</a></li>`;
  };
  const groups = navigation.map(({ title, links }) => {
    const heading = title === "" ? "" : `<h2>${escapeHtml(title)}</h2>`;
    return `${heading}<ul>${links.map(({ page: target, label }) => link(target, label)).join("")}</ul>`;
  });
  const sections = [...withoutBlocks(text).matchAll(/^## (.+)$/gmu)].map(([, title]) => plain(title));
  const anchors = headingsOf(text);
  const contents = sections.map((title, at) => `<li><a href="#${anchors[at]}">${escapeHtml(title)}</a></li>`).join("");
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'self' file:; script-src 'self' file:; img-src 'self' file: data:">
<title>${escapeHtml(titleOf(text, page))} · ${escapeHtml(name)}</title>
<link rel="stylesheet" href="${root}site.css">
</head>
<body data-root="${root}">
<a class="skip" href="#content">Skip to the content</a>
<header>
<a class="name" href="${root}index.html">${escapeHtml(name)}</a>
<form role="search" id="search">
<label for="query">Search</label><input id="query" type="search" autocomplete="off" spellcheck="false" placeholder="Search"><kbd aria-hidden="true">/</kbd>
<div id="found" hidden><p id="said" role="status"></p><ul id="hits"></ul><button id="more" type="button" hidden>More</button></div>
</form>
</header>
<div class="columns">
<nav aria-label="Pages"><details id="menu" open><summary>All pages</summary>${groups.join("\n")}</details></nav>
<main id="content">
${renderBody(page, text, places)}
</main>
${sections.length > 1 ? `<aside aria-label="On this page"><h2>On this page</h2><ul>${contents}</ul></aside>` : ""}
</div>
<script src="${root}search.js"></script>
<script src="${root}site.js"></script>
</body>
</html>
`;
}

/** The fragments of the headings of the second level. */
function headingsOf(text) {
  const anchors = anchorsOf(text);
  const levels = [...withoutBlocks(text).matchAll(/^ {0,3}(#{1,6})\s+\S/gmu)].map(([, marks]) => marks.length);
  return anchors.filter((_, at) => levels[at] === 2);
}

function plain(markdown) {
  return markdown
    .replaceAll(/<!--[\s\S]*?-->/gu, "")
    .replaceAll(/\|(?: *-{3,} *\|)+/gu, "")
    .replaceAll(/!?\[((?:[^\][]|\[[^\]]*\])*)\]\([^)]*\)/gu, "$1")
    .replaceAll(/[`*|]|(?<!\w)_|_(?!\w)/gu, "")
    .replaceAll(/\\([[\]<])/gu, "$1")
    .trim();
}

export function escapeHtml(text) {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}
