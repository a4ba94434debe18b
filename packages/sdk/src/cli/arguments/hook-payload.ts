/** What hooks are given on stdin, when people give it. */
import path from "node:path";
import { isatty } from "node:tty";
import { isRunDir } from "../../machine/choose-run.js";
import { BabysitterError } from "../../model/errors.js";
import { isJsonObject, type Json, parseJson } from "../../model/json.js";
import type { Invocation } from "../grammar/invocation.js";
import { readInput, readJsonInput } from "./input-files.js";

/** From --payload, else from stdin. Nothing at all on stdin is an empty payload, unless stdin was asked for. */
export async function readPayload({ options, cwd, env }: Invocation, runDir?: string): Promise<Json> {
  const source = { flag: "payload", cwd, env, ...(runDir === undefined ? {} : { alternative: runDir }) };
  const named = options.text("payload");
  if (named !== undefined) return readJsonInput(named, source);
  if (isatty(0)) return {};
  const text = (await readInput("-", source)).toString("utf8");
  if (text.trim() === "") return {};
  try {
    return parseJson(text);
  } catch (cause) {
    throw new BabysitterError("INPUT_NOT_JSON", `stdin is not JSON: ${(cause as Error).message}.`, { cause });
  }
}

/** The run that a payload is about. Its directory may be relative to a project that is not here. */
export function runNamedIn(payload: Json, cwd: string): string | undefined {
  const { runId, runDir } = isJsonObject(payload) ? payload : {};
  const [id, dir] = [runId, runDir].map((name) => (typeof name === "string" && name !== "" ? name : undefined));
  const absolute = dir === undefined ? undefined : path.resolve(cwd, dir);
  return absolute !== undefined && isRunDir(absolute) ? absolute : (id ?? dir);
}
