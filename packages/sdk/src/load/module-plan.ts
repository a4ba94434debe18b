/** Decides how each file of a graph has to be loaded, and whether Node would do so by itself. */
import { readFileSync } from "node:fs";
import { extname } from "node:path";
import type { CodeFile, CodeGraph } from "./code-graph.js";
import { detectSyntax, looksLikeModule } from "./module-syntax.js";
import { type PackageType, packageTypes } from "./package-type.js";
import { hasDynamicImport, requiredSpecifiers } from "./specifiers.js";
import { strippedSource } from "./stripped-source.js";

/** One file, ready to be loaded. */
export interface PlannedModule {
  file: CodeFile;
  /** `other` is whatever Node makes of it: JSON, addons, unknown extensions. */
  format: "module" | "commonjs" | "other";
  /** JavaScript to run; empty for `other`. */
  source: string;
  /** Node would take another format or cannot read the text at all. */
  retyped: boolean;
  /** Node would not find one of its imports, or the SDK in what it imports. */
  relinked: boolean;
  /** Its imports go through the loader of ES modules, all or some of them. */
  importsAsModule: boolean;
  /** Specifiers that `require` is called with. */
  requires: readonly string[];
}

export interface ModulePlan {
  entry: PlannedModule;
  modules: ReadonlyMap<string, PlannedModule>;
}

/** Reads the files of the graph and plans their loading. */
export async function planModules(graph: CodeGraph, cacheDir: string | undefined): Promise<ModulePlan> {
  const typeOf = packageTypes();
  const modules = new Map<string, PlannedModule>();
  // Only what is imported by name: nobody knows yet which of the other files are loaded at all.
  const paths = new Set([graph.entry]);
  for (const path of paths) {
    const file = graph.files.get(path);
    if (file === undefined) continue;
    modules.set(path, await planModule(file, typeOf, cacheDir));
    for (const target of file.imports.values()) paths.add(target.file);
  }
  const entry = modules.get(graph.entry);
  if (entry === undefined) throw new Error(`${graph.entry} is not part of its own graph`);
  return { entry, modules };
}

/** Which of Node's loaders have to be taught something to run a plan. */
export interface HookNeeds {
  esm: boolean;
  cjs: boolean;
}

/**
 * Teaching the ES module loader takes a thread on Node 20, so it is done only when a file that this
 * loader meets needs it. `versioned` plans give every file a new URL, which no import statement names.
 */
export function needsHooks({ entry, modules }: ModulePlan, versioned: boolean): HookNeeds {
  const met = new Set<PlannedModule>(entry.format === "commonjs" ? [] : [entry]);
  for (const planned of modules.values()) {
    if (planned.format === "module") met.add(planned);
    if (!planned.importsAsModule) continue;
    for (const { file } of planned.file.imports.values()) addIfPresent(met, modules.get(file));
  }
  const all = [...modules.values()];
  return {
    esm:
      [...met].some((planned) => planned.retyped || (versioned && planned !== entry)) ||
      all.some((planned) => planned.importsAsModule && planned.relinked),
    cjs: all.some((planned) => planned.format === "commonjs" && (planned.retyped || planned.relinked)),
  };
}

function addIfPresent<T>(set: Set<T>, value: T | undefined): void {
  if (value !== undefined) set.add(value);
}

async function planModule(
  file: CodeFile,
  typeOf: (path: string) => PackageType,
  cacheDir: string | undefined,
): Promise<PlannedModule> {
  const extension = extname(file.path);
  if (!/^\.[cm]?[jt]s$/u.test(extension)) return plainModule(file);
  const text = readFileSync(file.path, "utf8");
  const isTypeScript = extension.endsWith("ts");
  const source = isTypeScript ? await strippedSource(text, file.path, cacheDir) : text;
  const type = typeOf(file.path);
  const format = formatOf(extension, source, type);
  const importsAsModule = format === "module" || hasDynamicImport(source);
  return {
    file,
    format,
    source,
    retyped: isTypeScript || (extension === ".js" && type !== undefined && type !== format),
    relinked: file.importsSdk || file.importsMore || isRelinked(file, importsAsModule),
    importsAsModule,
    requires: format === "commonjs" ? requiredSpecifiers(source) : [],
  };
}

function plainModule(file: CodeFile): PlannedModule {
  const nothing = { retyped: false, relinked: false, importsAsModule: false, requires: [] };
  return { file, format: "other", source: "", ...nothing };
}

function formatOf(extension: string, source: string, type: PackageType): "module" | "commonjs" {
  if (extension.startsWith(".m")) return "module";
  if (extension.startsWith(".c")) return "commonjs";
  const syntax = detectSyntax(source);
  if (syntax === "either") return type ?? "commonjs";
  if (syntax === "broken") return looksLikeModule(source) ? "module" : (type ?? "commonjs");
  return syntax;
}

/** `require` adds these by itself, `import` adds nothing. */
function isRelinked(file: CodeFile, importsAsModule: boolean): boolean {
  const native = importsAsModule ? [""] : ["", ".js", "/index.js"];
  return [...file.imports.values()].some((target) => !native.includes(target.added));
}
