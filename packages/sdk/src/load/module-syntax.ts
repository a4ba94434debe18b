/** Tells ES modules from CommonJS by their text, the way Node does it: by asking the parser. */
import { compileFunction } from "node:vm";

/**
 * `either` is a text that runs the same both ways, `broken` one that is neither. Broken texts are
 * still loaded, so that the engine itself says what is wrong.
 */
export type ModuleSyntax = "module" | "commonjs" | "either" | "broken";

const WRAPPER = ["exports", "require", "module", "__filename", "__dirname"];
const ONLY_IN_MODULES = [
  "Cannot use import statement outside a module",
  "Unexpected token 'export'",
  "Cannot use 'import.meta' outside a module",
];
const USES_WRAPPER = /\b(?:exports|require|module|__filename|__dirname|this|arguments|return)\b/u;

/** The syntax of a JavaScript text. */
export function detectSyntax(source: string): ModuleSyntax {
  const problem = compile(source, WRAPPER);
  if (problem === undefined) return USES_WRAPPER.test(source) ? "commonjs" : "either";
  if (ONLY_IN_MODULES.includes(problem)) return "module";
  // Top-level await, or names that the CommonJS wrapper has taken: both are fine in a module.
  const inside = compile(`async () => {${source.replace(/^#!.*/u, "")}\n}`, []);
  return inside === undefined || ONLY_IN_MODULES.includes(inside) ? "module" : "broken";
}

/** The best guess for a text that does not parse: what its author meant to write. */
export function looksLikeModule(source: string): boolean {
  return /^[^\S\r\n\u2028\u2029]*(?:import\b(?!\s*\()|export\b)/mu.test(source);
}

function compile(source: string, parameters: string[]): string | undefined {
  try {
    compileFunction(source, parameters);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
