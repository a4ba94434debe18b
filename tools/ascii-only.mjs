import { parseSync, Visitor } from "oxc-parser";

const BEYOND = /[^\0-\u007F]/gu;

/**
 * The same program in ASCII: Node keeps a source with any other character in two bytes per character, and takes
 * twice as long to read it. Escapes mean the same in texts, patterns and names; only a tagged template sees them.
 */
export function asciiOnly(code) {
  if (code.search(BEYOND) < 0) return code;
  const { program } = parseSync("bundle.cjs", code, { sourceType: "commonjs" });
  new Visitor({
    TaggedTemplateExpression: ({ start, end }) => {
      const text = code.slice(start, end);
      if (/[^\0-\u007F]/u.test(text)) throw new Error(`This template would be another one in ASCII: ${text}`);
    },
  }).visit(program);
  return code.replaceAll(BEYOND, escaped);
}

function escaped(character) {
  return Array.from({ length: character.length }, (_, unit) => character.charCodeAt(unit))
    .map((unit) => `\\u${unit.toString(16).padStart(4, "0")}`)
    .join("");
}
