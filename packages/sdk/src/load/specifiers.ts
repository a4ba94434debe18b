/**
 * Finds the modules that a source text names. This is a scan and not a parse: a specifier inside a
 * comment counts too. That only ever makes the code hash cover one file more than needed, while a
 * parser would make the cheap question "has the code changed?" expensive.
 */

/** The name by which processes import this SDK. */
export const SDK_NAME = "@a5c-ai/babysitter-sdk";

/** With limits, since a comment may hold what looks like an import, with a comment behind it, and so on. */
const COMMENT = String.raw`(?:/\*[^*]{0,1000}\*/|//[^\n]{0,1000}\n)`;
const GAP = String.raw`\s*(?:${COMMENT}\s*){0,10}`;
const LITERAL = String.raw`(?:"([^"\n]+)"|'([^'\n]+)'|${"`"}([^${"`"}$\n]+)${"`"})`;
const STATIC = new RegExp(String.raw`\b(?:from|import)${GAP}${LITERAL}`, "gu");
const CALLED = new RegExp(String.raw`\b(?:import|require)${GAP}\(${GAP}${LITERAL}`, "gu");
const REQUIRED = new RegExp(String.raw`\brequire${GAP}\(${GAP}${LITERAL}`, "gu");
/** A call whose argument is more, or other, than one text. */
const COMPUTED = new RegExp(String.raw`\b(?:import|require)${GAP}\((?!${GAP}(?:${LITERAL}${GAP}[,)]|\)))`, "u");
const LOCAL = /^(?:\.{1,2}(?:\/|$)|\/|file:)/u;
const DYNAMIC_IMPORT = /\bimport\s*\(/u;

/** True for specifiers that name a file and not a package. */
export function isLocalSpecifier(specifier: string): boolean {
  return LOCAL.test(specifier);
}

/** Everything that the text imports by a name or path that it spells out, each once. */
export function scanSpecifiers(text: string): string[] {
  return [...new Set([...literals(text, STATIC), ...literals(text, CALLED)])];
}

/** True when the text may import what it does not spell out. */
export function hasComputedImport(text: string): boolean {
  return COMPUTED.test(text);
}

/** What `require` is called with; only these can meet an ES module synchronously. */
export function requiredSpecifiers(text: string): string[] {
  return literals(text, REQUIRED);
}

/** True when the text may reach the ES module loader although it is CommonJS. */
export function hasDynamicImport(text: string): boolean {
  return DYNAMIC_IMPORT.test(text);
}

function literals(text: string, pattern: RegExp): string[] {
  return Array.from(text.matchAll(pattern), (match) => match[1] ?? match[2] ?? match[3] ?? "");
}
