/**
 * Finds the modules that a source text names. This is a scan and not a parse: a specifier inside a
 * comment counts too. That only ever makes the code hash cover one file more than needed, while a
 * parser would make the cheap question "has the code changed?" expensive.
 */

/** The name by which processes import this SDK. */
export const SDK_NAME = "@a5c-ai/babysitter-sdk";

const GAP = String.raw`(?:\s|/\*[^*]*\*/|//[^\n]*)*`;
const LITERAL = String.raw`(?:"([^"\n]+)"|'([^'\n]+)'|${"`"}([^${"`"}$\n]+)${"`"})`;
const STATIC = new RegExp(String.raw`\b(?:from|import)${GAP}${LITERAL}`, "gu");
const CALLED = new RegExp(String.raw`\b(?:import|require)${GAP}\(${GAP}${LITERAL}`, "gu");
const REQUIRED = new RegExp(String.raw`\brequire${GAP}\(${GAP}${LITERAL}`, "gu");
const LOCAL = /^(?:\.{1,2}(?:\/|$)|\/|file:)/u;
const DYNAMIC_IMPORT = /\bimport\s*\(/u;

/** True for specifiers that name a file and not a package. */
export function isLocalSpecifier(specifier: string): boolean {
  return LOCAL.test(specifier);
}

/** Specifiers of local files, and the SDK's name if the text imports it, each once. */
export function scanSpecifiers(text: string): string[] {
  const found = new Set([...literals(text, STATIC), ...literals(text, CALLED)]);
  return [...found].filter((specifier) => specifier === SDK_NAME || isLocalSpecifier(specifier));
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
