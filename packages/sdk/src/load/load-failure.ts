/** Says what went wrong when a process could not be loaded, and where. */
import { fileURLToPath } from "node:url";
import { BabysitterError } from "../model/errors.js";
import type { CodeGraph } from "./code-graph.js";
import type { ModulePlan } from "./module-plan.js";
import { locateSyntaxError } from "./syntax-location.js";

/** `plan` is missing when not even the sources could be prepared. */
export function loadFailure(thrown: unknown, graph: CodeGraph, plan: ModulePlan | undefined): BabysitterError {
  const message = messageOf(thrown);
  const place = placeOf(thrown, graph, plan);
  const where = place === undefined || message.includes(place) ? "" : ` (${place})`;
  return new BabysitterError("PROCESS_LOAD_FAILED", `Cannot load the process file ${graph.entry}: ${message}${where}`, {
    hint: isShadowed(thrown, place, plan)
      ? "In this file `process` is the process function itself, not Node's. Call the function something else, such as `export default async function release(inputs, ctx)`, or write `globalThis.process`."
      : "Fix the file or the one it imports, and try again; no step of the process has run.",
    details: { file: graph.entry, ...(place === undefined ? {} : { at: place }) },
    cause: thrown,
  });
}

function messageOf(thrown: unknown): string {
  if (!(thrown instanceof Error)) return `a value that is not an Error was thrown: ${String(thrown)}`;
  const message = thrown.message.split("\n", 1)[0] || thrown.name;
  return thrown.name === "Error" || message.startsWith(thrown.name) ? message : `${thrown.name}: ${message}`;
}

/** A file that declares `process` and uses Node's in the line that has thrown. */
function isShadowed(thrown: unknown, place: string | undefined, plan: ModulePlan | undefined): boolean {
  if (!(thrown instanceof TypeError || thrown instanceof ReferenceError) || place === undefined) return false;
  const cut = place.lastIndexOf(":");
  const source = plan?.modules.get(place.slice(0, cut))?.source ?? "";
  const line = source.split("\n")[Number(place.slice(cut + 1)) - 1] ?? "";
  return /\bprocess\./u.test(line) && /\b(?:function|const|let|var) process\b/u.test(source);
}

/** `file:line`, as exact as it can be had. */
function placeOf(thrown: unknown, graph: CodeGraph, plan: ModulePlan | undefined): string | undefined {
  if (!(thrown instanceof Error)) return undefined;
  const stack = thrown.stack ?? "";
  return (
    headPlace(stack) ??
    stripperPlace(thrown.message) ??
    framePlace(stack, graph) ??
    (thrown.name === "SyntaxError" && plan !== undefined ? syntaxPlace(plan) : undefined)
  );
}

/** The parser puts the place in front of the stack, for CommonJS and for missing exports. */
function headPlace(stack: string): string | undefined {
  const match = /^(\/.*|file:\/\/.*):(\d+)$/u.exec(stack.split("\n", 1)[0] ?? "");
  return match?.[1] && match[2] ? `${toPath(match[1])}:${match[2]}` : undefined;
}

/** The type stripper writes `Error transforming <file>: … (line:column)`. */
function stripperPlace(message: string): string | undefined {
  const [head = ""] = message.split("\n", 1);
  const file = /^Error transforming (.+?): /u.exec(head)?.[1];
  const line = /\((\d+):\d+\)$/u.exec(head)?.[1];
  return file === undefined || line === undefined ? undefined : `${file}:${line}`;
}

function framePlace(stack: string, graph: CodeGraph): string | undefined {
  for (const frame of stack.split("\n")) {
    const [end = "", line] = /:(\d+):\d+\)?$/u.exec(frame) ?? [];
    const [begin = ""] = /^.*?(?:\(|at (?:async )?)(?=\/|file:\/\/)/u.exec(frame) ?? [];
    const path = toPath(frame.slice(begin.length, frame.length - end.length));
    if (graph.files.has(path)) return `${path}:${line}`;
  }
  return undefined;
}

function syntaxPlace(plan: ModulePlan): string | undefined {
  const sources = [...plan.modules.values()].filter(({ format }) => format === "module");
  return locateSyntaxError(sources.map(({ file, source }) => ({ file: file.path, source })));
}

function toPath(location: string): string {
  if (!location.startsWith("file:")) return location;
  try {
    return fileURLToPath(location);
  } catch {
    return location;
  }
}
