/**
 * Finds, hashes and imports process code.
 *
 * Hashing is synchronous and cheap, because every command asks whether the code has changed. What imports the code is
 * read when a process is to run.
 */
import type { EntryPoint, ProcessCode, ProcessLoader } from "../model/ports.js";
import { readGraph, snapshotOf } from "./code-graph.js";
import type { SdkAccess } from "./sdk-door.js";

export type { SdkAccess };

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
    load: async () => (await import("./load-code.js")).loadCode(entry, graph, { cacheDir, sdk }),
  };
}
