/**
 * Markdown of others as HTML that is safe to show: a short list of elements, no attributes but those named here, nothing
 * that is fetched, and links that say where they lead. Loaded when the first Markdown is shown.
 */
import DOMPurify from "dompurify";
import { Marked, type Tokens } from "marked";
import { visible, visibleText } from "./visible.js";

const TAGS =
  "a abbr b blockquote br code dd del details div dl dt em h3 h4 h5 h6 hr i ins kbd li mark ol p pre q s samp span strong sub summary sup table tbody td th thead tr u ul";
/** What they would bring along, if they were only unwrapped, is no text for people. */
const DROPPED = "script style iframe object embed svg math template noscript title textarea select button video audio";

const marked = new Marked({
  gfm: true,
  async: false,
  renderer: {
    // The page has headings of its own above these.
    heading({ tokens, depth }: Tokens.Heading): string {
      const level = Math.min(6, depth + 2);
      return `<h${level}>${this.parser.parseInline(tokens)}</h${level}>\n`;
    },
    checkbox({ checked }: Tokens.Checkbox): string {
      return checked ? "☑ " : "☐ ";
    },
  },
});

let purify: ReturnType<typeof DOMPurify> | undefined;

/** With its own hooks: others of this page may purify other things. */
function makePurifier(): ReturnType<typeof DOMPurify> {
  const own = DOMPurify(window);
  own.addHook("beforeSanitizeElements", (node) => {
    if (node instanceof Text) markHidden(node);
    if (node instanceof Element && node.localName === "img") describeImage(node);
  });
  own.addHook("uponSanitizeAttribute", (node, attribute) => {
    if (attribute.attrName === "class")
      attribute.keepAttr = node.localName === "code" && /^language-[\w+#.-]+$/.test(attribute.attrValue);
    if (attribute.attrName === "title") attribute.attrValue = visibleText(attribute.attrValue);
  });
  own.addHook("afterSanitizeAttributes", (node) => {
    if (node.localName === "a") describeLink(node);
    // What may scroll must be reachable with the keyboard.
    if (node.localName === "pre" || node.localName === "table") node.setAttribute("tabindex", "0");
  });
  return own;
}

/** What is hidden becomes a token with a mark of ours. What a hook puts before a node is not looked at again. */
function markHidden(node: Text): void {
  const segments = visible(node.data);
  if (segments.every(({ hidden }) => hidden === undefined)) return;
  for (const { text, hidden } of segments) {
    const piece = document.createElement("span");
    piece.textContent = text;
    if (hidden !== undefined) {
      piece.className = "hidden-character";
      piece.title = hidden;
    }
    node.before(hidden === undefined ? text : piece);
  }
  node.data = "";
}

/** Fetching an image would tell its owner that the question is being read. */
function describeImage(image: Element): void {
  const alt = image.getAttribute("alt")?.trim();
  const source = (image.getAttribute("src") ?? image.getAttribute("srcset") ?? "").trim();
  const address = source.startsWith("data:") ? "embedded" : source.slice(0, 200);
  const words = ["image", alt, address === "" ? undefined : `(${address})`].filter((word) => word);
  image.before(visibleText(`[${words.join(" ")}]`));
}

/** Only addresses outside lead anywhere; a path would lead into the inbox instead of the project. */
function describeLink(link: Element): void {
  const address = link.getAttribute("href")?.trim() ?? "";
  if (address === "") return;
  const shown = shortAddress(address);
  if (link.textContent?.trim() !== address && link.textContent?.trim() !== shown)
    link.setAttribute("data-leads-to", visibleText(shown));
  if (!/^(?:https?:\/\/|mailto:)/i.test(address)) {
    link.removeAttribute("href");
    return;
  }
  link.setAttribute("target", "_blank");
  link.setAttribute("rel", "noopener noreferrer");
}

/** The host in full: the rest of an address may be cut, and must not pass for the host. */
function shortAddress(address: string): string {
  const whole = URL.canParse(address) ? new URL(address) : undefined;
  const text = whole?.host ? `${whole.host}${whole.pathname === "/" ? "" : whole.pathname}${whole.search}` : address;
  return text.length <= 80 ? text : `${text.slice(0, Math.max(79, whole?.host.length ?? 0))}…`;
}

/** A TrustedHTML in browsers that have them, else a string of the same. */
export function renderMarkdown(text: string): string {
  purify ??= makePurifier();
  const html = purify.sanitize(marked.parse(text, { async: false }), {
    ALLOWED_TAGS: ["#text", ...TAGS.split(" ")],
    FORBID_CONTENTS: DROPPED.split(" "),
    ALLOWED_ATTR: ["href", "title", "class", "start", "align", "colspan", "rowspan", "open"],
    ALLOW_DATA_ATTR: false,
    ALLOW_ARIA_ATTR: false,
    RETURN_TRUSTED_TYPE: true,
  });
  // The page's types know innerHTML as a string only.
  return html as unknown as string;
}
