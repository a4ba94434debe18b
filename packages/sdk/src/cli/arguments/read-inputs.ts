/** The inputs of a new run: from a file, from stdin, or written on the command line. */
import fs from "node:fs";
import path from "node:path";
import { BabysitterError } from "../../model/errors.js";
import { isJsonObject, type Json, parseJson } from "../../model/json.js";
import type { Invocation } from "../grammar/invocation.js";
import { usageError } from "../grammar/parse-arguments.js";
import { readJsonInput } from "./input-files.js";

/** What `--inputs` says, with each `--input name=value` in it; undefined when there is neither. */
export async function inputsOf(invocation: Invocation): Promise<Json | undefined> {
  const { options, cwd, env } = invocation;
  const text = options.text("inputs");
  if (text !== undefined && /^\w+=/.test(text) && !fs.existsSync(path.resolve(cwd, text)))
    throw usageError(invocation, `--inputs ${text} is not a file. For a single field: --input ${text}`);
  const base = text === undefined ? undefined : await readInputs(text, { cwd, env });
  const pairs = options.texts("input").map((pair) => parsePair(invocation, pair));
  if (pairs.length === 0) return base;
  if (base !== undefined && !isJsonObject(base))
    throw usageError(invocation, "--input adds fields to an object, but --inputs is not one.");
  return { ...base, ...Object.fromEntries(pairs) };
}

/** What begins like an object or a list is none of the names that people give to files. */
async function readInputs(text: string, where: Pick<Invocation, "cwd" | "env">): Promise<Json> {
  if (!/^\s*[{[]/.test(text)) return readJsonInput(text, { flag: "inputs", ...where });
  try {
    return parseJson(text);
  } catch (cause) {
    throw new BabysitterError("INPUT_NOT_JSON", `--inputs is not valid JSON: ${(cause as Error).message}.`, {
      hint: `Quote all of it for your shell: --inputs '{"count":3}'. Or give single fields: --input count=3`,
      cause,
    });
  }
}

function parsePair(invocation: Invocation, pair: string): [string, Json] {
  const at = pair.indexOf("=");
  if (at < 1) throw usageError(invocation, `--input must be name=value, not ${JSON.stringify(pair)}.`);
  return [pair.slice(0, at), parseValue(pair.slice(at + 1))];
}

/** JSON where it is some, else text. A number counts as one if nothing of it would be lost: 1.0 and 007 are names. */
function parseValue(text: string): Json {
  try {
    const value = parseJson(text);
    return typeof value === "number" && String(value) !== text ? text : value;
  } catch {
    return text;
  }
}
