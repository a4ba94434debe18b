/* oxlint-disable no-underscore-dangle -- the names are Node's. */
/**
 * Teaches Node's CommonJS loader about graphs. It has no official hooks on Node 20, but the functions
 * patched here are the ones that everyone patches, and they are the same on all supported versions.
 */
import nodeModule from "node:module";
import { dirname, sep } from "node:path";
import { isProjectFile } from "./project-roots.js";
import { resolveLocal } from "./resolve-local.js";
import { isLocalSpecifier, SDK_NAME } from "./specifiers.js";

/** How a file that `require` meets is to be loaded. */
export type RequiredModule =
  | { format: "commonjs"; source: string }
  /** An ES module that has been imported already, because only `import` goes through our hooks. */
  | { format: "module"; namespace: Record<string, unknown> }
  | { format: "failed"; error: unknown };

interface CjsModule {
  filename: string | null;
  exports: unknown;
  _compile(source: string, filename: string, format?: string): unknown;
}
type ExtensionHandler = (module: CjsModule, filename: string) => void;

type Patchable<Result> = (this: unknown, request: string, parent: CjsModule | undefined, ...rest: unknown[]) => Result;

/** The part of Node's loader that is open to patches but not part of its types. */
interface LoaderInternals {
  _cache: Record<string, unknown>;
  _extensions: Record<string, ExtensionHandler>;
  _load: Patchable<unknown>;
  _resolveFilename: Patchable<string>;
}

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- Node has these, its types do not.
const internals = nodeModule as unknown as LoaderInternals;
const roots = new Set<string>();
const files = new Set<string>();
const modules = new Map<string, RequiredModule>();
let door: Record<string, unknown> | undefined;
let patched = false;

/** What `require` has to know for a graph. */
export interface CjsLesson {
  roots: readonly string[];
  /** Belong to the project wherever they lie: links may lead out of it. */
  files: Iterable<string>;
  door: Record<string, unknown> | undefined;
  modules: ReadonlyMap<string, RequiredModule>;
}

export function teachCommonJs(lesson: CjsLesson): void {
  door = lesson.door ?? door;
  for (const root of lesson.roots) roots.add(root);
  for (const file of lesson.files) files.add(file);
  for (const [path, required] of lesson.modules) modules.set(path, required);
  if (!patched) patch();
  patched = true;
}

/** Makes `require` evaluate these files again, by Node's own rules until taught otherwise. */
export function forgetRequired(paths: Iterable<string>): void {
  for (const path of paths) {
    delete internals._cache[path];
    modules.delete(path);
  }
}

function patch(): void {
  const { _load: load, _resolveFilename: resolveFilename } = internals;
  internals._load = function (request, parent, ...rest) {
    if (request !== SDK_NAME || door === undefined) return load.call(this, request, parent, ...rest);
    if (isOwn(parent)) return door;
    try {
      return load.call(this, request, parent, ...rest);
    } catch (error) {
      if ((error as { code?: unknown }).code === "MODULE_NOT_FOUND") return door;
      throw error;
    }
  };
  internals._resolveFilename = function (request, parent, ...rest) {
    const found = isLocalSpecifier(request) && isFromProject(parent) ? resolveFrom(request, parent) : undefined;
    return found ?? resolveFilename.call(this, request, parent, ...rest);
  };
  for (const extension of [".js", ".mjs", ".cjs", ".ts", ".mts", ".cts"]) patchExtension(extension);
}

/** Packages must keep resolving as ever, so extensions that Node does not know stay hidden from lookups. */
function patchExtension(extension: string): void {
  const original = internals._extensions[extension];
  const handler: ExtensionHandler = (module, filename) => {
    const known = modules.get(filename);
    if (known === undefined) return (original ?? internals._extensions[".js"])?.(module, filename);
    fill(module, filename, known);
  };
  const enumerable = original !== undefined;
  Object.defineProperty(internals._extensions, extension, {
    value: handler,
    enumerable,
    configurable: true,
    writable: true,
  });
}

function fill(module: CjsModule, filename: string, known: RequiredModule): void {
  if (known.format === "failed") throw known.error;
  if (known.format === "module") module.exports = exportsOf(known.namespace);
  else module._compile(known.source, filename, "commonjs");
}

/** What Node's own `require` gives for an ES module. */
function exportsOf(namespace: Record<string, unknown>): unknown {
  if (Object.hasOwn(namespace, "module.exports")) return namespace["module.exports"];
  if (!Object.hasOwn(namespace, "default") || Object.hasOwn(namespace, "__esModule")) return namespace;
  const facade: Record<string, unknown> = Object.create(null);
  for (const name of Object.keys(namespace)) {
    Object.defineProperty(facade, name, { get: () => namespace[name], enumerable: true });
  }
  return Object.defineProperty(facade, "__esModule", { value: true, enumerable: true });
}

/** Only packages may have a copy of the SDK of their own. */
function isOwn(parent: CjsModule | undefined): boolean {
  return parent?.filename?.split(sep).includes("node_modules") === false || isFromProject(parent);
}

function isFromProject(parent: CjsModule | undefined): parent is CjsModule & { filename: string } {
  const name = parent?.filename;
  return typeof name === "string" && (files.has(name) || isProjectFile(name, [...roots]));
}

function resolveFrom(request: string, parent: CjsModule & { filename: string }): string | undefined {
  return request.startsWith("file:") ? undefined : resolveLocal(request, dirname(parent.filename))?.file;
}
