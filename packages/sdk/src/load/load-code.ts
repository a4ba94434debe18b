/**
 * Imports process code in three steps: plan how each file must be loaded, teach Node's loaders where they would do
 * something else, import the entry.
 */
import type { EntryPoint, LoadedProcess } from "../model/ports.js";
import { type CodeGraph, readGraph } from "./code-graph.js";
import { importGraph, type LoadedModule } from "./import-graph.js";
import { loadFailure } from "./load-failure.js";
import { type ModulePlan, planModules } from "./module-plan.js";
import { pickExport } from "./pick-export.js";
import type { SdkAccess } from "./sdk-door.js";

/** Per OS process and not per loader, as Node's own module cache is. */
const loaded = new Map<string, Promise<LoadedModule>>();

interface How {
  cacheDir: string | undefined;
  sdk: SdkAccess;
}

export async function loadCode(entry: EntryPoint, graph: CodeGraph, how: How): Promise<LoadedProcess> {
  const known = loaded.get(keyOf(graph));
  // Read again: what gets imported is what lies there now, and must be remembered as that.
  if (known !== undefined) return { hash: graph.hash, ...pickExport(entry, await known) };
  const now = readGraph(entry, how.cacheDir);
  return { hash: now.hash, ...pickExport(entry, await loadOnce(now, how)) };
}

function keyOf({ entry, hash }: CodeGraph): string {
  return `${entry}\0${hash}`;
}

function loadOnce(graph: CodeGraph, how: How): Promise<LoadedModule> {
  const key = keyOf(graph);
  const known = loaded.get(key);
  if (known !== undefined) return known;
  const loading = loadGraph(graph, how).catch((error: unknown) => {
    loaded.delete(key); // A failure may have reasons outside of the code, so it is worth another try.
    throw error;
  });
  loaded.set(key, loading);
  return loading;
}

async function loadGraph(graph: CodeGraph, { cacheDir, sdk }: How): Promise<LoadedModule> {
  let plan: ModulePlan | undefined;
  try {
    plan = await planModules(graph, cacheDir);
    return await importGraph(graph, plan, sdk);
  } catch (error) {
    throw loadFailure(error, graph, plan);
  }
}
