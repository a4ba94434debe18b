/** A run in memory whose ports a test holds itself, for several drivers or a store that fails. */
import { parseRunId, type RunId } from "../../../packages/sdk/src/model/ids.js";
import type { Ports, ProcessFunction } from "../../../packages/sdk/src/model/ports.js";
import type { ProcessContext } from "../../../packages/sdk/src/replay/process-context.js";
import { createRun } from "../../../packages/sdk/src/runs/create-run.js";
import { MemoryJournalStore, SettableClock } from "../../../packages/sdk/src/testing/index.js";
import { memoryLeases } from "../../../packages/sdk/src/testing/memory-leases.js";

export const RUN: RunId = parseRunId("shared-run");

export interface SharedPorts extends Ports {
  clock: SettableClock;
}

export async function sharedRun(
  process: (inputs: never, ctx: ProcessContext) => unknown,
  parts: { store?: MemoryJournalStore; version?: () => string; now?: number } = {},
): Promise<SharedPorts> {
  const { store = new MemoryJournalStore(), version = () => "code-1" } = parts;
  let counter = 0;
  const ports: SharedPorts = {
    store,
    clock: new SettableClock(parts.now),
    loader: {
      inspect: () => ({
        hash: version(),
        snapshot: () => ({ files: [] }),
        load: async () => ({ exportName: "process", run: process as ProcessFunction }),
      }),
    },
    hooks: { run: async ({ hookType }) => ({ hookType, success: true, executedHooks: [] }) },
    leases: memoryLeases(),
    randomHex: (bytes) => {
      counter += 1;
      return counter.toString(16).padStart(bytes * 2, "0");
    },
    locate: () => ({ file: "/memory/process.js", projectRoot: "/memory", cacheDir: "/memory/state" }),
  };
  await createRun(ports, {
    processId: "shared",
    runId: RUN,
    entry: { file: "/memory/process.js", projectRoot: "/memory" },
    recorded: () => ({ path: "process.js", projectRoot: "../.." }),
  });
  return ports;
}
