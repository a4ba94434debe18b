/** Which of the known languages a file is written in. */

const BY_ENDING: Readonly<Record<string, string>> = {
  ts: "typescript",
  tsx: "typescript",
  mts: "typescript",
  cts: "typescript",
  js: "typescript",
  jsx: "typescript",
  mjs: "typescript",
  cjs: "typescript",
  json: "json",
  jsonc: "json",
  json5: "json",
  jsonl: "json",
  py: "python",
  pyi: "python",
  sh: "bash",
  bash: "bash",
  zsh: "bash",
  yml: "yaml",
  yaml: "yaml",
  html: "xml",
  htm: "xml",
  xml: "xml",
  svg: "xml",
  vue: "xml",
  svelte: "xml",
  css: "css",
  scss: "css",
  md: "markdown",
  markdown: "markdown",
  mdx: "markdown",
  diff: "diff",
  patch: "diff",
  go: "go",
  rs: "rust",
  java: "java",
  kt: "java",
  sql: "sql",
  toml: "ini",
  ini: "ini",
  conf: "ini",
  env: "ini",
  dockerfile: "dockerfile",
  containerfile: "dockerfile",
};

const BY_WORD: Readonly<Record<string, string>> = {
  ...Object.fromEntries(Object.values(BY_ENDING).map((language) => [language, language])),
  ...BY_ENDING,
  javascript: "typescript",
  node: "typescript",
  shell: "bash",
  console: "bash",
};

/** The name of a language in the highlighter; nothing for text that has none. */
export function languageOf(path: string, named?: string): string | undefined {
  const word = lookUp(BY_WORD, named);
  if (word !== undefined) return word;
  const file = path.slice(path.lastIndexOf("/") + 1).toLowerCase();
  return lookUp(BY_ENDING, file.slice(file.lastIndexOf(".") + 1)) ?? lookUp(BY_ENDING, file.split(".")[0]);
}

function lookUp(table: Readonly<Record<string, string>>, word: string | undefined): string | undefined {
  const key = word?.toLowerCase();
  return key !== undefined && Object.hasOwn(table, key) ? table[key] : undefined;
}
