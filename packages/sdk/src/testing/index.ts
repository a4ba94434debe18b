/** Tools for testing processes, with a run in memory and a clock that the test moves, and for testing stores. */
export { MemoryEventStore } from "./memory-event-store.js";
export { type StoreContractCase, type StoreUnderTest, storeContract } from "./store-contract.js";
export {
  type Answer,
  createTestRun,
  SettableClock,
  type TestProcess,
  type TestRun,
  type TestRunOptions,
} from "./test-run.js";
