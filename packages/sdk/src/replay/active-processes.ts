import type { ProcessWorld } from "./scope.js";

const active = new Set<ProcessWorld>();

/** Processes that are running in this program; a failure without a scope can only be theirs. */
export const activeProcesses: { add(world: ProcessWorld): void; delete(world: ProcessWorld): void } = active;

/** Ends the processes that run here with an error that reached nobody; false when there are none. */
export function failActiveProcesses(error: unknown): boolean {
  for (const world of active) world.fail(error);
  return active.size > 0;
}
