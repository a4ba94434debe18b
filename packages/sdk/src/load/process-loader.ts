/**
 * Finds, hashes and imports process code.
 *
 * Hashing is synchronous and cheap, because every command asks whether the code has changed. Importing
 * happens in three steps: plan how each file must be loaded, teach Node's loaders where they would
 * do something else, import the entry.
 */
import type { EntryPoint, ProcessCode, ProcessLoader } from "../model/ports.js";
import { type CodeGraph, readGraph, snapshotOf } from "./code-graph.js";
import { importGraph, type LoadedModule } from "./import-graph.js";
import { loadFailure } from "./load-failure.js";
import { type ModulePlan, planModules } from "./module-plan.js";
import { pickExport } from "./pick-export.js";
import type { SdkAccess } from "./sdk-door.js";

export type { SdkAccess };

/** Per OS process and not per loader, as Node's own module cache is. */
const loaded = new Map<string, Promise<LoadedModule>>();

/** The loader of local files; `sdk` is what processes get when they import the SDK. */
export function createProcessLoader({ sdk }: { sdk: SdkAccess }): ProcessLoader {
  return {
    inspect: (entry, cacheDir) => inspect(entry, cacheDir, sdk),
  };
}

function inspect(entry: EntryPoint, cacheDir: string | undefined, sdk: SdkAccess): ProcessCode {
  const graph = readGraph(entry, cacheDir);
  return {
    hash: graph.hash,
    snapshot: () => snapshotOf(graph),
    load: async () => {
      const known = loaded.get(keyOf(graph));
      // Read again: what gets imported is what lies there now, and must be remembered as that.
      if (known !== undefined) return { hash: graph.hash, ...pickExport(entry, await known) };
      const now = readGraph(entry, cacheDir);
      return { hash: now.hash, ...pickExport(entry, await loadOnce(now, cacheDir, sdk)) };
    },
  };
}

function keyOf({ entry, hash }: CodeGraph): string {
  return `${entry}\0${hash}`;
}

function loadOnce(graph: CodeGraph, cacheDir: string | undefined, sdk: SdkAccess): Promise<LoadedModule> {
  const key = keyOf(graph);
  const known = loaded.get(key);
  if (known !== undefined) return known;
  const loading = loadGraph(graph, cacheDir, sdk).catch((error: unknown) => {
    loaded.delete(key); // A failure may have reasons outside of the code, so it is worth another try.
    throw error;
  });
  loaded.set(key, loading);
  return loading;
}

async function loadGraph(graph: CodeGraph, cacheDir: string | undefined, sdk: SdkAccess): Promise<LoadedModule> {
  let plan: ModulePlan | undefined;
  try {
    plan = await planModules(graph, cacheDir);
    return await importGraph(graph, plan, sdk);
  } catch (error) {
    throw loadFailure(error, graph, plan);
  }
}
