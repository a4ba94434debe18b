/** Loads the entry of a graph, teaching Node's loaders what they need to know and no more. */
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import { forgetRequired, type RequiredModule, teachCommonJs } from "./cjs-hooks.js";
import type { CodeGraph } from "./code-graph.js";
import { teachModuleLoader } from "./esm-hooks.js";
import type { Lesson, LessonModule } from "./hook-source.js";
import { type ModulePlan, needsHooks, type PlannedModule } from "./module-plan.js";
import { claimVersion, spoilVersion, urlOf } from "./module-versions.js";
import { importUrl } from "./native-import.js";
import { withoutTypelessWarning } from "./quiet-typeless.js";
import { doorUrl, openDoor, type SdkAccess } from "./sdk-door.js";
import { SDK_NAME } from "./specifiers.js";

/** What a file exports, and which kind of module it is. */
export interface LoadedModule {
  format: "module" | "commonjs";
  exports: unknown;
}

/** Imports the entry; edited files get evaluated anew. */
export async function importGraph(graph: CodeGraph, plan: ModulePlan, sdk: SdkAccess): Promise<LoadedModule> {
  const version = claimVersion(graph);
  try {
    return await withoutTypelessWarning(() => importVersion(graph, plan, sdk, version));
  } catch (error) {
    spoilVersion(graph);
    throw error;
  }
}

async function importVersion(
  graph: CodeGraph,
  plan: ModulePlan,
  sdk: SdkAccess,
  version: string,
): Promise<LoadedModule> {
  const needs = needsHooks(plan, version !== "");
  const importsSdk = [...graph.files.values()].some((file) => file.importsSdk || file.importsMore);
  const door = importsSdk ? openDoor(sdk) : undefined;
  forgetRequired(graph.files.keys());
  if (needs.cjs || door !== undefined) teachCommonJs({ ...projectOf(graph), door, modules: compiledOf(plan) });
  if (needs.esm) await teachModuleLoader(lessonOf(graph, plan, version, door));
  if (needs.esm) await importRequired(graph, plan, version);
  const { entry } = plan;
  if (entry.format === "commonjs") {
    return { format: "commonjs", exports: createRequire(graph.entry)(graph.entry) };
  }
  return { format: "module", exports: await importUrl(urlOf(graph.entry, version)) };
}

function projectOf(graph: CodeGraph): { roots: string[]; files: Iterable<string> } {
  return { roots: graph.roots, files: graph.files.keys() };
}

/** CommonJS files that Node would not read as such. */
function compiledOf(plan: ModulePlan): Map<string, RequiredModule> {
  const compiled = new Map<string, RequiredModule>();
  for (const { file, format, retyped, source } of plan.modules.values()) {
    if (format === "commonjs" && retyped) compiled.set(file.path, { format, source });
  }
  return compiled;
}

function lessonOf(
  graph: CodeGraph,
  plan: ModulePlan,
  version: string,
  door: Record<string, unknown> | undefined,
): Lesson {
  const links: Lesson["links"] = {};
  const modules: Lesson["modules"] = {};
  const doorAt = door && doorUrl(door);
  for (const planned of plan.modules.values()) {
    const { file, format, source } = planned;
    // Files that `require` loads import by their plain URL, whatever the version.
    const importer = urlOf(file.path, format === "commonjs" ? "" : version);
    links[importer] = linksOf(planned, version, doorAt);
    if (format === "other" || (format === "commonjs" && !planned.retyped)) continue;
    const isTypeScript = file.path.endsWith("ts");
    const lesson: LessonModule = format === "module" && isTypeScript ? { format, source } : { format };
    modules[urlOf(file.path, version)] = lesson;
  }
  const roots = graph.roots.map((root) => pathToFileURL(`${root.replace(/\/$/u, "")}/`).href);
  return { roots, door: doorAt, links, modules };
}

function linksOf({ file }: PlannedModule, version: string, door: string | undefined): Record<string, string> {
  const links: Record<string, string> = door === undefined ? {} : { [SDK_NAME]: door };
  for (const [specifier, target] of file.imports) {
    const url = urlOf(target.file, version);
    // A query in the process's own import asks for an instance of its own; it gets one.
    const query = target.path.includes("?") ? undefined : /^[^#]*?\?([^#]+)/u.exec(specifier)?.[1];
    links[specifier] = query === undefined ? url : `${url}${version === "" ? "?" : "&"}${query}`;
  }
  return links;
}

/**
 * `require` of an ES module bypasses the hooks on Node 20. So those which need hooks are imported
 * before, innermost first, and `require` finds them done.
 */
async function importRequired(graph: CodeGraph, plan: ModulePlan, version: string): Promise<void> {
  for (const path of requiredModules(graph, plan, version !== "")) {
    const required = await importUrl(urlOf(path, version)).then(
      (namespace): RequiredModule => ({ format: "module", namespace }),
      (error: unknown): RequiredModule => ({ format: "failed", error }),
    );
    teachCommonJs({ ...projectOf(graph), door: undefined, modules: new Map([[path, required]]) });
  }
}

/** ES modules that a CommonJS file requires and that Node alone would not load right, innermost first. */
function requiredModules(graph: CodeGraph, plan: ModulePlan, versioned: boolean): string[] {
  const required = new Set<string>();
  for (const { file, requires } of plan.modules.values()) {
    for (const specifier of requires) {
      const target = file.imports.get(specifier)?.file;
      if (target !== undefined && plan.modules.get(target)?.format === "module") required.add(target);
    }
  }
  return innermostFirst(graph, plan).filter(
    (path) => required.has(path) && (versioned || reaches(plan, path, (found) => found.retyped || found.relinked)),
  );
}

function innermostFirst(graph: CodeGraph, plan: ModulePlan): string[] {
  const visited = new Set<string>();
  const order: string[] = [];
  const visit = (path: string): void => {
    if (visited.has(path)) return;
    visited.add(path);
    for (const { file } of plan.modules.get(path)?.file.imports.values() ?? []) visit(file);
    order.push(path);
  };
  visit(graph.entry);
  return order;
}

function reaches(plan: ModulePlan, start: string, wanted: (planned: PlannedModule) => boolean): boolean {
  const queue = new Set([start]);
  for (const path of queue) {
    const planned = plan.modules.get(path);
    if (planned === undefined) continue;
    if (wanted(planned)) return true;
    for (const { file } of planned.file.imports.values()) queue.add(file);
  }
  return false;
}
