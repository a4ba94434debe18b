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
    hint: "Fix the file or the one it imports, and try again; no step of the process has run.",
    details: { file: graph.entry, ...(place === undefined ? {} : { at: place }) },
    cause: thrown,
  });
}

function messageOf(thrown: unknown): string {
  if (!(thrown instanceof Error)) return `a value that is not an Error was thrown: ${String(thrown)}`;
  const message = thrown.message.split("\n", 1)[0] || thrown.name;
  return thrown.name === "Error" || message.startsWith(thrown.name) ? message : `${thrown.name}: ${message}`;
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
  const match = /^Error transforming (.+?): .*\((\d+):\d+\)$/mu.exec(message);
  return match === null ? undefined : `${match[1]}:${match[2]}`;
}

function framePlace(stack: string, graph: CodeGraph): string | undefined {
  for (const [, location, line] of stack.matchAll(
    /(?:\(|at (?:async )?)(\/[^\n]*?|file:\/\/[^\n]*?):(\d+):\d+\)?$/gmu,
  )) {
    const path = toPath(location ?? "");
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
