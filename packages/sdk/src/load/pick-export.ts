import { BabysitterError } from "../model/errors.js";
import type { EntryPoint, LoadedProcess, ProcessFunction } from "../model/ports.js";
import type { LoadedModule } from "./import-graph.js";

const USUAL_NAMES = ["process", "default"];

/** The process among the exports of its file. */
export function pickExport(entry: EntryPoint, loaded: LoadedModule): Omit<LoadedProcess, "hash"> {
  const exports = exportsOf(loaded);
  const candidates = entry.export === undefined ? USUAL_NAMES : [entry.export];
  for (const exportName of candidates) {
    const value = exports.read(exportName);
    if (isProcess(value)) return { exportName, run: value, ...schemaOf(exports) };
  }
  throw exportNotFound(entry, candidates, exports);
}

function schemaOf(exports: Exports): Pick<LoadedProcess, "inputSchema"> {
  const inputSchema = exports.read("inputSchema");
  return inputSchema === undefined ? {} : { inputSchema };
}

function isProcess(value: unknown): value is ProcessFunction {
  return typeof value === "function";
}

/** Exports that are read one by one, since CommonJS may hide expensive getters behind their names. */
interface Exports {
  names: string[];
  read(name: string): unknown;
}

/** What CommonJS assigns to `module.exports` as a whole is its default. */
function exportsOf({ format, exports }: LoadedModule): Exports {
  const named: object = (typeof exports === "object" && exports !== null) || isProcess(exports) ? exports : {};
  const names = Object.keys(named);
  const wholeIsDefault = format === "commonjs" && typeof exports !== "object";
  if (!wholeIsDefault || names.includes("default")) return { names, read: (name) => own(named, name) };
  return {
    names: [...names, "default"],
    read: (name) => (name === "default" ? exports : own(named, name)),
  };
}

function own(object: object, name: string): unknown {
  return Object.hasOwn(object, name) ? Reflect.get(object, name) : undefined;
}

function exportNotFound(entry: EntryPoint, candidates: readonly string[], exports: Exports): BabysitterError {
  const names = exports.names.filter((name) => name !== "__esModule" && name !== "module.exports");
  const present = candidates.find((name) => exports.names.includes(name));
  const problem =
    present === undefined
      ? `has no export ${candidates.map((name) => `"${name}"`).join(" or ")}`
      : `exports "${present}", but that is not a function`;
  const list = names.length === 0 ? "It exports nothing." : `Its exports: ${names.join(", ")}.`;
  const suggestion = names.find((name) => isProcess(exports.read(name)));
  const hint =
    suggestion === undefined
      ? "Export the process as a function: `export default async function release(inputs, ctx) { … }`."
      : `Add the export to the path: ${entry.file}#${suggestion}`;
  return new BabysitterError("EXPORT_NOT_FOUND", `The process file ${entry.file} ${problem}. ${list}`, {
    hint,
    details: { file: entry.file, exports: names },
  });
}
