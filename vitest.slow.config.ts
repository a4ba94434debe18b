import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import { TEST_ENVIRONMENT } from "./tools/test-environment.mjs";
import { beginningWith } from "./tools/test-order.js";

/** Those of a minute and more. */
const LONG =
  /\/(?:bad-runs|random-programs|linear-parsers|kill-nine|durability|printed-hints|receipts|run-replay|inbox-crash)\.slow\./u;

export default defineConfig({
  test: {
    include: ["packages/*/src/**/*.slow.test.ts", "tests/**/*.slow.test.ts"],
    globalSetup: "tools/test-setup.mjs",
    isolate: false,
    // These wait for child processes, too.
    maxWorkers: availableParallelism() + 1,
    sequence: { sequencer: beginningWith((file) => LONG.test(file)) },
    testTimeout: 1_200_000,
    env: TEST_ENVIRONMENT,
  },
});
