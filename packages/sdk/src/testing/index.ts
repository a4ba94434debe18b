/** Tools for testing processes: a run in memory with a clock that the test moves. */
export { MemoryJournalStore } from "./memory-store.js";
export {
  type Answer,
  createTestRun,
  SettableClock,
  type TestProcess,
  type TestRun,
  type TestRunOptions,
} from "./test-run.js";
