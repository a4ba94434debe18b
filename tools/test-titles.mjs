/** Finds the promises and invariants that tests claim to prove: ids at the start of their titles. */
import { parseSync } from "oxc-parser";

const RUNNERS = new Set(["it", "test", "describe"]);
// What is switched off, or expected to fail, proves nothing.
const UNPROVEN = new Set(["skip", "todo", "fails"]);
const IDS = /^[A-Z]\d+(?: [A-Z]\d+)*(?=:)/u;
const MAY_QUOTE = /["'`][A-Z]\d+(?: [A-Z]\d+)*:/u;

/** The titles in a test file that quote ids: `{ ids, title }`, the title without its ids. */
export function quotedIds(path, source) {
  if (!MAY_QUOTE.test(source)) return [];
  const { program, errors } = parseSync(path, source);
  if (errors.length > 0) throw new Error(`${path} cannot be parsed: ${errors[0].message}`);
  return [...titlesIn(program)].flatMap((title) => {
    const ids = IDS.exec(title)?.[0];
    return ids ? [{ ids: ids.split(" "), title: title.slice(ids.length + 1).trim() }] : [];
  });
}

/** Titles of all tests and groups below a node, in the order of the source. */
function* titlesIn(node) {
  if (Array.isArray(node)) {
    for (const child of node) yield* titlesIn(child);
    return;
  }
  if (node === null || typeof node !== "object") return;
  if (node.type === "CallExpression") {
    const words = wordsOf(node.callee);
    if (RUNNERS.has(words[0])) {
      if (words.some((word) => UNPROVEN.has(word))) return;
      const title = textOf(node.arguments[0]);
      if (title !== undefined) yield title;
    }
  }
  for (const child of Object.values(node)) yield* titlesIn(child);
}

/** `it.concurrent.each([…])` as its words: it, concurrent, each. */
function wordsOf(callee) {
  switch (callee.type) {
    case "Identifier":
      return [callee.name];
    case "MemberExpression":
      return [...wordsOf(callee.object), callee.property.name];
    case "CallExpression":
      return wordsOf(callee.callee);
    case "TaggedTemplateExpression":
      return wordsOf(callee.tag);
    default:
      return [];
  }
}

function textOf(node) {
  if (node?.type === "TemplateLiteral") return node.quasis.map((quasi) => quasi.value.cooked).join("…");
  return typeof node?.value === "string" ? node.value : undefined;
}
