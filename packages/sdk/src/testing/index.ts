/** Tools for testing processes: a run in memory with a clock that the test moves. */
export { MemoryEventStore } from "./memory-event-store.js";
export {
  type Answer,
  createTestRun,
  SettableClock,
  type TestProcess,
  type TestRun,
  type TestRunOptions,
} from "./test-run.js";
