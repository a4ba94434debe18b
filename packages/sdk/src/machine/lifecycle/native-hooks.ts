/** The hooks that the SDK brings along, as functions: calling a script for them would only cost time. */
import { isHeld } from "../../drive/lease.js";
import { orchestrateNatively } from "../../drive/native-orchestrator.js";
import type { NativeHook } from "../../hooks/dispatch-hooks.js";
import type { RunJournal } from "../../runs/run-journal.js";
import { lastWordsOfTaskRunner, startTaskRunner } from "../children/start-task-runner.js";

export interface OrchestratorSettings {
  concurrency: number;
  waitMs: number;
}

/** Executes what is pending, in a program that outlives this one. */
export function nativeOrchestrator(journal: RunJournal, { concurrency, waitMs }: OrchestratorSettings): NativeHook {
  const { runDir, runId, ports } = journal;
  return {
    name: "native-orchestrator",
    run: (_payload, signal) =>
      orchestrateNatively({
        journal,
        startRunner: () => startTaskRunner(runDir, concurrency),
        lastWords: () => lastWordsOfTaskRunner(runDir),
        isAtWork: () => isHeld(ports.leases.driver, runId),
        watch: (onChange) => ports.store.watch(runId, onChange),
        waitMs,
        signal,
      }),
  };
}
