/** Blocks of code and data on a page that nobody could use: they do not parse, or say what settings do not know. */
import { Validator } from "@cfworker/json-schema";
import { parseSync } from "oxc-parser";
import { parseDocument } from "yaml";
import { readBlocks } from "./doc-blocks.mjs";

/** What a page may have, and how it is checked here. One name for each, so that no check overlooks another. */
const LANGUAGES = {
  "": () => [],
  bash: () => [],
  console: () => [],
  js: (text) => scriptProblem(text, "mjs"),
  json: jsonProblem,
  md: () => [],
  sh: () => [],
  text: () => [],
  ts: (text) => scriptProblem(text, "ts"),
  yaml: yamlProblem,
};

/** `{ line, what }` for every block, at the line of its fence. */
export function codeProblems(text, { schema }) {
  return readBlocks(text).blocks.flatMap(({ line, language, text: code }) => {
    const check = Object.hasOwn(LANGUAGES, language) ? LANGUAGES[language] : undefined;
    const found = check?.(code, schema) ?? [
      `Write ${Object.keys(LANGUAGES).filter(Boolean).join(", ")} or nothing, not ${language} (tools/doc-code.mjs).`,
    ];
    return found.map((what) => ({ line, what }));
  });
}

/** A module; or a part of one: the inside of a function, fields of an object, declarations. */
function scriptProblem(text, extension) {
  const attempts = [
    [`x.${extension}`, text],
    [`x.${extension}`, `async () => {\n${text}\n}`],
    [`x.${extension}`, `({\n${text}\n})`],
    ...(extension === "ts" ? [["x.d.ts", text]] : []),
  ].map(([name, source]) => parseSync(name, source).errors);
  return attempts.some((errors) => errors.length === 0) ? [] : [`This does not parse: ${attempts[0][0].message}`];
}

/** `…` may stand for a value. With a name of a setting at its top it is a configuration. */
function jsonProblem(text, schema) {
  let value;
  try {
    value = JSON.parse(text.replaceAll(/"(?:[^"\\]|\\.)*"|…/gu, (part) => (part === "…" ? "null" : part)));
  } catch (error) {
    return [`This is no JSON: ${error.message}`];
  }
  const isConfiguration = Object.keys(value ?? {}).some((key) => Object.hasOwn(schema.properties, key));
  if (!isConfiguration) return [];
  const { errors } = new Validator(schema, "7").validate(value);
  return errors.slice(-1).map(({ keyword, instanceLocation, error }) => {
    const why = keyword === "false" ? "There is no such setting." : error;
    return `As a configuration this is refused: ${instanceLocation} ${why}`;
  });
}

function yamlProblem(text) {
  const { errors } = parseDocument(text);
  return errors.slice(0, 1).map(({ message }) => `This is no YAML: ${message.split("\n")[0]}`);
}
