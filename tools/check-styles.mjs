/**
 * Holds the style sheets of the inbox to its tokens: colours and sizes are written in tokens.css, and everything else
 * uses their names. Conditions cannot use names, so the widths at which the layout changes are listed here.
 *
 *   node tools/check-styles.mjs
 */
import { readdirSync, readFileSync, realpathSync } from "node:fs";
import { join, posix, relative, sep } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const ROOT = "packages/breakpoints/src/ui";
const TOKENS = "styles/tokens.css";
const WIDTHS = ["23.99rem", "39.99rem", "40rem", "63.99rem", "64rem", "87.5rem"];

const LENGTH = /(?<![\w.#-])-?(?:\d+\.?\d*|\.\d+)(px|rem|pt|cm|mm|in|pc|q)\b/giu;
const HEX = /#(?:[\da-f]{8}|[\da-f]{6}|[\da-f]{3,4})(?![\w-])/giu;
const FUNCTION = /\b(?:rgba?|hsla?|hwb|lab|lch|oklab|oklch|color|light-dark)\(/giu;
const NAMED =
  /(?<![\w-])(?:black|white|red|green|blue|yellow|orange|purple|pink|brown|gray|grey|silver|navy|teal|olive|maroon|lime|aqua|cyan|magenta|fuchsia|gold|indigo|violet|crimson|coral|salmon|khaki|tomato|orchid|plum|(?:dark|light|medium|deep|dim|slate|royal|steel|sky|forest|fire|hot)[a-z]+)(?![\w-])/giu;
const CONDITION = /@(?:media|container)\b[^{]*/gu;
const DECLARATION = /(?<=[{;}]\s*)(?<name>[\w-]+)\s*:(?<value>[^;{}]+)(?=[;}])/gu;
/** These have few values, and all of them are tokens, or follow from what they stand in. */
const ALWAYS_TOKENS = ["font-weight", "font-family", "font-size"];
const IS_TOKEN = /^\s*(?:var\(|inherit\b|100%|[\d.]+em\b)/u;

/** Everything in a style sheet that only tokens.css may say, with its line. */
export function findRawStyles(source) {
  const text = withoutComments(source);
  const lineAt = (index) => text.slice(0, index).split("\n").length;
  const conditions = [...text.matchAll(CONDITION)].flatMap(({ 0: condition, index }) =>
    [...condition.matchAll(LENGTH)]
      .filter(([length]) => !WIDTHS.includes(length))
      .map(([length]) => ({ line: lineAt(index), what: `${length}: the layout changes at ${WIDTHS.join(", ")} only` })),
  );
  const values = [...text.matchAll(DECLARATION)].flatMap(({ groups: { name, value }, index }) =>
    rawParts(name, value).map((what) => ({ line: lineAt(index), what: `${what}: use a name from ${TOKENS}` })),
  );
  return [...conditions, ...values].toSorted((a, b) => a.line - b.line);
}

function rawParts(name, value) {
  const raw = [LENGTH, HEX, FUNCTION, NAMED].flatMap((pattern) => [...value.matchAll(pattern)].map(([text]) => text));
  if (raw.length === 0 && ALWAYS_TOKENS.includes(name) && !IS_TOKEN.test(value)) raw.push(`${name}:${value}`);
  return raw;
}

/** With the same number of lines. */
function withoutComments(source) {
  return source.replace(/\/\*[\s\S]*?\*\//gu, (comment) => comment.replace(/[^\n]/gu, " "));
}

function main() {
  const home = fileURLToPath(new URL(`../${ROOT}`, import.meta.url));
  const files = readdirSync(home, { recursive: true })
    .map((name) => name.split(sep).join("/"))
    .filter((name) => name.endsWith(".css"));
  if (!files.includes(TOKENS)) throw new Error(`${TOKENS} was not found, so nothing was checked.`);
  for (const file of files.filter((name) => name !== TOKENS))
    for (const { line, what } of findRawStyles(readFileSync(join(home, file), "utf8"))) {
      console.error(`${posix.join(ROOT, relative(home, join(home, file)))}:${line} ${what}`);
      process.exitCode = 1;
    }
}

if (process.argv[1] && import.meta.url === pathToFileURL(realpathSync(process.argv[1])).href) main();
